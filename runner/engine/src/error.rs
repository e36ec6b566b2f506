//! Why there is no answer.

use std::fmt;

use crate::Before;

/// The engine failed: there is no answer, and none may be made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineError {
    /// The solver that is linked is older than what the engine needs.
    SolverTooOld {
        /// The version that is linked.
        found: String,
    },
    /// The solver gave a wrong answer to a question whose answer is known.
    Unproven {
        /// The question.
        question: &'static str,
        /// What it answered.
        answer: Before,
    },
    /// The compiler accepted an assertion that the translation for the solver refuses.
    Translation {
        /// The assertion's name.
        assertion: String,
        /// What is wrong.
        problem: String,
    },
    /// The two engines give different answers.
    Disagreement {
        /// The assertion's name.
        assertion: String,
        /// What exact evaluation and the solver together answered.
        auto: Before,
        /// What the solver alone answered.
        solver: Before,
    },
    /// A question about an assertion has no answer: the solver broke down over it, or did not come to an end.
    Unanswered {
        /// The assertion's name.
        assertion: String,
        /// What happened.
        problem: String,
    },
    /// The solver cannot be used, or broke down where no question is to blame.
    BrokeDown {
        /// What happened.
        problem: String,
    },
    /// A dictionary does not fit the ruleset.
    Misfit {
        /// The claim whose binding does not fit, or that the dictionary does not have.
        claim: String,
    },
    /// The assertions answered are not those advertised.
    Incomplete {
        /// How many the ruleset advertises.
        advertised: usize,
        /// How many were answered.
        answered: usize,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::SolverTooOld { found } => {
                write!(f, "the solver that is linked is Z3 {found}, and assay needs 4.13.3 or newer")
            }
            EngineError::Unproven { question, answer } => {
                write!(f, "the solver does not work: it answers {} to {question}", answer.as_str())
            }
            EngineError::Translation { assertion, problem } => {
                write!(
                    f,
                    "assertion `{assertion}` compiles and cannot be translated for the solver: {problem}"
                )
            }
            EngineError::Disagreement { assertion, auto, solver } => write!(
                f,
                "the two engines disagree on assertion `{assertion}`: evaluation answers {}, the solver {}",
                auto.as_str(),
                solver.as_str()
            ),
            EngineError::Unanswered { assertion, problem } => {
                write!(f, "assertion `{assertion}` has no answer: {problem}")
            }
            EngineError::BrokeDown { problem } => write!(f, "the solver {problem}"),
            EngineError::Misfit { claim } => {
                write!(
                    f,
                    "the dictionary was not read for this ruleset: its binding of `{claim}` does not fit"
                )
            }
            EngineError::Incomplete { advertised, answered } => {
                write!(
                    f,
                    "the engine answered {answered} assertions, and the ruleset has {advertised}; no answer is given"
                )
            }
        }
    }
}

impl std::error::Error for EngineError {}

impl EngineError {
    /// What to do about it, where something can be done.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            EngineError::BrokeDown { .. } => Some(
                "this is mostly too little memory: raise the limit (`ulimit -v`), or use fewer threads; if there is \
                 enough, please report it",
            ),
            _ => None,
        }
    }
}

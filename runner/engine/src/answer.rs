//! What is answered for one assertion and one dictionary.

use std::sync::Arc;

use assay_compile::typed::ClaimId;
use assay_syntax::ast::UnknownPolicy;

use crate::Word;

/// The answer before the assertion's unknown policy is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Before {
    /// It holds whatever is not bound.
    True,
    /// It fails whatever is not bound.
    False,
    /// It can hold and it can fail.
    Unknown,
    /// Its evidence contradicts itself and the contradiction matters.
    Ambiguous,
    /// The solver came to its limit before it settled the question.
    GaveUp,
}

impl Before {
    /// What evaluation settled.
    pub(crate) fn settled(value: bool) -> Before {
        if value { Before::True } else { Before::False }
    }

    /// The answer as messages write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Before::True => Word::True.as_str(),
            Before::False => Word::False.as_str(),
            Before::Unknown => Word::Unknown.as_str(),
            Before::Ambiguous => Word::Ambiguous.as_str(),
            Before::GaveUp => "gave up",
        }
    }
}

/// Which of the two engines settled an answer. Both mean the same; this is for counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Evaluation in exact rationals.
    Evaluation,
    /// Z3, also where an earlier question had the same answer.
    Solver,
}

/// The answer to one assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The answer before the policy.
    pub before: Before,
    /// The answer.
    pub word: Word,
    /// Why the answer before the policy was not settled: there whenever it was UNKNOWN or given up, and where there
    /// were too many choices.
    pub reason_unknown: Option<Arc<str>>,
    /// The claims that the assertion reads and whose evidence contradicts itself, in declared order.
    pub contradicted: Vec<ClaimId>,
    /// Which engine settled it.
    pub by: DecidedBy,
}

impl Answer {
    /// The answer that an assertion's unknown policy makes. What was given up is UNKNOWN under every policy.
    pub(crate) fn new(
        before: Before,
        policy: UnknownPolicy,
        reason: Option<Arc<str>>,
        contradicted: Vec<ClaimId>,
        by: DecidedBy,
    ) -> Answer {
        let word = match (before, policy) {
            (Before::True, _) | (Before::Unknown, UnknownPolicy::Optimistic) => Word::True,
            (Before::False, _) | (Before::Unknown, UnknownPolicy::Pessimistic) => Word::False,
            (Before::Unknown, UnknownPolicy::Neutral) | (Before::GaveUp, _) => Word::Unknown,
            (Before::Ambiguous, _) => Word::Ambiguous,
        };
        Answer { before, word, reason_unknown: reason, contradicted, by }
    }
}

//! Why a run did not complete, in words for the person who must put it right.

use std::fmt;
use std::io;

use assay_compile::Refusal;
use assay_engine::EngineError;
use assay_faults::{help, reason};

use crate::exit::Exit;
use crate::input::InputError;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands: `job.toml:12`, `--rlimit`, a file. Nothing where it stands nowhere.
    pub place: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without a place and without help.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { place: None, message: message.into(), help: None }
    }

    /// The problem, with its place.
    pub fn at(self, place: impl Into<String>) -> Problem {
        Problem { place: Some(place.into()), ..self }
    }

    /// The problem, with help.
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Problem {
        Problem { place: Some(error.file), message: error.message, help: error.help }
    }
}

/// Why a run did not complete.
#[derive(Debug)]
pub enum RunError {
    /// The job is wrong: everything that is, at once.
    Job(Vec<Problem>),
    /// The ruleset or the unit library is not the pinned one, or is not there.
    Pin(Vec<Problem>),
    /// The ruleset does not compile.
    Ruleset(Refusal),
    /// An input could not be read.
    Input(InputError),
    /// An output could not be written.
    Output(Problem),
    /// The unfinished run in the output folder is not one that this job could go on with.
    Resume(Vec<Problem>),
    /// More rows were rejected than the job allows.
    TooManyRejected {
        /// How many were rejected when the run stopped.
        rejected: u64,
        /// Of how many that had been read.
        rows: u64,
        /// What the job allows, as it is written there.
        allowed: String,
        /// Where the rejected rows are.
        kept: String,
    },
    /// A document stands in two places.
    Scattered(Problem),
    /// The engine failed, and gave no answer rather than a wrong one.
    Engine(Problem),
    /// The solver and the evaluator disagree on a document.
    Disagreement(Problem),
    /// A report was told to stop, after so many rows.
    ReportInterrupted(u64),
    /// The run was told to stop.
    Interrupted {
        /// How many rows were finished.
        rows: u64,
        /// Whether the run can go on from there.
        resumable: bool,
    },
}

impl RunError {
    /// That the engine failed.
    pub(crate) fn engine(message: impl Into<String>) -> RunError {
        RunError::Engine(Problem::new(message))
    }

    /// That the engine failed, in its words.
    pub(crate) fn of_engine(error: &EngineError) -> RunError {
        let problem = Problem::new(error.to_string());
        RunError::Engine(Problem { help: error.help().map(str::to_owned), ..problem })
    }

    /// That the system does not give what a run needs to begin: threads, memory, a timer.
    pub fn not_started(what: &str, error: &io::Error) -> RunError {
        let problem = Problem::new(format!("{what}: {}", reason(error)));
        RunError::Engine(Problem { help: help(error).map(str::to_owned), ..problem })
    }

    /// The exit code it ends with.
    pub fn exit(&self) -> Exit {
        match self {
            RunError::Job(_) => Exit::Usage,
            RunError::Pin(_) | RunError::Ruleset(_) => Exit::Refused,
            RunError::Input(_)
            | RunError::Output(_)
            | RunError::Scattered(_)
            | RunError::Resume(_)
            | RunError::TooManyRejected { .. } => Exit::Failed,
            RunError::Engine(_) | RunError::Disagreement(_) => Exit::Engine,
            RunError::ReportInterrupted(_) | RunError::Interrupted { .. } => Exit::Interrupted,
        }
    }

    /// Everything that is wrong, to be shown one below the other.
    pub fn problems(&self) -> Vec<Problem> {
        match self {
            RunError::Job(problems) | RunError::Pin(problems) | RunError::Resume(problems) => {
                problems.clone()
            }
            RunError::Ruleset(refusal) => {
                refusal.diagnostics.iter().map(|each| diagnosed(each, refusal)).collect()
            }
            RunError::Input(InputError { file, message, help }) => {
                vec![Problem { place: Some(file.clone()), message: message.clone(), help: help.clone() }]
            }
            RunError::Output(problem)
            | RunError::Scattered(problem)
            | RunError::Engine(problem)
            | RunError::Disagreement(problem) => {
                vec![problem.clone()]
            }
            RunError::TooManyRejected { rejected, rows, allowed, kept } => vec![
                Problem::new(format!(
                    "{rejected} of {rows} rows were rejected, and `max_rejected` allows {allowed}"
                ))
                .help(format!("`{kept}` lists them with what is wrong; no result was given its final name")),
            ],
            RunError::ReportInterrupted(rows) => {
                vec![Problem::new(format!("interrupted after {rows} rows; there is no report"))]
            }
            RunError::Interrupted { rows, resumable } => {
                let message = format!("interrupted after {rows} rows; no result was given its final name");
                vec![Problem::new(message).help(match resumable {
                    true => "run the job again with `--resume`: it goes on from there",
                    false => "run the job again: standard input cannot be read twice, so it starts anew",
                })]
            }
        }
    }
}

fn diagnosed(diagnostic: &assay_syntax::Diagnostic, refusal: &Refusal) -> Problem {
    let place = refusal.source.as_ref().map(|source| {
        let position = source.position(diagnostic.span.start);
        format!("line {}, column {}", position.line, position.column)
    });
    Problem { place, message: diagnostic.message.clone(), help: diagnostic.help.clone() }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems().iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for RunError {}

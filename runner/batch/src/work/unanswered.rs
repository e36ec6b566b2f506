//! Documents that the engine has no answer for: they are rejected with `ENGINE_ERROR`, and the run goes on.
//!
//! That is rare, and so it is no concern of deciding: a unit in which it happens is decided again without the
//! documents that it happened to.

use std::collections::BTreeMap;

use assay_claims::Failure;
use assay_engine::EngineError;

use super::decide::engine;
use crate::error::RunError;
use crate::places::Place;

/// What is known of a unit that could not be decided as a whole.
#[derive(Debug, Default)]
pub(super) struct Unanswered {
    /// Whether it is decided by row, since columns do not tell which documents they are.
    pub by_row: bool,
    /// The documents without an answer by their (first) rows, and why they have none.
    documents: BTreeMap<(usize, u64), String>,
}

impl Unanswered {
    /// Adds a document.
    pub fn add(&mut self, Place { input, row }: Place, error: &EngineError) {
        self.documents.insert((input, row), error.to_string());
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.documents.len() as u64
    }

    /// What is wrong with the document that begins in a row, where it is one of them.
    pub fn failure(&self, Place { input, row }: Place) -> Option<Failure> {
        let problem = self.documents.get(&(input, row))?;
        Some(Failure {
            field: String::new(),
            expected: "a document that the engine answers".to_owned(),
            received: format!("ENGINE_ERROR: {problem}"),
        })
    }
}

/// Why a unit is not decided.
#[derive(Debug)]
pub(super) enum Undecided {
    /// A document in it has no answer: the unit is to be decided again.
    Unanswered,
    /// The run cannot go on.
    Run(RunError),
}

impl From<RunError> for Undecided {
    fn from(error: RunError) -> Undecided {
        Undecided::Run(error)
    }
}

impl From<EngineError> for Undecided {
    fn from(error: EngineError) -> Undecided {
        match error {
            EngineError::Unanswered { .. } => Undecided::Unanswered,
            error => Undecided::Run(engine(error)),
        }
    }
}

//! What happens in a run, as it happens. Progress, the log and the manifest are folds over these.
//!
//! Events of results come in the order of the input, whatever the threads. None holds a value of a claim.

use assay_engine::{Answer, Before, DecidedBy, Word};
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The plan holds and the engine proved itself; reading starts.
    Started {
        /// The inputs in the order of reading.
        inputs: Vec<InputFound>,
        /// The names of the assertions, in source order.
        assertions: Vec<String>,
        /// How many threads decide.
        threads: usize,
    },
    /// The run goes on where one before it ended, which had come so far.
    Resumed(SoFar),
    /// Some rows were decided and written.
    Decided(Decided),
    /// An input came to its end.
    InputDone {
        /// Which, from 0.
        input: usize,
        /// Lowercase hex SHA-256 of its bytes as stored.
        sha256: String,
    },
    /// The run ends early, and can be resumed.
    Kept {
        /// How many rows are finished.
        rows: u64,
    },
    /// An output is whole; it gets its final name when all are.
    Written(OutputFile),
    /// All outputs are whole, and are now put into an object store.
    Putting {
        /// The address.
        output: String,
    },
    /// Every output has its final name.
    Finished {
        /// The folder, or the address.
        output: String,
    },
}

/// An input that will be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFound {
    /// Its name, as the job gives it.
    pub name: String,
    /// Its size as stored; unknown for standard input.
    pub bytes: Option<u64>,
}

/// What a run has come to so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoFar {
    /// What was read of each input, in the order of reading.
    pub inputs: Vec<InputSoFar>,
    /// The documents of grouped rows.
    pub documents: Documents,
    /// What was answered, for each assertion.
    pub tallies: Vec<Tally>,
}

/// What was read of an input so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSoFar {
    /// How many rows.
    pub rows: u64,
    /// How many of them were rejected.
    pub rejected: u64,
    /// Lowercase hex SHA-256 of its bytes as stored, once it came to its end.
    pub sha256: Option<String>,
}

/// An output that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name in the output folder.
    pub name: String,
    /// Lowercase hex SHA-256 of its bytes.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// Rows that were decided and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The rows, by the inputs they come from.
    pub rows: Vec<RowsRead>,
    /// The documents that they are. Rows that are rejected alone are none.
    pub documents: Documents,
    /// What was answered, for each assertion.
    pub tallies: Vec<Tally>,
}

/// Rows of one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowsRead {
    /// The input, from 0.
    pub input: usize,
    /// How many rows were read.
    pub read: u64,
    /// How many of them were rejected.
    pub rejected: u64,
    /// How much of the input, as stored, had been read when the rows had been; 0 where its format does not tell.
    pub bytes_read: u64,
}

/// Counts of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Documents {
    /// Those that were decided.
    pub checked: u64,
    /// Those that were rejected.
    pub rejected: u64,
    /// How many of them the engine had no answer for.
    pub engine_errors: u64,
}

/// Counts of one assertion's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Of each word, in the order of [`Word::ALL`].
    pub words: [u64; 4],
    /// TRUE and FALSE that the unknown policy made of an UNKNOWN.
    pub by_policy: u64,
    /// Answers that the solver settled.
    pub solver_decided: u64,
    /// Answers that the solver gave up on.
    pub solver_gave_up: u64,
}

impl Tally {
    /// The count of a word.
    pub fn of(&self, word: Word) -> u64 {
        Word::ALL.iter().zip(self.words).find(|(each, _)| **each == word).map_or(0, |(_, count)| count)
    }

    /// Counts an answer.
    pub fn count(&mut self, answer: &Answer) {
        for (word, count) in Word::ALL.iter().zip(&mut self.words) {
            *count += u64::from(*word == answer.word);
        }
        self.by_policy += u64::from(answer.before == Before::Unknown && answer.word != Word::Unknown);
        match (answer.before, answer.by) {
            (Before::GaveUp, _) => self.solver_gave_up += 1,
            (_, DecidedBy::Solver) => self.solver_decided += 1,
            (_, DecidedBy::Evaluation) => {}
        }
    }

    /// Adds another count of the same assertion.
    pub fn add(&mut self, other: &Tally) {
        for (count, more) in self.words.iter_mut().zip(other.words) {
            *count += more;
        }
        self.by_policy += other.by_policy;
        self.solver_decided += other.solver_decided;
        self.solver_gave_up += other.solver_gave_up;
    }
}

//! How a job's texts are read, where it declares more than the strict rules.

use std::fmt;

/// What loosens the reading of texts. None of it touches a JSON number or a number of a typed column.
///
/// The default is the strict reading of JSON bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Whether white space around a text is dropped.
    pub trim: bool,
    /// What may stand between groups of exactly three digits before the decimal mark.
    pub thousands: Option<char>,
    /// The decimal mark.
    pub decimal: char,
    /// Whether a number may begin with `+`.
    pub plus: bool,
    /// Texts that are null, exactly as written.
    pub null: Vec<String>,
    /// Texts that are true, in any case of ASCII letters.
    pub true_words: Vec<String>,
    /// Texts that are false, in any case of ASCII letters.
    pub false_words: Vec<String>,
    /// Whether a NaN or an infinity of a float column is undetermined rather than a failure.
    pub nan_unknown: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            trim: false,
            thousands: None,
            decimal: '.',
            plus: false,
            null: Vec::new(),
            true_words: vec!["true".to_owned()],
            false_words: vec!["false".to_owned()],
            nan_unknown: false,
        }
    }
}

/// Reading options that cannot be meant: the job is refused before a row is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingError {
    /// The option, by its key in a job file: `thousands`, `null`.
    pub option: &'static str,
    /// What is wrong with it.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ReadingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadingError {}

//! The job: everything that a run depends on.
//!
//! A job file and the flags of a command line give the same [`KEYS`]; each becomes [`Settings`], and
//! [`Job::resolve`] lays the flags over the file, fills in defaults and checks every value. What is wrong is told all
//! at once, each with the line or the flag it stands at.

mod file;
mod keys;
mod resolve;
mod settings;
mod values;

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use assay_claims::Reading;
use assay_engine::{Route, Word};
use assay_units::Rational;

pub use keys::{KEYS, Key, Kind, Section};
pub use settings::Settings;

use crate::input::{FileFormat, TextOptions};
use crate::output::Layout;

/// A job whose every value makes sense. Whether it fits its ruleset and its inputs is found when it is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The ruleset.
    pub ruleset: Pinned,
    /// The unit library that must be in use.
    pub units: Option<UnitsPin>,
    /// The store, where the job names one.
    pub store: Option<PathBuf>,
    /// A file of project converters, where the job names one.
    pub converters: Option<PathBuf>,
    /// The inputs, as written.
    pub input: Vec<InputSpec>,
    /// The format of every input; else each file's name tells it.
    pub input_format: Option<FileFormat>,
    /// Where the results go.
    pub output: Output,
    /// The formats of the results, each once.
    pub formats: Vec<FileFormat>,
    /// Long or wide results.
    pub layout: Layout,
    /// Whether payloads are written.
    pub payloads: bool,
    /// Whether results say their file and row.
    pub locate: bool,
    /// The column of the documents' ids.
    pub id: Option<String>,
    /// The field of JSONL rows that holds the claims.
    pub claims_field: Option<String>,
    /// Columns to copy to the results.
    pub carry: Vec<String>,
    /// Which rows are one document, where that may be several.
    pub grouping: Option<Grouping>,
    /// How many threads decide; all that there are where it is not said.
    pub threads: Option<NonZeroUsize>,
    /// How many rows are decided at a time.
    pub batch_rows: NonZeroUsize,
    /// How many rows a part has: so many are decided again at most where the run is resumed after a kill.
    pub checkpoint_rows: NonZeroU64,
    /// The solver's limit for a question, in its own count of steps.
    pub rlimit: u32,
    /// The most choices of contradicting evidence for an assertion.
    pub max_choices: u32,
    /// How assertions are decided.
    pub engine: Route,
    /// The share of documents that are decided twice.
    pub cross_check: Rational,
    /// Whether a claim without a column is unknown rather than an error.
    pub missing_unknown: bool,
    /// The most rows that may be rejected.
    pub max_rejected: Option<Allowed>,
    /// What ends a completed run with exit code 4.
    pub fail_on: FailOn,
    /// How values are read.
    pub reading: ReadingOptions,
    /// How text files are read.
    pub text: TextOptions,
    /// The columns of claims, where they are not the claims' names.
    pub claims: BTreeMap<String, Columns>,
}

/// A ruleset and the hash it must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    /// Its source; without one it is the ruleset that is stored under its hash.
    pub file: Option<PathBuf>,
    /// The hash of its normalised source.
    pub hash: String,
}

/// The unit library that a job expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitsPin {
    /// No converter.
    None,
    /// The library of this hash.
    Hash(String),
}

/// Where results go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// To a folder.
    Folder(PathBuf),
    /// Below an address in an object store, once they are whole.
    Store {
        /// The address, without a `/` at its end.
        url: String,
        /// The folder that the run works in until then.
        work: PathBuf,
    },
}

impl Output {
    /// The folder that a run works in.
    pub fn folder(&self) -> &Path {
        match self {
            Output::Folder(path) => path,
            Output::Store { work, .. } => work,
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Output::Folder(path) => path.display().fmt(f),
            Output::Store { url, .. } => f.write_str(url),
        }
    }
}

/// One `input` of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSpec {
    /// A file, a folder, a glob or `-`, as written.
    pub text: String,
    /// The folder it is relative to.
    pub folder: PathBuf,
}

/// Which rows are one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// The column of their common id.
    pub by: String,
    /// Whether they may stand anywhere, rather than one after the other.
    pub scattered: bool,
    /// The column that says where each row's evidence comes from.
    pub source: Option<String>,
}

/// How many rows may be rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// As written in the job.
    pub text: String,
    /// The limit.
    pub limit: Limit,
}

/// A limit of rejected rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// So many; passed, the run stops at once.
    Count(u64),
    /// So large a share of the rows, from 0 to 1; told at the end.
    Share(Rational),
}

/// What ends a completed run with exit code 4.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailOn {
    /// An answer of any of these words.
    pub words: Vec<Word>,
    /// A rejected row.
    pub rejected: bool,
}

/// The columns of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Its value's column.
    pub column: Option<String>,
    /// Its unit's column.
    pub unit_column: Option<String>,
}

/// How values of text formats are read, as far as the job says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingOptions {
    /// The texts that are no value.
    pub null: Option<Vec<String>>,
    /// The texts that are true.
    pub true_words: Option<Vec<String>>,
    /// The texts that are false.
    pub false_words: Option<Vec<String>>,
    /// Whether white space is taken off the ends of texts.
    pub trim: bool,
    /// The character between groups of three digits.
    pub thousands: Option<char>,
    /// The decimal point.
    pub decimal: char,
    /// Whether a number may begin with `+`.
    pub plus: bool,
    /// The character between the values of a text that holds several.
    pub list: Option<char>,
    /// Whether a NaN or an infinity is unknown rather than a failure; for Parquet too.
    pub nan_unknown: bool,
}

impl Default for ReadingOptions {
    fn default() -> Self {
        ReadingOptions {
            null: None,
            true_words: None,
            false_words: None,
            trim: false,
            thousands: None,
            decimal: '.',
            plus: false,
            list: None,
            nan_unknown: false,
        }
    }
}

impl ReadingOptions {
    /// How the values of a format are read: Parquet has types of its own, so only `nan` concerns it; an empty
    /// cell of CSV is a null unless the job lists the nulls.
    pub fn of(&self, format: FileFormat) -> Reading {
        let strict = Reading { nan_unknown: self.nan_unknown, ..Reading::default() };
        if format == FileFormat::Parquet {
            return strict;
        }
        let null = match (&self.null, format) {
            (Some(words), _) => words.clone(),
            (None, FileFormat::Csv) => vec![String::new()],
            (None, _) => strict.null.clone(),
        };
        Reading {
            null,
            true_words: self.true_words.clone().unwrap_or_else(|| strict.true_words.clone()),
            false_words: self.false_words.clone().unwrap_or_else(|| strict.false_words.clone()),
            trim: self.trim,
            thousands: self.thousands,
            decimal: self.decimal,
            plus: self.plus,
            list: self.list,
            ..strict
        }
    }
}

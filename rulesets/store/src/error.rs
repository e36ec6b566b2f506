//! What can go wrong with a store, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

use assay_faults::reason;
use assay_units::ConverterError;
use rusqlite::ErrorCode;

/// Why the store did not do what it was asked for. Nothing was changed.
#[derive(Debug)]
pub enum StoreError {
    /// There is no file to read from.
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The folder for the file cannot be made.
    Folder {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is something else.
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer assay.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i64,
        /// The newest version that this assay knows.
        known: i64,
    },
    /// What is stored is not what was stored.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is damaged.
        what: String,
    },
    /// Another process held the store for too long.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A name that no ruleset can have.
    Name {
        /// The name.
        name: String,
    },
    /// Converters that do not make a library, each with what is wrong.
    Converters(Vec<ConverterError>),
    /// A pair that is to be replaced and that the library does not have.
    NoConverter {
        /// The unit converted from.
        from: String,
        /// The unit converted to.
        to: String,
    },
    /// A pair that is to be added and that the library has already.
    ConverterExists {
        /// The unit converted from.
        from: String,
        /// The unit converted to.
        to: String,
    },
    /// SQLite failed in another way.
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it says.
        cause: rusqlite::Error,
    },
}

impl StoreError {
    pub(crate) fn of_sqlite(path: &Path, cause: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        match cause.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::NotADatabase) => Self::NotAStore { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, what: "the file".to_owned() },
            _ => Self::Sqlite { path, cause },
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Missing { .. } => "name the file of an existing store, or save a ruleset first".to_owned(),
            Self::Folder { .. } => "name a file in a folder that may be written to".to_owned(),
            Self::NotAStore { .. } => "name another file; this one is left as it is".to_owned(),
            Self::Newer { .. } => "update assay, or name another store".to_owned(),
            Self::Damaged { .. } => {
                "restore the file from a copy; sources that are kept elsewhere can be saved into a new store".to_owned()
            }
            Self::Busy { .. } => "try again once the other process is done".to_owned(),
            Self::Name { .. } => {
                "a name begins with a letter and goes on with letters, digits, `_`, `-` and `.`, 128 at most; \
                 it is not itself a hash"
                    .to_owned()
            }
            Self::Converters(errors) => {
                let mut help: Vec<&str> = Vec::new();
                for line in errors.iter().filter_map(|error| error.help.as_deref()) {
                    if !help.contains(&line) {
                        help.push(line);
                    }
                }
                help.join("\n")
            }
            Self::NoConverter { .. } => "add it instead of replacing it".to_owned(),
            Self::ConverterExists { .. } => "replace it, which changes results".to_owned(),
            Self::Sqlite { .. } => "check that the file and its folder may be read and written".to_owned(),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(f, "there is no store `{}`", path.display()),
            Self::Folder { path, cause } => {
                write!(f, "the folder of the store `{}` cannot be made: {}", path.display(), reason(cause))
            }
            Self::NotAStore { path } => write!(f, "`{}` is not a store", path.display()),
            Self::Newer { path, found, known } => write!(
                f,
                "the store `{}` was written by a newer assay: its tables have version {found}, and this assay \
                 knows up to {known}",
                path.display()
            ),
            Self::Damaged { path, what } => write!(f, "the store `{}` is damaged: {what}", path.display()),
            Self::Busy { path } => write!(f, "another process is using the store `{}`", path.display()),
            Self::Name { name } => write!(f, "`{}` is not a name for a ruleset", name.escape_debug()),
            Self::Converters(errors) => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                write!(f, "{}", lines.join("\n"))
            }
            Self::NoConverter { from, to } => {
                write!(f, "no converter of `{from}` and `{to}` is there to replace")
            }
            Self::ConverterExists { from, to } => {
                write!(f, "a converter of `{from}` and `{to}` is there already")
            }
            Self::Sqlite { path, cause } => {
                let reason = match cause.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => "the disk is full",
                    Some(ErrorCode::ReadOnly) => "it may only be read",
                    Some(ErrorCode::PermissionDenied) => "permission is denied",
                    Some(ErrorCode::CannotOpen) => "it cannot be opened",
                    Some(ErrorCode::SystemIoFailure) => "the disk cannot read or write it",
                    Some(ErrorCode::OutOfMemory) => "there is too little memory",
                    _ => return write!(f, "the store `{}` failed: {cause}", path.display()),
                };
                write!(f, "the store `{}` cannot be used: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for StoreError {}

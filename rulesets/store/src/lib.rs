//! The store: rulesets by their hash, names with their revisions, and the project's converters, in one SQLite file.
//!
//! - A ruleset's source is kept under the SHA-256 of its bytes and never changes. Whoever reads one gets bytes that have
//!   that hash, or an error.
//! - A name is bound to a hash. Saving over it adds a revision, whose parent is the one before; none is ever lost.
//! - The project's converters are the library that a run is pinned to. A replaced one stays as history. Who supplied a
//!   factor is kept beside it, and no part of the library's hash.
//!
//! Several processes may use one file at once: every change is one transaction that waits for the others. The store has
//! no clock: times are data that callers give.

mod converters;
mod error;
mod names;
mod open;
mod sources;

use std::path::PathBuf;

use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use converters::Change;
pub use error::StoreError;
pub use names::{Listed, Revision, Saved};

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Runs `change` in one transaction that holds the store from its first statement, so that what it reads is what it
    /// changes. An error leaves the store as it was.
    fn change<T>(&self, change: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .map_err(|error| self.failed(error))?;
        let changed = change(&transaction)?;
        transaction.commit().map_err(|error| self.failed(error))?;
        Ok(changed)
    }

    /// Runs `read` on one unchanging view of the store.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred)
            .map_err(|error| self.failed(error))?;
        read(&transaction)
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of_sqlite(&self.path, error)
    }
}

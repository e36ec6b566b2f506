//! Sources by their hash.

use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use crate::{Store, StoreError};

/// `ruleset_hash`: lowercase hex SHA-256.
pub(crate) fn hash_of(source: &[u8]) -> String {
    Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Store {
    /// Keeps the normalised bytes of a source, and gives the hash to find them by. Bytes that are there already stay.
    ///
    /// # Errors
    /// Where the store cannot be written to, or holds other bytes under that hash.
    pub fn put(&self, source: &[u8]) -> Result<String, StoreError> {
        self.change(|connection| self.put_in(connection, source).map(|(hash, _)| hash))
    }

    /// The bytes of this hash, if the store has them. They are hashed anew: what is returned has this hash.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where what is stored has another hash.
    pub fn get(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.get_in(&self.connection, hash)
    }

    pub(crate) fn put_in(
        &self,
        connection: &Connection,
        source: &[u8],
    ) -> Result<(String, bool), StoreError> {
        let hash = hash_of(source);
        if self.get_in(connection, &hash)?.is_some() {
            return Ok((hash, false));
        }
        connection
            .execute("INSERT INTO rulesets (hash, source) VALUES (?1, ?2)", params![hash, source])
            .map_err(|error| self.failed(error))?;
        Ok((hash, true))
    }

    fn get_in(&self, connection: &Connection, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let source: Option<Vec<u8>> = connection
            .query_row("SELECT source FROM rulesets WHERE hash = ?1", [hash], |row| row.get(0))
            .optional()
            .map_err(|error| self.failed(error))?;
        match source {
            Some(source) if hash_of(&source) != hash => Err(StoreError::Damaged {
                path: self.path.clone(),
                what: format!("the source stored as `{hash}` has another hash"),
            }),
            source => Ok(source),
        }
    }
}

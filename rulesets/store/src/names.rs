//! Names, and the revisions they were bound to.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{Store, StoreError};

/// One binding of a name to a hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The name.
    pub name: String,
    /// The hash that it was bound to.
    pub ruleset_hash: String,
    /// The hash that it was bound to before; none for the first.
    pub parent_hash: Option<String>,
    /// How many revisions lie before this one.
    pub depth: u64,
    /// When it was bound, as the caller said.
    pub bound_at: String,
}

/// What saving did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The name's revision now: the new one, or the one before where it has the same source.
    pub revision: Revision,
    /// Whether the store did not have these bytes before.
    pub created: bool,
}

/// A name in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its newest revision.
    pub revision: Revision,
    /// How many approvals that revision's hash has.
    pub approval_count: u64,
}

/// The longest name, in characters.
const LONGEST: usize = 128;

/// A name begins with an ASCII letter and goes on with letters, digits, `_`, `-` and `.`, so that it is one word of a
/// command line and of an address; it is no hash, so that a pin is never a name.
fn check(name: &str) -> Result<(), StoreError> {
    let is_hash = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let goes_on = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    if begins && goes_on && name.len() <= LONGEST && !is_hash {
        Ok(())
    } else {
        Err(StoreError::Name { name: name.chars().take(LONGEST + 1).collect() })
    }
}

/// Every revision with its parent.
const REVISIONS: &str = "SELECT this.name, this.hash, parent.hash, this.depth, this.bound_at FROM revisions this \
                         LEFT JOIN revisions parent ON parent.name = this.name AND parent.depth = this.depth - 1";

fn revision(row: &Row<'_>) -> rusqlite::Result<Revision> {
    Ok(Revision {
        name: row.get(0)?,
        ruleset_hash: row.get(1)?,
        parent_hash: row.get(2)?,
        depth: row.get::<_, i64>(3)?.unsigned_abs(),
        bound_at: row.get(4)?,
    })
}

impl Store {
    /// Keeps a source and binds a name to it: the first time, or as the next revision, whose parent is the one before.
    /// Saving what the name is bound to already changes nothing. `bound_at` says when, as `2026-12-01T09:30:00Z`.
    ///
    /// # Errors
    /// [`StoreError::Name`] for a text that is no name; else as [`Store::put`].
    pub fn save(&self, name: &str, source: &[u8], bound_at: &str) -> Result<Saved, StoreError> {
        check(name)?;
        self.change(|connection| {
            let (ruleset_hash, created) = self.put_in(connection, source)?;
            let before = self.newest(connection, name)?;
            if let Some(revision) = before.clone().filter(|before| before.ruleset_hash == ruleset_hash) {
                return Ok(Saved { revision, created });
            }
            let revision = Revision {
                name: name.to_owned(),
                ruleset_hash,
                depth: before.as_ref().map_or(0, |before| before.depth + 1),
                parent_hash: before.map(|before| before.ruleset_hash),
                bound_at: bound_at.to_owned(),
            };
            connection
                .execute(
                    "INSERT INTO revisions (name, depth, hash, bound_at) VALUES (?1, ?2, ?3, ?4)",
                    params![name, revision.depth.cast_signed(), revision.ruleset_hash, bound_at],
                )
                .map_err(|error| self.failed(error))?;
            Ok(Saved { revision, created })
        })
    }

    /// Every name with its newest revision, by name.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let newest = "(SELECT max(depth) FROM revisions newest WHERE newest.name = this.name)";
        let query = format!("{REVISIONS} WHERE this.depth = {newest} ORDER BY this.name");
        self.read(|connection| {
            let mut listed = Vec::new();
            for revision in self.revisions_of(connection, &query, [])? {
                let approvals: i64 = connection
                    .query_row(
                        "SELECT count(*) FROM approvals WHERE hash = ?1",
                        [&revision.ruleset_hash],
                        |row| row.get(0),
                    )
                    .map_err(|error| self.failed(error))?;
                listed.push(Listed { revision, approval_count: approvals.unsigned_abs() });
            }
            Ok(listed)
        })
    }

    /// A name's revision of this depth, or its newest; none where there is no such name or revision.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn show(&self, name: &str, depth: Option<u64>) -> Result<Option<Revision>, StoreError> {
        match depth {
            None => self.newest(&self.connection, name),
            Some(depth) => {
                let Ok(depth) = i64::try_from(depth) else { return Ok(None) };
                let query = format!("{REVISIONS} WHERE this.name = ?1 AND this.depth = ?2");
                self.connection
                    .query_row(&query, params![name, depth], revision)
                    .optional()
                    .map_err(|error| self.failed(error))
            }
        }
    }

    /// Every revision of a name, the newest first; none where there is no such name.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn revisions(&self, name: &str) -> Result<Vec<Revision>, StoreError> {
        let query = format!("{REVISIONS} WHERE this.name = ?1 ORDER BY this.depth DESC");
        self.revisions_of(&self.connection, &query, [name])
    }

    fn newest(&self, connection: &Connection, name: &str) -> Result<Option<Revision>, StoreError> {
        let query = format!("{REVISIONS} WHERE this.name = ?1 ORDER BY this.depth DESC LIMIT 1");
        connection.query_row(&query, [name], revision).optional().map_err(|error| self.failed(error))
    }

    fn revisions_of(
        &self,
        connection: &Connection,
        query: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<Revision>, StoreError> {
        let mut statement = connection.prepare(query).map_err(|error| self.failed(error))?;
        let rows = statement.query_map(parameters, revision).map_err(|error| self.failed(error))?;
        rows.collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }
}

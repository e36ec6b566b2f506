//! The project's converters: the current library, and what it replaced.

use assay_units::{Converter, Library, Unit, number};
use rusqlite::{Connection, params};

use crate::{Store, StoreError};

/// What a change of the converters did.
#[derive(Debug, Clone)]
pub struct Change {
    /// The library as it is now.
    pub library: Library,
    /// The hash of the library before; none where it had no converters.
    pub previous_hash: Option<String>,
}

/// A converter with its row.
struct Kept {
    id: i64,
    converter: Converter,
}

impl Store {
    /// Adds converters to the library, all or none.
    ///
    /// # Errors
    /// [`StoreError::ConverterExists`] for a pair that is there in either direction, and
    /// [`StoreError::Converters`] with everything that is wrong with them: places count the new ones.
    pub fn add_converters(&self, added: &[Converter]) -> Result<Change, StoreError> {
        self.change_converters(added, false)
    }

    /// Replaces the converters of these pairs, in whichever direction they are there, all or none. The old ones stay as
    /// history. Replacing one changes results.
    ///
    /// # Errors
    /// [`StoreError::NoConverter`] for a pair that is not there, else as [`Store::add_converters`].
    pub fn replace_converters(&self, replacing: &[Converter]) -> Result<Change, StoreError> {
        self.change_converters(replacing, true)
    }

    /// The current converters, the oldest first.
    ///
    /// # Errors
    /// Where the store cannot be read, or what it holds is not what was stored.
    pub fn converters(&self) -> Result<Vec<Converter>, StoreError> {
        let kept = self.kept(&self.connection, "replaced_by IS NULL")?;
        Ok(kept.into_iter().map(|kept| kept.converter).collect())
    }

    /// The converters that were replaced, the oldest first.
    ///
    /// # Errors
    /// As [`Store::converters`].
    pub fn replaced_converters(&self) -> Result<Vec<Converter>, StoreError> {
        let kept = self.kept(&self.connection, "replaced_by IS NOT NULL")?;
        Ok(kept.into_iter().map(|kept| kept.converter).collect())
    }

    /// The current library.
    ///
    /// # Errors
    /// As [`Store::converters`].
    pub fn library(&self) -> Result<Library, StoreError> {
        self.library_of(self.converters()?)
    }

    fn library_of(&self, converters: Vec<Converter>) -> Result<Library, StoreError> {
        Library::with(converters).map_err(|errors| {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            self.damaged(format!("its converters make no library: {first}"))
        })
    }

    fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what }
    }

    fn change_converters(&self, new: &[Converter], replace: bool) -> Result<Change, StoreError> {
        // First by themselves, so that places count the new ones.
        Library::with(new.to_vec()).map_err(StoreError::Converters)?;
        self.change(|connection| {
            let current = self.kept(connection, "replaced_by IS NULL")?;
            let before = self.library_of(current.iter().map(|kept| kept.converter.clone()).collect())?;
            let mut remaining = current;
            for converter in new {
                let at = remaining.iter().position(|kept| same_pair(&kept.converter, converter));
                let id = self.insert(connection, converter)?;
                let (from, to) = (converter.from.to_string(), converter.to.to_string());
                match at.map(|at| remaining.remove(at)) {
                    Some(old) if replace => self.mark_replaced(connection, old.id, id)?,
                    None if !replace => {}
                    Some(_) => return Err(StoreError::ConverterExists { from, to }),
                    None => return Err(StoreError::NoConverter { from, to }),
                }
            }
            // The kept ones agree with each other, so whatever is wrong is said of a new one.
            let kept = remaining.len();
            let all = remaining.into_iter().map(|kept| kept.converter).chain(new.iter().cloned()).collect();
            let library = Library::with(all).map_err(|errors| {
                let place = |index: usize| index.checked_sub(kept);
                let errors = errors.into_iter();
                StoreError::Converters(
                    errors
                        .map(|mut error| {
                            error.index = error.index.and_then(place);
                            error
                        })
                        .collect(),
                )
            })?;
            Ok(Change { library, previous_hash: before.hash().map(str::to_owned) })
        })
    }

    fn insert(&self, connection: &Connection, converter: &Converter) -> Result<i64, StoreError> {
        connection
            .execute(
                "INSERT INTO converters (from_unit, to_unit, factor, offset, attribution) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    converter.from.to_string(),
                    converter.to.to_string(),
                    number::fraction(&converter.factor),
                    number::fraction(&converter.offset),
                    converter.attribution,
                ],
            )
            .map_err(|error| self.failed(error))?;
        Ok(connection.last_insert_rowid())
    }

    fn mark_replaced(&self, connection: &Connection, old: i64, new: i64) -> Result<(), StoreError> {
        connection
            .execute("UPDATE converters SET replaced_by = ?2 WHERE id = ?1", [old, new])
            .map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn kept(&self, connection: &Connection, which: &str) -> Result<Vec<Kept>, StoreError> {
        let failed = |error| self.failed(error);
        let query = format!(
            "SELECT id, from_unit, to_unit, factor, offset, attribution FROM converters WHERE {which} ORDER BY id"
        );
        let mut statement = connection.prepare(&query).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut kept = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let id = row.get(0).map_err(failed)?;
            let text = |at: usize| row.get::<_, String>(at).map_err(failed);
            let damaged = || self.damaged(format!("converter {id} cannot be read"));
            let unit = |at: usize| Unit::parse(&text(at)?).map_err(|_| damaged());
            let exact = |at: usize| number::parse_fraction(&text(at)?).map_err(|_| damaged());
            kept.push(Kept {
                id,
                converter: Converter {
                    from: unit(1)?,
                    to: unit(2)?,
                    factor: exact(3)?,
                    offset: exact(4)?,
                    attribution: row.get(5).map_err(failed)?,
                },
            });
        }
        Ok(kept)
    }
}

fn same_pair(one: &Converter, other: &Converter) -> bool {
    (&one.from, &one.to) == (&other.from, &other.to) || (&one.from, &one.to) == (&other.to, &other.from)
}

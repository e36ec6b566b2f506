//! Opening a store: making its file and bringing its tables up to date.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::{Store, StoreError};

/// What SQLite keeps in the head of the file, so that a store is not mistaken for another database: `assy`.
const APPLICATION_ID: i64 = 0x6173_7379;

/// The tables, a script for each version: the first makes them, each later one changes those before it.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// How long a change waits for another process.
const PATIENCE: Duration = Duration::from_secs(10);

impl Store {
    /// Opens the store in this file, and makes the file and its folder where they are missing.
    ///
    /// # Errors
    /// Where the file cannot be made or opened, is something else, or was written by a newer assay.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|cause| StoreError::Folder { path: path.to_owned(), cause })?;
        }
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        store.migrate()?;
        Ok(store)
    }

    /// Opens the store in this file to read from it. The file is not changed.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is no file, else as [`Store::open`]. A store of an older version is opened
    /// for writing once to be brought up to date, which is not done here: it reads as [`StoreError::NotAStore`].
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match store.read(|view| store.version(view))? {
            Some(version) if version == MIGRATIONS.len() => Ok(store),
            _ => Err(StoreError::NotAStore { path: path.to_owned() }),
        }
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let failed = |error| StoreError::of_sqlite(path, error);
        let connection =
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        Ok(Store { connection, path: path.to_owned() })
    }

    /// The version of the store's tables; `None` where the file is empty.
    ///
    /// All it asks is one view of the file: another process may be making the tables meanwhile, and half of the answers
    /// from before it and half from after would look like another database. [`Store::read`] and [`Store::change`] give that view.
    fn version(&self, view: &Connection) -> Result<Option<usize>, StoreError> {
        let pragma = |name: &str| {
            view.pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .map_err(|error| self.failed(error))
        };
        let (id, version) = (pragma("application_id")?, pragma("user_version")?);
        let tables: i64 = view
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(|error| self.failed(error))?;
        let path = || self.path.clone();
        match (id, version, tables) {
            (0, 0, 0) => Ok(None),
            (APPLICATION_ID, found, _) if found > MIGRATIONS.len() as i64 => {
                Err(StoreError::Newer { path: path(), found, known: MIGRATIONS.len() as i64 })
            }
            (APPLICATION_ID, found, _) => match usize::try_from(found) {
                Ok(found) if found > 0 => Ok(Some(found)),
                _ => Err(StoreError::NotAStore { path: path() }),
            },
            _ => Err(StoreError::NotAStore { path: path() }),
        }
    }

    fn migrate(&self) -> Result<(), StoreError> {
        if self.read(|view| self.version(view))? == Some(MIGRATIONS.len()) {
            return Ok(());
        }
        self.change(|store| {
            let failed = |error| self.failed(error);
            // Asked again: another process may have done it in between.
            let done = self.version(store)?.unwrap_or(0);
            for script in MIGRATIONS.iter().skip(done) {
                store.execute_batch(script).map_err(failed)?;
            }
            store.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
            store.pragma_update(None, "user_version", MIGRATIONS.len() as i64).map_err(failed)
        })
    }
}

//! What a command reads: sources, claims, the store and the project's converters.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use assay_faults::{help, reason};
use assay_service::rulesets;
use assay_service::{Error, Prepared};
use assay_store::{Store, StoreError};
use assay_units::{Converter, ConverterError, Format, Library, read_converters};

use crate::args::{ConverterArgs, Project, StoreArg};

/// The largest file that a command reads whole; a source may be smaller still.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The hexadecimal digits of a hash.
const HASH_DIGITS: usize = 64;

/// Reads a file, or standard input where it is `-`.
///
/// # Errors
/// `BAD_REQUEST` that names the file.
pub fn read_whole(path: &Path) -> Result<Vec<u8>, Error> {
    let bad = |error: io::Error| {
        let help = help(&error).map(|help| format!("; {help}")).unwrap_or_default();
        Error::BadRequest(format!("`{}` cannot be read: {}{help}", path.display(), reason(&error)))
    };
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    match read.map_err(bad)? as u64 > LARGEST {
        true => Err(Error::BadRequest(format!("`{}` has more than {LARGEST} bytes", path.display()))),
        false => Ok(bytes),
    }
}

/// The project's store, where there is one.
pub struct Opened {
    store: Option<Store>,
    path: String,
}

impl Opened {
    /// Opens the store where its file exists, to read from it.
    pub fn existing(store: &StoreArg) -> Result<Opened, Error> {
        Self::at(&store.store)
    }

    /// Opens the store in a file that may not exist, to read from it.
    pub fn at(path: &Path) -> Result<Opened, Error> {
        let store = match Store::open_read_only(path) {
            Ok(store) => Some(store),
            Err(StoreError::Missing { .. }) => None,
            Err(error) => return Err(failed(&error)),
        };
        Ok(Opened { store, path: path.display().to_string() })
    }

    /// Opens the store to write to it, and makes it where there is none.
    pub fn creating(store: &StoreArg) -> Result<Opened, Error> {
        let path = store.store.display().to_string();
        let store = Store::open(&store.store).map_err(|error| failed(&error))?;
        Ok(Opened { store: Some(store), path })
    }

    /// The converters of the store and, beside them, those of a file.
    pub fn library(&self, project: &Project) -> Result<Library, Error> {
        self.library_with(project.converters.as_deref())
    }

    /// The converters of the store and, beside them, those of a file.
    pub fn library_with(&self, file: Option<&Path>) -> Result<Library, Error> {
        let mut converters: Vec<Converter> = match &self.store {
            Some(store) => store.converters().map_err(|error| failed(&error))?,
            None => Vec::new(),
        };
        if let Some(file) = file {
            converters.extend(converters_of(file)?);
        }
        Library::with(converters).map_err(|errors| refused("the converters", &errors))
    }

    /// The source of a hash.
    ///
    /// # Errors
    /// `RULESET_NOT_FOUND` where the store has none.
    pub fn stored(&self, hash: &str) -> Result<Vec<u8>, Error> {
        self.find(hash)?.ok_or_else(|| {
            if hash.len() != HASH_DIGITS {
                let message = format!(
                    "`{hash}` is no full hash: it has {} characters, and not 64",
                    hash.chars().count()
                );
                return Error::NotFound(message);
            }
            Error::NotFound(format!(
                "no ruleset of the hash `{hash}` is stored in `{}`: `assay compile` stores what it compiles",
                self.path
            ))
        })
    }

    /// The source of a hash, if the store has it.
    pub fn find(&self, hash: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.store {
            Some(store) => store.get(hash).map_err(|error| failed(&error)),
            None => Ok(None),
        }
    }

    /// Keeps the source of a ruleset that compiled.
    pub fn keep(&self, prepared: &Prepared) -> Result<(), Error> {
        self.writable()?.put(prepared.ruleset().source.text().as_bytes()).map_err(|error| failed(&error))?;
        Ok(())
    }

    /// Binds a name to a ruleset that compiled.
    pub fn save(&self, name: &str, prepared: &Prepared) -> Result<assay_store::Saved, Error> {
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let source = prepared.ruleset().source.text().as_bytes();
        self.writable()?.save(name, source, &now).map_err(|error| failed(&error))
    }

    /// Every name, with the source it is bound to.
    pub fn list(&self) -> Result<Vec<Row>, Error> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let listed = store.list().map_err(|error| failed(&error))?;
        listed
            .into_iter()
            .map(|listed| {
                let source = store.get(&listed.revision.ruleset_hash).map_err(|error| failed(&error))?;
                Ok(Row { listed, source })
            })
            .collect()
    }

    /// A stored ruleset, by its name or its hash.
    ///
    /// # Errors
    /// `RULESET_NOT_FOUND` where the store has none.
    pub fn show(&self, name: &str) -> Result<Shown, Error> {
        let revisions = match &self.store {
            Some(store) => store.revisions(name).map_err(|error| failed(&error))?,
            None => Vec::new(),
        };
        let chain: Vec<String> = revisions.into_iter().map(|revision| revision.ruleset_hash).collect();
        let Some(hash) = chain.first() else {
            if name.len() == HASH_DIGITS {
                return Ok(Shown {
                    name: name.to_owned(),
                    source: self.stored(name)?,
                    chain: vec![name.to_owned()],
                });
            }
            let message = format!("no ruleset is saved under the name `{name}` in `{}`", self.path);
            return Err(Error::NotFound(message));
        };
        Ok(Shown { source: self.stored(hash)?, name: name.to_owned(), chain })
    }

    /// Adds a converter, or replaces the one of its pair.
    pub fn change(&self, converter: Converter, replace: bool) -> Result<assay_store::Change, Error> {
        let store = self.writable()?;
        let changed =
            if replace { store.replace_converters(&[converter]) } else { store.add_converters(&[converter]) };
        changed.map_err(|error| failed(&error))
    }

    fn writable(&self) -> Result<&Store, Error> {
        self.store.as_ref().ok_or_else(|| Error::NotFound(format!("there is no store at `{}`", self.path)))
    }
}

/// A name in the list, with the source it is bound to.
pub struct Row {
    /// The name and its newest revision.
    pub listed: assay_store::Listed,
    /// The source, if it is still there.
    pub source: Option<Vec<u8>>,
}

impl Row {
    /// The row as the payload of a list takes it.
    pub fn as_payload(&self) -> rulesets::Listed<'_> {
        let revision = &self.listed.revision;
        rulesets::Listed {
            name: &revision.name,
            ruleset_hash: &revision.ruleset_hash,
            bound_at: &revision.bound_at,
            revision_depth: revision.depth,
            approval_count: self.listed.approval_count,
            source: self.source.as_deref(),
        }
    }
}

/// A stored ruleset.
pub struct Shown {
    /// What was asked for.
    pub name: String,
    /// Its source.
    pub source: Vec<u8>,
    /// Its hash, its parent's and so on to the first.
    pub chain: Vec<String>,
}

/// Reads a converters file, JSON or TOML by its name.
pub fn converters_of(file: &Path) -> Result<Vec<Converter>, Error> {
    let name = file.display().to_string();
    let text = String::from_utf8(read_whole(file)?)
        .map_err(|_| Error::BadRequest(format!("`{name}` is not a text in UTF-8")))?;
    let toml = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let format = if toml { Format::Toml } else { Format::Json };
    read_converters(&text, format).map_err(|errors| refused(&format!("`{name}`"), &errors))
}

/// The converter that arguments describe.
///
/// # Errors
/// `BAD_REQUEST` with everything that is wrong with them.
pub fn converter(asked: &ConverterArgs) -> Result<Converter, Error> {
    let mut entry = serde_json::json!({
        "from": asked.from,
        "to": asked.to,
        "factor": asked.factor,
        "offset": asked.offset,
    });
    if let Some(attribution) = &asked.attribution {
        entry["attribution"] = attribution.as_str().into();
    }
    let read = read_converters(&serde_json::json!([entry]).to_string(), Format::Json);
    let [converter] = <[Converter; 1]>::try_from(read.map_err(|errors| refused("the converter", &errors))?)
        .map_err(|_| Error::BadRequest("one converter is added at a time".to_owned()))?;
    Ok(converter)
}

fn refused(what: &str, errors: &[ConverterError]) -> Error {
    let mut lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    for help in errors.iter().filter_map(|error| error.help.clone()) {
        // Once, however many errors it helps with.
        if !lines.contains(&help) {
            lines.push(help);
        }
    }
    Error::BadRequest(format!("{what} cannot be used: {}", lines.join("; ")))
}

fn failed(error: &StoreError) -> Error {
    let help = match error {
        StoreError::ConverterExists { .. } => {
            "`--replace` replaces it, and answers may change with it".to_owned()
        }
        StoreError::NoConverter { .. } => "without `--replace` it is added".to_owned(),
        error => error.help(),
    };
    let lines = [error.to_string(), help];
    let lines: Vec<&str> =
        lines.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()).collect();
    Error::BadRequest(lines.join("; "))
}

//! What a run asks of object stores. An adapter implements it; the run knows no store.
//!
//! An address never holds a secret: one with a user or a query is refused before it is shown or opened, so every
//! other address may stand in messages, logs, results and the manifest. Credentials are the environment's.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::Problem;
use crate::input::InputError;

/// The beginnings of the addresses that are in a store.
const SCHEMES: [&str; 5] = ["s3://", "gs://", "az://", "https://", "http://"];

/// The object stores that a run reaches.
pub trait Stores: Send + Sync {
    /// The objects that an address names, sorted: the one, those below a prefix that ends in `/`, or those that a glob matches.
    ///
    /// # Errors
    /// Why there are none.
    fn find(&self, url: &str) -> Result<Vec<Object>, Failure>;

    /// Where results go that are to be below an address. It is not asked for anything yet.
    ///
    /// # Errors
    /// Why that is no place for them.
    fn destination(&self, url: &str) -> Result<Box<dyn Destination>, Failure>;
}

/// A place in a store where results get their final names. What it is asked for may have been done before.
pub trait Destination: Send + Sync {
    /// Finds out whether anything can be written there, and leaves no trace of that.
    ///
    /// # Errors
    /// Why not.
    fn check(&self) -> Result<(), Failure>;

    /// Whether there is an object of a name.
    ///
    /// # Errors
    /// Why that cannot be told.
    fn has(&self, name: &str) -> Result<bool, Failure>;

    /// An object, if there is one of that name.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure>;

    /// Makes a file an object, in place of one that is there: at any moment there is the old one or all of the new one.
    ///
    /// # Errors
    /// Why not.
    fn put(&self, name: &str, file: &Path) -> Result<(), Failure>;

    /// Removes an object, if there is one of that name.
    ///
    /// # Errors
    /// Why not.
    fn remove(&self, name: &str) -> Result<(), Failure>;
}

/// No object store at all.
#[derive(Debug, Clone, Copy)]
pub struct NoStores;

impl Stores for NoStores {
    fn find(&self, _: &str) -> Result<Vec<Object>, Failure> {
        Err(unreached())
    }

    fn destination(&self, _: &str) -> Result<Box<dyn Destination>, Failure> {
        Err(unreached())
    }
}

fn unreached() -> Failure {
    Failure::new("no object store is reached from here")
}

/// An object of a store, as it was when the run found it.
#[derive(Clone)]
pub struct Object {
    /// Its address.
    pub url: String,
    /// Its size.
    pub bytes: u64,
    /// When it last changed.
    pub modified: SystemTime,
    /// Its version, as the store calls it (`ETag`), where it does.
    pub version: Option<String>,
    /// Where it is.
    pub store: Arc<dyn Ranges>,
}

/// A store that objects are read from.
pub trait Ranges: Send + Sync {
    /// Opens some bytes of an object. Reading fails where it is not any more what it was when it was found. An error holds a
    /// [`Failure`].
    ///
    /// # Errors
    /// Why it cannot be opened.
    fn read(&self, object: &Object, bytes: Range<u64>) -> io::Result<Box<dyn Read + Send>>;
}

impl Object {
    /// Opens some bytes of it, as many of them as there are.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn read(&self, bytes: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let bytes = bytes.start..bytes.end.min(self.bytes);
        // Stores have no answer to a request for nothing.
        if bytes.is_empty() { Ok(Box::new(io::empty())) } else { self.store.read(self, bytes) }
    }

    /// Opens all of it.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn read_all(&self) -> io::Result<Box<dyn Read + Send>> {
        self.read(0..self.bytes)
    }
}

/// Why a store did not do what it was asked for, in words for a person: never in those of the store or of a library, which
/// may hold what was signed with a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Failure {
    /// A failure without help.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: None }
    }

    /// The failure, with help.
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }

    /// The failure that an error of reading holds.
    pub fn of(error: &io::Error) -> Option<&Failure> {
        error.get_ref()?.downcast_ref()
    }

    /// The failure of something at a place.
    pub(crate) fn at(self, place: &str) -> Problem {
        Problem { place: Some(place.to_owned()), message: self.message, help: self.help }
    }

    /// The failure of an input.
    pub fn input(self, name: &str) -> InputError {
        InputError { file: name.to_owned(), message: self.message, help: self.help }
    }
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> io::Error {
        io::Error::other(failure)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        (&self.url, self.bytes, self.modified, &self.version)
            == (&other.url, other.bytes, other.modified, &other.version)
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.url).field(&self.version).finish()
    }
}

/// Whether an input is in a store.
pub(crate) fn is_remote(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

/// What is wrong with a text that looks like an address.
pub(crate) fn problem(text: &str) -> Option<Problem> {
    let (scheme, rest) = text.split_once("://")?;
    let web = scheme.starts_with("http");
    let query = rest.split_once('?').is_some_and(|(_, query)| web || query.contains('='));
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    // A word with a `/` in it puts the `@` behind what looks like the host.
    let port = |text: &str| web && text.bytes().all(|byte| byte.is_ascii_digit());
    let user = host.contains('@') || host.split_once(':').is_some_and(|(_, rest)| !port(rest));
    if query || user {
        let message = format!("an address that begins with `{scheme}://` has a user or a query in it");
        return Some(Problem::new(message).help(
            "these may be secrets, which no job holds: credentials come from the environment (`AWS_…`, `GOOGLE_…`, \
             `AZURE_…`)",
        ));
    }
    if !is_remote(text) {
        let message = format!("`{text}` is neither in the file system nor in a store that is known");
        return Some(
            Problem::new(message).help("addresses begin with `s3://`, `gs://`, `az://` or `https://`"),
        );
    }
    None
}

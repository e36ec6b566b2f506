//! Reads objects as files are read: a thread waits for what comes.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use assay_batch::remote::{Failure, Object, Ranges};
use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore};
use tokio::runtime::Runtime;

use crate::failure;
use crate::store::{Address, Kind};

/// How often an answer may break off before its first byte.
const BROKEN: usize = 3;

/// A store that is read from.
pub(crate) struct Reading {
    pub kind: Kind,
    pub store: Arc<dyn ObjectStore>,
    pub runtime: Arc<Runtime>,
}

/// An object that was found.
pub(crate) fn object(address: &Address<'_>, meta: ObjectMeta, reading: &Arc<Reading>) -> Object {
    // A web address stays as it was given: its key is escaped.
    let key = if address.kind == Kind::Http { address.key } else { meta.location.as_ref() };
    Object {
        url: format!("{}/{key}", address.root),
        bytes: meta.size,
        modified: meta.last_modified.into(),
        version: meta.e_tag,
        store: Arc::new(Located { path: meta.location, reading: Arc::clone(reading) }),
    }
}

/// An object in its store.
#[derive(Clone)]
struct Located {
    path: Path,
    reading: Arc<Reading>,
}

type Bodies = BoxStream<'static, object_store::Result<Bytes>>;

impl Located {
    /// Asks for some bytes of an object.
    fn get(&self, object: &Object, bytes: Range<u64>) -> Result<Bodies, Failure> {
        let Reading { kind, store, runtime } = &*self.reading;
        let whole = bytes == (0..object.bytes);
        let options = GetOptions {
            // A weak tag is none to be held to.
            if_match: object.version.clone().filter(|version| !version.starts_with("W/")),
            range: (!whole).then_some(GetRange::Bounded(bytes)),
            ..GetOptions::default()
        };
        let got = runtime.block_on(store.get_opts(&self.path, options));
        let got = got.map_err(|error| failure::of(*kind, error))?;
        let modified: SystemTime = got.meta.last_modified.into();
        // Where there is no tag, all there is to go by is the time.
        let same =
            got.meta.e_tag == object.version && (object.version.is_some() || modified == object.modified);
        if got.meta.size != object.bytes || !same {
            return Err(failure::changed());
        }
        Ok(got.into_stream())
    }
}

impl Ranges for Located {
    fn read(&self, object: &Object, bytes: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let bodies = self.get(object, bytes.clone())?;
        let (located, object) = (self.clone(), object.clone());
        Ok(Box::new(Stream { located, object, rest: bytes, bodies, now: Bytes::new(), broken: 0 }))
    }
}

/// The bytes of an object as they come.
struct Stream {
    located: Located,
    object: Object,
    /// What is still to come from the store.
    rest: Range<u64>,
    bodies: Bodies,
    now: Bytes,
    /// How often the answer broke off since the last byte came.
    broken: usize,
}

impl Stream {
    /// Takes in the next bytes; none where all of them came.
    fn next(&mut self) -> Result<(), Failure> {
        while !self.rest.is_empty() {
            let next = self.located.reading.runtime.block_on(self.bodies.next());
            let error = match next {
                Some(Ok(bytes)) if bytes.is_empty() => continue,
                Some(Ok(bytes)) => {
                    self.broken = 0;
                    self.rest.start = self.rest.start.saturating_add(bytes.len() as u64).min(self.rest.end);
                    self.now = bytes;
                    return Ok(());
                }
                Some(Err(error)) => failure::of(self.located.reading.kind, error),
                None => Failure::new("the store sends fewer bytes than the object has"),
            };
            // The library gives an answer up some minutes after it began. One that is read for hours may break off later.
            self.broken += 1;
            if self.broken > BROKEN {
                return Err(error);
            }
            self.bodies = self.located.get(&self.object, self.rest.clone())?;
        }
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.now.is_empty() {
            self.next()?;
        }
        let count = self.now.len().min(into.len());
        if let Some(into) = into.get_mut(..count) {
            self.now.copy_to_slice(into);
        }
        Ok(count)
    }
}

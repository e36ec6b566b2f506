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
struct Located {
    path: Path,
    reading: Arc<Reading>,
}

impl Ranges for Located {
    fn read(&self, object: &Object, bytes: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let Reading { kind, store, runtime } = &*self.reading;
        let kind = *kind;
        let expected = bytes.end - bytes.start;
        let whole = bytes == (0..object.bytes);
        let options = GetOptions {
            // A weak tag is none to be held to.
            if_match: object.version.clone().filter(|version| !version.starts_with("W/")),
            range: (!whole).then_some(GetRange::Bounded(bytes)),
            ..GetOptions::default()
        };
        let got = runtime
            .block_on(store.get_opts(&self.path, options))
            .map_err(|error| failure::of(kind, error))?;
        let modified: SystemTime = got.meta.last_modified.into();
        // Where there is no tag, all there is to go by is the time.
        let same =
            got.meta.e_tag == object.version && (object.version.is_some() || modified == object.modified);
        if got.meta.size != object.bytes || !same {
            return Err(failure::changed().into());
        }
        let stream = got.into_stream();
        Ok(Box::new(Stream { kind, stream, now: Bytes::new(), expected, runtime: Arc::clone(runtime) }))
    }
}

/// The bytes of an object as they come.
struct Stream {
    kind: Kind,
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    now: Bytes,
    /// How many bytes are still to come from the store.
    expected: u64,
    runtime: Arc<Runtime>,
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.now.is_empty() {
            match self.runtime.block_on(self.stream.next()) {
                Some(bytes) => self.now = bytes.map_err(|error| failure::of(self.kind, error))?,
                None if self.expected == 0 => return Ok(0),
                None => return Err(Failure::new("the store sent fewer bytes than the object has").into()),
            }
            self.expected = self.expected.saturating_sub(self.now.len() as u64);
        }
        let count = self.now.len().min(into.len());
        if let Some(into) = into.get_mut(..count) {
            self.now.copy_to_slice(into);
        }
        Ok(count)
    }
}

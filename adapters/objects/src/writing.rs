//! Puts results into a store.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path as FilePath;
use std::sync::Arc;

use assay_batch::remote::{Destination, Failure};
use assay_faults::reason;
use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, WriteMultipart};
use tokio::runtime::Runtime;

use crate::failure;
use crate::store::Kind;

/// The size of a piece of a large file: what fits into one is put at once.
const PIECE: u64 = 8 << 20;

/// The most pieces of one object that every store takes.
const MOST_PIECES: u64 = 10_000;

/// How many pieces are on their way at a time.
const AT_A_TIME: usize = 4;

/// The object that is put, and removed again, to find out whether anything can be written. Inputs pass over such a name.
pub(crate) const TRIAL: &str = ".assay-trial";

/// A place below an address.
pub(crate) struct Below {
    pub kind: Kind,
    pub store: Arc<dyn ObjectStore>,
    pub runtime: Arc<Runtime>,
    /// What the keys there begin with.
    pub prefix: Path,
}

/// Why a file was not put.
enum Stopped {
    Store(Error),
    File(io::Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Store(error)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::File(error)
    }
}

impl Below {
    fn key(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }

    fn failed(&self, error: Error) -> Failure {
        failure::of(self.kind, error)
    }

    /// Puts an empty object.
    pub fn put_trial(&self) -> Result<(), Failure> {
        let put = self.runtime.block_on(self.store.put(&self.key(TRIAL), Bytes::new().into()));
        put.map(|_| ()).map_err(|error| self.failed(error))
    }

    /// What a request came to; nothing where there is no such object.
    fn found<T>(&self, result: object_store::Result<T>) -> Result<Option<T>, Failure> {
        match result {
            Ok(found) => Ok(Some(found)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn upload(&self, key: &Path, path: &FilePath) -> Result<(), Stopped> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        if size <= PIECE {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            self.store.put(key, bytes.into()).await?;
            return Ok(());
        }
        let piece = PIECE.max(size.div_ceil(MOST_PIECES));
        let upload = self.store.put_multipart(key).await?;
        let mut upload =
            WriteMultipart::new_with_chunk_size(upload, usize::try_from(piece).unwrap_or(usize::MAX));
        match pieces(&mut upload, file, piece).await {
            Ok(()) => Ok(upload.finish().await.map(|_| ())?),
            Err(stopped) => {
                // What came there is of no use any more. Where it stays, nobody sees it.
                let _ = upload.abort().await;
                Err(stopped)
            }
        }
    }
}

/// Has all pieces of a file sent.
async fn pieces(upload: &mut WriteMultipart, mut file: File, size: u64) -> Result<(), Stopped> {
    loop {
        upload.wait_for_capacity(AT_A_TIME).await?;
        let mut piece = Vec::new();
        if (&mut file).take(size).read_to_end(&mut piece)? == 0 {
            return Ok(());
        }
        upload.put(Bytes::from(piece));
    }
}

impl Destination for Below {
    fn check(&self) -> Result<(), Failure> {
        self.put_trial()?;
        // Not everybody who may write may remove.
        let _ = self.remove(TRIAL);
        Ok(())
    }

    fn has(&self, name: &str) -> Result<bool, Failure> {
        let head = self.runtime.block_on(self.store.head(&self.key(name)));
        Ok(self.found(head)?.is_some())
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let read = async { self.store.get(&self.key(name)).await?.bytes().await };
        Ok(self.found(self.runtime.block_on(read))?.map(Vec::from))
    }

    fn put(&self, name: &str, file: &FilePath) -> Result<(), Failure> {
        self.runtime.block_on(self.upload(&self.key(name), file)).map_err(|stopped| match stopped {
            Stopped::Store(error) => self.failed(error),
            Stopped::File(error) => {
                Failure::new(format!("`{}` cannot be read: {}", file.display(), reason(&error)))
            }
        })
    }

    fn remove(&self, name: &str) -> Result<(), Failure> {
        let removed = self.runtime.block_on(self.store.delete(&self.key(name)));
        self.found(removed).map(|_| ())
    }
}

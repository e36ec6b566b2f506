//! Parquet in an object store: the description is read where it is, the rows once all of it was fetched.

use std::fs::File;
use std::io::{self, Read, Write};

use assay_batch::input::{InputError, Location};
use assay_batch::remote::Object;
use assay_faults::reason;
use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use crate::input::text::{open_bytes, unreadable};
use crate::input::{WithHelp, input_error};

/// An object as a file that has no name, so that it is gone once it was read, and its SHA-256. Columns lie apart, and
/// reading each piece of them by a request of its own takes far longer than fetching all.
pub(super) fn fetch(location: &Location, name: &str) -> std::result::Result<(File, String), InputError> {
    let (mut bytes, stored) = open_bytes(location, name)?;
    let mut file = tempfile::tempfile().map_err(|error| {
        input_error(name, format!("there is no temporary file to fetch it to: {}", reason(&error)))
            .help(TEMPORARY)
    })?;
    let mut buffer = vec![0; FETCHED];
    loop {
        let count = bytes.read(&mut buffer).map_err(|error| unreadable(name, &error))?;
        if count == 0 {
            return Ok((file, stored.sha256()));
        }
        file.write_all(buffer.get(..count).unwrap_or_default()).map_err(|error| {
            input_error(name, format!("its temporary file takes no more bytes: {}", reason(&error)))
                .help(TEMPORARY)
        })?;
    }
}

/// How much is fetched at a time.
const FETCHED: usize = 256 * 1024;

/// What to do about a temporary file.
const TEMPORARY: &str = "Parquet objects are fetched, one at a time, to the system's folder of temporary files: name one \
                         with room in `TMPDIR`";

/// An object of a store, read where it is. Each read is a request, so that this is for a few of them.
pub(super) struct Distant<'a>(pub &'a Object);

impl Length for Distant<'_> {
    fn len(&self) -> u64 {
        self.0.bytes
    }
}

impl ChunkReader for Distant<'_> {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(self.0.read(start..self.0.bytes)?)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        self.0.read(start..start.saturating_add(length as u64))?.read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(bytes.into())
    }
}

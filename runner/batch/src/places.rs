//! Where documents stand: no document may stand in two places, unless the job says that rows are scattered.
//!
//! Ids are not held in memory. Each document leaves a short record, the records are sorted on disk, and those of one
//! document come to stand together. They are compared before any file of the run gets its final name.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::spill::Sorter;

/// How much of an id is kept for messages.
const KEPT: usize = 100;

/// The longest id that tells its document apart itself. Of a longer one its hash does.
const WHOLE: usize = 64;

/// The first byte of a key that holds a hash; that of any other is the length of the id that follows.
const HASHED: u8 = u8::MAX;

/// How many bytes a hash has.
const HASH: usize = 32;

/// Where a row stands: its input, from 0, and its number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    pub input: usize,
    pub row: u64,
}

impl Place {
    /// How many bytes a place has in a record.
    pub const BYTES: usize = 16;

    /// Appends the place, so that places sort as their bytes do.
    pub fn write(self, record: &mut Vec<u8>) {
        record.extend((self.input as u64).to_be_bytes());
        record.extend(self.row.to_be_bytes());
    }

    /// Reads the place at `from` of some bytes.
    pub fn read(record: &[u8], from: usize) -> Place {
        let number = |from: usize| {
            let bytes = record.get(from..from + 8).unwrap_or_default();
            bytes.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte))
        };
        Place { input: usize::try_from(number(from)).unwrap_or(usize::MAX), row: number(from + 8) }
    }
}

/// Begins a record with what tells documents apart.
pub(crate) fn write_key(id: &str, record: &mut Vec<u8>) {
    if id.len() <= WHOLE {
        record.push(id.len() as u8);
        record.extend_from_slice(id.as_bytes());
    } else {
        record.push(HASHED);
        record.extend(Sha256::digest(id.as_bytes()));
    }
}

/// The key that a record begins with, and what follows.
pub(crate) fn split_key(record: &[u8]) -> (&[u8], &[u8]) {
    let length = match record.first() {
        Some(&HASHED) => HASH,
        Some(length) => usize::from(*length),
        None => 0,
    };
    record.split_at_checked(1 + length).unwrap_or((record, &[]))
}

/// The id of a record, as far as it is kept.
fn kept_id(record: &[u8]) -> String {
    let id = match split_key(record) {
        ([HASHED, ..], rest) => rest.get(Place::BYTES..),
        (key, _) => key.get(1..),
    };
    String::from_utf8_lossy(id.unwrap_or_default()).into_owned()
}

/// A document that stands in two places.
pub(crate) struct Twice {
    /// Its id, as far as it is kept.
    pub id: String,
    pub first: Place,
    pub second: Place,
    /// How many others do too.
    pub others: u64,
}

/// The first places of documents, on their way to [`Places`].
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstPlaces {
    records: Vec<u8>,
    ends: Vec<usize>,
}

impl FirstPlaces {
    /// Adds a document.
    pub fn push(&mut self, id: &str, place: Place) {
        write_key(id, &mut self.records);
        place.write(&mut self.records);
        if id.len() > WHOLE {
            let end = id.char_indices().nth(KEPT).map_or(id.len(), |(end, _)| end);
            self.records.extend(id.as_bytes().get(..end).unwrap_or_default());
        }
        self.ends.push(self.records.len());
    }
}

/// The places of all documents of a run.
pub(crate) struct Places {
    sorter: Sorter,
}

impl Places {
    pub fn new(folder: &Path) -> Places {
        Places { sorter: Sorter::new(folder) }
    }

    /// Takes in the documents of some rows.
    pub fn add(&mut self, places: &FirstPlaces) -> io::Result<()> {
        let mut start = 0;
        for end in &places.ends {
            let record = places.records.get(start..*end).unwrap_or_default();
            self.sorter.push(|out| out.extend_from_slice(record))?;
            start = *end;
        }
        Ok(())
    }

    /// The document that is the first to stand in a second place.
    pub fn twice(self) -> io::Result<Option<Twice>> {
        let mut sorted = self.sorter.sorted()?;
        let mut found: Option<Twice> = None;
        let mut before: Vec<u8> = Vec::new();
        // Whether the record before is a document's second, so that each document counts once.
        let mut counted = false;
        while let Some(record) = sorted.next()? {
            let (key, rest) = split_key(record);
            let (key_before, rest_before) = split_key(&before);
            let same = key == key_before;
            if same && !counted {
                let (first, second) = (Place::read(rest_before, 0), Place::read(rest, 0));
                let others = found.as_ref().map_or(0, |found| found.others + 1);
                match &mut found {
                    Some(found) if found.second < second => found.others = others,
                    found => {
                        let id = kept_id(record);
                        *found = Some(Twice { id, first, second, others });
                    }
                }
            }
            counted = same;
            before.clear();
            before.extend_from_slice(record);
        }
        Ok(found)
    }
}

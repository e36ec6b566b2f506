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

/// How many bytes tell documents apart.
pub(crate) const ID_KEY: usize = 16;

/// The last byte of a key that holds a hash; that of any other is a length.
const HASHED: u8 = u8::MAX;

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

    /// Reads the place at `from` of a record.
    pub fn read(record: &[u8], from: usize) -> Place {
        let number = |from: usize| {
            let bytes = record.get(from..from + 8).unwrap_or_default();
            bytes.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte))
        };
        Place { input: usize::try_from(number(from)).unwrap_or(usize::MAX), row: number(from + 8) }
    }
}

/// What tells documents apart: a short id itself with its length behind it, of a longer one 15 bytes of its hash.
pub(crate) fn id_key(id: &str) -> [u8; ID_KEY] {
    let mut key = [0; ID_KEY];
    let [bytes @ .., last] = &mut key;
    if id.len() <= bytes.len() {
        bytes.iter_mut().zip(id.bytes()).for_each(|(byte, from)| *byte = from);
        *last = id.len() as u8;
    } else {
        bytes.iter_mut().zip(Sha256::digest(id.as_bytes())).for_each(|(byte, from)| *byte = from);
        *last = HASHED;
    }
    key
}

/// The id of a record, as far as it is kept.
fn kept_id(record: &[u8]) -> String {
    let id = match record.get(ID_KEY - 1) {
        Some(length) if *length != HASHED => record.get(..usize::from(*length)),
        _ => record.get(ID_KEY + Place::BYTES..),
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
        let key = id_key(id);
        self.records.extend(key);
        place.write(&mut self.records);
        if key.ends_with(&[HASHED]) {
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
            let same = before.get(..ID_KEY) == record.get(..ID_KEY);
            if same && !counted {
                let (first, second) = (Place::read(&before, ID_KEY), Place::read(record, ID_KEY));
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

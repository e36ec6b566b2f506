//! Sorts more records than memory should hold: full buffers are sorted and spilled to files, which are merged.
//!
//! A record is bytes, and records are sorted by their bytes, so whoever pushes them begins each with its key, numbers
//! big-endian. The files have no name in the file system: they are gone when the run ends, however it ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// How many bytes of records are held in memory.
const BUDGET: usize = 32 * 1024 * 1024;

/// How many files are merged at once.
const FAN_IN: usize = 64;

/// How much of each file is read or written at a time.
const BUFFER: usize = 64 * 1024;

/// Takes records in any order.
pub(crate) struct Sorter {
    folder: PathBuf,
    records: Records,
    files: Vec<File>,
}

/// Records that are held in memory.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    places: Vec<RecordPlace>,
}

/// Where a record is, and its first bytes, which nearly always tell what comes before what.
struct RecordPlace {
    key: u128,
    start: usize,
    end: usize,
}

impl Sorter {
    /// A sorter that spills to a folder.
    pub fn new(folder: &Path) -> Sorter {
        Sorter { folder: folder.to_owned(), records: Records::default(), files: Vec::new() }
    }

    /// Takes the record that `write` appends.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let start = self.records.bytes.len();
        write(&mut self.records.bytes);
        self.records.add(start);
        if self.records.bytes.len() < BUDGET {
            return Ok(());
        }
        let mut records = std::mem::take(&mut self.records);
        records.sort();
        let mut out = self.file()?;
        for record in records.iter() {
            write_record(&mut out, record)?;
        }
        self.files.push(out.into_inner().map_err(io::IntoInnerError::into_error)?);
        if self.files.len() == FAN_IN {
            let mut merged = Sorted::new(Records::default(), std::mem::take(&mut self.files))?;
            let mut out = self.file()?;
            while let Some(record) = merged.next()? {
                write_record(&mut out, record)?;
            }
            self.files.push(out.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        // The room is used again.
        records.bytes.clear();
        records.places.clear();
        self.records = records;
        Ok(())
    }

    fn file(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(&self.folder)?))
    }

    /// The records in their order.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        self.records.sort();
        Sorted::new(self.records, self.files)
    }
}

impl Records {
    /// Adds the record that the bytes from `start` on are.
    fn add(&mut self, start: usize) {
        let mut key = [0; 16];
        key.iter_mut().zip(self.bytes.iter().skip(start)).for_each(|(key, byte)| *key = *byte);
        let key = u128::from_be_bytes(key);
        self.places.push(RecordPlace { key, start, end: self.bytes.len() });
    }

    fn sort(&mut self) {
        let Records { bytes, places } = self;
        let record = |place: &RecordPlace| bytes.get(place.start..place.end).unwrap_or_default();
        places.sort_unstable_by(|a, b| a.key.cmp(&b.key).then_with(|| record(a).cmp(record(b))));
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        let RecordPlace { start, end, .. } = self.places.get(at)?;
        self.bytes.get(*start..*end)
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.places.len()).filter_map(|at| self.get(at))
    }
}

/// Records in order.
pub(crate) struct Sorted {
    held: Records,
    /// The next of those that are held.
    at: usize,
    files: Vec<BufReader<File>>,
    /// The first record of each source: a file, or what is held, whose number is that of the files.
    firsts: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// The record that was given last.
    record: Vec<u8>,
}

impl Sorted {
    fn new(held: Records, files: Vec<File>) -> io::Result<Sorted> {
        let mut readers = Vec::with_capacity(files.len());
        for mut file in files {
            file.rewind()?;
            readers.push(BufReader::with_capacity(BUFFER, file));
        }
        let (at, firsts, record) = (0, BinaryHeap::new(), Vec::new());
        let mut sorted = Sorted { held, at, files: readers, firsts, record };
        // What is all in memory is not merged.
        let sources = if sorted.files.is_empty() { 0 } else { sorted.files.len() + 1 };
        for source in 0..sources {
            let mut first = Vec::new();
            if sorted.read(source, &mut first)? {
                sorted.firsts.push(Reverse((first, source)));
            }
        }
        Ok(sorted)
    }

    /// The next record.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.files.is_empty() {
            self.at += 1;
            return Ok(self.held.get(self.at - 1));
        }
        let Some(Reverse((record, source))) = self.firsts.pop() else { return Ok(None) };
        let mut next = std::mem::replace(&mut self.record, record);
        if self.read(source, &mut next)? {
            self.firsts.push(Reverse((next, source)));
        }
        Ok(Some(&self.record))
    }

    /// Reads the next record of a source, if it has one.
    fn read(&mut self, source: usize, record: &mut Vec<u8>) -> io::Result<bool> {
        record.clear();
        if let Some(file) = self.files.get_mut(source) {
            return read_record(file, record);
        }
        self.at += 1;
        let held = self.held.get(self.at - 1);
        record.extend_from_slice(held.unwrap_or_default());
        Ok(held.is_some())
    }
}

fn write_record(out: &mut impl Write, record: &[u8]) -> io::Result<()> {
    out.write_all(&(record.len() as u64).to_le_bytes())?;
    out.write_all(record)
}

fn read_record(file: &mut impl Read, record: &mut Vec<u8>) -> io::Result<bool> {
    let mut length = [0; 8];
    match file.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    if file.take(length).read_to_end(record)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(true)
}

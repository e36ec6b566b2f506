//! Gathers documents whose rows stand anywhere.
//!
//! All rows are read and spilled before the first document is decided. They are sorted twice on disk: by document, which
//! shows where each document begins, and then by where it begins, so that documents come in the order of their first rows
//! and the rows of each in theirs. A row without an id stands alone, where it is.

mod row;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::RunError;
use crate::folder::spill_failed;
use crate::input::Chunk;
use crate::places::{Place, split_key, write_key};
use crate::plan::Mapping;
use crate::spill::{Sorted, Sorter};
use crate::units::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_ROWS, Slice, TooLarge, Unit};
use row::{SpilledRow, SpilledRows, write_row};

/// How many bytes of rows are decided at a time at most, unless one document has more.
const MAX_UNIT_BYTES: usize = 16 * 1024 * 1024;

/// Takes rows in, in the order of the input.
pub(crate) struct Scattered {
    folder: PathBuf,
    /// Rows with an id: its key, the row's place, the row.
    by_document: Sorter,
    /// Rows by where their documents begin: that place, the row's own, the row.
    by_place: Sorter,
}

impl Scattered {
    /// Gathers in a folder.
    pub fn new(folder: &Path) -> Scattered {
        Scattered {
            folder: folder.to_owned(),
            by_document: Sorter::new(folder),
            by_place: Sorter::new(folder),
        }
    }

    /// Takes the rows of a chunk.
    pub fn take(&mut self, mapping: &Mapping, slice: &Slice) -> Result<(), RunError> {
        let mut at = 0;
        let mut taken = Ok(());
        slice.chunk.each(&mut |row| {
            let bytes = slice.chunk.row_bytes(at);
            at += 1;
            if taken.is_err() {
                return;
            }
            let place = Place { input: slice.input, row: row.number };
            let id = mapping.id_of(&row);
            taken = match id {
                Some(id) => self.by_document.push(|out| {
                    write_key(&id, out);
                    place.write(out);
                    write_row(out, &row, bytes);
                }),
                None => self.by_place.push(|out| {
                    place.write(out);
                    place.write(out);
                    write_row(out, &row, bytes);
                }),
            };
        });
        taken.map_err(|error| spill_failed(&self.folder, &error))
    }

    /// Sorts the rows that were taken, unless told to stop meanwhile.
    pub fn gather(self, stop: impl Fn() -> bool) -> Result<Gathered, RunError> {
        let Scattered { folder, by_document, mut by_place } = self;
        let sorted = sort(by_document, &mut by_place, stop).and_then(|()| by_place.sorted());
        let sorted = sorted.map_err(|error| spill_failed(&folder, &error))?;
        Ok(Gathered { folder, sorted, record: None, document: None, too_large: None })
    }
}

fn sort(by_document: Sorter, by_place: &mut Sorter, stop: impl Fn() -> bool) -> io::Result<()> {
    let mut sorted = by_document.sorted()?;
    let (mut document, mut begins): (Vec<u8>, Vec<u8>) = Default::default();
    while let Some(record) = sorted.next()?.filter(|_| !stop()) {
        let (key, row) = split_key(record);
        // Of one document the first row comes first.
        if key != document {
            document.clear();
            document.extend_from_slice(key);
            begins.clear();
            begins.extend_from_slice(row.get(..Place::BYTES).unwrap_or_default());
        }
        by_place.push(|out| {
            out.extend_from_slice(&begins);
            out.extend_from_slice(row);
        })?;
    }
    Ok(())
}

/// Documents in the order of their first rows.
pub(crate) struct Gathered {
    folder: PathBuf,
    sorted: Sorted,
    /// A record that was read and belongs to the next document.
    record: Option<Vec<u8>>,
    /// A document that was read and belongs to the next unit.
    document: Option<Document>,
    /// Where the document begins that is too large, while its rows come.
    too_large: Option<Place>,
}

/// A document, or a part of one that is too large.
struct Document {
    begins: Place,
    rows: Vec<SpilledRow>,
    too_large: Option<TooLarge>,
}

impl Gathered {
    /// The next documents: of about so many rows, all beginning in the same input.
    pub fn next(&mut self, rows: usize) -> Result<Option<Unit>, RunError> {
        self.unit(rows).map_err(|error| spill_failed(&self.folder, &error))
    }

    fn unit(&mut self, rows: usize) -> io::Result<Option<Unit>> {
        let mut taken: Vec<SpilledRow> = Vec::new();
        let (mut input, mut bytes) = (0, 0);
        while taken.len() < rows && bytes < MAX_UNIT_BYTES {
            let Some(document) = self.document()? else { break };
            if !taken.is_empty() && (document.begins.input != input || document.too_large.is_some()) {
                self.document = Some(document);
                break;
            }
            input = document.begins.input;
            bytes += document.rows.iter().map(SpilledRow::bytes).sum::<usize>();
            taken.extend(document.rows);
            if document.too_large.is_some() {
                return Ok(Some(Unit { slices: slices(taken), too_large: document.too_large }));
            }
        }
        Ok((!taken.is_empty()).then(|| Unit::of(slices(taken))))
    }

    fn document(&mut self) -> io::Result<Option<Document>> {
        if let Some(document) = self.document.take() {
            return Ok(Some(document));
        }
        let Some(first) = self.record()? else { return Ok(None) };
        let begins = Place::read(&first, 0);
        let goes_on = self.too_large == Some(begins);
        let mut document =
            Document { begins, rows: Vec::new(), too_large: goes_on.then_some(TooLarge::GoesOn) };
        let (mut record, mut text) = (Some(first), 0);
        while let Some(spilled) = record.take() {
            if Place::read(&spilled, 0) != begins {
                self.record = Some(spilled);
                break;
            }
            let row = SpilledRow::new(Place::read(&spilled, Place::BYTES), spilled, 2 * Place::BYTES);
            text += row.text_bytes();
            document.rows.push(row);
            if document.rows.len() > MAX_DOCUMENT_ROWS || text > MAX_DOCUMENT_BYTES {
                self.too_large = Some(begins);
                document.too_large.get_or_insert(TooLarge::Begins);
                break;
            }
            record = self.record()?;
        }
        Ok(Some(document))
    }

    fn record(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.record.take() {
            Some(record) => Ok(Some(record)),
            None => Ok(self.sorted.next()?.map(<[u8]>::to_vec)),
        }
    }
}

/// Rows by the inputs they come from, in their order.
fn slices(rows: Vec<SpilledRow>) -> Vec<Slice> {
    let inputs: Vec<usize> = rows.iter().map(|row| row.place.input).collect();
    let chunk: Arc<dyn Chunk> = Arc::new(SpilledRows(rows));
    let mut start = 0;
    let mut slices = Vec::new();
    for same in inputs.chunk_by(|a, b| a == b) {
        let rows = start..start + same.len();
        start = rows.end;
        let input = same.first().copied().unwrap_or_default();
        slices.push(Slice { input, chunk: Arc::clone(&chunk), rows, bytes_read: 0 });
    }
    slices
}

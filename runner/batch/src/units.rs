//! What is decided together: a chunk as it is read, or, where rows are grouped, the rows of whole documents.
//!
//! Chunks end anywhere, so a document may go on in the next chunk, and in the next input. The reading side therefore
//! holds the last document of what it has read back until it knows where that ends: it looks at the ids of a few rows
//! at the edges of a chunk, and what it hands over begins and ends with a document. So answers cannot depend on how rows
//! came to be in chunks.

use std::ops::Range;
use std::sync::Arc;

use assay_claims::BooleanBuffer;

use crate::input::Chunk;
use crate::plan::Mapping;

/// How many rows one document may have.
pub(crate) const MAX_DOCUMENT_ROWS: usize = 10_000;

/// How many bytes of text the rows of one document may have. More than a chunk holds, so that what goes beyond is found
/// here, whatever the chunks. (Rows of Parquet have no text that could be measured.)
pub(crate) const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// How many rows without an id in a row a document may have within it. After more of them it is over.
pub(crate) const MAX_ALONE: usize = 1_000;

/// How many rows at an edge are looked at first.
const LOOKED_AT: usize = 8;

/// Rows that are decided together.
#[derive(Clone)]
pub(crate) struct Unit {
    pub slices: Vec<Slice>,
    /// Whether they are (some of) the rows of one document that is too large.
    pub too_large: Option<TooLarge>,
}

/// Some rows of a document that is too large to be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooLarge {
    /// The first of its rows.
    Begins,
    /// Further ones.
    GoesOn,
}

/// Adjacent rows of a chunk.
#[derive(Clone)]
pub(crate) struct Slice {
    /// The input that they come from.
    pub input: usize,
    pub chunk: Arc<dyn Chunk>,
    pub rows: Range<usize>,
    /// How much of the input had been read when they had been.
    pub bytes_read: u64,
}

impl Unit {
    /// A unit of some rows.
    pub fn of(slices: Vec<Slice>) -> Unit {
        Unit { slices, too_large: None }
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.slices.iter().map(|slice| slice.rows.len() as u64).sum()
    }

    /// Its first rows, as many as that, and the others, if there are any. What is not too large is to be split between
    /// documents.
    pub fn split(self, mut rows: u64) -> (Unit, Option<Unit>) {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for slice in self.slices {
            let here = usize::try_from(rows).unwrap_or(usize::MAX).min(slice.rows.len());
            rows -= here as u64;
            let middle = slice.rows.start + here;
            for (part, rows) in
                [(&mut first, slice.rows.start..middle), (&mut others, middle..slice.rows.end)]
            {
                if !rows.is_empty() {
                    part.push(slice.part(rows));
                }
            }
        }
        let too_large = self.too_large.map(|_| TooLarge::GoesOn);
        let others = (!others.is_empty()).then_some(Unit { slices: others, too_large });
        (Unit { slices: first, too_large: self.too_large }, others)
    }
}

impl Slice {
    fn part(&self, rows: Range<usize>) -> Slice {
        Slice { rows, ..self.clone() }
    }

    /// The rows of the chunk that are here.
    pub fn mask(&self) -> BooleanBuffer {
        BooleanBuffer::collect_bool(self.chunk.len(), |row| self.rows.contains(&row))
    }

    /// The ids of some rows of the chunk: none where a row has none that could be used.
    fn ids(&self, mapping: &Mapping, rows: Range<usize>) -> Vec<Option<String>> {
        let mut ids = Vec::with_capacity(rows.len());
        let mask = BooleanBuffer::collect_bool(self.chunk.len(), |row| rows.contains(&row));
        self.chunk.each_of(&mask, &mut |row| {
            ids.push(mapping.id_of(&row));
        });
        ids
    }
}

/// Cuts what is read into whole documents.
#[derive(Default)]
pub(crate) struct Cutter {
    open: Option<Open>,
}

/// A document that may go on.
struct Open {
    id: String,
    slices: Vec<Slice>,
    counts: Counts,
    /// Whether its first rows were handed over, because there are too many.
    too_large: bool,
}

/// The rows of a document.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    rows: usize,
    bytes: u64,
    /// How many rows without an id follow the last of them.
    alone: usize,
}

impl Open {
    fn new(id: String) -> Open {
        Open { id, slices: Vec::new(), counts: Counts::default(), too_large: false }
    }

    /// Takes further rows; the rows so far, where there are too many by now.
    fn extend(&mut self, slice: Slice) -> Option<Unit> {
        self.slices.push(slice);
        let Counts { rows, bytes, .. } = self.counts;
        if !self.too_large && rows <= MAX_DOCUMENT_ROWS && bytes <= MAX_DOCUMENT_BYTES {
            return None;
        }
        let part = if self.too_large { TooLarge::GoesOn } else { TooLarge::Begins };
        self.too_large = true;
        Some(Unit { slices: std::mem::take(&mut self.slices), too_large: Some(part) })
    }

    /// How many rows of a chunk from `start` on belong to the document and stand within it; they are counted.
    fn goes_on(&mut self, mapping: &Mapping, chunk: &Slice, start: usize) -> usize {
        let (mut from, mut count) = (start, LOOKED_AT);
        while from < chunk.rows.end {
            let to = (from + count).min(chunk.rows.end);
            for (row, id) in (from..to).zip(chunk.ids(mapping, from..to)) {
                match id {
                    Some(id) if id == self.id => {
                        self.counts.rows += 1;
                        self.counts.bytes += chunk.chunk.row_bytes(row);
                        self.counts.alone = 0;
                    }
                    None if self.counts.alone < MAX_ALONE => self.counts.alone += 1,
                    _ => return row,
                }
            }
            (from, count) = (to, count * 2);
        }
        chunk.rows.end
    }
}

impl Cutter {
    /// Takes the next chunk; what is whole by now.
    pub fn take(&mut self, mapping: &Mapping, chunk: &Slice) -> Vec<Unit> {
        let mut units = Vec::new();
        let rows = chunk.rows.end;
        let mut start = 0;
        if let Some(open) = &mut self.open {
            start = open.goes_on(mapping, chunk, 0);
            if start > 0 {
                units.extend(open.extend(chunk.part(0..start)));
            }
            if start == rows {
                return units;
            }
        }
        let Some((last, id)) = last(mapping, chunk, start) else {
            units.extend(self.join(chunk.part(start..rows)));
            return units;
        };
        units.extend(self.join(chunk.part(start..last)));
        let mut open = Open::new(id);
        open.goes_on(mapping, chunk, last);
        units.extend(open.extend(chunk.part(last..rows)));
        self.open = Some(open);
        units
    }

    /// Ends the open document and puts it before what is whole, if it begins in the same input: all documents of a unit do.
    fn join(&mut self, whole: Slice) -> Vec<Unit> {
        let mut units: Vec<Unit> = self.end().into_iter().collect();
        if !whole.rows.is_empty() {
            match units.last_mut() {
                Some(unit) if unit.slices.first().is_some_and(|first| first.input == whole.input) => {
                    unit.slices.push(whole);
                }
                _ => units.push(Unit::of(vec![whole])),
            }
        }
        units
    }

    /// The document that was open, once there are no more rows.
    pub fn end(&mut self) -> Option<Unit> {
        let open = self.open.take()?;
        // What is too large was handed over already.
        (!open.slices.is_empty()).then(|| Unit::of(open.slices))
    }
}

/// Where the last document of a chunk begins that may go on in the next, and its id. No row before `start` is looked at.
fn last(mapping: &Mapping, chunk: &Slice, start: usize) -> Option<(usize, String)> {
    let (mut to, mut count) = (chunk.rows.end, LOOKED_AT);
    let mut found: Option<(usize, String)> = None;
    let mut alone = 0;
    while to > start {
        let from = to.saturating_sub(count).max(start);
        for (row, id) in (from..to).zip(chunk.ids(mapping, from..to)).rev() {
            match (id, &mut found) {
                (None, _) => {
                    alone += 1;
                    if alone > MAX_ALONE {
                        return found;
                    }
                    continue;
                }
                (Some(id), None) => found = Some((row, id)),
                (Some(id), Some((first, last))) if id == *last => *first = row,
                (Some(_), Some(_)) => return found,
            }
            alone = 0;
        }
        (to, count) = (from, count * 2);
    }
    found
}

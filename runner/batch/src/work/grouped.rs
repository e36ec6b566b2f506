//! Documents of several rows, which are their evidence.
//!
//! Rows are read in order and joined by their ids. A row that is refused refuses its document, and then every row of it
//! is rejected: the rows are gone through once more and written down, each with what is wrong with it or with the
//! row that is. A row without an id stands for no document and is rejected alone.

use assay_claims::{BooleanBuffer, Evidence, Failure};
use assay_service::canonical::{write_list, write_text};

use super::rows::{Documents, Identified, Reader};
use super::{Ready, Work};
use crate::error::RunError;
use crate::events::{Documents as Counts, RowsRead};
use crate::job::Grouping;
use crate::output::{Carried, CarriedColumn};
use crate::places::{FirstPlaces, Place};
use crate::units::{MAX_ALONE, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_ROWS, Slice, TooLarge, Unit};

impl Work {
    /// Decides the documents of a unit.
    pub(super) fn decide_grouped(&self, grouping: &Grouping, unit: &Unit) -> Result<Ready, RunError> {
        let readers: Option<Vec<_>> =
            unit.slices.iter().map(|slice| Some((slice, Reader::new(self, slice.input)?))).collect();
        let readers = readers.ok_or_else(Work::not_planned)?;
        let mut joining = Joining::new(self);
        for (slice, reader) in &readers {
            joining.slice(slice, reader);
        }
        for document in &mut joining.documents {
            let larger = document.rows > MAX_DOCUMENT_ROWS || document.bytes > MAX_DOCUMENT_BYTES;
            if larger || unit.too_large.is_some() {
                document.refused = Some(Refused::TooLarge);
            }
        }
        let mut rows = Vec::with_capacity(readers.len());
        let mut documents = Documents::none(&self.plan.mapping);
        let mut start = 0;
        for (slice, reader) in &readers {
            let rejected = joining.reject(slice, start, reader, grouping, &mut documents.rejected_lines);
            start += slice.rows.len();
            let (input, read) = (slice.input, slice.rows.len() as u64);
            rows.push(RowsRead { input, read, rejected, bytes_read: slice.bytes_read });
            documents.rejected += rejected;
        }
        let mut places = FirstPlaces::default();
        let mut counts = Counts::default();
        let first = joining.documents.first().map_or(0, |document| document.first.input);
        if unit.too_large != Some(TooLarge::GoesOn) {
            for document in &joining.documents {
                counts.rejected += u64::from(document.refused.is_some());
                if !grouping.scattered {
                    places.push(&document.id, document.first);
                }
            }
        }
        joining.accepted(&mut documents);
        counts.checked = documents.ids.len() as u64;
        let ready = self.decide_documents(first, documents, rows, counts)?;
        Ok(Ready { places, ..ready })
    }
}

/// Rows on their way to documents.
struct Joining<'a> {
    work: &'a Work,
    documents: Vec<Document>,
    /// By row: its document, from 1; 0 where it stands for none.
    owners: Vec<u32>,
    /// How many rows that stand for no document follow the last one that does.
    alone: usize,
    /// By carried column: the values of the rows that stand for a document.
    carried: Vec<CarriedColumn>,
}

/// The rows of one document, joined.
struct Document {
    id: String,
    first: Place,
    rows: usize,
    bytes: u64,
    /// None until a row is accepted.
    evidence: Option<Evidence>,
    refused: Option<Refused>,
}

/// Why a document is refused.
#[derive(Clone, Copy)]
enum Refused {
    /// This row of it is the first that is refused.
    Row(Place),
    TooLarge,
}

impl<'a> Joining<'a> {
    fn new(work: &'a Work) -> Joining<'a> {
        let carried = work.plan.mapping.carry.iter().map(|_| CarriedColumn::default()).collect();
        Joining { work, documents: Vec::new(), owners: Vec::new(), alone: 0, carried }
    }

    fn slice(&mut self, slice: &Slice, reader: &Reader<'_>) {
        let work = self.work;
        let mut at = slice.rows.start;
        slice.chunk.each_of(&slice.mask(), &mut |mut row| {
            row.cells = row.cells.and_then(|cells| work.plan.mapping.unfold(cells));
            let place = Place { input: slice.input, row: row.number };
            let bytes = slice.chunk.row_bytes(at);
            at += 1;
            match reader.identify(&row.cells) {
                Some((cells, Identified { id: Some(id), bound })) => {
                    let document = self.document(id, place);
                    document.bytes += bytes;
                    match bound {
                        Ok(evidence) => document.join(evidence, work),
                        Err(_) => {
                            document.refused.get_or_insert(Refused::Row(place));
                        }
                    }
                    reader.carry(cells, &mut self.carried);
                }
                _ => {
                    self.owners.push(0);
                    self.alone += 1;
                }
            }
        });
    }

    /// The document that a row stands for: the last one, or a new one.
    fn document(&mut self, id: &str, place: Place) -> &mut Document {
        let goes_on = self.alone <= MAX_ALONE && self.documents.last().is_some_and(|last| last.id == id);
        if !goes_on {
            let id = id.to_owned();
            self.documents.push(Document {
                id,
                first: place,
                rows: 0,
                bytes: 0,
                evidence: None,
                refused: None,
            });
        }
        self.owners.push(self.documents.len() as u32);
        self.alone = 0;
        // INVARIANT: one was pushed where there was none.
        #[allow(clippy::expect_used)]
        let document = self.documents.last_mut().expect("a document");
        document.rows += 1;
        document
    }

    /// Writes down the rejected ones of the rows from `start` on, which are a slice; how many there are.
    fn reject(
        &self,
        slice: &Slice,
        start: usize,
        reader: &Reader<'_>,
        grouping: &Grouping,
        lines: &mut String,
    ) -> u64 {
        let refused = |row: usize| {
            let owner = self.owners.get(start + row).copied().unwrap_or_default();
            let document = (owner as usize).checked_sub(1).and_then(|at| self.documents.get(at));
            document.map_or(Some(None), |document| document.refused.map(Some))
        };
        let first = slice.rows.start;
        let rejected: Vec<(usize, Option<Refused>)> =
            slice.rows.clone().filter_map(|row| Some((row, refused(row - first)?))).collect();
        if rejected.is_empty() {
            return 0;
        }
        let mut reasons = rejected.iter();
        let mut rows = rejected.iter().map(|(row, _)| *row).peekable();
        let mask = BooleanBuffer::collect_bool(slice.chunk.len(), |row| rows.next_if_eq(&row).is_some());
        slice.chunk.each_of(&mask, &mut |mut row| {
            row.cells = row.cells.and_then(|cells| self.work.plan.mapping.unfold(cells));
            let reason = reasons.next().and_then(|(_, reason)| *reason);
            let failure = reason.map(|reason| self.failure(reason, grouping));
            reader.reject(&row, failure.as_ref(), lines);
        });
        rejected.len() as u64
    }

    /// What is wrong with a document, for the rows of it that are well themselves.
    fn failure(&self, reason: Refused, grouping: &Grouping) -> Failure {
        let (expected, received) = match reason {
            Refused::Row(Place { input, row }) => {
                let input = self.work.plan.inputs.get(input);
                let place = input.map_or_else(String::new, |input| input.place(row));
                ("a document whose rows are all accepted".to_owned(), format!("the refused row {place}"))
            }
            Refused::TooLarge => {
                let mib = MAX_DOCUMENT_BYTES >> 20;
                let expected =
                    format!("a document of at most {MAX_DOCUMENT_ROWS} rows and {mib} MiB of text");
                (expected, "a larger one".to_owned())
            }
        };
        Failure { field: grouping.by.clone(), expected, received }
    }

    /// Adds the documents that are accepted.
    fn accepted(self, documents: &mut Documents) {
        let mut differing = CarriedColumn::default();
        let mut start = 0;
        for document in self.documents {
            let rows = start..start + document.rows;
            start = rows.end;
            let (None, Some(evidence)) = (document.refused, document.evidence) else { continue };
            documents.ids.push(&document.id);
            documents.rows.push(document.first.row);
            documents.evidence.push(evidence);
            let mut differ = Vec::new();
            let names = &self.work.job.carry;
            for ((name, values), column) in names.iter().zip(&self.carried).zip(&mut documents.carried) {
                let value = values.get(rows.start);
                let agree = rows.clone().all(|row| values.get(row) == value);
                column.push(if agree { value } else { Carried::Null });
                differ.extend((!agree).then_some(name));
            }
            match differ.as_slice() {
                [] => differing.push(Carried::Null),
                names => {
                    let mut list = String::new();
                    write_list(&mut list, names, |out, name| write_text(out, name));
                    differing.push(Carried::Json(&list));
                }
            }
        }
        if !self.carried.is_empty() {
            documents.carried.push(differing);
        }
    }
}

impl Document {
    fn join(&mut self, evidence: Evidence, work: &Work) {
        match &mut self.evidence {
            Some(joined) => joined.join(evidence, &work.plan.library),
            none => *none = Some(evidence),
        }
    }
}

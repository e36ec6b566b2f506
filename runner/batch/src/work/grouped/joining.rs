//! Rows joined to documents by their ids.

use std::ops::Range;

use assay_claims::{BooleanBuffer, Evidence, Failure};
use assay_service::canonical::{write_list, write_text};

use crate::job::Grouping;
use crate::output::{Carried, CarriedColumn, Texts};
use crate::places::Place;
use crate::units::{MAX_ALONE, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_ROWS, Slice};
use crate::work::Work;
use crate::work::decoded::ByColumn;
use crate::work::rows::{Documents, Identified, Reader};
use crate::work::unanswered::Unanswered;

/// Rows on their way to documents.
pub(super) struct Joining<'a> {
    work: &'a Work,
    pub documents: Vec<Document>,
    /// Their ids.
    pub ids: Texts,
    /// By row: its document, from 1; 0 where it stands for none.
    owners: Vec<u32>,
    /// How many rows that stand for no document follow the last one that does.
    alone: usize,
    /// By carried column: the values of the rows that stand for a document.
    carried: Vec<CarriedColumn>,
}

/// The rows of one document, joined.
pub(super) struct Document {
    pub first: Place,
    rows: usize,
    bytes: u64,
    pub told: Told,
    pub refused: Option<Refused>,
    /// Its first row in columns, where it has rows in a chunk that was decoded by column.
    pub at: Option<usize>,
}

/// What a document's rows say.
pub(super) enum Told {
    /// Nothing so far.
    Nothing,
    /// What columns say in these rows, which stand one after the other.
    Columns(Range<usize>),
    Evidence(Evidence),
}

/// Why a document is refused.
#[derive(Clone, Copy)]
pub(super) enum Refused {
    /// This row of it is the first that is refused.
    Row(Place),
    TooLarge,
    /// The document that begins in this row has no answer.
    Unanswered(Place),
}

impl<'a> Joining<'a> {
    pub fn new(work: &'a Work) -> Joining<'a> {
        let carried = work.plan.mapping.carry.iter().map(|_| CarriedColumn::default()).collect();
        Joining { work, documents: Vec::new(), ids: Texts::default(), owners: Vec::new(), alone: 0, carried }
    }

    /// Takes the rows of a slice, one by one.
    pub fn by_row(&mut self, slice: &Slice, reader: &Reader<'_>) {
        let (work, mut at) = (self.work, slice.rows.start);
        slice.chunk.each_of(&slice.mask(), &mut |mut row| {
            row.cells = row.cells.and_then(|cells| work.plan.mapping.unfold(cells));
            let place = Place { input: slice.input, row: row.number };
            let bytes = slice.chunk.row_bytes(at);
            at += 1;
            match reader.identify(&row.cells) {
                Some((cells, Identified { id: Some(id), bound })) => {
                    let document = self.document(id, place, bytes);
                    match bound {
                        Ok(evidence) => document.join(evidence, None, work),
                        Err(_) => document.refuse(place),
                    }
                    reader.carry(cells, &mut self.carried);
                }
                _ => self.alone(),
            }
        });
    }

    /// Takes the rows of a slice of a chunk that was decoded by column.
    pub fn by_column(&mut self, slice: &Slice, reader: &Reader<'_>, columns: &ByColumn<'_>) {
        let work = self.work;
        self.owners.reserve(slice.rows.len());
        let mut single = Single::read(work, slice, reader, columns).into_iter();
        for row in slice.rows.clone() {
            let place = Place { input: slice.input, row: columns.number(row) };
            let bytes = slice.chunk.row_bytes(row);
            if columns.is_set_aside(row) {
                let Some(Single { id: Some(id), evidence, carried }) = single.next() else {
                    self.alone();
                    continue;
                };
                let document = self.document(&id, place, bytes);
                document.at.get_or_insert(row);
                match evidence {
                    Some(evidence) => document.join(evidence, Some(columns), work),
                    None => document.refuse(place),
                }
                for (to, from) in self.carried.iter_mut().zip(&carried) {
                    to.append(from, 0, 1);
                }
                continue;
            }
            let Ok(Some(id)) = columns.id(row) else {
                self.alone();
                continue;
            };
            let document = self.document(id, place, bytes);
            document.at.get_or_insert(row);
            match &mut document.told {
                Told::Nothing if document.refused.is_none() => document.told = Told::Columns(row..row + 1),
                Told::Columns(rows) if rows.end == row => rows.end += 1,
                _ => document.join(columns.claims().dictionary(row).into(), Some(columns), work),
            }
            for (column, places) in self.carried.iter_mut().zip(&work.plan.mapping.carry) {
                column.push(columns.carried(places, row));
            }
        }
    }

    /// Takes a row that stands for no document.
    fn alone(&mut self) {
        self.owners.push(0);
        self.alone += 1;
    }

    /// The document that a row stands for: the last one, or a new one.
    fn document(&mut self, id: &str, place: Place, bytes: u64) -> &mut Document {
        let last = self.ids.len().checked_sub(1).and_then(|last| self.ids.get(last));
        if self.alone > MAX_ALONE || last != Some(id) {
            self.ids.push(id);
            let (told, refused) = (Told::Nothing, None);
            self.documents.push(Document { first: place, rows: 0, bytes: 0, told, refused, at: None });
        }
        self.owners.push(self.documents.len() as u32);
        self.alone = 0;
        // INVARIANT: one was pushed where there was none.
        #[allow(clippy::expect_used)]
        let document = self.documents.last_mut().expect("a document");
        document.rows += 1;
        document.bytes += bytes;
        document
    }

    /// Writes down the rejected ones of the rows from `start` on, which are a slice; how many there are.
    pub fn reject(
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
            let failure = reason.and_then(|reason| self.failure(reason, grouping, reader.unanswered));
            reader.reject(&row, failure.as_ref(), lines);
        });
        rejected.len() as u64
    }

    /// What is wrong with a document, for the rows of it that are well themselves.
    fn failure(&self, reason: Refused, grouping: &Grouping, unanswered: &Unanswered) -> Option<Failure> {
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
            Refused::Unanswered(first) => return unanswered.failure(first),
        };
        Some(Failure { field: grouping.by.clone(), expected, received })
    }

    /// Refuses what has no answer.
    pub fn refuse_unanswered(&mut self, unanswered: &Unanswered) {
        for document in &mut self.documents {
            if unanswered.failure(document.first).is_some() {
                document.refused = Some(Refused::Unanswered(document.first));
            }
        }
    }

    /// Refuses what is too large; everything is, where that is known already.
    pub fn refuse_too_large(&mut self, all: bool) {
        for document in &mut self.documents {
            let larger = document.rows > MAX_DOCUMENT_ROWS || document.bytes > MAX_DOCUMENT_BYTES;
            if larger || all {
                document.refused = Some(Refused::TooLarge);
            }
        }
    }

    /// Adds the documents that are accepted, but for what they say.
    pub fn accepted(&self, documents: &mut Documents) {
        let mut differing = CarriedColumn::default();
        let mut start = 0;
        for (document, id) in self.documents.iter().zip(self.ids.iter()) {
            let rows = start..start + document.rows;
            start = rows.end;
            if document.refused.is_some() {
                continue;
            }
            documents.ids.push(id);
            documents.rows.push(document.first.row);
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
    /// Joins the evidence of the next row. What columns say of the rows before becomes evidence too.
    pub fn join(&mut self, evidence: Evidence, columns: Option<&ByColumn<'_>>, work: &Work) {
        if let (Told::Columns(rows), Some(columns)) = (&self.told, columns) {
            let mut rows = rows.clone().map(|row| Evidence::from(columns.claims().dictionary(row)));
            let Some(mut joined) = rows.next() else { return };
            rows.for_each(|evidence| joined.join(evidence, &work.plan.library));
            self.told = Told::Evidence(joined);
        }
        match &mut self.told {
            Told::Evidence(joined) => joined.join(evidence, &work.plan.library),
            told => *told = Told::Evidence(evidence),
        }
    }

    /// Refuses the document for one of its rows.
    fn refuse(&mut self, place: Place) {
        self.refused.get_or_insert(Refused::Row(place));
    }
}

/// A row that does not fit columns.
struct Single {
    /// None where it stands for no document.
    id: Option<String>,
    /// None where it is refused.
    evidence: Option<Evidence>,
    carried: Vec<CarriedColumn>,
}

impl Single {
    /// Reads the rows of a slice that are set aside.
    fn read(work: &Work, slice: &Slice, reader: &Reader<'_>, columns: &ByColumn<'_>) -> Vec<Single> {
        let is_single = |row: usize| slice.rows.contains(&row) && columns.is_set_aside(row);
        let mask = BooleanBuffer::collect_bool(slice.chunk.len(), is_single);
        let mut singles = Vec::new();
        if mask.count_set_bits() == 0 {
            return singles;
        }
        slice.chunk.each_of(&mask, &mut |mut row| {
            row.cells = row.cells.and_then(|cells| work.plan.mapping.unfold(cells));
            let mut single = Single { id: None, evidence: None, carried: Vec::new() };
            if let Some((cells, Identified { id, bound })) = reader.identify(&row.cells) {
                single.id = id.map(str::to_owned);
                single.evidence = bound.ok();
                single.carried = work.plan.mapping.carry.iter().map(|_| CarriedColumn::default()).collect();
                reader.carry(cells, &mut single.carried);
            }
            singles.push(single);
        });
        singles
    }
}

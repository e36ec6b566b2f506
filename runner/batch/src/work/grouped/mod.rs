//! Documents of several rows, which are their evidence.
//!
//! Rows are read in order, by column where they fit columns, and joined by their ids. A row that is refused refuses its
//! document, and then every row of it is rejected: the rows are gone through once more and written down, each with what
//! is wrong with it or with the row that is. A row without an id stands for no document and is rejected alone.

mod columns;
mod joining;

use self::joining::{Joining, Told};
use super::decoded::ByColumn;
use super::rows::{Documents, Reader};
use super::unanswered::{Unanswered, Undecided};
use super::{Ready, Work};
use crate::error::RunError;
use crate::events::{Documents as Counts, RowsRead};
use crate::job::Grouping;
use crate::places::FirstPlaces;
use crate::units::{Slice, TooLarge, Unit};

impl Work {
    /// Decides the documents of a unit.
    pub(super) fn decide_grouped(
        &self,
        grouping: &Grouping,
        unit: &Unit,
        unanswered: &mut Unanswered,
    ) -> Result<Ready, Undecided> {
        let readers: Option<Vec<_>> = unit
            .slices
            .iter()
            .map(|slice| Some((slice, Reader::new(self, slice.input, unanswered)?)))
            .collect();
        let readers = readers.ok_or_else(Work::not_planned)?;
        let mut joining = Joining::new(self);
        let mut columns = None;
        for (at, (slice, reader)) in readers.iter().enumerate() {
            // What is whole in a unit is its last slice, but for the document that it begins with.
            if at + 1 == readers.len()
                && unit.too_large.is_none()
                && !unanswered.by_row
                && self.is_for_columns(grouping, slice)
            {
                let decoded = ByColumn::decode(self, reader, slice.chunk.as_ref())?;
                joining.by_column(slice, reader, &decoded);
                columns = Some((slice, reader, decoded));
            } else {
                joining.by_row(slice, reader);
            }
        }
        joining.refuse_unanswered(unanswered);
        joining.refuse_too_large(unit.too_large.is_some());
        let mut rows = Vec::with_capacity(readers.len());
        let mut documents = Documents::none(&self.plan.mapping);
        let mut start = 0;
        for (slice, reader) in &readers {
            let rejected = joining.reject(slice, start, reader, grouping, &mut documents.rejected_lines);
            start += slice.rows.len();
            let (input, read) = (slice.input, slice.rows.len() as u64);
            rows.push(RowsRead { input, read, rejected, bytes_read: slice.bytes_read });
        }
        let mut places = FirstPlaces::default();
        let mut counts = Counts::default();
        let first = joining.documents.first().map_or(0, |document| document.first.input);
        if unit.too_large != Some(TooLarge::GoesOn) {
            for (document, id) in joining.documents.iter().zip(joining.ids.iter()) {
                counts.rejected += u64::from(document.refused.is_some());
                if !grouping.scattered {
                    places.push(id, document.first);
                }
            }
        }
        joining.accepted(&mut documents);
        counts.checked = documents.ids.len() as u64;
        let Joining { documents: mut joined, .. } = joining;
        joined.retain(|document| document.refused.is_none());
        let ready = match columns {
            Some((slice, reader, columns)) => {
                let answered = self.answer_columns(first, joined, (slice, reader, columns))?;
                self.finish(self.file(first), documents, answered, String::new(), (rows, counts))?
            }
            None => {
                let places = joined.iter().map(|document| document.first).collect();
                documents.evidence.extend(joined.into_iter().filter_map(|document| match document.told {
                    Told::Evidence(evidence) => Some(evidence),
                    Told::Nothing | Told::Columns(_) => None,
                }));
                self.decide_documents(documents, places, rows, counts, unanswered)?
            }
        };
        Ok(Ready { places, ..ready })
    }

    /// Where the documents of a unit begin that was decided before the run was resumed.
    pub fn passed(&self, unit: &Unit) -> Result<FirstPlaces, RunError> {
        let mut places = FirstPlaces::default();
        let told = self.job.grouping.as_ref().is_some_and(|grouping| !grouping.scattered);
        if !told || unit.too_large == Some(TooLarge::GoesOn) {
            return Ok(places);
        }
        let mut joining = Joining::new(self);
        let answered = Unanswered::default();
        for slice in &unit.slices {
            joining.by_row(slice, &Reader::new(self, slice.input, &answered).ok_or_else(Work::not_planned)?);
        }
        for (document, id) in joining.documents.iter().zip(joining.ids.iter()) {
            places.push(id, document.first);
        }
        Ok(places)
    }

    /// Whether a slice is worth decoding its chunk by column. (Gathered rows are of many inputs.)
    fn is_for_columns(&self, grouping: &Grouping, slice: &Slice) -> bool {
        self.by_column() && !grouping.scattered && slice.rows.len() >= slice.chunk.len() / 4
    }
}

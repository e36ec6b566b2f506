//! A chunk decided by column, and row by row where rows do not fit columns.
//!
//! The format decodes columns and sets aside what does not fit them; the engine decides the columns; and the rows that are
//! aside go the way of single rows ([`super::rows`]), which accepts or refuses them. What comes out is the same as if every
//! row had gone that way.

use assay_claims::Evidence;
use assay_engine::{Answer, ColumnAnswers, Route};

use super::answers::Answered;
use super::decide::each_document;
use super::decoded::ByColumn;
use super::rows::{Documents, Reader, some_documents};
use super::unanswered::Undecided;
use super::{Ready, Work};
use crate::error::RunError;
use crate::events::Decided;
use crate::output::{Carried, CarriedColumn, ResultChunk, Texts};
use crate::plan::Input;
use crate::units::Slice;

impl Work {
    /// Whether chunks are decided by column: payloads show values as they came, row by row; the other route of the engine
    /// has no columns; and claims inside a record's object are found row by row.
    pub fn by_column(&self) -> bool {
        !self.counts_only
            && !self.job.payloads
            && self.job.engine == Route::Auto
            && self.plan.mapping.inner.is_none()
    }

    /// Fails closed: columns answer every assertion for so many documents.
    pub(super) fn all_answered(&self, answers: &ColumnAnswers, documents: usize) -> Result<(), RunError> {
        let whole = answers.assertions.len() == self.plan.schema.assertions.len()
            && answers.assertions.iter().all(|column| column.words.len() == documents);
        if whole { Ok(()) } else { Err(Work::not_answered()) }
    }

    /// Decides a chunk by column.
    pub(super) fn decide_columns(&self, slice: &Slice, reader: &Reader<'_>) -> Result<Ready, Undecided> {
        let (chunk, source) = (slice.chunk.as_ref(), reader.input);
        let columns = ByColumn::decode(self, reader, chunk)?;
        let claims = columns.claims();
        let rows = claims.rows;
        let answers = self.plan.engine.decide_columns(claims)?;
        self.all_answered(&answers, rows)?;
        let aside: Vec<usize> = claims.set_aside.set_indices().collect();
        let (single, accepted) = some_documents(reader, chunk, &claims.set_aside, aside.len());
        let single_answers = self.plan.engine.decide_all(&single.evidence)?;
        self.complete(&single, &single_answers)?;
        if !self.sample.is_empty() {
            let in_columns = (0..rows).filter(|row| !columns.is_set_aside(*row));
            let of = |row: usize| {
                let number = columns.number(row);
                let sampled = self.sample.takes(&source.name, number);
                sampled.then(|| (number, claims.dictionary(row).into(), answers.row(row)))
            };
            let sampled: Vec<(u64, Evidence, Vec<Answer>)> = in_columns.filter_map(of).collect();
            self.cross_check(
                &source.name,
                sampled.iter().map(|(row, evidence, answers)| (*row, (evidence, answers.as_slice()))),
            )?;
            self.cross_check(&source.name, each_document(&single, &single_answers))?;
        }
        let mut answered = Answered::by_column(answers, &self.claims);
        let mut refused = Vec::new();
        let mut answers = single_answers.iter();
        for (row, accepted) in aside.iter().zip(&accepted) {
            match answers.by_ref().take(usize::from(*accepted)).next() {
                Some(answers) => answered.put(*row, answers, &self.claims),
                None => refused.push(*row),
            }
        }
        answered.take_out(&refused);
        let (rows, documents) = slice.counts(single.rejected);
        let decided = Decided { rows: vec![rows], documents, tallies: answered.tallies };
        let merged = Merged { work: self, source, columns: &columns, aside: &aside, accepted: &accepted };
        let results = ResultChunk {
            ids: merged.ids(&single),
            carried: merged.carried(&single),
            rows: if self.job.locate { merged.row_numbers() } else { Vec::new() },
            answers: answered.columns,
            reasons: answered.reasons,
            contradicted: answered.contradicted,
            file: self.file(slice.input),
        };
        Ok(self.ready(decided, results, String::new(), single.rejected_lines)?)
    }
}

/// The documents of a chunk: those in columns and the accepted ones of those aside, in the order of the rows.
struct Merged<'a> {
    work: &'a Work,
    source: &'a Input,
    columns: &'a ByColumn<'a>,
    aside: &'a [usize],
    /// Of those aside, which are documents.
    accepted: &'a [bool],
}

impl Merged<'_> {
    /// Visits the documents: the row, and the number among single documents where it is one.
    fn each(&self, mut visit: impl FnMut(usize, Option<usize>)) {
        let mut aside = self.aside.iter().copied().zip(self.accepted).peekable();
        let mut single = 0;
        for row in 0..self.columns.claims().rows {
            match aside.next_if(|(at, _)| *at == row) {
                None => visit(row, None),
                Some((_, true)) => {
                    visit(row, Some(single));
                    single += 1;
                }
                Some((_, false)) => {}
            }
        }
    }

    fn ids(&self, single: &Documents) -> Texts {
        let rows = self.columns.claims().rows;
        let mut ids = Texts::with_capacity(rows, rows * 20);
        self.each(|row, at| match at {
            Some(at) => ids.push(single.ids.get(at).unwrap_or_default()),
            None => match self.columns.id(row) {
                Ok(Some(id)) => ids.push(id),
                _ => ids.push(&self.source.place(self.columns.number(row))),
            },
        });
        ids
    }

    fn carried(&self, single: &Documents) -> Vec<CarriedColumn> {
        let columns = self.work.plan.mapping.carry.iter().enumerate().map(|(column, places)| {
            let mut values = CarriedColumn::default();
            self.each(|row, at| match at {
                Some(at) => {
                    values.push(single.carried.get(column).map_or(Carried::Null, |column| column.get(at)));
                }
                None => values.push(self.columns.carried(places, row)),
            });
            values
        });
        columns.collect()
    }

    fn row_numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(self.columns.claims().rows);
        self.each(|row, _| numbers.push(self.columns.number(row)));
        numbers
    }
}

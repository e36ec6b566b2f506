//! A chunk decided by column, and row by row where rows do not fit columns.
//!
//! The format decodes columns and sets aside what does not fit them; the engine decides the columns; and the rows that are
//! aside go the way of single rows ([`super::rows`]), which accepts or refuses them. What comes out is the same as if every
//! row had gone that way.

use std::sync::Arc;

use assay_claims::{BooleanBuffer, Evidence, Missing};
use assay_engine::{Answer, Route};

use super::answers::Answered;
use super::decide::{each_document, engine};
use super::rows::{Documents, Reader, some_documents};
use super::{Ready, Work};
use crate::error::RunError;
use crate::events::Decided;
use crate::input::{ClaimPlace, Decoded, Layout, TextCell};
use crate::output::{Carried, CarriedColumn, ResultChunk, Texts};
use crate::plan::{Input, Mapping, is_id};
use crate::units::Slice;

impl Work {
    /// Whether chunks are decided by column: payloads show values as they came, row by row; the other route of the engine
    /// has no columns; and claims inside a record's object are found row by row.
    pub fn by_column(&self) -> bool {
        !self.job.payloads && self.job.engine == Route::Auto && self.plan.mapping.inner.is_none()
    }

    /// Decides a chunk by column.
    pub(super) fn decide_columns(&self, slice: &Slice, reader: &Reader<'_>) -> Result<Ready, RunError> {
        let (chunk, source) = (slice.chunk.as_ref(), reader.input);
        let mapping = &self.plan.mapping;
        let texts = KeptTexts::new(mapping);
        let layout = Layout {
            checker: reader.checker,
            missing: if self.job.missing_unknown { Missing::Unknown } else { Missing::Reject },
            claims: mapping
                .claims
                .iter()
                .map(|places| ClaimPlace { value: places.value, unit: places.unit })
                .collect(),
            texts: texts.places.clone(),
            strict: mapping.strict,
        };
        let mut decoded = chunk.columns(&layout);
        let rows = decoded.claims.rows;
        if rows != chunk.len() || decoded.numbers.len() != rows {
            return Err(RunError::Engine("the columns of a chunk do not have its rows".to_owned()));
        }
        // A row whose id is refused is refused as a whole, and that is for the way of single rows.
        let refused = |row| !mapping.id.is_empty() && texts.id(&decoded, mapping, row).is_err();
        let out =
            BooleanBuffer::collect_bool(rows, |row| decoded.claims.set_aside.value(row) || refused(row));
        decoded.claims.set_aside = out;
        let answers = self.plan.engine.decide_columns(&decoded.claims).map_err(engine)?;
        let whole = answers.assertions.len() == self.plan.schema.assertions.len()
            && answers.assertions.iter().all(|column| column.words.len() == rows);
        if !whole {
            return Err(RunError::Engine(
                "the engine did not answer every assertion for every document".to_owned(),
            ));
        }
        let aside: Vec<usize> = decoded.claims.set_aside.set_indices().collect();
        let (single, accepted) = some_documents(reader, chunk, &decoded.claims.set_aside, aside.len());
        let single_answers = self.plan.engine.decide_all(&single.evidence).map_err(engine)?;
        self.complete(&single, &single_answers)?;
        if !self.sample.is_empty() {
            let in_columns = (0..rows).filter(|row| !decoded.claims.set_aside.value(*row));
            let of = |row: usize| {
                let number = decoded.numbers.get(row).copied().unwrap_or_default();
                let sampled = self.sample.takes(&source.name, number);
                sampled.then(|| (number, decoded.claims.dictionary(row).into(), answers.row(row)))
            };
            let sampled: Vec<(u64, Evidence, Vec<Answer>)> = in_columns.filter_map(of).collect();
            self.cross_check(
                &source.name,
                sampled.iter().map(|(row, evidence, answers)| (*row, (evidence, answers.as_slice()))),
            )?;
            self.cross_check(&source.name, each_document(&single, &single_answers))?;
        }
        let mut answered = Answered::by_column(answers);
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
        let merged = Merged {
            work: self,
            source,
            decoded: &decoded,
            texts: &texts,
            aside: &aside,
            accepted: &accepted,
        };
        let results = ResultChunk {
            ids: merged.ids(&single),
            carried: merged.carried(&single),
            rows: if self.job.locate { merged.row_numbers() } else { Vec::new() },
            answers: answered.columns,
            reasons: answered.reasons,
            file: self.files.get(slice.input).map_or_else(|| Arc::from(""), Arc::clone),
        };
        self.ready(decided, results, String::new(), single.rejected_lines)
    }
}

/// The columns that are kept as texts: each once, whatever it is for.
struct KeptTexts {
    places: Vec<usize>,
}

impl KeptTexts {
    fn new(mapping: &Mapping) -> KeptTexts {
        let mut places: Vec<usize> =
            mapping.id.iter().chain(mapping.carry.iter().flatten()).copied().collect();
        places.sort_unstable();
        places.dedup();
        KeptTexts { places }
    }

    /// The value of a row at the first of some places that the row has.
    fn first<'d>(&self, decoded: &'d Decoded, places: &[usize], row: usize) -> TextCell<'d> {
        let cell = |place: &usize| {
            let at = self.places.binary_search(place).ok()?;
            Some(decoded.texts.get(at)?.get(row))
        };
        let mut found = places.iter().filter_map(cell);
        found.find(|cell| *cell != TextCell::Missing).unwrap_or(TextCell::Missing)
    }

    /// The id of a row: none where it is called by its place. An error where the row is refused for it.
    fn id<'d>(&self, decoded: &'d Decoded, mapping: &Mapping, row: usize) -> Result<Option<&'d str>, ()> {
        match self.first(decoded, &mapping.id, row) {
            TextCell::Text(text) if !text.is_empty() => Ok(Some(text)),
            TextCell::Json(text) if is_id(text) => Ok(Some(text)),
            TextCell::Missing if !mapping.id_required => Ok(None),
            _ => Err(()),
        }
    }
}

/// The documents of a chunk: those in columns and the accepted ones of those aside, in the order of the rows.
struct Merged<'a> {
    work: &'a Work,
    source: &'a Input,
    decoded: &'a Decoded,
    texts: &'a KeptTexts,
    aside: &'a [usize],
    /// Of those aside, which are documents.
    accepted: &'a [bool],
}

impl Merged<'_> {
    /// Visits the documents: the row, and the number among single documents where it is one.
    fn each(&self, mut visit: impl FnMut(usize, Option<usize>)) {
        let mut aside = self.aside.iter().copied().zip(self.accepted).peekable();
        let mut single = 0;
        for row in 0..self.decoded.claims.rows {
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
        let mapping = &self.work.plan.mapping;
        let rows = self.decoded.claims.rows;
        let mut ids = Texts::with_capacity(rows, rows * 20);
        self.each(|row, at| match at {
            Some(at) => ids.push(single.ids.get(at).unwrap_or_default()),
            None => match self.texts.id(self.decoded, mapping, row) {
                Ok(Some(id)) => ids.push(id),
                _ => {
                    let number = self.decoded.numbers.get(row).copied().unwrap_or_default();
                    ids.push(&self.source.place(number));
                }
            },
        });
        ids
    }

    fn carried(&self, single: &Documents) -> Vec<CarriedColumn> {
        let empty_is_null = self.work.plan.empty_is_null(self.source);
        let columns = self.work.plan.mapping.carry.iter().enumerate().map(|(column, places)| {
            let mut values = CarriedColumn::default();
            self.each(|row, at| match at {
                Some(at) => {
                    values.push(single.carried.get(column).map_or(Carried::Null, |column| column.get(at)));
                }
                None => values.push(match self.texts.first(self.decoded, places, row) {
                    TextCell::Missing | TextCell::Null => Carried::Null,
                    TextCell::Text("") if empty_is_null => Carried::Null,
                    TextCell::Text(text) => Carried::Text(text),
                    TextCell::Json(text) => Carried::Json(text),
                }),
            });
            values
        });
        columns.collect()
    }

    fn row_numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(self.decoded.numbers.len());
        self.each(|row, _| numbers.extend(self.decoded.numbers.get(row)));
        numbers
    }
}

//! From a row to a document: its id, its carried columns, its dictionary. Or to a rejection.

use std::borrow::Cow;

use assay_claims::{BooleanBuffer, Checker, Evidence, Failure, Given, Missing, Raw, Rejection};

use super::Work;
use crate::input::{Cell, Cells, Chunk, Malformed, Row};
use crate::json::write_raw;
use crate::output::{Carried, CarriedColumn, Texts};
use crate::plan::{Input, Mapping};
use crate::rejected::{Located, Refused};

/// The documents of a chunk, by column, and its rejected rows.
#[derive(Default)]
pub(super) struct Documents {
    pub ids: Texts,
    pub rows: Vec<u64>,
    /// Where payloads are written, with how numbers were read.
    pub evidence: Vec<Evidence>,
    /// By carried column.
    pub carried: Vec<CarriedColumn>,
    /// How many rows were rejected, and their lines.
    pub rejected: u64,
    pub rejected_lines: String,
}

/// Reads the rows of a chunk.
pub(super) fn documents(work: &Work, input: &Input, checker: &Checker, chunk: &dyn Chunk) -> Documents {
    let mut documents = Documents::none(&work.plan.mapping);
    let reader = Reader::new(work, input, checker);
    chunk.each(&mut |row| reader.row(row, &mut documents));
    documents
}

/// Reads some rows of a chunk, of which there are `count`, and says which of them are documents.
pub(super) fn some_documents(
    work: &Work,
    input: &Input,
    checker: &Checker,
    chunk: &dyn Chunk,
    rows: &BooleanBuffer,
    count: usize,
) -> (Documents, Vec<bool>) {
    let mut documents = Documents::none(&work.plan.mapping);
    let mut accepted = Vec::with_capacity(count);
    if count > 0 {
        let reader = Reader::new(work, input, checker);
        chunk.each_of(rows, &mut |row| {
            let before = documents.ids.len();
            reader.row(row, &mut documents);
            accepted.push(documents.ids.len() > before);
        });
    }
    (documents, accepted)
}

impl Documents {
    fn none(mapping: &Mapping) -> Documents {
        let carried = mapping.carry.iter().map(|_| CarriedColumn::default()).collect();
        Documents { carried, ..Default::default() }
    }
}

struct Reader<'a> {
    work: &'a Work,
    input: &'a Input,
    checker: &'a Checker,
    mapping: &'a Mapping,
    empty_is_null: bool,
}

impl<'a> Reader<'a> {
    fn new(work: &'a Work, input: &'a Input, checker: &'a Checker) -> Reader<'a> {
        let (mapping, empty_is_null) = (&work.plan.mapping, work.plan.empty_is_null(input));
        Reader { work, input, checker, mapping, empty_is_null }
    }

    fn row(&self, mut row: Row<'_>, documents: &mut Documents) {
        row.cells = row.cells.and_then(|cells| self.unfold(cells));
        let place = || self.input.place(row.number);
        let cells = match &row.cells {
            Ok(cells) => cells,
            Err(malformed) => return self.malformed(malformed, &place(), &row, documents),
        };
        let id = self.id(cells);
        let (id, id_failure) = match id {
            Ok(Some(id)) => (Cow::Borrowed(id), None),
            Ok(None) => (Cow::Owned(place()), None),
            Err(failure) => (Cow::Owned(place()), Some(failure)),
        };
        let missing = if self.work.job.missing_unknown { Missing::Unknown } else { Missing::Reject };
        let extra: &[(Cow<'_, str>, Raw<'_>)] = if self.mapping.strict { &cells.extra } else { &[] };
        let bound = self.checker.row(self.given(cells), extra, missing);
        match (bound, id_failure) {
            (Ok(mut evidence), None) => {
                if self.work.job.payloads {
                    self.checker.quote(&mut evidence, self.given(cells));
                }
                documents.ids.push(&id);
                documents.rows.push(row.number);
                documents.evidence.push(evidence);
                for (column, places) in documents.carried.iter_mut().zip(&self.mapping.carry) {
                    self.carry(cells, places, column);
                }
            }
            (bound, id_failure) => {
                let rejection = bound.err().unwrap_or(Rejection { failures: Vec::new(), failure_count: 0 });
                let renamed = |claim: &str| self.mapping.renamed(&self.work.plan.ruleset, claim);
                let mut failures: Vec<Located<'_>> =
                    id_failure.iter().map(|failure| Located { failure, column: None }).collect();
                let failure_count = rejection.failure_count + failures.len();
                failures.extend(Refused::failures(&rejection, renamed));
                self.reject(&id, &row, failures, failure_count, documents);
            }
        }
    }

    /// Puts the claims of an object inside a record beside the record's other columns.
    fn unfold<'c>(&self, mut cells: Cells<'c>) -> Result<Cells<'c>, Malformed> {
        let Some(inner) = &self.mapping.inner else { return Ok(cells) };
        let object = cells.values.get_mut(inner.place).map(|cell| std::mem::replace(cell, Cell::Missing));
        let Some(Cell::One(Raw::Object(fields))) = object else {
            let field = self.mapping.name(inner.place).unwrap_or_default();
            let expected = format!("an object of claims in the field `{field}` of the record");
            return Err(Malformed { expected, received: "none".to_owned() });
        };
        let first = self.mapping.wanted.columns.len();
        cells.values.resize(first + inner.columns.len(), Cell::Missing);
        cells.extra.clear();
        for (name, value) in fields {
            let place = inner.columns.iter().position(|column| *column == name);
            match place.and_then(|place| cells.values.get_mut(first + place)) {
                Some(cell @ Cell::Missing) => *cell = Cell::One(value),
                Some(cell) => *cell = Cell::Repeated(value),
                None => cells.extra.push((name, value)),
            }
        }
        Ok(cells)
    }

    fn given<'c>(&self, cells: &'c Cells<'c>) -> impl Iterator<Item = Given<'c>> {
        self.mapping.claims.iter().map(|places| {
            let value = match cells.values.get(places.value) {
                None | Some(Cell::Missing) => return Given::Missing,
                Some(Cell::Repeated(raw)) => return Given::Repeated(raw),
                Some(Cell::One(raw)) => raw,
            };
            match places.unit.map(|unit| cells.values.get(unit)) {
                None => Given::One(value),
                Some(Some(Cell::One(unit) | Cell::Repeated(unit))) => Given::Pair { value, unit },
                Some(None | Some(Cell::Missing)) => Given::Pair { value, unit: &Raw::Null },
            }
        })
    }

    /// The id: none where no id is required and none is there.
    fn id<'c>(&self, cells: &'c Cells<'_>) -> Result<Option<&'c str>, Failure> {
        let cell = self.first(cells, &self.mapping.id);
        let fail = |received: String| Failure {
            field: self.id_field(),
            expected: "the document's id: a text that is not empty, or a whole number".to_owned(),
            received,
        };
        match cell {
            Cell::One(Raw::Text(text)) if !text.is_empty() => Ok(Some(text)),
            Cell::One(Raw::Number(text)) if is_id(text) => Ok(Some(text)),
            Cell::Missing if !self.mapping.id_required => Ok(None),
            Cell::Missing => Err(fail("nothing".to_owned())),
            Cell::Repeated(_) => Err(fail("the field more than once".to_owned())),
            Cell::One(raw) => {
                let mut text = String::new();
                write_raw(&mut text, raw);
                Err(fail(text.chars().take(100).collect()))
            }
        }
    }

    fn id_field(&self) -> String {
        let name = self.mapping.id.first().and_then(|place| self.mapping.name(*place));
        name.unwrap_or_default().to_owned()
    }

    /// The cell at the first of some places that the row has.
    fn first<'c>(&self, cells: &'c Cells<'c>, places: &[usize]) -> &'c Cell<'c> {
        let mut found = places.iter().filter_map(|at| cells.values.get(*at));
        found.find(|cell| !matches!(cell, Cell::Missing)).unwrap_or(&Cell::Missing)
    }

    fn carry(&self, cells: &Cells<'_>, places: &[usize], column: &mut CarriedColumn) {
        let (Cell::One(raw) | Cell::Repeated(raw)) = self.first(cells, places) else {
            return column.push(Carried::Null);
        };
        match raw {
            Raw::Null => column.push(Carried::Null),
            Raw::Text(text) if text.is_empty() && self.empty_is_null => column.push(Carried::Null),
            Raw::Text(text) | Raw::Other(text) => column.push(Carried::Text(text)),
            Raw::NotFinite(text) => column.push(Carried::Text(text)),
            Raw::Bool(_) | Raw::Number(_) | Raw::Object(_) | Raw::List(_) => {
                let mut text = String::new();
                write_raw(&mut text, raw);
                column.push(Carried::Json(&text));
            }
        }
    }

    fn malformed(&self, malformed: &Malformed, id: &str, row: &Row<'_>, documents: &mut Documents) {
        let failure = Failure {
            field: String::new(),
            expected: malformed.expected.clone(),
            received: malformed.received.clone(),
        };
        self.reject(id, row, vec![Located { failure: &failure, column: None }], 1, documents);
    }

    fn reject(
        &self,
        id: &str,
        row: &Row<'_>,
        failures: Vec<Located<'_>>,
        failure_count: usize,
        documents: &mut Documents,
    ) {
        documents.rejected += 1;
        Refused {
            id,
            file: &self.input.name,
            row: row.number,
            failures,
            failure_count,
            record: &row.record,
            empty_is_null: self.empty_is_null,
        }
        .write(&mut documents.rejected_lines);
    }
}

/// Whether a number is an id: a whole one, as it is written.
pub(super) fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

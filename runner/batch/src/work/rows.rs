//! From a row to a document: its id, its carried columns, its evidence. Or to a rejection.

use std::borrow::Cow;
use std::sync::Arc;

use assay_claims::{BooleanBuffer, Checker, Evidence, Failure, Given, Missing, Raw, Rejection};

use super::Work;
use super::unanswered::Unanswered;
use crate::input::{Cell, Cells, Chunk, Malformed, Row};
use crate::json::write_raw;
use crate::output::{Carried, CarriedColumn, Texts};
use crate::places::Place;
use crate::plan::{Input, Mapping};
use crate::rejected::{Located, Refused};

/// Documents by column, and the rows that were rejected beside them.
#[derive(Default)]
pub(super) struct Documents {
    pub ids: Texts,
    /// The number of the (first) row of each.
    pub rows: Vec<u64>,
    /// Where payloads are written, with how numbers were read.
    pub evidence: Vec<Evidence>,
    /// By carried column.
    pub carried: Vec<CarriedColumn>,
    /// How many rows were rejected, and their lines.
    pub rejected: u64,
    pub rejected_lines: String,
}

/// Reads the rows of a chunk, each a document of its own.
pub(super) fn documents(reader: &Reader<'_>, chunk: &dyn Chunk) -> Documents {
    let mut documents = Documents::none(reader.mapping);
    chunk.each(&mut |row| reader.document(row, &mut documents));
    documents
}

/// Reads some rows of a chunk, of which there are `count`, and says which of them are documents.
pub(super) fn some_documents(
    reader: &Reader<'_>,
    chunk: &dyn Chunk,
    rows: &BooleanBuffer,
    count: usize,
) -> (Documents, Vec<bool>) {
    let mut documents = Documents::none(reader.mapping);
    let mut accepted = Vec::with_capacity(count);
    if count > 0 {
        chunk.each_of(rows, &mut |row| {
            let before = documents.ids.len();
            reader.document(row, &mut documents);
            accepted.push(documents.ids.len() > before);
        });
    }
    (documents, accepted)
}

impl Documents {
    pub fn none(mapping: &Mapping) -> Documents {
        let carried = mapping.carry.iter().map(|_| CarriedColumn::default()).collect();
        Documents { carried, ..Default::default() }
    }
}

/// Reads the rows of one input.
pub(super) struct Reader<'a> {
    work: &'a Work,
    pub input: &'a Input,
    pub checker: &'a Checker,
    mapping: &'a Mapping,
    empty_is_null: bool,
    /// The documents that have no answer.
    pub unanswered: &'a Unanswered,
    /// Which of the inputs it is.
    at: usize,
}

/// A row that has an id, or needs none.
pub(super) struct Identified<'c> {
    /// The id: none where the document is called by its place.
    pub id: Option<&'c str>,
    pub bound: Result<Evidence, Rejection>,
}

impl<'a> Reader<'a> {
    /// A reader of an input, which must be among those that were planned.
    pub fn new(work: &'a Work, at: usize, unanswered: &'a Unanswered) -> Option<Reader<'a>> {
        let mapping = &work.plan.mapping;
        let input = work.plan.inputs.get(at)?;
        let (checker, empty_is_null) = (work.plan.checker(input)?, work.plan.empty_is_null(input));
        Some(Reader { work, input, checker, mapping, empty_is_null, unanswered, at })
    }

    /// The cells of a row, and what they say; nothing where the row is rejected whatever its values are.
    pub fn identify<'c>(
        &self,
        cells: &'c Result<Cells<'c>, Malformed>,
    ) -> Option<(&'c Cells<'c>, Identified<'c>)> {
        let cells = cells.as_ref().ok()?;
        let id = self.mapping.id(cells).ok()?;
        Some((cells, Identified { id, bound: self.bind(cells) }))
    }

    /// Takes a row for a document of its own.
    fn document(&self, mut row: Row<'_>, documents: &mut Documents) {
        row.cells = row.cells.and_then(|cells| self.mapping.unfold(cells));
        let unanswered = self.unanswered.failure(Place { input: self.at, row: row.number });
        if unanswered.is_none()
            && let Some((cells, Identified { id, bound: Ok(evidence) })) = self.identify(&row.cells)
        {
            match id {
                Some(id) => documents.ids.push(id),
                None => documents.ids.push(&self.input.place(row.number)),
            }
            documents.rows.push(row.number);
            documents.evidence.push(evidence);
            self.carry(cells, &mut documents.carried);
            return;
        }
        documents.rejected += 1;
        self.reject(&row, unanswered.as_ref(), &mut documents.rejected_lines);
    }

    /// What a row says of the claims.
    fn bind(&self, cells: &Cells<'_>) -> Result<Evidence, Rejection> {
        let missing = if self.work.job.missing_unknown { Missing::Unknown } else { Missing::Reject };
        let extra: &[(Cow<'_, str>, Raw<'_>)] = if self.mapping.strict { &cells.extra } else { &[] };
        let lists = self.lists(cells);
        let mut evidence = self.checker.row(self.given(cells, &lists), extra, missing)?;
        if self.work.job.payloads {
            self.checker.quote(&mut evidence, self.given(cells, &lists));
            if let Cell::One(Raw::Text(source)) = Mapping::first(cells, &self.mapping.source) {
                evidence.set_source(&Arc::from(&**source));
            }
        }
        Ok(evidence)
    }

    fn given<'c>(&self, cells: &'c Cells<'c>, lists: &'c Lists<'c>) -> impl Iterator<Item = Given<'c>> {
        let listed = |place: usize, raw: &'c Raw<'c>| {
            lists.iter().find(|(listed, _)| *listed == place).map_or(raw, |(_, list)| list)
        };
        self.mapping.claims.iter().map(move |places| {
            let value = match cells.values.get(places.value) {
                None | Some(Cell::Missing) => return Given::Missing,
                Some(Cell::Repeated(raw)) => return Given::Repeated(raw),
                Some(Cell::One(raw)) => listed(places.value, raw),
            };
            let Some(unit) = places.unit else { return Given::One(value) };
            match cells.values.get(unit) {
                Some(Cell::One(raw) | Cell::Repeated(raw)) => Given::Pair { value, unit: listed(unit, raw) },
                None | Some(Cell::Missing) => Given::Pair { value, unit: &Raw::Null },
            }
        })
    }

    /// The texts of claims and their units that hold several values, by their places.
    fn lists<'c>(&self, cells: &'c Cells<'c>) -> Lists<'c> {
        let reading = self.checker.reading();
        if reading.list.is_none() {
            return Lists::new();
        }
        let places =
            self.mapping.claims.iter().flat_map(|places| [Some(places.value), places.unit]).flatten();
        let list = |place: usize| match cells.values.get(place) {
            Some(Cell::One(Raw::Text(text))) => {
                let values = reading.values(text)?.map(|value| Raw::Text(Cow::Borrowed(value)));
                Some((place, Raw::List(values.collect())))
            }
            _ => None,
        };
        places.filter_map(list).collect()
    }

    /// Adds a row's carried values to their columns.
    pub fn carry(&self, cells: &Cells<'_>, columns: &mut [CarriedColumn]) {
        for (column, places) in columns.iter_mut().zip(&self.mapping.carry) {
            let (Cell::One(raw) | Cell::Repeated(raw)) = Mapping::first(cells, places) else {
                column.push(Carried::Null);
                continue;
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
    }

    /// Appends the line of a rejected row, whose cells are unfolded. `beside` is what is wrong with its document, where it
    /// is well itself.
    pub fn reject(&self, row: &Row<'_>, beside: Option<&Failure>, lines: &mut String) {
        let place = || Cow::Owned(self.input.place(row.number));
        let located = |failure| Located { failure, column: None };
        let cells = match &row.cells {
            Ok(cells) => cells,
            Err(Malformed { expected, received }) => {
                let failure =
                    Failure { field: String::new(), expected: expected.clone(), received: received.clone() };
                return self.refuse(row, &place(), vec![located(&failure)], 1, lines);
            }
        };
        let (id, id_failure) = match self.mapping.id(cells) {
            Ok(Some(id)) => (Cow::Borrowed(id), None),
            Ok(None) => (place(), None),
            Err(failure) => (place(), Some(failure)),
        };
        let rejection = self.bind(cells).err();
        let rejection = rejection.unwrap_or(Rejection { failures: Vec::new(), failure_count: 0 });
        let renamed = |claim: &str| self.mapping.renamed(&self.work.plan.ruleset, claim);
        let mut failures: Vec<Located<'_>> = id_failure.iter().map(located).collect();
        failures.extend(Refused::failures(&rejection, renamed));
        let mut count = rejection.failure_count + usize::from(id_failure.is_some());
        if count == 0 {
            failures.extend(beside.map(located));
            count = failures.len();
        }
        self.refuse(row, &id, failures, count, lines);
    }

    fn refuse(
        &self,
        row: &Row<'_>,
        id: &str,
        failures: Vec<Located<'_>>,
        failure_count: usize,
        lines: &mut String,
    ) {
        Refused {
            id,
            file: &self.input.name,
            row: row.number,
            failures,
            failure_count,
            record: &row.record,
            empty_is_null: self.empty_is_null,
        }
        .write(lines);
    }
}

/// Lists that texts hold, by the places of these.
type Lists<'c> = Vec<(usize, Raw<'c>)>;

//! Which column is what: the claims', their units', the id's and the carried ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use assay_claims::{Failure, Raw};
use assay_compile::{ClaimKind, Ruleset};
use assay_spelling::near;

use super::Input;
use crate::error::Problem;
use crate::input::{Cell, Cells, Column, FileFormat, Malformed, Row, Shape, Wanted};
use crate::job::Job;
use crate::json::write_raw;

/// The field of `rejected.jsonl` that holds a row as it came. A row in it is a flat row once more; where it was a nested
/// one, `record.claims` says where its claims are.
const RECORD: &str = "record";

/// The column of ids where the job names none.
const ID: &str = "id";

/// Which column is what. Places are those in [`Wanted::columns`], and after them those in the object that
/// [`Mapping::inner`] names.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub wanted: Wanted,
    /// Where claims are in an object inside the record of a rejected row.
    pub inner: Option<Inner>,
    /// By claim, in declared order.
    pub claims: Vec<ClaimPlaces>,
    /// Where the id is looked for, the first that a row has.
    pub id: Vec<usize>,
    /// Whether a row without an id is rejected; else it is called by its file and row.
    pub id_required: bool,
    /// For each carried column, where it is looked for.
    pub carry: Vec<Vec<usize>>,
    /// Where a row says where its evidence comes from; empty where the job does not ask.
    pub source: Vec<usize>,
    /// Whether fields of the claims object that nothing reads are failures.
    pub strict: bool,
}

/// The object with the claims inside a record.
#[derive(Debug)]
pub(crate) struct Inner {
    /// The place of the object.
    pub place: usize,
    /// The columns wanted in it; their places follow those of [`Wanted::columns`].
    pub columns: Vec<String>,
}

/// Where a claim is read from.
#[derive(Debug)]
pub(crate) struct ClaimPlaces {
    pub value: usize,
    pub unit: Option<usize>,
}

impl Mapping {
    /// The mapping that a job asks for.
    ///
    /// # Errors
    /// Every `[claims.NAME]` that cannot be meant.
    pub fn new(job: &Job, ruleset: &Ruleset) -> Result<Mapping, Vec<Problem>> {
        let problems = unmeant(job, ruleset);
        if !problems.is_empty() {
            return Err(problems);
        }
        let field = job.claims_field.as_deref();
        let inner_field = field.and_then(|field| field.strip_prefix(RECORD)?.strip_prefix('.'));
        let record = field == Some(RECORD) || inner_field.is_some();
        let nested = field.is_some();
        let mut columns = Vec::new();
        let mut place = |name: &str, in_claims: bool| {
            let column = Column { name: name.to_owned(), in_claims };
            let known = columns.iter().position(|known| *known == column);
            known.unwrap_or_else(|| push(&mut columns, column))
        };
        // A repaired record is where its id and its carried columns are; what it lacks, the line around it may have.
        let beside = |place: &mut dyn FnMut(&str, bool) -> usize, name: &str| {
            let inner = record.then(|| place(name, true));
            inner.into_iter().chain([place(name, false)]).collect::<Vec<_>>()
        };
        // A claim may be called `id`; then it is none, but what stands around the claims may have one.
        let is_claim = reads(job, ruleset, ID);
        let id = match &job.id {
            Some(id) => beside(&mut place, id),
            None if !is_claim => beside(&mut place, ID),
            None if nested => vec![place(ID, false)],
            None => Vec::new(),
        };
        let carry = job.carry.iter().map(|column| beside(&mut place, column)).collect();
        let source = job.grouping.iter().filter_map(|grouping| grouping.source.as_ref());
        let source = source.flat_map(|column| beside(&mut place, column)).collect();
        let mut inner = inner_field.map(|field| Inner { place: place(field, true), columns: Vec::new() });
        let outer = columns.len();
        let mut claim_place = |name: &str| match &mut inner {
            Some(Inner { columns, .. }) => {
                let known = columns.iter().position(|known| known == name);
                outer + known.unwrap_or_else(|| push(columns, name.to_owned()))
            }
            None => {
                let column = Column { name: name.to_owned(), in_claims: nested };
                let known = columns.iter().position(|known| *known == column);
                known.unwrap_or_else(|| push(&mut columns, column))
            }
        };
        let claims = ruleset.claims.iter().map(|claim| ClaimPlaces {
            value: claim_place(column_of(job, &claim.name)),
            unit: unit_column_of(job, &claim.name).map(&mut claim_place),
        });
        let claims = claims.collect();
        let claims_field = if record { Some(RECORD.to_owned()) } else { job.claims_field.clone() };
        Ok(Mapping {
            wanted: Wanted { columns, claims_field },
            inner,
            claims,
            id,
            id_required: job.id.is_some(),
            carry,
            source,
            strict: nested && field != Some(RECORD),
        })
    }

    /// The cell at the first of some places that a row has.
    pub fn first<'c>(cells: &'c Cells<'c>, places: &[usize]) -> &'c Cell<'c> {
        let mut found = places.iter().filter_map(|at| cells.values.get(*at));
        found.find(|cell| !matches!(cell, Cell::Missing)).unwrap_or(&Cell::Missing)
    }

    /// The id of a row: none where no id is required and none is there.
    ///
    /// # Errors
    /// What is there that is no id.
    pub fn id<'c>(&self, cells: &'c Cells<'_>) -> Result<Option<&'c str>, Failure> {
        let fail = |received: String| {
            let name = self.id.first().and_then(|place| self.name(*place));
            Failure {
                field: name.unwrap_or_default().to_owned(),
                expected: "the document's id: a text that is not empty, or a whole number".to_owned(),
                received,
            }
        };
        match Mapping::first(cells, &self.id) {
            Cell::One(Raw::Text(text)) if !text.is_empty() => Ok(Some(text)),
            Cell::One(Raw::Number(text)) if is_id(text) => Ok(Some(text)),
            Cell::Missing if !self.id_required => Ok(None),
            Cell::Missing => Err(fail("nothing".to_owned())),
            Cell::Repeated(_) => Err(fail("the field more than once".to_owned())),
            Cell::One(raw) => {
                let mut text = String::new();
                write_raw(&mut text, raw);
                Err(fail(text.chars().take(100).collect()))
            }
        }
    }

    /// The id of a row, where it has one by which it can be told to which document it belongs.
    pub fn id_of(&self, row: &Row<'_>) -> Option<String> {
        let cells = row.cells.as_ref().ok()?;
        let unfolded = match self.inner {
            Some(_) => Cow::Owned(self.unfold(cells.clone()).ok()?),
            None => Cow::Borrowed(cells),
        };
        self.id(&unfolded).ok()?.map(str::to_owned)
    }

    /// Puts the claims of an object inside a record beside the record's other columns.
    ///
    /// # Errors
    /// That there is no such object.
    pub fn unfold<'c>(&self, mut cells: Cells<'c>) -> Result<Cells<'c>, Malformed> {
        let Some(inner) = &self.inner else { return Ok(cells) };
        let object = cells.values.get_mut(inner.place).map(|cell| std::mem::replace(cell, Cell::Missing));
        let Some(Cell::One(Raw::Object(fields))) = object else {
            let field = self.name(inner.place).unwrap_or_default();
            let expected = format!("an object of claims in the field `{field}` of the record");
            return Err(Malformed { expected, received: "none".to_owned() });
        };
        let first = self.wanted.columns.len();
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

    /// The name of the column at a place.
    pub fn name(&self, place: usize) -> Option<&str> {
        match self.wanted.columns.get(place) {
            Some(column) => Some(&column.name),
            None => {
                let inner = self.inner.as_ref()?.columns.get(place - self.wanted.columns.len())?;
                Some(inner)
            }
        }
    }

    /// The column of a claim, where it is not the claim's name.
    pub fn renamed<'a>(&'a self, ruleset: &Ruleset, claim: &str) -> Option<&'a str> {
        let at = ruleset.claims.iter().position(|each| each.name == claim)?;
        self.name(self.claims.get(at)?.value).filter(|column| *column != claim)
    }

    /// The columns of an input that nothing reads.
    pub fn ignored(&self, shape: &Shape) -> Vec<String> {
        let outer = shape
            .columns
            .iter()
            .filter(|name| Some(*name) != self.wanted.claims_field.as_ref() && !self.wants(name, false));
        let flat = !self.strict || self.inner.is_some();
        let inner = shape.nested.iter().flatten().filter(|name| flat && !self.wants(name, true));
        let names: BTreeSet<&String> = outer.chain(inner).collect();
        names.into_iter().cloned().collect()
    }

    /// Whether some claim, id or carried column is read from a column.
    pub(super) fn wants(&self, name: &str, in_claims: bool) -> bool {
        self.wanted.columns.iter().any(|column| column.name == name && column.in_claims == in_claims)
    }

    /// For each claim, whether an input has no column for it and no row ever will: a header says so. (A Parquet file is not
    /// read by words, and JSONL has no header.)
    pub fn absent(&self, input: &Input, shape: &Shape) -> Vec<bool> {
        let absent = |place: usize| {
            let name = self.name(place);
            input.format == FileFormat::Csv
                && !shape.columns.iter().any(|column| Some(column.as_str()) == name)
        };
        self.claims.iter().map(|places| absent(places.value)).collect()
    }
}

/// Whether a number is an id: a whole one, as it is written.
pub(crate) fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn column_of<'a>(job: &'a Job, claim: &'a str) -> &'a str {
    job.claims.get(claim).and_then(|columns| columns.column.as_deref()).unwrap_or(claim)
}

pub(super) fn unit_column_of<'a>(job: &'a Job, claim: &str) -> Option<&'a str> {
    job.claims.get(claim).and_then(|columns| columns.unit_column.as_deref())
}

/// Whether a column is some claim's, or its unit's, or bears a claim's name.
fn reads(job: &Job, ruleset: &Ruleset, column: &str) -> bool {
    ruleset.claims.iter().any(|claim| {
        claim.name == column
            || column_of(job, &claim.name) == column
            || unit_column_of(job, &claim.name) == Some(column)
    })
}

/// Every `[claims.NAME]` that cannot be meant.
fn unmeant(job: &Job, ruleset: &Ruleset) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, columns) in &job.claims {
        let place = format!("claims.{name}");
        let Some(claim) = ruleset.claims.iter().find(|claim| claim.name == *name) else {
            let near = near(name, ruleset.claims.iter().map(|claim| claim.name.as_str()));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("the ruleset declares no claim `{name}`");
            problems.push(Problem { place: Some(place), message, help });
            continue;
        };
        let takes_unit = matches!(claim.kind, ClaimKind::Numeric { unit: Some(_), .. });
        if columns.unit_column.is_some() && !takes_unit {
            let message = format!("claim `{name}` is not measured in a unit, so it takes no `unit_column`");
            problems.push(Problem::new(message).at(place));
        }
    }
    problems
}

/// Appends an item, and says where.
fn push<T>(items: &mut Vec<T>, item: T) -> usize {
    items.push(item);
    items.len() - 1
}

//! Which column is what: the claims', their units', the id's and the carried ones.

use std::collections::BTreeSet;

use assay_compile::{ClaimKind, Ruleset};

use super::Input;
use crate::error::Problem;
use crate::input::{Column, FileFormat, Shape, Wanted};
use crate::job::Job;
use crate::near::nearest;

/// The field of `rejected.jsonl` that holds a row as it came. A row in it is a flat row once more; where it was a nested
/// one, `record.claims` says where its claims are.
const RECORD: &str = "record";

/// The column of ids where the job names none.
const ID: &str = "id";

/// How many columns a message lists.
const LISTED: usize = 50;

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
            strict: nested && field != Some(RECORD),
        })
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

    fn wants(&self, name: &str, in_claims: bool) -> bool {
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

    /// What is wrong with the columns of an input.
    pub fn problems(&self, job: &Job, ruleset: &Ruleset, input: &Input, shape: &Shape) -> Vec<Problem> {
        if input.format == FileFormat::Jsonl && shape.columns.is_empty() {
            // A file without rows has no columns to miss.
            return Vec::new();
        }
        let found = match (&self.wanted.claims_field, &shape.nested) {
            (None, _) => &shape.columns,
            (Some(_), Some(nested)) => nested,
            (Some(field), None) => {
                let message = format!("no row has an object in the field `{field}`");
                let help = format!("fields found: {}", list(&shape.columns));
                return vec![Problem::new(message).at(&input.name).help(help)];
            }
        };
        let look = Look { job, input, shape, found, mapping: self };
        let mut problems: Vec<Problem> = Vec::new();
        match self.inner.as_ref().and_then(|inner| self.name(inner.place)) {
            // The claims are deeper than a shape goes: each row tells what it lacks.
            Some(inner) => problems.extend(look.beside("claims_field", inner)),
            None => {
                problems.extend(ruleset.claims.iter().filter_map(|claim| look.claim(&claim.name)));
                problems.extend(ruleset.claims.iter().filter_map(|claim| look.unit(&claim.name)));
            }
        }
        if let Some(id) = &job.id {
            problems.extend(look.beside("id", id));
        }
        problems.extend(job.carry.iter().filter_map(|column| look.beside("carry", column)));
        problems
    }
}

/// One input's columns, being looked at.
struct Look<'a> {
    job: &'a Job,
    input: &'a Input,
    shape: &'a Shape,
    /// Where claims are looked for.
    found: &'a Vec<String>,
    mapping: &'a Mapping,
}

impl Look<'_> {
    fn claim(&self, claim: &str) -> Option<Problem> {
        let column = column_of(self.job, claim);
        if self.found.iter().any(|found| found == column) {
            return None;
        }
        let named = self.job.claims.get(claim).and_then(|columns| columns.column.as_deref());
        let nested = self.job.claims_field.is_some();
        let unused = self.found.iter().map(String::as_str).filter(|found| !self.mapping.wants(found, nested));
        let near = nearest(column, unused);
        let called = if column == claim { String::new() } else { format!(" `{column}`") };
        if let Some(near) = near.filter(|_| named != Some(claim)) {
            return Some(self.problem(
                format!("claim `{claim}` has no column{called}, and nothing reads the column `{near}`"),
                format!(
                    "add `[claims.{claim}]` with `column = \"{near}\"`, or with `column = \"{claim}\"` where \
                     `{near}` is something else; columns found: {}",
                    list(self.found)
                ),
            ));
        }
        if self.job.missing_unknown {
            return None;
        }
        let nested_in = self.shape.columns.iter().find(|name| !nested && *name == "claims");
        let help = match nested_in {
            Some(field) if self.input.format == FileFormat::Jsonl => {
                format!("where the claims are in the field `{field}`, add `claims_field = \"{field}\"`")
            }
            _ => format!(
                "add `[claims.{claim}]` with its `column`, or `missing_claims = \"unknown\"` where there is none"
            ),
        };
        let help = format!("{help}; columns found: {}", list(self.found));
        Some(self.problem(format!("claim `{claim}` has no column{called}"), help))
    }

    fn unit(&self, claim: &str) -> Option<Problem> {
        let unit = unit_column_of(self.job, claim)?;
        let has = |name: &str| self.found.iter().any(|found| found == name);
        let absent_with_its_value = self.job.missing_unknown && !has(column_of(self.job, claim));
        if has(unit) || absent_with_its_value {
            return None;
        }
        let message = format!("the unit column `{unit}` of claim `{claim}` is not there");
        Some(self.problem(message, self.help(unit)))
    }

    /// A column that stands beside the claims.
    fn beside(&self, key: &str, column: &str) -> Option<Problem> {
        let flat = !self.mapping.strict || self.mapping.inner.is_some();
        let nested = self.shape.nested.iter().flatten().filter(|_| flat);
        if self.shape.columns.iter().chain(nested).any(|found| found == column) {
            return None;
        }
        let message = format!("the column `{column}` of `{key}` is not there");
        Some(self.problem(message, self.help(column)))
    }

    fn help(&self, column: &str) -> String {
        let columns = &self.shape.columns;
        let found = format!("columns found: {}", list(columns));
        match nearest(column, columns.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`? {found}"),
            None => found,
        }
    }

    fn problem(&self, message: String, help: String) -> Problem {
        Problem::new(message).at(&self.input.name).help(help)
    }
}

fn column_of<'a>(job: &'a Job, claim: &'a str) -> &'a str {
    job.claims.get(claim).and_then(|columns| columns.column.as_deref()).unwrap_or(claim)
}

fn unit_column_of<'a>(job: &'a Job, claim: &str) -> Option<&'a str> {
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
            let near = nearest(name, ruleset.claims.iter().map(|claim| claim.name.as_str()));
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

fn list(columns: &[String]) -> String {
    let mut names: Vec<String> = columns.iter().take(LISTED).map(|column| format!("`{column}`")).collect();
    if columns.len() > LISTED {
        names.push(format!("and {} more", columns.len() - LISTED));
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

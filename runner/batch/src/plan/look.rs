//! Looks at the columns of an input before its first row: what is missing, and what was probably meant.

use std::collections::HashSet;

use assay_compile::Ruleset;
use assay_spelling::near;

use super::Input;
use super::mapping::{Mapping, column_of, unit_column_of};
use crate::error::Problem;
use crate::input::{FileFormat, Shape};
use crate::job::Job;

/// How many columns a message lists.
const LISTED: usize = 50;

/// The most pairs of a claim and a column that are compared to name what was meant.
const COMPARED: usize = 1_000_000;

impl Mapping {
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
                problems.extend(look.claims(ruleset));
                problems.extend(ruleset.claims.iter().filter_map(|claim| look.unit(&claim.name)));
            }
        }
        if let Some(id) = &job.id {
            let key = if job.grouping.is_some() { "group_by" } else { "id" };
            problems.extend(look.beside(key, id));
        }
        let source = job.grouping.as_ref().and_then(|grouping| grouping.source.as_deref());
        problems.extend(source.and_then(|column| look.beside("source", column)));
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
    /// Claims without a column: each that a column was probably meant for, and the others together.
    fn claims(&self, ruleset: &Ruleset) -> Vec<Problem> {
        let nested = self.job.claims_field.is_some();
        let mut problems = Vec::new();
        let mut missing = Vec::new();
        let found: HashSet<&str> = self.found.iter().map(String::as_str).collect();
        // Thousands of claims without a column among a hundred thousand columns are no slips of the pen.
        let comparable = ruleset.claims.len().saturating_mul(found.len()) <= COMPARED;
        for claim in ruleset.claims.iter().map(|claim| claim.name.as_str()) {
            let column = column_of(self.job, claim);
            if found.contains(column) {
                continue;
            }
            let called = if column == claim { String::new() } else { format!(" `{column}`") };
            let named = self.job.claims.get(claim).and_then(|columns| columns.column.as_deref());
            let unused = self
                .found
                .iter()
                .map(String::as_str)
                .filter(|found| comparable && !self.mapping.wants(found, nested));
            match near(column, unused).filter(|_| named != Some(claim)) {
                Some(near) => problems.push(self.problem(
                    format!("claim `{claim}` has no column{called}, and nothing reads the column `{near}`"),
                    format!(
                        "add `[claims.{claim}]` with `column = \"{near}\"`, or with `column = \"{claim}\"` where \
                         `{near}` is something else; columns found: {}",
                        list(self.found)
                    ),
                )),
                None => missing.push(format!("claim `{claim}` has no column{called}")),
            }
        }
        if !self.job.missing_unknown && !missing.is_empty() {
            let help = if !nested && self.is_nested() {
                "where the claims are in the field `claims`, add `claims_field = \"claims\"`"
            } else {
                "add `[claims.NAME]` with its `column`, or `missing_claims = \"unknown\"` where there is none"
            };
            let help = format!("{help}; columns found: {}", list(self.found));
            problems.push(self.problem(missing.join(", "), help));
        }
        problems
    }

    /// Whether the rows look as if their claims stood in an object.
    fn is_nested(&self) -> bool {
        self.input.format == FileFormat::Jsonl && self.found.iter().any(|column| column == "claims")
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
        match near(column, columns.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`? {found}"),
            None => found,
        }
    }

    fn problem(&self, message: String, help: String) -> Problem {
        Problem::new(message).at(&self.input.name).help(help)
    }
}

fn list(columns: &[String]) -> String {
    let mut names: Vec<String> = columns.iter().take(LISTED).map(|column| format!("`{column}`")).collect();
    if columns.len() > LISTED {
        names.push(format!("and {} more", columns.len() - LISTED));
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

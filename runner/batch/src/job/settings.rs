//! What a job file or a command line gives, before anything is made of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::keys::{Key, Kind, Section};
use crate::error::Problem;

/// Keys and their values, as one job file or one command line gives them.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The folder that relative paths start from; empty for a command line.
    pub(super) folder: PathBuf,
    values: BTreeMap<(Section, &'static str), Given>,
    claims: BTreeMap<(String, &'static str), Given>,
    /// What was wrong already while reading.
    pub(super) problems: Vec<Problem>,
    /// Whether the file could not be read at all.
    pub(super) broken: bool,
}

/// A value and where it was given.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub value: Value,
    pub place: String,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Switch(bool),
    List(Vec<String>),
}

impl Settings {
    /// Nothing given yet: the start of a command line.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Gives a key by its flag. A key that takes a list is given once for each item, `column` and `unit_column` as
    /// `NAME=COLUMN`. What is wrong with the value is told by [`super::Job::resolve`], with everything else.
    pub fn flag(&mut self, key: &'static Key, value: &str) {
        let place = key.flag();
        if key.section == Section::Claims {
            return self.flag_claim(key, value, place);
        }
        let value = match key.kind {
            Kind::Text | Kind::Path | Kind::Number => Value::Text(value.to_owned()),
            Kind::List => Value::List(vec![value.to_owned()]),
            Kind::Words => Value::List(value.split(',').map(|word| word.trim().to_owned()).collect()),
            Kind::Switch => match value {
                "true" => Value::Switch(true),
                "false" => Value::Switch(false),
                _ => {
                    let message = format!("`{value}` is neither `true` nor `false`");
                    return self.problems.push(Problem::new(message).at(place));
                }
            },
        };
        match (self.values.get_mut(&(key.section, key.name)), value) {
            (Some(Given { value: Value::List(items), .. }), Value::List(more)) => items.extend(more),
            (_, value) => self.give(key, value, place),
        }
    }

    fn flag_claim(&mut self, key: &'static Key, value: &str, place: String) {
        match value.split_once('=') {
            Some((claim, column)) if !claim.is_empty() && !column.is_empty() => {
                self.give_claim(claim, key, column.to_owned(), place);
            }
            _ => self.problems.push(
                Problem::new(format!("`{value}` does not name a claim and its column"))
                    .at(&place)
                    .help(format!("write `{place} amount=total_amount`")),
            ),
        }
    }

    pub(super) fn give(&mut self, key: &'static Key, value: Value, place: String) {
        self.values.insert((key.section, key.name), Given { value, place });
    }

    pub(super) fn give_claim(&mut self, claim: &str, key: &'static Key, column: String, place: String) {
        self.claims.insert((claim.to_owned(), key.name), Given { value: Value::Text(column), place });
    }

    /// Whether a key at the top is given.
    pub(super) fn has(&self, name: &'static str) -> bool {
        self.values.contains_key(&(Section::Top, name))
    }

    pub(super) fn take(&mut self, section: Section, name: &'static str) -> Option<Given> {
        self.values.remove(&(section, name))
    }

    pub(super) fn take_claims(&mut self) -> BTreeMap<(String, &'static str), Given> {
        std::mem::take(&mut self.claims)
    }
}

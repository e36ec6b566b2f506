//! Why an answer was not settled, in the fixed parts that readers may rely on.

use std::collections::HashSet;
use std::sync::Arc;

use assay_compile::formula::Formula;
use assay_compile::typed::ClaimId;
use assay_compile::{Assertion, Ruleset};

use crate::Before;
use crate::linear::divides_by_zero;

/// What beside open claims and locals leaves an assertion open, in the order in which it comes to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Causes {
    unbridged: Vec<String>,
    intervals: Vec<String>,
    division_by_zero: bool,
    too_many_choices: bool,
}

impl Causes {
    /// Of contradicting evidence of which no choice was looked at.
    pub(crate) fn too_many_choices() -> Causes {
        Causes { too_many_choices: true, ..Causes::default() }
    }

    /// Of a question that evaluation left open.
    pub(crate) fn of(open: &Formula) -> Causes {
        let unbridged = open.unbridged().iter().map(|pair| format!("{} -> {}", pair.from, pair.to));
        let intervals = open.intervals().iter().map(|of| format!("{} -> {}", of.from, of.to));
        Causes {
            unbridged: unbridged.collect(),
            intervals: intervals.collect(),
            division_by_zero: divides_by_zero(open),
            too_many_choices: false,
        }
    }

    /// Adds those of another choice of the evidence.
    pub(crate) fn add(&mut self, other: &Causes) {
        for (all, more) in [(&mut self.unbridged, &other.unbridged), (&mut self.intervals, &other.intervals)]
        {
            for each in more {
                if !all.contains(each) {
                    all.push(each.clone());
                }
            }
        }
        self.division_by_zero |= other.division_by_zero;
    }
}

/// Writes reasons, each distinct text once: the same few come for millions of documents.
#[derive(Debug)]
pub(crate) struct Reasons<'a> {
    ruleset: &'a Ruleset,
    written: HashSet<Arc<str>>,
}

impl<'a> Reasons<'a> {
    pub(crate) fn new(ruleset: &'a Ruleset) -> Reasons<'a> {
        Reasons { ruleset, written: HashSet::new() }
    }

    /// The reason for an answer that was not settled, or that was not looked for; `None` for any other.
    pub(crate) fn of(
        &mut self,
        before: Before,
        assertion: &Assertion,
        is_unbound: impl Fn(ClaimId) -> bool,
        causes: &Causes,
    ) -> Option<Arc<str>> {
        if causes.too_many_choices {
            return Some(self.text("too many choices".to_owned()));
        }
        if !matches!(before, Before::Unknown | Before::GaveUp) {
            return None;
        }
        let mut parts = Vec::new();
        let unbound = assertion.reads.iter().filter(|claim| is_unbound(**claim));
        list(
            &mut parts,
            "unbound",
            unbound.filter_map(|claim| Some(self.ruleset.claims.get(claim.0)?.name.as_str())),
        );
        let locals = assertion.open_locals.iter().filter_map(|local| self.ruleset.locals.get(local.0));
        list(&mut parts, "undefined local", locals.map(|local| local.name.as_str()));
        list(&mut parts, "unbridged", causes.unbridged.iter().map(String::as_str));
        list(&mut parts, "interval", causes.intervals.iter().map(String::as_str));
        if causes.division_by_zero {
            parts.push("division by zero".to_owned());
        }
        if before == Before::GaveUp {
            parts.push("solver limit".to_owned());
        }
        Some(self.text(parts.join("; ")))
    }

    fn text(&mut self, text: String) -> Arc<str> {
        if let Some(known) = self.written.get(text.as_str()) {
            return Arc::clone(known);
        }
        let text: Arc<str> = text.into();
        self.written.insert(Arc::clone(&text));
        text
    }
}

/// One part, if there is anything to list in it: `unbound: a, b`.
fn list<'a>(parts: &mut Vec<String>, what: &str, items: impl Iterator<Item = &'a str>) {
    let items: Vec<&str> = items.collect();
    if !items.is_empty() {
        parts.push(format!("{what}: {}", items.join(", ")));
    }
}

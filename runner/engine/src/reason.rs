//! Why an answer was not settled, in the fixed parts that readers may rely on.

use std::collections::HashSet;
use std::sync::Arc;

use assay_compile::formula::Formula;
use assay_compile::typed::ClaimId;
use assay_compile::{Assertion, Ruleset};

use crate::Before;
use crate::linear::divides_by_zero;

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

    /// The reason for an answer that was not settled; `None` for one that was. `open` is the question that evaluation
    /// left open, if it came to one.
    pub(crate) fn of(
        &mut self,
        before: Before,
        assertion: &Assertion,
        is_unbound: impl Fn(ClaimId) -> bool,
        open: Option<&Formula>,
    ) -> Option<Arc<str>> {
        if !matches!(before, Before::Unknown | Before::GaveUp) {
            return None;
        }
        let mut parts = Vec::new();
        let unbound = assertion.reads.iter().filter(|claim| is_unbound(**claim));
        list(
            &mut parts,
            "unbound",
            unbound.filter_map(|claim| Some(self.ruleset.claims.get(claim.0)?.name.clone())),
        );
        let locals = assertion.open_locals.iter().filter_map(|local| self.ruleset.locals.get(local.0));
        list(&mut parts, "undefined local", locals.map(|local| local.name.clone()));
        if let Some(open) = open {
            list(
                &mut parts,
                "unbridged",
                open.unbridged().iter().map(|pair| format!("{} -> {}", pair.from, pair.to)),
            );
            list(
                &mut parts,
                "interval",
                open.intervals().iter().map(|of| format!("{} -> {}", of.from, of.to)),
            );
            if divides_by_zero(open) {
                parts.push("division by zero".to_owned());
            }
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
fn list(parts: &mut Vec<String>, what: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        parts.push(format!("{what}: {}", items.join(", ")));
    }
}

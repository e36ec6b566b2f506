//! Reasons by column: a number for each row, and each text once.

use std::collections::HashMap;
use std::sync::Arc;

use assay_compile::{Assertion, Ruleset};

use super::input::Input;
use crate::Before;
use crate::reason::{Causes, Reasons};

/// The texts so far. The number of a text is its place, from 1; 0 is no reason.
#[derive(Debug)]
pub(super) struct Texts<'a> {
    reasons: Reasons<'a>,
    numbers: HashMap<Arc<str>, u32>,
    list: Vec<Arc<str>>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(ruleset: &'a Ruleset) -> Texts<'a> {
        Texts { reasons: Reasons::new(ruleset), numbers: HashMap::new(), list: Vec::new() }
    }

    pub(super) fn number(&mut self, text: Arc<str>) -> u32 {
        if let Some(known) = self.numbers.get(&text) {
            return *known;
        }
        self.list.push(Arc::clone(&text));
        let number = self.list.len() as u32;
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn into_list(self) -> Vec<Arc<str>> {
        self.list
    }

    /// Numbers the reasons of rows that are UNKNOWN because of the claims that they do not bind.
    pub(super) fn unbound(
        &mut self,
        assertion: &Assertion,
        input: &Input<'_>,
        rows: impl Iterator<Item = usize>,
        mut place: impl FnMut(usize, u32),
    ) {
        let reads = &assertion.reads;
        let is_unbound =
            |row: usize, claim: usize| !input.claims.get(claim).is_some_and(|of| of.is_known(row));
        // Rows that leave the same claims unbound share a text, found without writing it.
        let mut patterns: HashMap<u64, u32> = HashMap::new();
        let mut last = None;
        for row in rows {
            let write = |texts: &mut Texts<'a>| {
                let reason = texts.reasons.of(
                    Before::Unknown,
                    assertion,
                    |claim| is_unbound(row, claim.0),
                    &Causes::default(),
                );
                reason.map_or(0, |text| texts.number(text))
            };
            if reads.len() > 64 {
                let number = write(self);
                place(row, number);
                continue;
            }
            let pattern = reads
                .iter()
                .enumerate()
                .fold(0, |pattern, (at, claim)| pattern | u64::from(is_unbound(row, claim.0)) << at);
            let number = match last {
                Some((same, number)) if same == pattern => number,
                _ => *patterns.entry(pattern).or_insert_with(|| write(self)),
            };
            last = Some((pattern, number));
            place(row, number);
        }
    }
}

//! Deciding documents whose evidence contradicts itself, by choices.
//!
//! The answer to an assertion is what all choices of one value for each contradicted claim that it reads agree on, and
//! AMBIGUOUS where two of them differ. Choices are decided like any dictionaries, in rounds over many documents; the
//! first two that differ end the search of theirs. Two ways are shorter, and show only that all choices agree: evaluation
//! with the contradicted claims left open, and one question to the solver in which each of them is one of its values.

use std::collections::VecDeque;

use assay_claims::{Dictionary, Evidence};

use crate::choices::{Choices, Combined};
use crate::decide::Decider;
use crate::evaluate::evaluate;
use crate::linear::{Hardness, hardness};
use crate::reason::Causes;
use crate::residual::{Reduced, reduce};
use crate::solver::ask_for_all;
use crate::worker::Worker;
use crate::{Before, DecidedBy, EngineError, Route};

/// How many choices of one document a round has at most.
const CHOICES: usize = 16;

/// How many choices a round is filled up to.
const ROUND: usize = 1_000;

/// A document whose evidence contradicts itself in what an assertion reads.
#[derive(Debug)]
pub(crate) struct Contradicted<'e> {
    /// Its place among the answers.
    pub(crate) place: usize,
    pub(crate) assertion: usize,
    pub(crate) evidence: &'e Evidence,
    pub(crate) choices: Choices<'e>,
    pub(crate) combined: Combined,
    /// Whether the solver was asked about all choices at once.
    pub(crate) asked: bool,
}

impl Decider<'_> {
    /// Decides each.
    pub(crate) fn choose(
        &self,
        contradicted: &mut [Contradicted<'_>],
        route: Route,
        worker: &mut Worker,
    ) -> Result<(), EngineError> {
        let mut open = VecDeque::new();
        for (at, item) in contradicted.iter_mut().enumerate() {
            if item.choices.how_many() > u64::from(self.settings.max_choices) {
                item.combined = Combined::too_many_choices();
            } else if let Some(value) = self.whatever_is_chosen(item, route, worker) {
                item.combined.add(Before::settled(value), DecidedBy::Evaluation, &Causes::default());
            } else {
                open.push_back(at);
            }
        }
        while !open.is_empty() {
            let mut round: Vec<(usize, Dictionary)> = Vec::new();
            let mut looked_at = Vec::new();
            while let Some(at) = if round.len() < ROUND { open.pop_front() } else { None } {
                looked_at.push(at);
                let choices =
                    contradicted.get_mut(at).into_iter().flat_map(|item| item.choices.by_ref().take(CHOICES));
                round.extend(choices.map(|choice| (at, choice)));
            }
            let pairs =
                round.iter().filter_map(|(at, choice)| Some((choice, contradicted.get(*at)?.assertion)));
            let pairs: Vec<(&Dictionary, usize)> = pairs.collect();
            let decided = self.decide(&pairs, route, worker)?;
            for ((at, _), decided) in round.iter().zip(decided) {
                if let Some(item) = contradicted.get_mut(*at) {
                    item.combined.add(decided.before, decided.by, &decided.causes());
                }
            }
            for at in looked_at {
                let Some(item) = contradicted.get_mut(at).filter(|item| item.is_open()) else { continue };
                match self.all_at_once(item, worker)? {
                    Some(value) => item.combined = Combined::for_all(value),
                    None => open.push_back(at),
                }
            }
        }
        Ok(())
    }

    /// What the solver shows of an assertion for all choices at once: asked once, where the first of many choices took
    /// the solver too. What it is not shown so is decided choice by choice.
    fn all_at_once(
        &self,
        item: &mut Contradicted<'_>,
        worker: &mut Worker,
    ) -> Result<Option<bool>, EngineError> {
        if item.asked || !item.combined.is_by_solver() {
            return Ok(None);
        }
        item.asked = true;
        let Some(open) = item.choices.open() else { return Ok(None) };
        let formula = self.formula(item.assertion, item.evidence.first(), worker);
        let easy = match reduce(&formula, &open) {
            Reduced::Settled(_) => true,
            Reduced::Open(question) => hardness(&question) == Hardness::Linear,
            Reduced::TooLarge => false,
        };
        if !easy {
            return Ok(None);
        }
        let (name, values) = (self.name(item.assertion), item.choices.values());
        ask_for_all(name, &formula, &open, &values, self.settings.rlimit)
    }

    /// What evaluation makes of an assertion whatever is chosen.
    fn whatever_is_chosen(&self, item: &Contradicted<'_>, route: Route, worker: &mut Worker) -> Option<bool> {
        if route != Route::Auto {
            return None;
        }
        let formula = self.formula(item.assertion, item.evidence.first(), worker);
        evaluate(&formula, &item.choices.open()?)
    }
}

impl Contradicted<'_> {
    /// Whether there are choices that could still matter.
    fn is_open(&self) -> bool {
        !self.combined.is_ambiguous() && !self.choices.is_done()
    }
}

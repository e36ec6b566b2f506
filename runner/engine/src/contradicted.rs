//! Deciding documents whose evidence contradicts itself, by choices.
//!
//! The answer to an assertion is what all choices of one value for each contradicted claim that it reads agree on, and
//! AMBIGUOUS where two of them differ. Choices are decided like any dictionaries, in rounds over many documents; the
//! first two that differ end the search of theirs.

use std::collections::VecDeque;

use assay_claims::{Dictionary, Evidence};

use crate::choices::{Choices, Verdict};
use crate::decide::Decider;
use crate::evaluate::evaluate;
use crate::reason::Causes;
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
    pub(crate) verdict: Verdict,
}

impl Decider<'_> {
    /// Comes to a verdict on each.
    pub(crate) fn choose(
        &self,
        contradicted: &mut [Contradicted<'_>],
        route: Route,
        worker: &mut Worker,
    ) -> Result<(), EngineError> {
        let mut open = VecDeque::new();
        for (at, item) in contradicted.iter_mut().enumerate() {
            if item.choices.how_many() > u64::from(self.settings.max_choices) {
                item.verdict = Verdict::too_many_choices();
            } else if let Some(value) = self.whatever_is_chosen(item, route, worker) {
                item.verdict.add(Before::settled(value), DecidedBy::Evaluation, &Causes::default());
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
                    item.verdict.add(decided.before, decided.by, &decided.causes());
                }
            }
            let is_open = |at: &usize| contradicted.get(*at).is_some_and(Contradicted::is_open);
            open.extend(looked_at.into_iter().filter(is_open));
        }
        Ok(())
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
        !self.verdict.is_ambiguous() && !self.choices.is_done()
    }
}

//! Deciding a block of documents.
//!
//! Evaluation goes first and settles most answers. What it leaves open is collected as questions, each distinct one
//! once; the solver is asked them all in one context; and the answers are put where they belong. A block is
//! small, so that what is collected stays small whatever the size of a chunk.

use std::sync::Arc;

use assay_claims::{Binding, ClaimId, Dictionary, Evidence, Measure};
use assay_compile::formula::Formula;
use assay_compile::{Ruleset, resolve};
use assay_units::Library;

use crate::candidates::Candidates;
use crate::choices::{Choices, Combined};
use crate::contradicted::Contradicted;
use crate::questions::Questions;
use crate::reason::{Causes, Reasons};
use crate::residual::{Reduced, reduce};
use crate::whole::Wholes;
use crate::worker::Worker;
use crate::{Answer, Before, DecidedBy, EngineError, Route, Settings};

/// What deciding needs to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decider<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) library: &'a Library,
    pub(crate) settings: &'a Settings,
    pub(crate) candidates: &'a Candidates,
    /// The formulas of the assertions for claims in their declared units.
    pub(crate) declared: &'a [Arc<Formula>],
}

/// One assertion of one dictionary, and what evaluation makes of it.
struct Item<'d> {
    dictionary: &'d Dictionary,
    assertion: usize,
    found: Found,
}

/// What evaluation makes of an assertion.
#[derive(Debug, Clone, Copy)]
enum Found {
    Settled(bool),
    TooLarge,
    /// The question of this number is open.
    Open(usize),
}

/// What was decided of an assertion for a dictionary.
pub(crate) struct Decided {
    pub(crate) before: Before,
    pub(crate) by: DecidedBy,
    /// The question that evaluation left open, if it came to one.
    open: Option<Arc<Formula>>,
}

impl Decided {
    /// What of it is open.
    pub(crate) fn causes(&self) -> Causes {
        self.open.as_deref().map(Causes::of).unwrap_or_default()
    }
}

impl Decider<'_> {
    /// Decides every assertion for every document of a block.
    pub(crate) fn block(
        &self,
        documents: &[&Evidence],
        route: Route,
        worker: &mut Worker,
    ) -> Result<Vec<Vec<Answer>>, EngineError> {
        let every = |evidence| (0..self.declared.len()).map(move |assertion| (evidence, assertion));
        let pairs: Vec<(&Evidence, usize)> = documents.iter().flat_map(|evidence| every(*evidence)).collect();
        let mut decided = self.pairs(&pairs, route, worker)?.into_iter();
        let answers = documents.iter().map(|_| decided.by_ref().take(self.declared.len()).collect());
        Ok(answers.collect())
    }

    /// Decides some assertions, each for a document: one answer for each pair, in their order.
    pub(crate) fn pairs(
        &self,
        pairs: &[(&Evidence, usize)],
        route: Route,
        worker: &mut Worker,
    ) -> Result<Vec<Answer>, EngineError> {
        let mut plain = Vec::with_capacity(pairs.len());
        let mut contradicted = Vec::new();
        for (place, &(evidence, assertion)) in pairs.iter().enumerate() {
            match Choices::new(evidence, self.reads(assertion)) {
                None => plain.push((evidence.first(), assertion)),
                Some(choices) => {
                    let combined = Combined::default();
                    let item = Contradicted { place, assertion, evidence, choices, combined, asked: false };
                    contradicted.push(item);
                }
            }
        }
        let mut plain = self.decide(&plain, route, worker)?.into_iter();
        self.choose(&mut contradicted, route, worker)?;
        let mut contradicted = contradicted.into_iter().peekable();
        let mut reasons = Reasons::new(self.ruleset);
        let answers = pairs.iter().enumerate().filter_map(|(place, (evidence, assertion))| {
            let (claims, (before, by, causes)) = match contradicted.next_if(|item| item.place == place) {
                Some(item) => (item.choices.claims(), item.combined.finish()),
                None => {
                    let decided = plain.next()?;
                    (Vec::new(), (decided.before, decided.by, decided.causes()))
                }
            };
            let assertion = self.ruleset.assertions.get(*assertion)?;
            let unbound = |claim| *evidence.first().get(claim) == Binding::Unknown;
            let reason = reasons.of(before, assertion, unbound, &causes);
            Some(Answer::new(before, assertion.policy, reason, claims, by))
        });
        let answers: Vec<Answer> = answers.collect();
        match answers.len() == pairs.len() {
            true => Ok(answers),
            false => Err(EngineError::Incomplete { advertised: pairs.len(), answered: answers.len() }),
        }
    }

    /// Decides some assertions, each for a dictionary.
    pub(crate) fn decide(
        &self,
        pairs: &[(&Dictionary, usize)],
        route: Route,
        worker: &mut Worker,
    ) -> Result<Vec<Decided>, EngineError> {
        let mut questions = Questions::new(self.settings, self.candidates);
        let items = self.evaluate(pairs, &mut questions, worker);
        let decided = match route {
            Route::Auto => self.auto(&items, &mut questions, worker)?,
            Route::Z3 => self.solver_alone(&items, &mut questions, worker)?,
        };
        let decided = items.iter().zip(decided).map(|(item, (before, by))| {
            let open = match item.found {
                Found::Open(number) => questions.formula(number).cloned(),
                _ => None,
            };
            Decided { before, by, open }
        });
        Ok(decided.collect())
    }

    /// Evaluates assertions, each for a dictionary.
    fn evaluate<'d>(
        &self,
        pairs: &[(&'d Dictionary, usize)],
        questions: &mut Questions<'_>,
        worker: &mut Worker,
    ) -> Vec<Item<'d>> {
        let items = pairs.iter().map(|&(dictionary, assertion)| {
            let found = match reduce(&self.formula(assertion, dictionary, worker), dictionary) {
                Reduced::Settled(value) => Found::Settled(value),
                Reduced::TooLarge => Found::TooLarge,
                Reduced::Open(question) => Found::Open(questions.add(assertion, question)),
            };
            Item { dictionary, assertion, found }
        });
        items.collect()
    }

    /// The formula of an assertion for the units that the evidence of its claims came in.
    pub(crate) fn formula(
        &self,
        assertion: usize,
        dictionary: &Dictionary,
        worker: &mut Worker,
    ) -> Arc<Formula> {
        let reads = self.reads(assertion);
        let measures = || reads.iter().map(|claim| dictionary.get(*claim).measure());
        match self.declared.get(assertion) {
            Some(declared) if measures().all(|measure| *measure == Measure::Declared) => Arc::clone(declared),
            _ => worker.formula(assertion, measures().cloned().collect(), || {
                resolve(self.ruleset, assertion, &dictionary.measures(), self.library)
            }),
        }
    }

    /// The claims that an assertion reads.
    pub(crate) fn reads(&self, assertion: usize) -> &[ClaimId] {
        self.ruleset.assertions.get(assertion).map_or(&[][..], |assertion| &assertion.reads)
    }

    /// The name of an assertion, for errors.
    pub(crate) fn name(&self, assertion: usize) -> &str {
        self.ruleset.assertions.get(assertion).map_or("", |assertion| &assertion.name)
    }

    /// Evaluation's answers, and the solver's where evaluation leaves a question open.
    fn auto(
        &self,
        items: &[Item<'_>],
        questions: &mut Questions<'_>,
        worker: &mut Worker,
    ) -> Result<Vec<(Before, DecidedBy)>, EngineError> {
        questions.ask_easy(worker, |assertion| self.name(assertion))?;
        let decided = items.iter().map(|item| match item.found {
            Found::Settled(value) => Ok((Before::settled(value), DecidedBy::Evaluation)),
            Found::TooLarge => Ok((Before::GaveUp, DecidedBy::Evaluation)),
            Found::Open(number) if questions.is_shown(number) => Ok((Before::Unknown, DecidedBy::Evaluation)),
            Found::Open(number) => {
                Ok((questions.ask_alone(number, worker, self.name(item.assertion))?, DecidedBy::Solver))
            }
        });
        decided.collect()
    }

    /// The solver's answers to the whole assertions with the evidence beside them. Where it gives up, evaluation's answer
    /// stands; and a question that is hard, or still open then, is asked in its canonical form, as on the other route.
    fn solver_alone(
        &self,
        items: &[Item<'_>],
        questions: &mut Questions<'_>,
        worker: &mut Worker,
    ) -> Result<Vec<(Before, DecidedBy)>, EngineError> {
        let whole = |item: &Item<'_>| match item.found {
            Found::Settled(_) => true,
            Found::TooLarge => false,
            Found::Open(number) => questions.is_easy(number),
        };
        let mut wholes = Wholes::default();
        let numbers: Vec<Option<usize>> = items
            .iter()
            .map(|item| whole(item).then(|| wholes.add(self, item.assertion, item.dictionary)))
            .collect();
        wholes.ask(self, worker)?;
        let decided = numbers.into_iter().map(|number| wholes.answer(number?));
        let decided = items.iter().zip(decided).map(|(item, decided)| match (decided, item.found) {
            (Some(before), _) => Ok((before, DecidedBy::Solver)),
            (None, Found::Settled(value)) => Ok((Before::settled(value), DecidedBy::Evaluation)),
            (None, Found::TooLarge) => Ok((Before::GaveUp, DecidedBy::Evaluation)),
            (None, Found::Open(number)) => {
                match questions.ask_alone(number, worker, self.name(item.assertion))? {
                    Before::GaveUp if questions.is_shown(number) => {
                        Ok((Before::Unknown, DecidedBy::Evaluation))
                    }
                    before => Ok((before, DecidedBy::Solver)),
                }
            }
        });
        decided.collect()
    }
}

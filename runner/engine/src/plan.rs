//! A ruleset that is ready to be decided.

use std::sync::Arc;

use assay_claims::{Binding, ClaimId, Evidence};
use assay_compile::formula::Formula;
use assay_compile::{ClaimKind, Measures, Ruleset, resolve};
use assay_units::Library;

use crate::candidates::Candidates;
use crate::columns::Program;
use crate::decide::Decider;
use crate::front_end;
use crate::proof::new_enough;
use crate::worker::{Worker, Workers};
use crate::{Answer, Before, EngineError, Route, Settings};

/// How many answers a block has: so few that what they need is small, and so many that a context is worth making.
const ANSWERS: usize = 20_000;

/// How many nodes the formulas of a block have at most, counted for each dictionary: as large may what is left open be.
const NODES: usize = 1_000_000;

/// The most dictionaries of a block.
const DICTIONARIES: usize = 1_000;

/// The answers of one document, in the order of the assertions, or why it has none.
pub type Answered = Result<Vec<Answer>, EngineError>;

/// A ruleset with a unit library and settings, ready to be decided: shared between threads.
#[derive(Debug)]
pub struct Plan {
    ruleset: Arc<Ruleset>,
    library: Library,
    settings: Settings,
    candidates: Candidates,
    declared: Vec<Arc<Formula>>,
    program: Program,
    workers: Workers,
}

impl Plan {
    /// Resolves every assertion for claims in their declared units and translates it for the solver.
    ///
    /// # Errors
    /// Where the solver that is linked is too old, or where the translation refuses an assertion.
    pub fn new(ruleset: Arc<Ruleset>, library: Library, settings: Settings) -> Result<Plan, EngineError> {
        new_enough()?;
        let measures = Measures::declared(&ruleset);
        let declared: Vec<Arc<Formula>> = (0..ruleset.assertions.len())
            .map(|assertion| Arc::new(resolve(&ruleset, assertion, &measures, &library)))
            .collect();
        front_end::verify(&ruleset, &declared)?;
        let candidates = Candidates::new(&ruleset);
        let program = Program::new(&declared);
        let workers = Workers::new(&settings);
        Ok(Plan { ruleset, library, settings, candidates, declared, program, workers })
    }

    /// Decides every assertion for every document: one list of answers for each of them, in the order of the
    /// assertions. May be called from several threads at once; the answers do not depend on what else is decided.
    ///
    /// # Errors
    /// Where an engine fails; then there are no answers.
    pub fn decide_all(&self, documents: &[Evidence]) -> Result<Vec<Vec<Answer>>, EngineError> {
        let documents: Vec<&Evidence> = documents.iter().collect();
        self.decide(&documents, self.settings.route)
    }

    /// Decides documents as [`Plan::decide_all`] does, but for those of which an assertion has
    /// [no answer](EngineError::Unanswered): each is its answers, or why it has none.
    ///
    /// # Errors
    /// Where an engine fails otherwise.
    pub fn decide_each(&self, documents: &[&Evidence]) -> Result<Vec<Answered>, EngineError> {
        self.each(documents, self.settings.route)
    }

    fn each(&self, documents: &[&Evidence], route: Route) -> Result<Vec<Answered>, EngineError> {
        match self.decide(documents, route) {
            Ok(answers) => Ok(answers.into_iter().map(Ok).collect()),
            Err(error @ EngineError::Unanswered { .. }) if documents.len() == 1 => Ok(vec![Err(error)]),
            // Which ones they are is found by halves: what was answered is remembered, and what was not too.
            Err(EngineError::Unanswered { .. }) => {
                let (first, second) = documents.split_at(documents.len() / 2);
                let mut each = self.each(first, route)?;
                each.extend(self.each(second, route)?);
                Ok(each)
            }
            Err(error) => Err(error),
        }
    }

    /// Decides documents again on the other route (with [`Route::Auto`], by the solver alone) and compares. Where
    /// one of the two gave up, or has no answer, there is nothing to compare.
    ///
    /// # Errors
    /// The first disagreement, or where an engine fails.
    pub fn cross_check<'a>(
        &self,
        decided: impl IntoIterator<Item = (&'a Evidence, &'a [Answer])>,
    ) -> Result<(), EngineError> {
        let (documents, answers): (Vec<&Evidence>, Vec<&[Answer]>) = decided.into_iter().unzip();
        let other = match self.settings.route {
            Route::Auto => Route::Z3,
            Route::Z3 => Route::Auto,
        };
        let again = self.each(&documents, other)?;
        let both = answers.into_iter().zip(again).filter_map(|(answers, again)| Some((answers, again.ok()?)));
        for (answers, again) in both {
            if answers.len() != again.len() {
                return Err(EngineError::Incomplete { advertised: again.len(), answered: answers.len() });
            }
            for ((first, second), assertion) in answers.iter().zip(&again).zip(&self.ruleset.assertions) {
                let (first, second) = (first.before, second.before);
                if first != second && first != Before::GaveUp && second != Before::GaveUp {
                    let (auto, solver) = if other == Route::Z3 { (first, second) } else { (second, first) };
                    return Err(EngineError::Disagreement {
                        assertion: assertion.name.clone(),
                        auto,
                        solver,
                    });
                }
            }
        }
        Ok(())
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The formulas of the assertions for claims in their declared units, in source order.
    pub fn formulas(&self) -> &[Arc<Formula>] {
        &self.declared
    }

    fn decide(&self, documents: &[&Evidence], route: Route) -> Result<Vec<Vec<Answer>>, EngineError> {
        for evidence in documents {
            self.fits(evidence)?;
        }
        let decider = self.decider();
        let size = self.block_size();
        let all = |worker: &mut Worker| {
            let mut answers = Vec::with_capacity(documents.len());
            for block in documents.chunks(size) {
                answers.extend(decider.block(block, route, worker)?);
            }
            Ok(answers)
        };
        self.workers.lend(all)
    }

    /// How many dictionaries are decided together.
    pub(crate) fn block_size(&self) -> usize {
        let nodes: usize = self.declared.iter().map(|formula| formula.nodes().len()).sum();
        let by_answers = ANSWERS.checked_div(self.declared.len()).unwrap_or(DICTIONARIES);
        let by_nodes = NODES.checked_div(nodes).unwrap_or(DICTIONARIES);
        by_answers.min(by_nodes).clamp(1, DICTIONARIES)
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    pub(crate) fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    pub(crate) fn decider(&self) -> Decider<'_> {
        Decider {
            ruleset: &self.ruleset,
            library: &self.library,
            settings: &self.settings,
            candidates: &self.candidates,
            declared: &self.declared,
        }
    }

    /// Evidence has a place for each claim and only values of the claim's type: else the unbound variable would pass
    /// for an unknown claim.
    pub(crate) fn fits(&self, evidence: &Evidence) -> Result<(), EngineError> {
        let first = evidence.first().bindings();
        let claims = self.ruleset.claims.iter().enumerate().map(|(at, claim)| (ClaimId(at), claim));
        for (id, claim) in claims {
            let is_value = |binding: &Binding| match (binding, &claim.kind) {
                (Binding::Unknown, _) => true,
                (Binding::Bool(_), ClaimKind::Boolean) => true,
                (Binding::Number { .. }, ClaimKind::Numeric { .. }) => true,
                (Binding::Member(number), ClaimKind::Enum(of)) => {
                    (*number as usize) < of.vocabulary.members.len()
                }
                _ => false,
            };
            let fits = first.get(id.0).is_some_and(is_value)
                && (!evidence.is_contradicted(id) || evidence.values(id).all(is_value));
            if !fits {
                return Err(EngineError::Misfit { claim: claim.name.clone() });
            }
        }
        Ok(())
    }
}

//! Why an answer is what it is, and what would settle one that is open.
//!
//! An explanation repeats nothing that deciding did otherwise: the values of the parts are those of the evaluator, the
//! claims that mattered are found by deciding again without them, and what is supposed for a completion is evaluated before
//! it is given.

mod completions;
mod decisive;
mod pairing;
mod steps;

use assay_claims::{Binding, ClaimId, Dictionary, Evidence};
use assay_compile::ClaimKind;

pub use completions::{Completed, Supposed, Unshown};
pub use decisive::Decisive;
pub use steps::{Conversion, Shown, Step, Steps};

use crate::choices::Choices;
use crate::worker::Worker;
use crate::{Answer, Before, EngineError, Plan};

/// How many claims are left out one after the other to see which of them mattered.
const LEFT_OUT: usize = 500;

/// How many members of a vocabulary are tried alone.
const TRIED: u32 = 50;

/// The explanation of one answer.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The answer.
    pub answer: Answer,
    /// The parts of the assertion with their values.
    pub steps: Steps,
    /// Of an answer that is settled: claims that settle it whatever the others are, none of which can be spared. `None`
    /// where there are too many claims to tell.
    pub mattered: Option<Vec<ClaimId>>,
    /// Of an UNKNOWN: what makes it hold, and what makes it fail.
    pub completions: Option<[Completed; 2]>,
    /// Of an AMBIGUOUS: two choices that are answered differently.
    pub choices: Option<[Choice; 2]>,
    /// Of an answer that is open: the smallest sets of claims that would settle it.
    pub decisive: Option<Decisive>,
    /// Of an answer that is open: single values that would settle it.
    pub enough: Vec<Enough>,
}

/// One value for each contradicted claim, and what is answered then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The claims in declared order with the value that is chosen.
    pub values: Vec<(ClaimId, Binding)>,
    /// The answer before the policy.
    pub before: Before,
}

/// A value that settles an answer alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enough {
    /// The claim.
    pub claim: ClaimId,
    /// The value.
    pub value: Binding,
    /// Whether the assertion holds then.
    pub holds: bool,
}

impl Plan {
    /// Explains the answer to one assertion for one document.
    ///
    /// # Errors
    /// Where an engine fails.
    pub fn explain(&self, assertion: usize, evidence: &Evidence) -> Result<Explanation, EngineError> {
        let answer = self.decide_one(assertion, evidence)?;
        let mut explanation = Explanation {
            steps: steps::steps(self, assertion, evidence),
            mattered: None,
            completions: None,
            choices: None,
            decisive: None,
            enough: Vec::new(),
            answer,
        };
        match explanation.answer.before {
            Before::True | Before::False => {
                explanation.mattered = self.mattered(assertion, evidence, explanation.answer.before)?;
                return Ok(explanation);
            }
            Before::Unknown => {
                let contradicted = &explanation.answer.contradicted;
                explanation.completions = Some([true, false].map(|holds| {
                    completions::complete(self, assertion, evidence.first(), contradicted, holds)
                }));
            }
            Before::Ambiguous => explanation.choices = self.differing(assertion, evidence)?,
            Before::GaveUp => {}
        }
        let decisive = decisive::decisive(self, assertion, evidence)?;
        explanation.enough = self.enough(assertion, evidence, &explanation)?;
        explanation.decisive = Some(decisive);
        Ok(explanation)
    }

    /// The smallest sets of claims that would settle an answer; `None` where it is settled.
    ///
    /// # Errors
    /// Where an engine fails.
    pub fn decisive(
        &self,
        assertion: usize,
        evidence: &Evidence,
        answer: &Answer,
    ) -> Result<Option<Decisive>, EngineError> {
        self.fits(evidence)?;
        let settled = matches!(answer.before, Before::True | Before::False);
        if settled { Ok(None) } else { decisive::decisive(self, assertion, evidence).map(Some) }
    }

    /// The claims that an assertion reads, in declared order.
    fn reads(&self, assertion: usize) -> &[ClaimId] {
        self.ruleset().assertions.get(assertion).map_or(&[][..], |assertion| &assertion.reads)
    }

    fn decide_one(&self, assertion: usize, evidence: &Evidence) -> Result<Answer, EngineError> {
        self.fits(evidence)?;
        let route = self.settings().route;
        let decided =
            self.workers().lend(|worker| self.decider().pairs(&[(evidence, assertion)], route, worker))?;
        decided.into_iter().next().ok_or(EngineError::Incomplete { advertised: 1, answered: 0 })
    }

    /// The claims that are left when, from the last one on, each is left out that the answer does not need.
    fn mattered(
        &self,
        assertion: usize,
        evidence: &Evidence,
        before: Before,
    ) -> Result<Option<Vec<ClaimId>>, EngineError> {
        let known = |claim: &&ClaimId| *evidence.first().get(**claim) != Binding::Unknown;
        let known: Vec<ClaimId> = self.reads(assertion).iter().filter(known).copied().collect();
        if known.len() > LEFT_OUT {
            return Ok(None);
        }
        let (mut left, mut mattered) = (evidence.clone(), Vec::new());
        for claim in known.into_iter().rev() {
            let without = left.with(claim, Binding::Unknown);
            if self.decide_one(assertion, &without)?.before == before {
                left = without;
            } else {
                mattered.push(claim);
            }
        }
        mattered.reverse();
        Ok(Some(mattered))
    }

    /// The first two choices that are answered differently.
    fn differing(&self, assertion: usize, evidence: &Evidence) -> Result<Option<[Choice; 2]>, EngineError> {
        let Some(mut choices) = Choices::new(evidence, self.reads(assertion)) else { return Ok(None) };
        if choices.how_many() > u64::from(self.settings().max_choices) {
            return Ok(None);
        }
        let claims = choices.claims();
        let mut first: Option<Choice> = None;
        while !choices.is_done() {
            let Some(choice) = choices.next() else { break };
            let decide = |worker: &mut Worker| {
                self.decider().decide(&[(&choice, assertion)], self.settings().route, worker)
            };
            let Some(decided) = self.workers().lend(decide)?.into_iter().next() else { break };
            if decided.before == Before::GaveUp {
                continue;
            }
            let values = claims.iter().map(|claim| (*claim, choice.get(*claim).clone())).collect();
            let choice = Choice { values, before: decided.before };
            match &first {
                None => first = Some(choice),
                Some(known) if known.before == choice.before => {}
                Some(known) => return Ok(Some([known.clone(), choice])),
            }
        }
        Ok(None)
    }

    /// Values of one claim that settle an open answer: of yes-or-no claims and of vocabularies every value is
    /// tried, of numbers those of the completions and of the evidence.
    fn enough(
        &self,
        assertion: usize,
        evidence: &Evidence,
        explanation: &Explanation,
    ) -> Result<Vec<Enough>, EngineError> {
        let mut enough: Vec<Enough> = Vec::new();
        let undetermined = |claim: &&ClaimId| {
            *evidence.first().get(**claim) == Binding::Unknown || evidence.is_contradicted(**claim)
        };
        let undetermined: Vec<ClaimId> =
            self.reads(assertion).iter().filter(undetermined).take(LEFT_OUT).copied().collect();
        for claim in undetermined {
            for value in self.tried(claim, evidence, explanation) {
                let holds = match self.decide_one(assertion, &evidence.with(claim, value.clone()))?.before {
                    Before::True => true,
                    Before::False => false,
                    _ => continue,
                };
                if !enough.iter().any(|known| known.claim == claim && known.holds == holds) {
                    enough.push(Enough { claim, value, holds });
                }
            }
        }
        Ok(enough)
    }

    fn tried(&self, claim: ClaimId, evidence: &Evidence, explanation: &Explanation) -> Vec<Binding> {
        if evidence.is_contradicted(claim) {
            return evidence.values(claim).cloned().collect();
        }
        match self.ruleset().claims.get(claim.0).map(|claim| &claim.kind) {
            Some(ClaimKind::Boolean) => vec![Binding::Bool(true), Binding::Bool(false)],
            Some(ClaimKind::Enum(of)) => {
                (0..of.vocabulary.members.len() as u32).take(TRIED as usize).map(Binding::Member).collect()
            }
            Some(ClaimKind::Numeric { .. }) => {
                let completions = explanation.completions.iter().flatten();
                let supposed = completions.filter_map(|completed| completed.as_ref().ok()).flatten();
                let of_claim = supposed.filter_map(|supposed| match supposed {
                    Supposed::Claim(of, value) if *of == claim => Some(value.clone()),
                    _ => None,
                });
                of_claim.collect()
            }
            None => Vec::new(),
        }
    }
}

/// The evidence as the parts are shown with: contradicted claims are open.
fn with_contradicted_open(evidence: &Evidence) -> Dictionary {
    let mut open = evidence.first().clone();
    for claim in evidence.contradicted() {
        open.set(*claim, Binding::Unknown);
    }
    open
}

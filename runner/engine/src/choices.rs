//! Contradicted evidence: every choice of one value for each claim that an assertion reads.

use assay_claims::{Binding, Dictionary, Evidence};
use assay_compile::typed::ClaimId;

use crate::reason::Causes;
use crate::{Before, DecidedBy};

/// The choices of one document for one assertion, one after the other: the last claim's values change first.
#[derive(Debug)]
pub(crate) struct Choices<'e> {
    evidence: &'e Evidence,
    /// The contradicted claims that the assertion reads, each with its values and the one that is next.
    claims: Vec<Claim<'e>>,
    done: bool,
}

#[derive(Debug)]
struct Claim<'e> {
    id: ClaimId,
    values: Vec<&'e Binding>,
    next: usize,
}

impl<'e> Choices<'e> {
    /// The choices for an assertion that reads these claims; `None` where none of them is contradicted.
    pub(crate) fn new(evidence: &'e Evidence, reads: &[ClaimId]) -> Option<Choices<'e>> {
        if evidence.contradicted().is_empty() {
            return None;
        }
        let read = reads.iter().filter(|claim| evidence.is_contradicted(**claim));
        let claims = read.map(|id| Claim { id: *id, values: evidence.values(*id).collect(), next: 0 });
        let claims: Vec<Claim<'_>> = claims.collect();
        (!claims.is_empty()).then_some(Choices { evidence, claims, done: false })
    }

    /// The contradicted claims, in declared order.
    pub(crate) fn claims(&self) -> Vec<ClaimId> {
        self.claims.iter().map(|claim| claim.id).collect()
    }

    /// How many choices there are in all.
    pub(crate) fn how_many(&self) -> u64 {
        self.claims.iter().fold(1, |count, claim| count.saturating_mul(claim.values.len() as u64))
    }

    /// Whether all of them have been.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// The contradicted claims with their values.
    pub(crate) fn values(&self) -> Vec<(ClaimId, &[&'e Binding])> {
        self.claims.iter().map(|claim| (claim.id, claim.values.as_slice())).collect()
    }

    /// The evidence with the contradicted claims left open, where all values of each came in one unit: then what
    /// holds for it holds for every choice.
    pub(crate) fn open(&self) -> Option<Dictionary> {
        let mut open = self.evidence.first().clone();
        for Claim { id, values, .. } in &self.claims {
            let measure = open.get(*id).measure();
            if values.iter().any(|value| value.measure() != measure) {
                return None;
            }
            open.set(*id, Binding::Unknown);
        }
        Some(open)
    }
}

impl Iterator for Choices<'_> {
    type Item = Dictionary;

    fn next(&mut self) -> Option<Dictionary> {
        if self.done {
            return None;
        }
        let mut choice = self.evidence.first().clone();
        for Claim { id, values, next } in &self.claims {
            if let Some(value) = values.get(*next) {
                choice.set(*id, (*value).clone());
            }
        }
        self.done = true;
        for claim in self.claims.iter_mut().rev() {
            claim.next += 1;
            if claim.next < claim.values.len() {
                self.done = false;
                break;
            }
            claim.next = 0;
        }
        Some(choice)
    }
}

/// What the choices so far come to. It does not depend on their order.
#[derive(Debug, Default)]
pub(crate) struct Combined {
    /// What those that were not given up have in common.
    common: Option<Before>,
    differ: bool,
    gave_up: bool,
    solver: bool,
    causes: Causes,
}

impl Combined {
    /// Where no choice is looked at.
    pub(crate) fn too_many_choices() -> Combined {
        Combined { differ: true, causes: Causes::too_many_choices(), ..Combined::default() }
    }

    /// Adds the answer of a choice, before the policy, and what of it is open.
    pub(crate) fn add(&mut self, before: Before, by: DecidedBy, causes: &Causes) {
        self.solver |= by == DecidedBy::Solver;
        match before {
            Before::GaveUp => self.gave_up = true,
            before => {
                self.differ |= self.common.is_some_and(|common| common != before);
                self.common = Some(before);
            }
        }
        if matches!(before, Before::GaveUp | Before::Unknown) {
            self.causes.add(causes);
        }
    }

    /// What holds for every choice, as the solver shows it, whatever was added.
    pub(crate) fn for_all(value: bool) -> Combined {
        Combined { common: Some(Before::settled(value)), solver: true, ..Combined::default() }
    }

    /// Whether the solver took part.
    pub(crate) fn is_by_solver(&self) -> bool {
        self.solver
    }

    /// Whether two choices differ: then no other choice matters any more.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.differ
    }

    /// The answer before the policy, who decided it, and what is open of it.
    pub(crate) fn finish(self) -> (Before, DecidedBy, Causes) {
        let before = match self.common {
            _ if self.differ => Before::Ambiguous,
            _ if self.gave_up => Before::GaveUp,
            common => common.unwrap_or(Before::GaveUp),
        };
        let by = if self.solver { DecidedBy::Solver } else { DecidedBy::Evaluation };
        (before, by, self.causes)
    }
}

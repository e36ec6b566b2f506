//! What to ask next: the smallest sets of claims that would settle an open answer.
//!
//! A set of undetermined claims is *decisive* if the answer is TRUE or FALSE whatever the values of its claims are, while
//! all other claims stay as they are: unbound, or contradicted. An unbound claim may have any value of its type, a
//! contradicted one any that its evidence gives. Values that make a divisor zero are left aside. A larger set is decisive
//! too, so the sets that are given are the ones from which no claim can be spared.
//!
//! Each set is proven by the solver (see [`super::pairing`]). The search is bounded by a number of questions, and each of
//! these by the solver's own limit; where a bound cut it, that is said.

use std::collections::{BTreeMap, BTreeSet};

use assay_claims::{Binding, ClaimId, Dictionary, Evidence};
use assay_compile::formula::{Builder, Formula, Node, Var};
use assay_compile::resolve;

use super::pairing::Pairing;
use crate::choices::Choices;
use crate::linear::{Hardness, hardness};
use crate::residual::{Reduced, reduce};
use crate::solver::can_hold;
use crate::{EngineError, Plan};

/// How many questions the solver is asked for one answer.
const QUESTIONS: usize = 400;

/// How many sets are given.
const SETS: usize = 12;

/// How many choices of contradicted values are looked at.
const CHOICES: u64 = 64;

/// How many claims that some sets have and others do not are combined.
const COMBINED: usize = 14;

/// The smallest sets of claims that would settle an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decisive {
    /// The sets, smaller ones first, then in declared order. None where no set of claims settles the answer.
    pub sets: Vec<Vec<ClaimId>>,
    /// Whether these are all: no bound cut the search.
    pub complete: bool,
}

/// The decisive sets of an assertion for a document.
///
/// # Errors
/// Where a question has no answer.
pub(crate) fn decisive(plan: &Plan, assertion: usize, evidence: &Evidence) -> Result<Decisive, EngineError> {
    let Some(mut search) = Search::new(plan, assertion, evidence) else {
        return Ok(Decisive { sets: Vec::new(), complete: false });
    };
    let decisive = search.run();
    search.failed.map_or(Ok(decisive), Err)
}

struct Search<'p> {
    plan: &'p Plan,
    assertion: usize,
    /// Why the search ended, where a question has no answer.
    failed: Option<EngineError>,
    /// What is open under each choice of the contradicted claims, with the choice.
    questions: Vec<(Dictionary, Formula)>,
    contradicted: Vec<ClaimId>,
    /// The claims that sets are made of, in declared order.
    claims: Vec<ClaimId>,
    known: BTreeMap<BTreeSet<ClaimId>, bool>,
    asked: usize,
    /// Whether an answer was not proven, or a question not asked.
    cut: bool,
}

impl<'p> Search<'p> {
    /// `None` where there are too many choices, or too large numbers.
    fn new(plan: &'p Plan, assertion: usize, evidence: &Evidence) -> Option<Search<'p>> {
        let choices = Choices::new(evidence, plan.reads(assertion));
        let contradicted = choices.as_ref().map(Choices::claims).unwrap_or_default();
        let choices: Vec<Dictionary> = match choices {
            Some(choices) if choices.how_many() > CHOICES => return None,
            Some(choices) => choices.collect(),
            None => vec![evidence.first().clone()],
        };
        let mut questions = Vec::with_capacity(choices.len());
        let mut claims: BTreeSet<ClaimId> = contradicted.iter().copied().collect();
        for choice in choices {
            let formula = resolve(plan.ruleset(), assertion, &choice.measures(), plan.library());
            let question = match reduce(&formula, &choice) {
                Reduced::Open(question) => question,
                Reduced::Settled(value) => settled(value),
                Reduced::TooLarge => return None,
            };
            if hardness(&question) == Hardness::Hopeless {
                return None;
            }
            claims.extend(question.nodes().iter().filter_map(|node| match node {
                Node::BoolVar(Var::Claim(id))
                | Node::NumVar(Var::Claim(id))
                | Node::MemberVar(Var::Claim(id), _) => Some(*id),
                _ => None,
            }));
            questions.push((choice, question));
        }
        let claims = claims.into_iter().collect();
        let (failed, known) = (None, BTreeMap::new());
        Some(Search { plan, assertion, failed, questions, contradicted, claims, known, asked: 0, cut: false })
    }

    fn run(&mut self) -> Decisive {
        let all: BTreeSet<ClaimId> = self.claims.iter().copied().collect();
        if !self.settles(&all) {
            return Decisive { sets: Vec::new(), complete: !self.cut };
        }
        let first = self.smallest_within(all.clone());
        if self.asked >= QUESTIONS {
            return Decisive { sets: Vec::new(), complete: false };
        }
        // In every set are the claims without which the others do not settle it, and they are in this one too.
        let needed = |search: &mut Self, claim: &ClaimId| {
            let mut without = all.clone();
            without.remove(claim);
            !search.settles(&without)
        };
        let core: BTreeSet<ClaimId> = first.iter().filter(|claim| needed(self, claim)).copied().collect();
        let mut sets = vec![first];
        if sets.first() != Some(&core) {
            self.others(&core, &mut sets);
        }
        let mut sets: Vec<Vec<ClaimId>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        Decisive { sets, complete: !self.cut }
    }

    /// A decisive set within another, from which no claim can be spared: the later ones are spared first.
    fn smallest_within(&mut self, mut set: BTreeSet<ClaimId>) -> BTreeSet<ClaimId> {
        let claims: Vec<ClaimId> = set.iter().rev().copied().collect();
        for claim in claims {
            set.remove(&claim);
            if !self.settles(&set) {
                set.insert(claim);
            }
        }
        set
    }

    /// The other sets: combinations with the core, smaller ones first.
    fn others(&mut self, core: &BTreeSet<ClaimId>, sets: &mut Vec<BTreeSet<ClaimId>>) {
        let free: Vec<ClaimId> = self.claims.iter().filter(|claim| !core.contains(claim)).copied().collect();
        if free.len() > COMBINED {
            self.cut = true;
            return;
        }
        // Sets that do not settle it: nothing within them does.
        let mut failing: Vec<BTreeSet<ClaimId>> = Vec::new();
        let mut masks: Vec<u32> = (0..1_u32 << free.len()).collect();
        masks.sort_by_key(|mask| mask.count_ones());
        for mask in masks {
            let chosen = free.iter().enumerate().filter(|(at, _)| mask & (1 << at) != 0);
            let set: BTreeSet<ClaimId> =
                chosen.map(|(_, claim)| *claim).chain(core.iter().copied()).collect();
            if sets.iter().any(|known| known.is_subset(&set))
                || failing.iter().any(|known| set.is_subset(known))
            {
                continue;
            }
            if self.asked >= QUESTIONS {
                self.cut = true;
                return;
            }
            if self.settles(&set) {
                if sets.len() == SETS {
                    self.cut = true;
                    return;
                }
                sets.push(set);
            } else {
                let largest = self.largest_around(set, &free);
                failing.push(largest);
            }
        }
    }

    /// A set that is not decisive around another, to which no claim can be added.
    fn largest_around(&mut self, mut set: BTreeSet<ClaimId>, free: &[ClaimId]) -> BTreeSet<ClaimId> {
        for claim in free {
            if set.insert(*claim) && self.settles(&set) {
                set.remove(claim);
            }
        }
        set
    }

    /// Whether a set is decisive, as far as that is proven.
    fn settles(&mut self, set: &BTreeSet<ClaimId>) -> bool {
        if let Some(known) = self.known.get(set) {
            return *known;
        }
        let settles = self.ask(set);
        self.known.insert(set.clone(), settles);
        settles
    }

    fn can_hold(&self, formula: &Formula) -> Result<Option<bool>, EngineError> {
        let (decider, rlimit) = (self.plan.decider(), self.plan.settings().rlimit);
        let name = decider.name(self.assertion);
        self.plan.workers().lend(|worker| can_hold(name, formula, rlimit, worker))
    }

    fn ask(&mut self, set: &BTreeSet<ClaimId>) -> bool {
        // Choices that agree on the claims of the set.
        let mut groups: Vec<(Vec<&Binding>, Vec<&Formula>)> = Vec::new();
        for (choice, question) in &self.questions {
            let chosen = self.contradicted.iter().filter(|claim| set.contains(claim));
            let chosen: Vec<&Binding> = chosen.map(|claim| choice.get(*claim)).collect();
            match groups.iter_mut().find(|(known, _)| *known == chosen) {
                Some((_, questions)) => questions.push(question),
                None => groups.push((chosen, vec![question])),
            }
        }
        for (_, questions) in groups {
            if self.asked >= QUESTIONS || self.failed.is_some() {
                self.cut = true;
                return false;
            }
            self.asked += 1;
            let differ = Pairing::new(set).differ(&questions);
            let differ = differ.map_or(Ok(None), |differ| self.can_hold(&differ));
            match differ {
                Ok(Some(false)) => {}
                Ok(Some(true)) => return false,
                Ok(None) => {
                    self.cut = true;
                    return false;
                }
                Err(error) => {
                    self.failed = Some(error);
                    return false;
                }
            }
        }
        true
    }
}

/// A question that is settled.
fn settled(value: bool) -> Formula {
    let mut builder = Builder::new();
    let root = builder.bool(value);
    builder.finish(root)
}

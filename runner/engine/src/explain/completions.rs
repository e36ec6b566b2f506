//! Two ways in which an UNKNOWN could come out, as values that a document could have.
//!
//! The solver finds a completion; here it becomes values of claims, undefined locals and intervals' factors alone, as few of
//! them as are needed, and the evaluator must come to the same end with them. What rests on a conversion that nothing gives
//! or on a division by zero cannot be shown so: no value of a claim settles it.

use std::collections::BTreeMap;

use assay_claims::{Binding, ClaimId, Dictionary};
use assay_compile::formula::{Formula, Node, NumRef, Var};
use assay_compile::typed::LocalId;
use assay_compile::{ClaimKind, Range, resolve};
use assay_units::{Interval, Rational};
use num_traits::Zero;

use crate::Plan;
use crate::completion::{Wanted, complete_as};
use crate::evaluate::{Interpretation, evaluate};
use crate::explain::steps::Shown;
use crate::linear::divides_by_zero;
use crate::residual::{Reduced, reduce};

/// What is supposed so that an assertion holds, or does not; or why nothing is.
pub type Completed = Result<Vec<Supposed>, Unshown>;

/// Something that the evidence does not fix, and a value for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Supposed {
    /// A claim: one that is not determined has a value in its declared unit, a contradicted one a value that the evidence
    /// gives it.
    Claim(ClaimId, Binding),
    /// A local without a definition.
    Local(LocalId, Shown),
    /// How many of the smaller unit one of the larger is.
    Factor(Interval, Rational),
}

/// Why no completion is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unshown {
    /// It turns on conversions that nothing gives: pairs of units.
    Unbridged(Vec<(String, String)>),
    /// It turns on a division by zero.
    DivisionByZero,
    /// The solver came to its limit, or gave numbers that are no fractions.
    NotFound,
}

/// A completion under which an assertion holds, or does not. The dictionary has one of their values for the contradicted
/// claims: it is supposed too.
pub(crate) fn complete(
    plan: &Plan,
    assertion: usize,
    dictionary: &Dictionary,
    contradicted: &[ClaimId],
    holds: bool,
) -> Completed {
    let formula = resolve(plan.ruleset(), assertion, &dictionary.measures(), plan.library());
    let question = match reduce(&formula, dictionary) {
        Reduced::Open(question) => question,
        Reduced::Settled(_) | Reduced::TooLarge => return Err(Unshown::NotFound),
    };
    let settles = |supposing: &Supposing| evaluate(&formula, supposing) == Some(holds);
    let supposing = |says: &dyn Interpretation| Supposing::of(dictionary, contradicted, &question, says);
    let found = by_solver(plan, &question).into_iter().map(|wanted| {
        let completion = complete_as(&question, holds, plan.settings().rlimit, &wanted)?;
        Some(supposing(&completion))
    });
    let tried = (0..plan.candidates().count()).map(|n| Some(supposing(&plan.candidates().candidate(n))));
    match found.chain(tried).flatten().find(|supposing| settles(supposing)) {
        Some(supposing) => Ok(supposing.fewest(settles)),
        None if !question.unbridged().is_empty() => {
            let pairs = question.unbridged().iter().map(|pair| (pair.from.clone(), pair.to.clone()));
            Err(Unshown::Unbridged(pairs.collect()))
        }
        None if divides_by_zero(&question) => Err(Unshown::DivisionByZero),
        None => Err(Unshown::NotFound),
    }
}

/// What the solver is asked for, the most ordinary first: numbers that documents have, whole and within their ranges; and
/// divisors that are not zero, since the quotient would be anything.
fn by_solver(plan: &Plan, question: &Formula) -> [Wanted; 4] {
    let numbers = question.nodes().iter().filter_map(|node| match node {
        Node::NumVar(Var::Claim(id)) => Some(*id),
        _ => None,
    });
    let range = |id: ClaimId| match plan.ruleset().claims.get(id.0).map(|claim| &claim.kind) {
        Some(ClaimKind::Numeric { range, .. }) => range.clone(),
        _ => None,
    };
    let ranges: Vec<(Var, Range)> =
        numbers.clone().filter_map(|id| Some((Var::Claim(id), range(id)?))).collect();
    let zero = Range { min: Some(Rational::zero()), max: None };
    let positive: Vec<(Var, Range)> =
        numbers.map(|id| (Var::Claim(id), range(id).unwrap_or(zero.clone()))).collect();
    let divisors: Vec<NumRef> = question.nodes().iter().filter_map(divisor).collect();
    [
        Wanted { ranges: positive.clone(), not_zero: divisors.clone(), whole: true },
        Wanted { ranges: positive, not_zero: divisors.clone(), whole: false },
        Wanted { ranges, not_zero: divisors, whole: false },
        Wanted::default(),
    ]
}

/// What a node divides by.
pub(super) fn divisor(node: &Node) -> Option<NumRef> {
    match node {
        Node::Div(_, b) | Node::Rem(_, b) => Some(*b),
        _ => None,
    }
}

/// The evidence, and beside it what is supposed.
struct Supposing {
    evidence: Dictionary,
    /// The claims whose values in the evidence are supposed.
    chosen: Vec<ClaimId>,
    values: BTreeMap<Var, Shown>,
    factors: Vec<(Interval, Rational)>,
}

impl Supposing {
    /// What an interpretation says of everything that a question leaves open and that has a value of its own.
    fn of(
        evidence: &Dictionary,
        contradicted: &[ClaimId],
        question: &Formula,
        says: &dyn Interpretation,
    ) -> Supposing {
        let values = question.nodes().iter().filter_map(|node| match node {
            Node::BoolVar(var) => Some((*var, Shown::Bool(says.bool(*var)?))),
            Node::NumVar(var) => Some((*var, Shown::Num(says.number(*var)?.clone()))),
            Node::MemberVar(var, _) => Some((*var, Shown::Member(says.member(*var)?))),
            _ => None,
        });
        let factor = |interval: &Interval| Some((interval.clone(), says.factor(interval)?.clone()));
        let factors = question.intervals().iter().filter_map(factor).collect();
        Supposing {
            evidence: evidence.clone(),
            chosen: contradicted.to_vec(),
            values: values.collect(),
            factors,
        }
    }

    /// What of it is needed, when from the last one on each is left open that need not be supposed.
    fn fewest(mut self, settles: impl Fn(&Supposing) -> bool) -> Vec<Supposed> {
        for at in (0..self.factors.len()).rev() {
            let spared = self.factors.remove(at);
            if !settles(&self) {
                self.factors.insert(at, spared);
            }
        }
        let vars: Vec<Var> = self.values.keys().rev().copied().collect();
        for var in vars {
            let Some(spared) = self.values.remove(&var) else { continue };
            if !settles(&self) {
                self.values.insert(var, spared);
            }
        }
        let mut chosen: Vec<(ClaimId, Binding)> = Vec::new();
        for claim in self.chosen.iter().rev() {
            let spared = self.evidence.get(*claim).clone();
            self.evidence.set(*claim, Binding::Unknown);
            if !settles(&self) {
                self.evidence.set(*claim, spared.clone());
                chosen.push((*claim, spared));
            }
        }
        let claims = self.values.iter().filter_map(|(var, value)| match var {
            Var::Claim(claim) => Some((*claim, value.binding()?)),
            Var::Local(_) => None,
        });
        let claims: BTreeMap<ClaimId, Binding> = claims.chain(chosen).collect();
        let locals = self.values.iter().filter_map(|(var, value)| match var {
            Var::Local(local) => Some(Supposed::Local(*local, value.clone())),
            Var::Claim(_) => None,
        });
        let claims = claims.into_iter().map(|(claim, value)| Supposed::Claim(claim, value));
        let factors = self.factors.iter().map(|(of, value)| Supposed::Factor(of.clone(), value.clone()));
        claims.chain(locals).chain(factors).collect()
    }
}

impl Interpretation for Supposing {
    fn bool(&self, var: Var) -> Option<bool> {
        match self.values.get(&var) {
            Some(Shown::Bool(value)) => Some(*value),
            _ => self.evidence.bool(var),
        }
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        match self.values.get(&var) {
            Some(Shown::Num(value)) => Some(value),
            _ => self.evidence.number(var),
        }
    }
    fn member(&self, var: Var) -> Option<u32> {
        match self.values.get(&var) {
            Some(Shown::Member(value)) => Some(*value),
            _ => self.evidence.member(var),
        }
    }
    fn factor(&self, interval: &Interval) -> Option<&Rational> {
        self.factors.iter().find(|(of, _)| of == interval).map(|(_, factor)| factor)
    }
}

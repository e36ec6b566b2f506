//! Two ways in which an UNKNOWN could come out, as values that a document could have.
//!
//! The solver finds a completion; here it becomes values of claims, undefined locals and intervals' factors alone, as few of
//! them as are needed, and the evaluator must come to the same end with them. What rests on a conversion that nothing gives
//! or on a division by zero cannot be shown so: no value of a claim settles it.

use std::collections::BTreeMap;

use assay_claims::{ClaimId, Dictionary};
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

/// One thing and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supposed {
    /// What it is.
    pub thing: Thing,
    /// Its value: of a claim in its declared unit.
    pub value: Shown,
}

/// Something that the evidence does not fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// A claim.
    Claim(ClaimId),
    /// A local without a definition.
    Local(LocalId),
    /// How many of the smaller unit one of the larger is.
    Factor(Interval),
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

/// A completion of the evidence under which an assertion holds, or does not.
pub(crate) fn complete(plan: &Plan, assertion: usize, dictionary: &Dictionary, holds: bool) -> Completed {
    let formula = resolve(plan.ruleset(), assertion, &dictionary.measures(), plan.library());
    let question = match reduce(&formula, dictionary) {
        Reduced::Open(question) => question,
        Reduced::Settled(_) | Reduced::TooLarge => return Err(Unshown::NotFound),
    };
    let settles = |supposing: &Supposing<'_>| evaluate(&formula, supposing) == Some(holds);
    let found = by_solver(plan, &question).into_iter().map(|wanted| {
        let completion = complete_as(&question, holds, plan.settings().rlimit, &wanted)?;
        Some(Supposing::of(dictionary, &question, &completion))
    });
    let tried = (0..plan.candidates().count())
        .map(|n| Some(Supposing::of(dictionary, &question, &plan.candidates().candidate(n))));
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

/// What the solver is asked for, the most ordinary first: numbers that documents have, within their ranges; and divisors
/// that are not zero, since the quotient would be anything.
fn by_solver(plan: &Plan, question: &Formula) -> [Wanted; 3] {
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
    let positive = numbers.map(|id| (Var::Claim(id), range(id).unwrap_or(zero.clone()))).collect();
    let divisors: Vec<NumRef> = question.nodes().iter().filter_map(divisor).collect();
    [
        Wanted { ranges: positive, not_zero: divisors.clone() },
        Wanted { ranges, not_zero: divisors },
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
struct Supposing<'a> {
    evidence: &'a Dictionary,
    values: BTreeMap<Var, Shown>,
    factors: Vec<(Interval, Rational)>,
}

impl<'a> Supposing<'a> {
    /// What an interpretation says of everything that a question leaves open and that has a value of its own.
    fn of(evidence: &'a Dictionary, question: &Formula, says: &impl Interpretation) -> Supposing<'a> {
        let values = question.nodes().iter().filter_map(|node| match node {
            Node::BoolVar(var) => Some((*var, Shown::Bool(says.bool(*var)?))),
            Node::NumVar(var) => Some((*var, Shown::Num(says.number(*var)?.clone()))),
            Node::MemberVar(var, _) => Some((*var, Shown::Member(says.member(*var)?))),
            _ => None,
        });
        let factor = |interval: &Interval| Some((interval.clone(), says.factor(interval)?.clone()));
        let factors = question.intervals().iter().filter_map(factor).collect();
        Supposing { evidence, values: values.collect(), factors }
    }

    /// What of it is needed, when from the last one on each is left open that need not be supposed.
    fn fewest(mut self, settles: impl Fn(&Supposing<'_>) -> bool) -> Vec<Supposed> {
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
        let thing = |var| match var {
            Var::Claim(id) => Thing::Claim(id),
            Var::Local(id) => Thing::Local(id),
        };
        let values = self.values.into_iter().map(|(var, value)| Supposed { thing: thing(var), value });
        let factors = self
            .factors
            .into_iter()
            .map(|(of, value)| Supposed { thing: Thing::Factor(of), value: Shown::Num(value) });
        values.chain(factors).collect()
    }
}

impl Interpretation for Supposing<'_> {
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

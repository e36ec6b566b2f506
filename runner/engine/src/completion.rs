//! Completions: what the open things of an assertion could be, so that it holds or so that it does not.
//!
//! An UNKNOWN says that there is one of each kind. The solver finds them as models; here a model becomes plain
//! exact values that the ordinary evaluator can replay, so that nobody has to take the solver's word for it.

use std::collections::{BTreeMap, HashMap};

use assay_claims::Dictionary;
use assay_compile::Range;
use assay_compile::formula::{Formula, Node, NumRef, Unbridged, Var};
use assay_units::{Interval, Rational};
use num_bigint::BigInt;
use num_traits::Zero;
use z3::ast::{Bool, Real};
use z3::{Model, SatResult};

use crate::Interpretation;
use crate::linear::{Hardness, hardness};
use crate::residual::{Reduced, reduce};
use crate::solver::{assert_all, in_context, solver};
use crate::translate::{Term, Translation, translate};

/// A value for everything that a formula does not fix. What the solver made no rational number is left open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    bools: BTreeMap<Var, bool>,
    numbers: BTreeMap<Var, Rational>,
    members: BTreeMap<Var, u32>,
    factors: HashMap<Interval, Rational>,
    unbridged: HashMap<(Unbridged, Rational), Rational>,
    quotients: HashMap<Rational, Rational>,
    remainders: HashMap<Rational, Rational>,
}

impl Interpretation for Completion {
    fn bool(&self, var: Var) -> Option<bool> {
        self.bools.get(&var).copied()
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        self.numbers.get(&var)
    }
    fn member(&self, var: Var) -> Option<u32> {
        self.members.get(&var).copied()
    }
    fn factor(&self, interval: &Interval) -> Option<&Rational> {
        self.factors.get(interval).filter(|factor| interval.low <= **factor && **factor <= interval.high)
    }
    fn unbridged(&self, pair: &Unbridged, number: &Rational) -> Option<&Rational> {
        self.unbridged.get(&(pair.clone(), number.clone()))
    }
    fn quotient_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.quotients.get(numerator)
    }
    fn remainder_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.remainders.get(numerator)
    }
}

/// What a completion should be like, beside being one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Variables that are numbers, and where they lie.
    pub(crate) ranges: Vec<(Var, Range)>,
    /// Nodes that are not zero.
    pub(crate) not_zero: Vec<NumRef>,
    /// Whether the variables in `ranges` are whole numbers.
    pub(crate) whole: bool,
}

impl Wanted {
    fn asserted(&self, formula: &Formula, translation: &Translation) -> Vec<Bool> {
        let mut all = Vec::new();
        for (node, term) in formula.nodes().iter().zip(&translation.terms) {
            let (Node::NumVar(var), Term::Num(term)) = (node, term) else { continue };
            for (_, range) in self.ranges.iter().filter(|(of, _)| of == var) {
                all.extend(self.whole.then(|| term.is_int()));
                all.extend(range.min.iter().map(|min| term.ge(Real::from_big_rational(min))));
                all.extend(range.max.iter().map(|max| term.le(Real::from_big_rational(max))));
            }
        }
        for node in &self.not_zero {
            if let Some(Term::Num(term)) = translation.terms.get(node.index()) {
                all.push(term.eq(Real::from_rational(0, 1)).not());
            }
        }
        all
    }
}

/// Asks the solver for a completion under which a question holds, or under which it does not, that is as it is wanted.
pub(crate) fn complete_as(
    question: &Formula,
    holds: bool,
    rlimit: u32,
    wanted: &Wanted,
) -> Option<Completion> {
    if hardness(question) == Hardness::Hopeless {
        return None;
    }
    let found = in_context(|| {
        let translation = translate(question).ok()?;
        let solver = solver(rlimit);
        assert_all(&solver, &translation.bounds);
        assert_all(&solver, &wanted.asserted(question, &translation));
        solver.assert(translation.claim(holds));
        match solver.check() {
            SatResult::Sat => Some(read(question, &translation, &solver.get_model()?)),
            _ => None,
        }
    });
    found.ok().flatten()
}

/// Asks the solver for a completion of the evidence under which a formula holds, or under which it does not. `None`
/// where there is none, or where the solver gives up.
///
/// It is asked about what is left of the formula under the evidence, as for an answer: of the whole formula with the
/// evidence beside it, a model may take the solver minutes that its limit does not count.
pub fn complete(formula: &Formula, evidence: &Dictionary, holds: bool, rlimit: u32) -> Option<Completion> {
    match reduce(formula, evidence) {
        Reduced::Settled(value) => (value == holds).then(Completion::default),
        Reduced::TooLarge => None,
        Reduced::Open(question) => complete_as(&question, holds, rlimit, &Wanted::default()),
    }
}

/// Reads what a model says of each node that a formula does not fix.
fn read(formula: &Formula, translation: &Translation, model: &Model) -> Completion {
    let mut completion = Completion::default();
    let number = |of: &NumRef| match translation.terms.get(of.index()) {
        Some(Term::Num(term)) => value(model, term),
        _ => None,
    };
    for (node, term) in formula.nodes().iter().zip(&translation.terms) {
        match (node, term) {
            (Node::BoolVar(var), Term::Bool(term)) => {
                let value = model.eval(term, true).and_then(|value| value.as_bool());
                completion.bools.extend(value.map(|value| (*var, value)));
            }
            (Node::MemberVar(var, _), Term::Member(term)) => {
                let value = model.eval(term, true).and_then(|value| value.as_u64());
                completion.members.extend(value.and_then(|value| Some((*var, u32::try_from(value).ok()?))));
            }
            (Node::NumVar(var), Term::Num(term)) => {
                completion.numbers.extend(value(model, term).map(|value| (*var, value)));
            }
            (Node::Factor(id), Term::Num(term)) => {
                let interval = formula.intervals().get(id.0 as usize).cloned();
                completion.factors.extend(interval.zip(value(model, term)));
            }
            (Node::Unbridged(id, a), Term::Num(term)) => {
                let pair = formula.unbridged().get(id.0 as usize).cloned();
                completion.unbridged.extend(pair.zip(number(a)).zip(value(model, term)));
            }
            (Node::Div(a, b), Term::Num(term)) if number(b).is_some_and(|b| b.is_zero()) => {
                completion.quotients.extend(number(a).zip(value(model, term)));
            }
            (Node::Rem(a, b), Term::Num(term)) if number(b).is_some_and(|b| b.is_zero()) => {
                completion.remainders.extend(number(a).zip(value(model, term)));
            }
            _ => {}
        }
    }
    completion
}

/// The value of a number in a model, where it is rational: the bindings give big ones as text only.
fn value(model: &Model, term: &Real) -> Option<Rational> {
    // Long numerals are printed over several lines.
    let text = model.eval(term, true)?.to_string();
    rational(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Reads a numeral as the solver prints it: `2.0`, `(/ 1.0 3.0)`, `(- 2.0)`, `(- (/ 1.0 3.0))`.
fn rational(text: &str) -> Option<Rational> {
    let inside = |text: &str, operator: &str| {
        let inside = text.strip_prefix('(')?.strip_suffix(')')?.strip_prefix(operator)?;
        Some(inside.trim().to_owned())
    };
    if let Some(positive) = inside(text, "- ") {
        return Some(-rational(&positive)?);
    }
    if let Some(fraction) = inside(text, "/ ") {
        // The numerator may be negative: `(/ (- 1.0) 3.0)`.
        let (numerator, denominator) = fraction.rsplit_once(' ')?;
        let denominator = rational(denominator)?;
        return (!denominator.is_zero())
            .then_some(())
            .and_then(|()| Some(rational(numerator)? / denominator));
    }
    let whole = text.strip_suffix(".0").unwrap_or(text);
    whole.parse::<BigInt>().ok().map(Rational::from_integer)
}

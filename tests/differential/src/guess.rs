//! Interpretations: the evidence with something for all that it leaves open.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use assay_claims::{Binding, Dictionary, Measure};
use assay_compile::formula::{Formula, Node, Unbridged, Var};
use assay_engine::Interpretation;
use assay_units::{Interval, Rational};
use fastrand::Rng;

/// The evidence, and a completion where the evidence says nothing.
pub(crate) struct Completed<'a, C>(pub(crate) &'a Dictionary, pub(crate) &'a C);

impl<C: Interpretation> Interpretation for Completed<'_, C> {
    fn bool(&self, var: Var) -> Option<bool> {
        self.0.bool(var).or_else(|| self.1.bool(var))
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        self.0.number(var).or_else(|| self.1.number(var))
    }
    fn member(&self, var: Var) -> Option<u32> {
        self.0.member(var).or_else(|| self.1.member(var))
    }
    fn factor(&self, interval: &Interval) -> Option<&Rational> {
        self.1.factor(interval)
    }
    fn unbridged(&self, pair: &Unbridged, number: &Rational) -> Option<&Rational> {
        self.1.unbridged(pair, number)
    }
    fn quotient_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.1.quotient_by_zero(numerator)
    }
    fn remainder_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.1.remainder_by_zero(numerator)
    }
}

/// A completion at random: functions are functions, since what they give depends on what they are given.
pub(crate) struct Guess {
    seed: u64,
    numbers: Vec<Rational>,
    factors: Vec<(Interval, Rational)>,
    sizes: BTreeMap<Var, u32>,
}

impl Guess {
    pub(crate) fn new(formula: &Formula, rng: &mut Rng) -> Guess {
        let numbers = (0..16).map(|_| number(rng)).collect();
        let seed = rng.u64(..);
        let factors = formula.intervals().iter().map(|interval| {
            let share = Rational::new(rng.i64(0..=8).into(), 8.into());
            (interval.clone(), &interval.low + (&interval.high - &interval.low) * share)
        });
        let sizes = formula.nodes().iter().filter_map(|node| match node {
            Node::MemberVar(var, size) => Some((*var, *size)),
            _ => None,
        });
        Guess { seed, numbers, factors: factors.collect(), sizes: sizes.collect() }
    }

    fn hash(&self, of: impl Hash) -> usize {
        let mut hasher = DefaultHasher::new();
        (self.seed, of).hash(&mut hasher);
        (hasher.finish() >> 8) as usize
    }

    fn some(&self, of: impl Hash) -> Option<&Rational> {
        self.numbers.get(self.hash(of) % self.numbers.len())
    }
}

impl Interpretation for Guess {
    fn bool(&self, var: Var) -> Option<bool> {
        Some(self.hash(var).is_multiple_of(2))
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        self.some(var)
    }
    fn member(&self, var: Var) -> Option<u32> {
        Some((self.hash(var) % *self.sizes.get(&var)? as usize) as u32)
    }
    fn factor(&self, interval: &Interval) -> Option<&Rational> {
        self.factors.iter().find(|(of, _)| of == interval).map(|(_, factor)| factor)
    }
    fn unbridged(&self, pair: &Unbridged, number: &Rational) -> Option<&Rational> {
        self.some(("unbridged", pair, number))
    }
    fn quotient_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.some(("quotient", numerator))
    }
    fn remainder_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        self.some(("remainder", numerator))
    }
}

fn number(rng: &mut Rng) -> Rational {
    Rational::new(rng.i64(-12..=40).into(), rng.i64(1..=4).into())
}

/// The evidence with some unknown numbers fixed at random: a way to other models of the solver, with rational numbers.
pub(crate) fn pinned(formula: &Formula, evidence: &Dictionary, rng: &mut Rng) -> Dictionary {
    let mut bindings = evidence.bindings().to_vec();
    for node in formula.nodes() {
        if let Node::NumVar(Var::Claim(claim)) = node
            && let Some(place @ Binding::Unknown) = bindings.get_mut(claim.0)
            && rng.u8(..3) > 0
        {
            *place = Binding::Number { value: number(rng), measure: Measure::Declared };
        }
    }
    Dictionary::new(bindings)
}

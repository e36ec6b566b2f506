//! Candidates that are aimed at equations.
//!
//! `total == subtotal + tax` fails under any number that nobody chose for it. So where an unknown number stands in a
//! comparison, the question is evaluated with the unknown at 0 and at 1; if the difference of the two sides is linear
//! in it, the line through the two points says where the sides are equal. Nothing rests on that: what is tried
//! there, and on either side of it, is a candidate like any other.

use assay_compile::formula::{Formula, Node, NumRef, Var};
use assay_units::Rational;
use num_traits::{One, Zero};

use crate::Interpretation;
use crate::candidates::{Candidate, Candidates, Shown};
use crate::evaluate::{Values, evaluate, values};
use crate::exact::Work;

/// How many unknowns and how many comparisons of a question are aimed at.
const UNKNOWNS: usize = 4;
const COMPARISONS: usize = 8;

/// The candidates that stand for the other unknowns: small numbers, with booleans of both kinds.
const OTHERS: [usize; 2] = [6, 7];

/// Looks for completions that differ where the sides of a comparison are equal.
pub(crate) fn aim(candidates: &Candidates, question: &Formula, shown: &mut Shown) {
    let unknowns = question.nodes().iter().filter_map(|node| match node {
        Node::NumVar(var) => Some(*var),
        _ => None,
    });
    let comparisons = question.nodes().iter().filter_map(|node| match node {
        Node::Compare(_, a, b) => Some((*a, *b)),
        _ => None,
    });
    let comparisons: Vec<(NumRef, NumRef)> = comparisons.take(COMPARISONS).collect();
    for unknown in unknowns.take(UNKNOWNS) {
        for others in OTHERS {
            let with = |value| Aimed { others: candidates.candidate(others), unknown, value };
            let (zero, one) = (with(Rational::zero()), with(Rational::one()));
            let (zero, one) = (values(question, &zero), values(question, &one));
            for (a, b) in &comparisons {
                let gap = |at: &Values<'_>| {
                    let (a, b) = (at.num(*a)?, at.num(*b)?);
                    Work::default().add(a, &-b).ok()
                };
                let Some(root) = gap(&zero).zip(gap(&one)).and_then(|(zero, one)| root(&zero, &one)) else {
                    continue;
                };
                for value in [root.clone(), &root - Rational::one(), &root + Rational::one()] {
                    shown.add(evaluate(question, &with(value)));
                    if shown.is_unknown() {
                        return;
                    }
                }
            }
        }
    }
}

/// Where the line through a value at 0 and one at 1 is zero.
fn root(at_zero: &Rational, at_one: &Rational) -> Option<Rational> {
    let mut work = Work::default();
    let slope = work.add(at_zero, &-at_one).ok()?;
    work.div(at_zero, &slope)?.ok()
}

/// A candidate with one number in it replaced.
struct Aimed<'a> {
    others: Candidate<'a>,
    unknown: Var,
    value: Rational,
}

impl Interpretation for Aimed<'_> {
    fn bool(&self, var: Var) -> Option<bool> {
        self.others.bool(var)
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        if var == self.unknown { Some(&self.value) } else { self.others.number(var) }
    }
    fn member(&self, var: Var) -> Option<u32> {
        self.others.member(var)
    }
}

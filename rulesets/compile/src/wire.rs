//! Formulas as they are written and read again: to hand one to another process.
//!
//! What is read is a formula only if it is well sorted, as one from the builder is: each operand stands before its
//! operator and has the sort that the operator calls for.

use assay_units::{Interval, Rational};
use num_bigint::BigInt;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use crate::formula::{BoolRef, Constant, Formula, Node, Unbridged};

/// A number: numerator and denominator, each as its bytes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Fraction(Vec<u8>, Vec<u8>);

impl From<Constant> for Fraction {
    fn from(Constant(number): Constant) -> Fraction {
        Fraction(number.numer().to_signed_bytes_le(), number.denom().to_signed_bytes_le())
    }
}

impl TryFrom<Fraction> for Constant {
    type Error = &'static str;

    fn try_from(Fraction(numerator, denominator): Fraction) -> Result<Constant, &'static str> {
        let [numerator, denominator] =
            [numerator, denominator].map(|bytes| BigInt::from_signed_bytes_le(&bytes));
        match denominator.is_zero() {
            true => Err("a fraction over zero"),
            false => Ok(Constant(Rational::new(numerator, denominator))),
        }
    }
}

/// A formula that may be ill sorted.
#[derive(Serialize, Deserialize)]
pub(crate) struct Written {
    nodes: Vec<Node>,
    root: BoolRef,
    unbridged: Vec<Unbridged>,
    intervals: Vec<(String, String, Constant, Constant)>,
}

impl From<Formula> for Written {
    fn from(formula: Formula) -> Written {
        let Formula { nodes, root, unbridged, intervals } = formula;
        let interval = |Interval { from, to, low, high }: Interval| (from, to, Constant(low), Constant(high));
        Written { nodes, root, unbridged, intervals: intervals.into_iter().map(interval).collect() }
    }
}

impl TryFrom<Written> for Formula {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Formula, &'static str> {
        if !written.is_well_sorted() {
            return Err("an ill-sorted formula");
        }
        let Written { nodes, root, unbridged, intervals } = written;
        let interval = |(from, to, Constant(low), Constant(high))| Interval { from, to, low, high };
        Ok(Formula { nodes, root, unbridged, intervals: intervals.into_iter().map(interval).collect() })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Bool,
    Num,
    Member,
}

impl Written {
    fn is_well_sorted(&self) -> bool {
        let mut sorts = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            match self.sort(node, &sorts) {
                Some(sort) => sorts.push(sort),
                None => return false,
            }
        }
        sorts.get(self.root.index()) == Some(&Sort::Bool)
    }

    /// The sort of a node after nodes of some sorts; none where an operand is missing or has another sort.
    fn sort(&self, node: &Node, before: &[Sort]) -> Option<Sort> {
        let are = |sort: Sort, operands: &[usize]| operands.iter().all(|at| before.get(*at) == Some(&sort));
        let (sort, fits) = match node {
            Node::Bool(_) | Node::BoolVar(_) => (Sort::Bool, true),
            Node::Not(a) => (Sort::Bool, are(Sort::Bool, &[a.index()])),
            Node::And(of) | Node::Or(of) => {
                (Sort::Bool, of.iter().all(|each| are(Sort::Bool, &[each.index()])))
            }
            Node::Iff(a, b) => (Sort::Bool, are(Sort::Bool, &[a.index(), b.index()])),
            Node::IfBool(c, a, b) => (Sort::Bool, are(Sort::Bool, &[c.index(), a.index(), b.index()])),
            Node::Compare(_, a, b) => (Sort::Bool, are(Sort::Num, &[a.index(), b.index()])),
            Node::CompareMembers(_, a, b) => (Sort::Bool, are(Sort::Member, &[a.index(), b.index()])),
            Node::Num(_) | Node::NumVar(_) => (Sort::Num, true),
            Node::Factor(id) => (Sort::Num, (id.0 as usize) < self.intervals.len()),
            Node::Unbridged(id, a) => {
                (Sort::Num, (id.0 as usize) < self.unbridged.len() && are(Sort::Num, &[a.index()]))
            }
            Node::Add(of) => (Sort::Num, of.iter().all(|each| are(Sort::Num, &[each.index()]))),
            Node::Neg(a) => (Sort::Num, are(Sort::Num, &[a.index()])),
            Node::Mul(a, b) | Node::Div(a, b) | Node::Rem(a, b) => {
                (Sort::Num, are(Sort::Num, &[a.index(), b.index()]))
            }
            Node::IfNum(c, a, b) => {
                (Sort::Num, are(Sort::Bool, &[c.index()]) && are(Sort::Num, &[a.index(), b.index()]))
            }
            Node::Count(of) => (Sort::Num, of.iter().all(|each| are(Sort::Bool, &[each.index()]))),
            Node::Member(_) | Node::MemberVar(..) => (Sort::Member, true),
            Node::IfMember(c, a, b) => {
                (Sort::Member, are(Sort::Bool, &[c.index()]) && are(Sort::Member, &[a.index(), b.index()]))
            }
        };
        fits.then_some(sort)
    }
}

//! What the whole numbers of each node stand for.
//!
//! A number of a node is `mantissa / denominator * unit`: the first two differ from row to row, and the
//! unit, a positive rational, is the same for a chunk. It follows from the scales of the columns and the denominators of
//! the constants. Where two nodes come together their mantissas are multiplied so that they count the same unit.

use assay_compile::formula::{Formula, Node, NumRef, Var};
use assay_units::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

/// Factors for each node.
#[derive(Debug)]
pub(super) struct Scales {
    nodes: Vec<Scale>,
}

/// What is fixed about one node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scale {
    /// There is nothing to scale.
    None,
    /// The mantissa of a constant.
    Constant(i128),
    /// What each operand's mantissa is multiplied with.
    Factors(Vec<i128>),
    /// It is beyond what columns compute.
    Beyond,
}

impl Scales {
    /// The scales of the nodes, where claims have the scales that `claim` gives.
    pub(super) fn new(formula: &Formula, claim: impl Fn(usize) -> u8) -> Scales {
        // Nodes without a unit are no numbers, or beyond.
        let mut units: Vec<Option<Rational>> = Vec::with_capacity(formula.nodes().len());
        let mut nodes = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            let unit = |of: &NumRef| units.get(of.index()).cloned().flatten();
            let (unit, scale) = match node {
                Node::Num(value) => match value.numer().to_i128() {
                    Some(mantissa) if mantissa != i128::MIN => {
                        let unit = Rational::new(BigInt::one(), value.denom().clone());
                        (Some(unit), Scale::Constant(mantissa))
                    }
                    _ => (None, Scale::Beyond),
                },
                Node::NumVar(Var::Claim(id)) => {
                    let power = BigInt::from(10).pow(u32::from(claim(id.0)));
                    (Some(Rational::new(BigInt::one(), power)), Scale::None)
                }
                Node::NumVar(Var::Local(_)) | Node::Count(_) => (Some(Rational::one()), Scale::None),
                Node::Neg(a) => some(unit(a)),
                Node::Mul(a, b) => some(unit(a).zip(unit(b)).map(|(a, b)| a * b)),
                Node::Div(a, b) => some(unit(a).zip(unit(b)).map(|(a, b)| a / b)),
                Node::Add(of) => align(of.iter().map(unit).collect()),
                Node::IfNum(_, a, b) => align([a, b].map(unit).into_iter().collect()),
                Node::Compare(_, a, b) => (None, align([a, b].map(unit).into_iter().collect()).1),
                Node::Rem(..) | Node::Factor(_) | Node::Unbridged(..) => (None, Scale::Beyond),
                _ => (None, Scale::None),
            };
            units.push(unit);
            nodes.push(scale);
        }
        Scales { nodes }
    }

    pub(super) fn at(&self, node: usize) -> &Scale {
        self.nodes.get(node).unwrap_or(&Scale::Beyond)
    }
}

fn some(unit: Option<Rational>) -> (Option<Rational>, Scale) {
    let scale = if unit.is_some() { Scale::None } else { Scale::Beyond };
    (unit, scale)
}

/// The largest unit that divides all of these, and how often.
fn align(units: Option<Vec<Rational>>) -> (Option<Rational>, Scale) {
    let Some(units) = units else { return (None, Scale::Beyond) };
    let common = units
        .iter()
        .cloned()
        .reduce(|a, b| Rational::new(a.numer().gcd(b.numer()), a.denom().lcm(b.denom())));
    let common = common.unwrap_or_else(Rational::one);
    debug_assert!(common.is_positive());
    let factors = units.iter().map(|unit| (unit / &common).to_integer().to_i128()).collect();
    match factors {
        Some(factors) => (Some(common), Scale::Factors(factors)),
        None => (None, Scale::Beyond),
    }
}

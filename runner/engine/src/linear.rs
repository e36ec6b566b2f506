//! Whether a question is linear: what the solver decides whatever it was asked before.

use assay_compile::formula::{Formula, Node, NumRef};
use num_traits::Zero;

/// The highest degree that the solver is asked about. Terms of a degree in the thousands take memory that no limit on
/// its steps bounds.
const MAX_DEGREE: u64 = 100;

/// The most terms that a product of unknowns may have once it is multiplied out, as the solver does it: before it counts
/// any steps.
const MAX_TERMS: u64 = 100_000;

/// The most bits of a coefficient: some five thousand digits. A step of the solver is as long as its numbers.
const MAX_COEFFICIENT: u64 = 1 << 14;

/// The most nodes of a question that is easy. Of larger ones the solver does work that it counts too low.
const MAX_EASY: usize = 1_000;

/// How hard a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hardness {
    /// No unknown is multiplied with, divided by, or taken the remainder by an unknown.
    Linear,
    /// It is, and has so many nodes that it is not easy all the same.
    Large,
    /// One is.
    NonLinear,
    /// Its degree is so high, its products have so many terms, or its numbers so many digits that it is not asked.
    Hopeless,
}

/// A number as a polynomial of the unknowns, from above.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    /// Zero for what is fixed.
    degree: u64,
    /// How many terms it has.
    terms: u64,
    /// How many bits the largest of its coefficients has.
    bits: u64,
}

impl Size {
    /// Something that is one unknown to the solver.
    const UNKNOWN: Size = Size { degree: 1, terms: 1, bits: 1 };

    fn sum(of: impl ExactSizeIterator<Item = Size>) -> Size {
        let carried = u64::from(of.len().checked_ilog2().unwrap_or(0)) + 1;
        let sum = of.fold(Size::default(), |sum, each| Size {
            degree: sum.degree.max(each.degree),
            terms: sum.terms.saturating_add(each.terms),
            bits: sum.bits.max(each.bits),
        });
        Size { bits: sum.bits + carried, ..sum }
    }

    fn product(self, other: Size) -> Size {
        Size {
            degree: self.degree.saturating_add(other.degree),
            terms: self.terms.saturating_mul(other.terms),
            bits: self.bits.saturating_add(other.bits),
        }
    }

    fn is_hopeless(self) -> bool {
        // Sums of any length are asked: only a product makes terms that are not in the formula.
        let expanded = self.degree > 1 && self.terms > MAX_TERMS;
        self.degree > MAX_DEGREE || self.bits > MAX_COEFFICIENT || expanded
    }
}

/// How hard it is to decide `formula` as it stands, without any bindings.
pub(crate) fn hardness(formula: &Formula) -> Hardness {
    let mut sizes: Vec<Size> = Vec::with_capacity(formula.nodes().len());
    let mut hardest = Hardness::Linear;
    for node in formula.nodes() {
        let of = |a: &NumRef| sizes.get(a.index()).copied().unwrap_or_default();
        let size = match node {
            Node::Num(value) => {
                Size { degree: 0, terms: 1, bits: value.numer().bits().max(value.denom().bits()) }
            }
            Node::NumVar(_) | Node::Factor(_) | Node::Unbridged(..) => Size::UNKNOWN,
            Node::Count(of) => Size { terms: of.len() as u64, ..Size::UNKNOWN },
            Node::Add(of_all) => Size::sum(of_all.iter().map(of)),
            Node::Neg(a) => of(a),
            Node::Mul(a, b) => {
                if of(a).degree > 0 && of(b).degree > 0 {
                    hardest = Hardness::NonLinear;
                }
                of(a).product(of(b))
            }
            Node::Div(a, b) | Node::Rem(a, b) => {
                if of(b).degree > 0 {
                    hardest = Hardness::NonLinear;
                }
                let quotient = of(a).product(of(b));
                // By zero it is an unknown of its own, whatever is divided.
                Size { degree: quotient.degree.max(1), ..quotient }
            }
            Node::IfNum(_, a, b) => {
                // An unknown of its own, of the degree of its branches.
                Size { degree: of(a).degree.max(of(b).degree).max(1), ..Size::UNKNOWN }
            }
            _ => Size::default(),
        };
        if size.is_hopeless() {
            return Hardness::Hopeless;
        }
        sizes.push(size);
    }
    match hardest {
        Hardness::Linear if formula.nodes().len() > MAX_EASY => Hardness::Large,
        hardest => hardest,
    }
}

/// Whether the formula divides by zero, or takes a remainder by it.
pub(crate) fn divides_by_zero(formula: &Formula) -> bool {
    let zero =
        |b: &NumRef| matches!(formula.nodes().get(b.index()), Some(Node::Num(value)) if value.is_zero());
    formula.nodes().iter().any(|node| matches!(node, Node::Div(_, b) | Node::Rem(_, b) if zero(b)))
}

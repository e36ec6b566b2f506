//! Whether a question is linear: what the solver decides whatever it was asked before.

use assay_compile::formula::{Formula, Node, NumRef};
use num_traits::Zero;

/// The highest degree that the solver is asked about. Terms of a degree in the thousands take memory that no limit on
/// its steps bounds.
const MAX_DEGREE: u64 = 100;

/// How hard a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hardness {
    /// No unknown is multiplied with, divided by, or taken the remainder by an unknown.
    Linear,
    /// One is.
    NonLinear,
    /// The degree is so high that it is not asked.
    Hopeless,
}

/// How hard it is to decide `formula` as it stands, without any bindings.
pub(crate) fn hardness(formula: &Formula) -> Hardness {
    let mut degrees: Vec<u64> = Vec::with_capacity(formula.nodes().len());
    let mut hardest = Hardness::Linear;
    for node in formula.nodes() {
        let of = |a: &NumRef| degrees.get(a.index()).copied().unwrap_or(0);
        let degree = match node {
            Node::NumVar(_) | Node::Factor(_) | Node::Unbridged(..) | Node::Count(_) => 1,
            Node::Add(of_all) => of_all.iter().map(of).max().unwrap_or(0),
            Node::Neg(a) => of(a),
            Node::Mul(a, b) => {
                if of(a) > 0 && of(b) > 0 {
                    hardest = Hardness::NonLinear;
                }
                of(a).saturating_add(of(b))
            }
            Node::Div(a, b) | Node::Rem(a, b) => {
                if of(b) > 0 {
                    hardest = Hardness::NonLinear;
                }
                // By zero it is an unknown of its own, whatever is divided.
                of(a).saturating_add(of(b)).max(1)
            }
            Node::IfNum(_, a, b) => of(a).max(of(b)).max(1),
            _ => 0,
        };
        if degree > MAX_DEGREE {
            return Hardness::Hopeless;
        }
        degrees.push(degree);
    }
    hardest
}

/// Whether the formula divides by zero, or takes a remainder by it.
pub(crate) fn divides_by_zero(formula: &Formula) -> bool {
    let zero =
        |b: &NumRef| matches!(formula.nodes().get(b.index()), Some(Node::Num(value)) if value.is_zero());
    formula.nodes().iter().any(|node| matches!(node, Node::Div(_, b) | Node::Rem(_, b) if zero(b)))
}

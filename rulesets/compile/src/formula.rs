//! The resolved form of one assertion: unit-free arithmetic in a flat, ordered list of nodes.
//!
//! A [`Formula`] is what every engine reads: the evaluator walks its nodes once from the first to the last, and the
//! solver translation does the same. Units are gone; each conversion that a combination of units calls for is
//! a node. A node refers only to nodes before it, through handles of its operand's sort, and equal nodes are one,
//! so two formulas are the same question exactly when their node lists are equal.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use assay_units::{Interval, Rational};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::typed::{ClaimId, LocalId};

/// A boolean node of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BoolRef(u32);

/// A numeric node of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NumRef(u32);

/// A member node of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberRef(u32);

macro_rules! index {
    ($($handle:ident),*) => {$(
        impl $handle {
            /// The place of its node in [`Formula::nodes`].
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index!(BoolRef, NumRef, MemberRef);

/// Something a formula does not fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Var {
    /// A claim: bound by the evidence, or unconstrained.
    Claim(ClaimId),
    /// A local that is never defined: always unconstrained.
    Local(LocalId),
}

/// The comparisons that remain: the others are their negations or their mirror images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    /// `a == b`
    Eq,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
}

/// An unconstrained function in place of a conversion, by its place in [`Formula::unbridged`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnbridgedId(pub u32);

/// A factor known only to lie in an interval, by its place in [`Formula::intervals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct IntervalId(pub u32);

/// One node. Its operands come before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Node {
    /// A boolean constant.
    Bool(bool),
    /// A boolean variable.
    BoolVar(Var),
    /// The negation.
    Not(BoolRef),
    /// All hold.
    And(Box<[BoolRef]>),
    /// One holds.
    Or(Box<[BoolRef]>),
    /// Both hold or neither does.
    Iff(BoolRef, BoolRef),
    /// If the first holds then the second, else the third.
    IfBool(BoolRef, BoolRef, BoolRef),
    /// A comparison of numbers.
    Compare(Relation, NumRef, NumRef),
    /// A comparison of members by number.
    CompareMembers(Relation, MemberRef, MemberRef),
    /// A numeric constant.
    Num(Constant),
    /// A numeric variable, any real number.
    NumVar(Var),
    /// The factor of an interval conversion: an unknown real within its bounds.
    Factor(IntervalId),
    /// An unconstrained function of its operand, in place of a conversion that nothing gives.
    Unbridged(UnbridgedId, NumRef),
    /// The sum.
    Add(Box<[NumRef]>),
    /// The negation.
    Neg(NumRef),
    /// The product.
    Mul(NumRef, NumRef),
    /// The quotient; by zero it is an unconstrained function of the numerator.
    Div(NumRef, NumRef),
    /// `a - b*floor(a/b)`; by zero it is an unconstrained function of `a`.
    Rem(NumRef, NumRef),
    /// If the first holds then the second, else the third.
    IfNum(BoolRef, NumRef, NumRef),
    /// How many hold.
    Count(Box<[BoolRef]>),
    /// A member, by number.
    Member(u32),
    /// A member variable, with the number of members it ranges over.
    MemberVar(Var, u32),
    /// If the first holds then the second, else the third.
    IfMember(BoolRef, MemberRef, MemberRef),
}

/// A numeric constant. Two are the same where numerator and denominator are: a rational's own comparison and hash walk
/// through a continued fraction, recursively, and those of large numbers overflow the stack.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "crate::wire::Fraction", into = "crate::wire::Fraction")]
pub struct Constant(pub(crate) Rational);

impl Constant {
    /// The number.
    pub fn to_rational(&self) -> Rational {
        self.0.clone()
    }

    fn parts(&self) -> (&BigInt, &BigInt) {
        (self.0.numer(), self.0.denom())
    }
}

impl Deref for Constant {
    type Target = Rational;

    fn deref(&self) -> &Rational {
        &self.0
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

/// A pair of units that nothing bridges and the function that stands for the conversion between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unbridged {
    /// The unit that is converted from, as text; `1` for a number without one.
    pub from: String,
    /// The unit that is converted to.
    pub to: String,
}

/// A resolved assertion.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "crate::wire::Written", into = "crate::wire::Written")]
pub struct Formula {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: BoolRef,
    pub(crate) unbridged: Vec<Unbridged>,
    pub(crate) intervals: Vec<Interval>,
}

impl Formula {
    /// The nodes, operands before operators; the last one need not be the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node that is the assertion.
    pub fn root(&self) -> BoolRef {
        self.root
    }

    /// The pairs of units whose conversion is unconstrained, each once.
    pub fn unbridged(&self) -> &[Unbridged] {
        &self.unbridged
    }

    /// The interval conversions, each once.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }
}

/// Builds a formula; equal nodes are made once. The only way to a handle, so an ill-sorted node cannot exist.
///
/// Constructors build what they are told to: they fold nothing. Simplification has its own home in
/// the engine.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    seen: HashMap<Node, u32>,
    unbridged: Vec<Unbridged>,
    intervals: Vec<Interval>,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Finishes with `root` as the assertion.
    pub fn finish(self, root: BoolRef) -> Formula {
        Formula { nodes: self.nodes, root, unbridged: self.unbridged, intervals: self.intervals }
    }

    /// How many nodes there are so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a numeric node that is a constant.
    pub fn constant(&self, number: NumRef) -> Option<&Rational> {
        match self.nodes.get(number.index()) {
            Some(Node::Num(value)) => Some(value),
            _ => None,
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        if let Some(&at) = self.seen.get(&node) {
            return at;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.seen.insert(node, at);
        at
    }

    /// A boolean constant.
    pub fn bool(&mut self, value: bool) -> BoolRef {
        BoolRef(self.add(Node::Bool(value)))
    }
    /// A boolean variable.
    pub fn bool_var(&mut self, var: Var) -> BoolRef {
        BoolRef(self.add(Node::BoolVar(var)))
    }
    /// The negation.
    pub fn not(&mut self, a: BoolRef) -> BoolRef {
        BoolRef(self.add(Node::Not(a)))
    }
    /// The conjunction; of none, it holds.
    pub fn and(&mut self, operands: impl Into<Box<[BoolRef]>>) -> BoolRef {
        BoolRef(self.add(Node::And(operands.into())))
    }
    /// The disjunction; of none, it does not hold.
    pub fn or(&mut self, operands: impl Into<Box<[BoolRef]>>) -> BoolRef {
        BoolRef(self.add(Node::Or(operands.into())))
    }
    /// Both or neither.
    pub fn iff(&mut self, a: BoolRef, b: BoolRef) -> BoolRef {
        BoolRef(self.add(Node::Iff(a, b)))
    }
    /// A boolean choice.
    pub fn if_bool(&mut self, c: BoolRef, a: BoolRef, b: BoolRef) -> BoolRef {
        BoolRef(self.add(Node::IfBool(c, a, b)))
    }
    /// A comparison of numbers.
    pub fn compare(&mut self, relation: Relation, a: NumRef, b: NumRef) -> BoolRef {
        BoolRef(self.add(Node::Compare(relation, a, b)))
    }
    /// A comparison of members.
    pub fn compare_members(&mut self, relation: Relation, a: MemberRef, b: MemberRef) -> BoolRef {
        BoolRef(self.add(Node::CompareMembers(relation, a, b)))
    }
    /// A numeric constant.
    pub fn num(&mut self, value: Rational) -> NumRef {
        NumRef(self.add(Node::Num(Constant(value))))
    }
    /// A numeric variable.
    pub fn num_var(&mut self, var: Var) -> NumRef {
        NumRef(self.add(Node::NumVar(var)))
    }
    /// The factor of an interval, one for each interval of the formula.
    pub fn factor(&mut self, interval: &Interval) -> NumRef {
        let id = place(&mut self.intervals, interval);
        NumRef(self.add(Node::Factor(IntervalId(id))))
    }
    /// An unconstrained conversion of `a`, one function for each pair of the formula.
    pub fn unbridged(&mut self, pair: &Unbridged, a: NumRef) -> NumRef {
        let id = place(&mut self.unbridged, pair);
        NumRef(self.add(Node::Unbridged(UnbridgedId(id), a)))
    }
    /// The sum.
    pub fn sum(&mut self, operands: impl Into<Box<[NumRef]>>) -> NumRef {
        NumRef(self.add(Node::Add(operands.into())))
    }
    /// The negation.
    pub fn neg(&mut self, a: NumRef) -> NumRef {
        NumRef(self.add(Node::Neg(a)))
    }
    /// The product.
    pub fn mul(&mut self, a: NumRef, b: NumRef) -> NumRef {
        NumRef(self.add(Node::Mul(a, b)))
    }
    /// The quotient.
    pub fn div(&mut self, a: NumRef, b: NumRef) -> NumRef {
        NumRef(self.add(Node::Div(a, b)))
    }
    /// The remainder.
    pub fn rem(&mut self, a: NumRef, b: NumRef) -> NumRef {
        NumRef(self.add(Node::Rem(a, b)))
    }
    /// A numeric choice.
    pub fn if_num(&mut self, c: BoolRef, a: NumRef, b: NumRef) -> NumRef {
        NumRef(self.add(Node::IfNum(c, a, b)))
    }
    /// How many hold.
    pub fn count(&mut self, operands: impl Into<Box<[BoolRef]>>) -> NumRef {
        NumRef(self.add(Node::Count(operands.into())))
    }
    /// A member constant.
    pub fn member(&mut self, number: u32) -> MemberRef {
        MemberRef(self.add(Node::Member(number)))
    }
    /// A member variable over `size` members.
    pub fn member_var(&mut self, var: Var, size: u32) -> MemberRef {
        MemberRef(self.add(Node::MemberVar(var, size)))
    }
    /// A choice of members.
    pub fn if_member(&mut self, c: BoolRef, a: MemberRef, b: MemberRef) -> MemberRef {
        MemberRef(self.add(Node::IfMember(c, a, b)))
    }
}

fn place<T: Clone + PartialEq>(list: &mut Vec<T>, item: &T) -> u32 {
    let at = list.iter().position(|known| known == item).unwrap_or_else(|| {
        list.push(item.clone());
        list.len() - 1
    });
    at as u32
}

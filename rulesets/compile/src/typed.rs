//! The typed tree: names resolved, sorts checked, quantifiers unrolled, collections gone.
//!
//! There is one enum for each sort, so an ill-sorted tree cannot be written. Units stand at the leaves
//! only: what unit an operation is carried out in depends on the units of the evidence, and is settled
//! by [`crate::resolve`] for each combination of them.

use std::sync::Arc;

use assay_syntax::Span;
use assay_units::{Rational, Unit};
use serde::{Deserialize, Serialize};

/// A claim, by its place in the declared order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClaimId(pub usize);

/// A local, by its place in the declared order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocalId(pub usize);

/// The members of an enum in the order of their numbers: as declared where it is ordered, else in byte order.
///
/// Two unordered vocabularies with the same members are one whatever their order; two ordered ones are one when
/// their members stand in the same order. The compiler gives vocabularies that are one the same numbering of
/// members, so that the members of one kind compare by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vocabulary {
    /// Whether members are compared by position.
    pub ordered: bool,
    /// The members.
    pub members: Vec<String>,
}

/// A typed expression of any sort.
#[derive(Debug, Clone)]
pub enum Typed {
    /// A boolean.
    Bool(Bool),
    /// A number.
    Num(Num),
    /// A member of a vocabulary.
    Member(Member),
}

/// The six comparisons.
pub use assay_syntax::ast::CompareOp;

/// A boolean expression.
#[derive(Debug, Clone)]
pub enum Bool {
    /// `True` or `False`.
    Literal(bool),
    /// A boolean claim.
    Claim(ClaimId),
    /// A boolean local.
    Local(LocalId),
    /// The negation.
    Not(Box<Bool>),
    /// All hold; an empty one holds.
    And(Vec<Bool>),
    /// One holds; an empty one does not.
    Or(Vec<Bool>),
    /// Exactly one of two holds.
    Xor(Box<Bool>, Box<Bool>),
    /// Both hold or neither does: `==` on booleans.
    Iff(Box<Bool>, Box<Bool>),
    /// If the first holds then the second, else the third.
    If(Box<Bool>, Box<Bool>, Box<Bool>),
    /// A comparison of numbers: the two meet, and must agree in unit.
    Compare(CompareOp, Box<Num>, Box<Num>),
    /// A comparison of members of one vocabulary, by number.
    CompareMembers(CompareOp, Box<Member>, Box<Member>),
    /// `CASE` over members, with boolean branches.
    Case(Box<Case<Bool>>),
    /// What is in it, as it is written somewhere. Means nothing more: it is there to be shown.
    Written(Box<Written>),
}

/// A boolean and how the source says it. One form may become several: a quantifier's condition becomes one for each
/// element.
#[derive(Debug, Clone)]
pub struct Written {
    /// Where it is written.
    pub span: Span,
    /// The variable of the quantifier whose condition it is, and the element that the variable stands for.
    pub given: Option<(Span, Span)>,
    /// What it is.
    pub is: Bool,
}

/// A numeric expression and where it stands (for messages about units).
#[derive(Debug, Clone)]
pub struct Num {
    /// What it is.
    pub kind: NumKind,
    /// Where it stands.
    pub span: Span,
}

/// The numeric forms.
#[derive(Debug, Clone)]
pub enum NumKind {
    /// A literal with its unit, if it has one.
    Literal(Rational, Option<Unit>),
    /// A numeric claim, in the unit of its evidence or else its declared one.
    Claim(ClaimId),
    /// A numeric local.
    Local(LocalId),
    /// The negation.
    Neg(Box<Num>),
    /// The first, and what is added to it (`true`) or taken from it (`false`), from the left.
    Sum(Box<Num>, Vec<(bool, Num)>),
    /// The first, and the operations on it, from the left.
    Product(Box<Num>, Vec<(assay_syntax::ast::ProductOp, Num)>),
    /// If the condition holds then the second, else the third.
    If(Box<Bool>, Box<Num>, Box<Num>),
    /// How many of these hold.
    Count(Vec<Bool>),
    /// `CASE` with numeric branches.
    Case(Box<Case<Num>>),
}

/// An expression whose value is a member of a vocabulary.
#[derive(Debug, Clone)]
pub enum Member {
    /// A member, by number.
    Literal(u32, Arc<Vocabulary>),
    /// An enum claim.
    Claim(ClaimId, Arc<Vocabulary>),
    /// An enum local.
    Local(LocalId, Arc<Vocabulary>),
    /// If the condition holds then the second, else the third.
    If(Box<Bool>, Box<Member>, Box<Member>),
    /// `CASE` with branches of one vocabulary.
    Case(Box<Case<Member>>),
}

/// `CASE`: the branch of the first label that equals the subject, else the default. A CASE that covers every
/// member has the last branch as its default.
#[derive(Debug, Clone)]
pub struct Case<T> {
    /// What is looked at.
    pub subject: Subject,
    /// The labels with their branches: a member's number or a literal's index.
    pub arms: Vec<(Label, T)>,
    /// The branch where no label matches.
    pub default: T,
}

/// The subject of a CASE.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A member of a vocabulary.
    Member(Member),
    /// A number.
    Num(Num),
}

/// A label of a CASE, of its subject's sort.
#[derive(Debug, Clone)]
pub enum Label {
    /// A member, by number.
    Member(u32),
    /// A literal number.
    Num(Num),
}

//! A compiled ruleset: everything a check, a prompt pack and a review read.

use std::sync::Arc;

use assay_syntax::ast::UnknownPolicy;
use assay_syntax::{Diagnostic, Source, Span};
use assay_units::{Rational, Unit};

use crate::typed::{Bool, ClaimId, LocalId, Typed, Vocabulary};

/// A ruleset that compiled.
#[derive(Debug, Clone)]
pub struct Ruleset {
    /// The normalised source.
    pub source: Source,
    /// Lowercase hex SHA-256 of the normalised source.
    pub hash: String,
    /// The claims in declared order.
    pub claims: Vec<Claim>,
    /// The locals in declared order.
    pub locals: Vec<Local>,
    /// The assertions in source order.
    pub assertions: Vec<Assertion>,
    /// What its author should know; never an error.
    pub warnings: Vec<Diagnostic>,
}

/// A claim: what an extractor answers.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ClaimKind,
    /// `@ask`, or a question made from the name.
    pub question: String,
    /// `@context`.
    pub context: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// The type of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimKind {
    /// A yes or no.
    Boolean,
    /// A number.
    Numeric {
        /// `@unit`.
        unit: Option<Unit>,
        /// `@range`, in that unit.
        range: Option<Range>,
    },
    /// A member of a vocabulary.
    Enum(EnumKind),
}

/// The vocabulary of an enum claim, in the order of its declaration and as the compiler numbers it.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumKind {
    /// The members in the order of the declaration: what is shown.
    pub members: Vec<String>,
    /// The shared numbering (see [`Vocabulary`]): what is computed with.
    pub vocabulary: Arc<Vocabulary>,
}

/// Inclusive bounds; at least one is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub min: Option<Rational>,
    /// The greatest value.
    pub max: Option<Rational>,
}

/// A rule-local name.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its definition; without one it is unconstrained.
    pub definition: Option<Typed>,
    /// The locals written in its definition, in declared order. None reads itself, directly or through others.
    pub reads: Vec<LocalId>,
    /// Its sort.
    pub sort: Sort,
}

/// A sort: the type of a claim or local without units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// A boolean.
    Bool,
    /// A number.
    Num,
    /// A member of a vocabulary.
    Member(Arc<Vocabulary>),
}

/// An assertion.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// Its name.
    pub name: String,
    /// What an UNKNOWN becomes.
    pub policy: UnknownPolicy,
    /// The text of its formula, as written between the braces, trimmed.
    pub source: String,
    /// The line of its `assert`.
    pub line: u32,
    /// The comment block above it.
    pub description: Option<String>,
    /// The formula.
    pub body: Bool,
    /// The locals written in it, in declared order.
    pub locals: Vec<LocalId>,
    /// The claims written in it or in a local it uses, in declared order.
    pub reads: Vec<ClaimId>,
    /// The never-defined locals it uses, in declared order.
    pub open_locals: Vec<LocalId>,
}

impl Ruleset {
    /// The claim of an id.
    pub fn claim(&self, id: ClaimId) -> &Claim {
        &self.claims[id.0]
    }
}

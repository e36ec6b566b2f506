//! What the walk finds an expression to be.

use num_traits::Zero;

use assay_syntax::Span;
use assay_units::Rational;

use super::{Typer, UnitOf};
use crate::names::Kind;
use crate::typed::{Bool, Case, Member, Num, NumKind};
use crate::vocabularies::VocabularyId;

/// An expression with its type.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// Its error is reported already.
    Unknown,
    /// A boolean.
    Bool(Bool),
    /// A number and its unit.
    Num(Num, UnitOf),
    /// A member.
    Member(Member, VocabularyId),
    /// A string, or a choice of strings, that has met no vocabulary yet.
    Text(Loose),
}

/// Strings without a vocabulary.
#[derive(Debug, Clone)]
pub(super) enum Loose {
    /// A literal.
    Text(String, Span),
    /// `IF` with two such branches.
    If(Box<Bool>, Box<Loose>, Box<Loose>),
    /// `CASE` with such branches.
    Case(Box<Case<Loose>>),
}

/// The element that a quantifier's variable stands for, and how many nodes it has.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    /// The element.
    pub(super) value: Value,
    /// Its nodes.
    pub(super) size: u64,
}

/// Stands for a boolean that an error kept from being made.
pub(super) fn no_bool() -> Bool {
    Bool::Literal(false)
}

/// Stands for a number that an error kept from being made.
pub(super) fn no_num(span: Span) -> Num {
    Num { kind: NumKind::Literal(Rational::zero(), None), span }
}

impl Value {
    /// Its type, where it has one that is known.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Value::Unknown | Value::Text(_) => None,
            Value::Bool(_) => Some(Kind::Bool),
            Value::Num(..) => Some(Kind::Num),
            Value::Member(_, vocabulary) => Some(Kind::Member(*vocabulary)),
        }
    }

    /// The boolean it is, or a placeholder.
    pub(super) fn into_bool(self) -> Bool {
        match self {
            Value::Bool(value) => value,
            _ => no_bool(),
        }
    }

    /// The number it is, or a placeholder.
    pub(super) fn into_num(self, span: Span) -> (Num, UnitOf) {
        match self {
            Value::Num(value, unit) => (value, unit),
            _ => (no_num(span), UnitOf::Unknown),
        }
    }

    /// The strings they are, or a placeholder.
    pub(super) fn into_text(self, span: Span) -> Loose {
        match self {
            Value::Text(text) => text,
            _ => Loose::Text(String::new(), span),
        }
    }
}

impl Typer<'_> {
    /// Stands for a member that an error kept from being made.
    pub(super) fn no_member(&self, vocabulary: VocabularyId) -> Member {
        Member::Literal(0, self.vocabularies.get(vocabulary).clone())
    }

    /// The member it is, or a placeholder.
    pub(super) fn take_member(&self, value: Value, vocabulary: VocabularyId) -> Member {
        match value {
            Value::Member(value, _) => value,
            _ => self.no_member(vocabulary),
        }
    }

    /// A value's type for a message.
    pub(super) fn in_words(&self, value: &Value) -> String {
        match value {
            Value::Text(_) => "a string".to_owned(),
            other => self.kind_in_words(other.kind().unwrap_or(Kind::Unknown)),
        }
    }

    /// A declared type for a message.
    pub(super) fn kind_in_words(&self, kind: Kind) -> String {
        match kind {
            Kind::Unknown => "something unknown".to_owned(),
            Kind::Bool => "a boolean".to_owned(),
            Kind::Num => "a number".to_owned(),
            Kind::Member(id) => {
                let vocabulary = self.vocabularies.get(id);
                let shown: Vec<_> =
                    vocabulary.members.iter().take(3).map(|member| format!("{member:?}")).collect();
                let more = if vocabulary.members.len() > 3 { ", …" } else { "" };
                match vocabulary.ordered {
                    true => format!("an enum [{}{more}]", shown.join(", ")),
                    false => format!("an enum {{{}{more}}}", shown.join(", ")),
                }
            }
        }
    }
}

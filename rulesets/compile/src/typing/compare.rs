//! Comparisons.

use assay_syntax::ast::{CompareOp, Expr};
use assay_syntax::{Diagnostic, Span};

use super::meeting::Common;
use super::value::{Loose, no_bool};
use super::{Typer, Value};
use crate::typed::{Bool, Case, Member, NumKind};

impl<'a> Typer<'a> {
    pub(super) fn comparison(&mut self, op: CompareOp, a: &'a Expr, b: &'a Expr, span: Span) -> Value {
        let mut sides = [self.part(a), self.part(b)];
        let symbol = op.as_str();
        let booleans = sides.iter().all(|side| matches!(side.value, Value::Bool(_) | Value::Unknown));
        let common = self.meet(&mut sides, &format!("the two sides of `{symbol}`"));
        let ordering = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let [left, right] = sides;
        Value::Bool(match common {
            Common::Unknown => no_bool(),
            Common::Text => {
                self.no_vocabulary(match &left.value {
                    Value::Text(_) => left.span,
                    _ => right.span,
                });
                no_bool()
            }
            Common::Bool if ordering && !booleans => no_bool(),
            Common::Bool if ordering => {
                let message =
                    format!("`{symbol}` compares numbers and ordered enums, and these are booleans");
                self.report(Diagnostic::error(span, message).help("compare booleans by `==` or `!=`"));
                no_bool()
            }
            Common::Bool => {
                let (left, right) = (Box::new(left.value.into_bool()), Box::new(right.value.into_bool()));
                match op {
                    CompareOp::Eq => Bool::Iff(left, right),
                    _ => Bool::Xor(left, right),
                }
            }
            Common::Num(_) => {
                let (left, right) = (left.value.into_num(left.span).0, right.value.into_num(right.span).0);
                Bool::Compare(op, Box::new(left), Box::new(right))
            }
            Common::Member(vocabulary) => {
                if ordering && !self.vocabularies.get(vocabulary).ordered {
                    let message = format!("`{symbol}` compares positions, and this enum is unordered");
                    let help = "compare its members by `==` or `!=`, or declare it with `[...]` to give them an order";
                    self.report(Diagnostic::error(span, message).help(help));
                }
                let (left, right) =
                    (self.take_member(left.value, vocabulary), self.take_member(right.value, vocabulary));
                Bool::CompareMembers(op, Box::new(left), Box::new(right))
            }
        })
    }
}

/// Whether two values of one type are equal: what "by value" means for collections.
pub(super) fn equal(a: &Value, b: &Value) -> Bool {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Bool::Iff(Box::new(a.clone()), Box::new(b.clone())),
        (Value::Num(a, _), Value::Num(b, _)) => {
            Bool::Compare(CompareOp::Eq, Box::new(a.clone()), Box::new(b.clone()))
        }
        (Value::Member(a, _), Value::Member(b, _)) => {
            Bool::CompareMembers(CompareOp::Eq, Box::new(a.clone()), Box::new(b.clone()))
        }
        (Value::Text(a), Value::Text(b)) => equal_texts(a, b),
        // One of them stands for an error.
        _ => no_bool(),
    }
}

/// What is known of the equality of two values whatever the evidence: literals are compared, and a name equals itself.
pub(super) fn known_equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => match (a, b) {
            (Bool::Literal(a), Bool::Literal(b)) => Some(a == b),
            (Bool::Claim(a), Bool::Claim(b)) => (a == b).then_some(true),
            (Bool::Local(a), Bool::Local(b)) => (a == b).then_some(true),
            _ => None,
        },
        (Value::Num(a, _), Value::Num(b, _)) => match (&a.kind, &b.kind) {
            (NumKind::Literal(a, of_a), NumKind::Literal(b, of_b)) if of_a == of_b => Some(a == b),
            (NumKind::Claim(a), NumKind::Claim(b)) => (a == b).then_some(true),
            (NumKind::Local(a), NumKind::Local(b)) => (a == b).then_some(true),
            _ => None,
        },
        (Value::Member(a, _), Value::Member(b, _)) => match (a, b) {
            (Member::Literal(a, _), Member::Literal(b, _)) => Some(a == b),
            (Member::Claim(a, _), Member::Claim(b, _)) => (a == b).then_some(true),
            (Member::Local(a, _), Member::Local(b, _)) => (a == b).then_some(true),
            _ => None,
        },
        (Value::Text(Loose::Text(a, _)), Value::Text(Loose::Text(b, _))) => Some(a == b),
        _ => None,
    }
}

/// Strings that have not met their vocabulary are equal where their texts are, whatever it will be.
fn equal_texts(a: &Loose, b: &Loose) -> Bool {
    match (a, b) {
        (Loose::Text(a, _), Loose::Text(b, _)) => Bool::Literal(a == b),
        (Loose::If(condition, then, otherwise), other) | (other, Loose::If(condition, then, otherwise)) => {
            Bool::If(
                condition.clone(),
                Box::new(equal_texts(then, other)),
                Box::new(equal_texts(otherwise, other)),
            )
        }
        (Loose::Case(case), other) | (other, Loose::Case(case)) => Bool::Case(Box::new(Case {
            subject: case.subject.clone(),
            arms: case.arms.iter().map(|(label, text)| (label.clone(), equal_texts(text, other))).collect(),
            default: equal_texts(&case.default, other),
        })),
    }
}

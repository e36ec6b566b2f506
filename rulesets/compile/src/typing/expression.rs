//! Which form an expression is, and the forms that have no parts.

use assay_syntax::ast::{Expr, ExprKind, Function, NumberLit};
use assay_syntax::{Diagnostic, Span};

use super::value::{self, Loose, Value};
use super::{Typer, UnitOf};
use crate::leaves;
use crate::typed::{Bool, Num, NumKind, Written};

impl<'a> Typer<'a> {
    /// The type of an expression, and the expression typed.
    pub(super) fn infer(&mut self, expr: &'a Expr) -> Value {
        let span = expr.span;
        self.spend(1, span);
        match self.form(expr) {
            Value::Bool(is) if !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Boolean(_)) => {
                Value::Bool(Bool::Written(Box::new(Written { span, given: None, is })))
            }
            value => value,
        }
    }

    fn form(&mut self, expr: &'a Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(number) => self.literal(number, span),
            ExprKind::Text(text) => {
                self.strings.push(span);
                Value::Text(Loose::Text(text.clone(), span))
            }
            ExprKind::Error => self.unread(),
            ExprKind::Boolean(value) => Value::Bool(Bool::Literal(*value)),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Negate(operand) => self.negation(operand, span),
            ExprKind::Compare(op, a, b) => self.comparison(*op, a, b, span),
            ExprKind::Sum(first, rest) => self.sum(first, rest, span),
            ExprKind::Product(first, rest) => self.product(first, rest, span),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, span),
            ExprKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise.as_deref(), span)
            }
            ExprKind::Case(subject, arms, default) => self.case(subject, arms, default.as_deref(), span),
            ExprKind::Collection(_) => self.stray_collection(expr),
            ExprKind::Quantified(quantified) => self.quantified(quantified, span),
        }
    }

    fn call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Value {
        match (function, arguments) {
            (Function::And | Function::Or | Function::Not | Function::Xor | Function::Implies, _) => {
                self.logic(function, arguments, span)
            }
            (Function::IsMember, [value, set]) => self.is_member(value, set, span),
            (Function::IsSubset, [a, b]) => self.is_subset(a, b, span),
            (Function::Union | Function::Intersect | Function::Difference, _) => {
                self.stray_call(function, arguments, span)
            }
            // The parser has checked the number of arguments.
            (Function::IsMember | Function::IsSubset, _) => Value::Unknown,
        }
    }

    pub(super) fn literal(&mut self, number: &NumberLit, span: Span) -> Value {
        let value = match leaves::number(&number.digits, span) {
            Ok(value) => value,
            Err(problem) => {
                self.report(*problem);
                return Value::Num(value::no_num(span), UnitOf::Unknown);
            }
        };
        let unit = match &number.unit {
            None => None,
            Some(text) => match leaves::unit(&text.value, text.span) {
                Ok(unit) => Some(unit),
                Err(problem) => {
                    self.report(*problem);
                    return Value::Num(value::no_num(span), UnitOf::Unknown);
                }
            },
        };
        let of = unit.clone().map_or(UnitOf::Bare, UnitOf::In);
        Value::Num(Num { kind: NumKind::Literal(value, unit), span }, of)
    }

    /// A set argument where a value should be.
    fn stray_collection(&mut self, expr: &'a Expr) -> Value {
        self.collection(expr);
        self.report(
            Diagnostic::error(expr.span, "a collection is not a value").help(
                "a collection stands only as a set argument, as in `IsMember(x, {a, b})`, or after `in`",
            ),
        );
        Value::Unknown
    }

    fn stray_call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Value {
        self.set_operation(function, arguments, span);
        self.report(Diagnostic::error(span, "a collection is not a value").help(
            "a collection stands only as a set argument, as in `IsMember(x, Union(a, b))`, or after `in`",
        ));
        Value::Unknown
    }
}

//! Arithmetic and its units.

use num_traits::Zero;

use assay_syntax::ast::{Expr, ExprKind, ProductOp, SumOp};
use assay_syntax::{Diagnostic, Span};

use super::unit::Operand;
use super::{Typer, UnitOf, Value};
use crate::typed::{Num, NumKind};

impl<'a> Typer<'a> {
    fn number(&mut self, expr: &'a Expr, operator: &str) -> (Num, UnitOf) {
        let value = self.infer(expr);
        self.operand(value, expr.span, operator)
    }

    pub(super) fn negation(&mut self, operand: &'a Expr, span: Span) -> Value {
        let (number, unit) = self.number(operand, "-");
        self.refuse_offset("negated", number.span, &unit);
        Value::Num(Num { kind: NumKind::Neg(Box::new(number)), span }, unit)
    }

    pub(super) fn sum(&mut self, first: &'a Expr, rest: &'a [(SumOp, Expr)], span: Span) -> Value {
        let first_symbol = rest.first().map_or("+", |(op, _)| symbol(*op));
        let mut terms = vec![self.number(first, first_symbol)];
        terms.extend(rest.iter().map(|(op, term)| self.number(term, symbol(*op))));
        for (number, unit) in &terms {
            if self.refuse_offset("added or subtracted", number.span, unit) {
                break;
            }
        }
        let unit = self.agree(terms.iter().map(|(number, unit)| Operand::of(number, unit)));
        let mut terms = terms.into_iter().map(|(number, _)| number);
        let first = terms.next().unwrap_or_else(|| super::value::no_num(span));
        let rest = rest.iter().map(|(op, _)| *op == SumOp::Add).zip(terms).collect();
        Value::Num(Num { kind: NumKind::Sum(Box::new(first), rest), span }, unit)
    }

    pub(super) fn product(&mut self, first: &'a Expr, rest: &'a [(ProductOp, Expr)], span: Span) -> Value {
        let first_symbol = rest.first().map_or("*", |(op, _)| factor_symbol(*op));
        let (number, mut unit) = self.number(first, first_symbol);
        let scales = rest.first().is_some_and(|(op, _)| *op != ProductOp::Rem);
        if scales {
            self.refuse_offset("scaled", number.span, &unit);
        }
        let mut so_far = first.span;
        let mut factors: Vec<(ProductOp, Num)> = Vec::with_capacity(rest.len());
        for (op, expr) in rest {
            let (factor, factor_unit) = self.number(expr, factor_symbol(*op));
            match &factor.kind {
                NumKind::Literal(zero, _)
                    if *op != ProductOp::Mul && zero.is_zero() && self.is_literal(expr) =>
                {
                    let message = match op {
                        ProductOp::Rem => "a remainder by zero",
                        _ => "a division by zero",
                    };
                    self.report(Diagnostic::error(expr.span, message));
                }
                _ => {}
            }
            unit = match op {
                ProductOp::Rem => {
                    let left = match factors.is_empty() {
                        true => Operand::of(&number, &unit),
                        false => Operand::so_far(so_far, &unit),
                    };
                    if !self.refuse_offset("divided", so_far, &unit) {
                        self.refuse_offset("divided by", factor.span, &factor_unit);
                    }
                    self.agree([left, Operand::of(&factor, &factor_unit)].into_iter())
                }
                _ => {
                    self.refuse_offset("scaled", factor.span, &factor_unit);
                    self.combined(&unit, &factor_unit, *op == ProductOp::Div, so_far.to(expr.span))
                }
            };
            factors.push((*op, factor));
            so_far = so_far.to(expr.span);
        }
        Value::Num(Num { kind: NumKind::Product(Box::new(number), factors), span }, unit)
    }

    /// Whether a divisor is written as a number, and is not the placeholder of an error or an element of a collection.
    fn is_literal(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Number(_)) && !self.refused.contains(&expr.span)
    }
}

fn symbol(op: SumOp) -> &'static str {
    match op {
        SumOp::Add => "+",
        SumOp::Sub => "-",
    }
}

fn factor_symbol(op: ProductOp) -> &'static str {
    match op {
        ProductOp::Mul => "*",
        ProductOp::Div => "/",
        ProductOp::Rem => "%",
    }
}

//! Quantifiers, unrolled: their body is typed once for each element, the variable standing for it.

use num_traits::One;

use assay_syntax::Span;
use assay_syntax::ast::{CompareOp, Quantified, Quantifier};
use assay_units::Rational;

use super::logic::{both, implies};
use super::value::Bound;
use super::{Typer, UnitOf, Value, size};
use crate::limits;
use crate::typed::{Bool, Num, NumKind, Written};

impl<'a> Typer<'a> {
    pub(super) fn quantified(&mut self, quantified: &'a Quantified, span: Span) -> Value {
        let who = word(quantified.quantifier);
        let count = quantified.count.as_ref().map(|count| {
            let value = self.infer(count);
            self.unitless(value, count.span, who)
        });
        let set = self.collection(&quantified.set);
        let elements = match quantified.quantifier {
            Quantifier::ForAll | Quantifier::Exists => set.elements,
            _ => self.distinct(set, span),
        };
        if elements.is_empty() || self.exhausted() {
            self.condition(quantified, Value::Unknown, 0, quantified.set.span);
        }
        let mut conditions = Vec::with_capacity(elements.len());
        for element in elements {
            if self.exhausted() {
                break;
            }
            let size = size::of(&element.part.value);
            let value = match size.depth > limits::DEPTH {
                true => {
                    let (limit, actual) = (u64::from(limits::DEPTH), u64::from(size.depth));
                    let what = "levels in an expression once quantifiers are unrolled";
                    self.report(limits::exceeded(element.part.span, what, "nesting", limit, actual));
                    Value::Unknown
                }
                false => element.part.value,
            };
            let condition = self.condition(quantified, value, size.nodes, element.part.span);
            conditions.push(match (quantified.quantifier, element.present) {
                (Quantifier::ForAll, Some(present)) => implies(present, condition),
                (_, present) => both(present, condition),
            });
        }
        self.put_together(quantified.quantifier, conditions, count, span)
    }

    /// The body for one element, which is written in the span.
    fn condition(&mut self, quantified: &'a Quantified, value: Value, size: u64, element: Span) -> Bool {
        let who = format!("the condition of {}", word(quantified.quantifier));
        self.scope.push((&quantified.variable.name, Bound { value, size }));
        let condition = self.boolean(&quantified.body, &who);
        self.scope.pop();
        let given = Some((quantified.variable.span, element));
        Bool::Written(Box::new(match condition {
            Bool::Written(written) if written.given.is_none() && written.span == quantified.body.span => {
                Written { given, ..*written }
            }
            is => Written { span: quantified.body.span, given, is },
        }))
    }

    fn put_together(
        &self,
        quantifier: Quantifier,
        conditions: Vec<Bool>,
        count: Option<Num>,
        span: Span,
    ) -> Value {
        let number = |kind| Num { kind, span };
        let holds = |op, count: Option<Num>, conditions| {
            let count = count.unwrap_or_else(|| number(NumKind::Literal(Rational::one(), None)));
            Value::Bool(Bool::Compare(op, Box::new(number(NumKind::Count(conditions))), Box::new(count)))
        };
        match quantifier {
            Quantifier::ForAll => Value::Bool(Bool::And(conditions)),
            Quantifier::Exists => Value::Bool(Bool::Or(conditions)),
            Quantifier::AtLeast => holds(CompareOp::Ge, count, conditions),
            Quantifier::AtMost => holds(CompareOp::Le, count, conditions),
            Quantifier::ExactlyOne => holds(CompareOp::Eq, None, conditions),
            Quantifier::CountWhere => Value::Num(number(NumKind::Count(conditions)), UnitOf::Bare),
        }
    }
}

fn word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::ForAll => "`ForAll`",
        Quantifier::Exists => "`Exists`",
        Quantifier::AtLeast => "`AtLeast`",
        Quantifier::AtMost => "`AtMost`",
        Quantifier::ExactlyOne => "`ExactlyOne`",
        Quantifier::CountWhere => "`CountWhere`",
    }
}

//! Collections: set arguments, and the operations on them.
//!
//! A collection is the list of its elements as written, each with the condition under which it is in the set. An
//! operation only lists and adds conditions; that equal elements are one matters where elements are counted, and is
//! settled there (see [`Typer::distinct`]).

use assay_syntax::ast::{Expr, ExprKind, Function};
use assay_syntax::{Diagnostic, Span};

use super::compare::{equal, known_equal};
use super::logic::{both, negated};
use super::meeting::{Common, Part};
use super::value::no_bool;
use super::{Typer, Value, size};
use crate::typed::Bool;

/// An element and the condition under which it is in the set; none where it always is.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) part: Part,
    pub(super) present: Option<Bool>,
}

/// A collection.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    pub(super) elements: Vec<Element>,
    /// Whether equal elements are one, as in the result of a set operation.
    pub(super) distinct: bool,
}

const ELEMENTS: &str = "the elements of a collection";

impl<'a> Typer<'a> {
    /// An expression that has to be a collection.
    pub(super) fn collection(&mut self, expr: &'a Expr) -> Set {
        match &expr.kind {
            ExprKind::Collection(elements) => {
                self.spend(1, expr.span);
                let mut parts: Vec<Part> = elements.iter().map(|element| self.part(element)).collect();
                self.meet(&mut parts, ELEMENTS);
                let elements = parts.into_iter().map(|part| Element { part, present: None }).collect();
                Set { elements, distinct: false }
            }
            ExprKind::Call(
                function @ (Function::Union | Function::Intersect | Function::Difference),
                arguments,
            ) => {
                self.spend(1, expr.span);
                self.set_operation(*function, arguments, expr.span)
            }
            _ => {
                if !matches!(self.infer(expr), Value::Unknown) {
                    let message = format!("{} is not a collection", self.quoted(expr.span));
                    self.report(Diagnostic::error(expr.span, message).help("list the elements: `{a, b}`"));
                }
                Set::default()
            }
        }
    }

    pub(super) fn set_operation(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Set {
        let [a, b] = arguments else { return Set::default() };
        let (mut a, mut b) = (self.collection(a), self.collection(b));
        if self.meet_sets(&mut a, &mut b) == Common::Text && function != Function::Union {
            // What is compared by its text here is in no set that could meet a vocabulary later.
            for element in &b.elements {
                if let Value::Text(text) = &element.part.value {
                    self.accept(text);
                }
            }
        }
        let elements = match function {
            Function::Union => a.elements.into_iter().chain(b.elements).collect(),
            _ => {
                let restrict = |element: Element| {
                    let within = self.member_of(&element.part, &b, span);
                    let within = if function == Function::Intersect { within } else { negated(within) };
                    let present = Some(both(element.present, within));
                    Element { part: element.part, present }
                };
                a.elements.into_iter().map(restrict).collect()
            }
        };
        Set { elements, distinct: true }
    }

    pub(super) fn is_member(&mut self, value: &'a Expr, set: &'a Expr, span: Span) -> Value {
        let value = self.part(value);
        let set = self.collection(set);
        let (elements, conditions): (Vec<Part>, Vec<Option<Bool>>) =
            set.elements.into_iter().map(|element| (element.part, element.present)).unzip();
        let mut parts = vec![value];
        parts.extend(elements);
        if self.meet(&mut parts, "the value and the elements of `IsMember`") == Common::Text {
            self.no_vocabulary(span);
            return Value::Bool(no_bool());
        }
        let mut parts = parts.into_iter();
        let Some(value) = parts.next() else { return Value::Bool(no_bool()) };
        let elements = parts.zip(conditions).map(|(part, present)| Element { part, present }).collect();
        Value::Bool(self.member_of(&value, &Set { elements, distinct: false }, span))
    }

    pub(super) fn is_subset(&mut self, a: &'a Expr, b: &'a Expr, span: Span) -> Value {
        let (mut a, mut b) = (self.collection(a), self.collection(b));
        if self.meet_sets(&mut a, &mut b) == Common::Text {
            self.no_vocabulary(span);
            return Value::Bool(no_bool());
        }
        let within = a.elements.into_iter().map(|element| {
            let within = self.member_of(&element.part, &b, span);
            match element.present {
                Some(present) => super::logic::implies(present, within),
                None => within,
            }
        });
        Value::Bool(Bool::And(within.collect()))
    }

    /// Brings the elements of two collections together.
    fn meet_sets(&mut self, a: &mut Set, b: &mut Set) -> Common {
        let elements = |set: &mut Set| std::mem::take(&mut set.elements);
        let (of_a, of_b) = (elements(a), elements(b));
        let split = of_a.len();
        let (mut parts, conditions): (Vec<Part>, Vec<Option<Bool>>) =
            of_a.into_iter().chain(of_b).map(|element| (element.part, element.present)).unzip();
        let common = self.meet(&mut parts, "the elements of two collections");
        let mut elements = parts.into_iter().zip(conditions).map(|(part, present)| Element { part, present });
        a.elements = elements.by_ref().take(split).collect();
        b.elements = elements.collect();
        common
    }

    /// Whether a value equals an element that is in the set.
    fn member_of(&mut self, value: &Part, set: &Set, span: Span) -> Bool {
        let mut any = Vec::new();
        let of_value = size::of(&value.value).nodes;
        for element in &set.elements {
            let equal = match known_equal(&value.value, &element.part.value) {
                Some(equal) => {
                    self.spend_known_pair(span);
                    if !equal {
                        continue;
                    }
                    None
                }
                None => {
                    let of_element = size::of(&element.part.value).nodes;
                    // Choices of strings are compared branch by branch.
                    let of_equality = match value.value {
                        Value::Text(_) => of_value.saturating_mul(of_element),
                        _ => of_value + of_element,
                    };
                    self.spend(1 + of_equality, span);
                    if self.exhausted() {
                        break;
                    }
                    Some(equal(&value.value, &element.part.value))
                }
            };
            let present = element.present.as_ref();
            self.spend(present.map_or(0, size::of_bool), span);
            if self.exhausted() {
                break;
            }
            match (present.cloned(), equal) {
                (None, None) => return Bool::Literal(true),
                (Some(present), None) => any.push(present),
                (present, Some(equal)) => any.push(both(present, equal)),
            }
        }
        Bool::Or(any)
    }

    /// The elements with conditions under which each is there and equals none that is there before it, so that
    /// counting them counts values.
    pub(super) fn distinct(&mut self, set: Set, span: Span) -> Vec<Element> {
        if !set.distinct {
            return set.elements;
        }
        let mut counted: Vec<Element> = Vec::with_capacity(set.elements.len());
        let mut before = Set::default();
        for element in set.elements {
            let repeats = self.member_of(&element.part, &before, span);
            let present = match repeats {
                Bool::Or(of) if of.is_empty() => element.present.clone(),
                repeats => Some(both(element.present.clone(), negated(repeats))),
            };
            counted.push(Element { part: element.part.clone(), present });
            before.elements.push(element);
        }
        counted
    }
}

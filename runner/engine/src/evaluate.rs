//! Three-valued evaluation in exact rationals.
//!
//! One pass over the nodes gives each its value, or leaves it open. A value that is given holds under every completion
//! of what the interpretation leaves open; so a root that has a value is an answer, the solver's answer. Every rule here
//! must keep that. In particular a division by zero, a conversion that nothing gives and an interval's factor are real
//! numbers like any other unknown: zero times one of them is zero, and one of them equals itself.

use std::borrow::Cow;
use std::cmp::Ordering;

use assay_claims::{Binding, Dictionary};
use assay_compile::formula::{BoolRef, Formula, MemberRef, Node, NumRef, Relation, Unbridged, Var};
use assay_units::{Interval, Rational};
use num_traits::Zero;

use crate::exact::{self, TooLarge, Work};

/// What stands for the things that a formula does not fix. `None` leaves a thing open.
pub trait Interpretation {
    /// The value of a boolean variable.
    fn bool(&self, var: Var) -> Option<bool>;
    /// The value of a numeric variable.
    fn number(&self, var: Var) -> Option<&Rational>;
    /// The value of a member variable, by number.
    fn member(&self, var: Var) -> Option<u32>;

    /// The factor of an interval.
    fn factor(&self, interval: &Interval) -> Option<&Rational> {
        let _ = interval;
        None
    }
    /// What the function of a pair of units that nothing bridges gives for a number.
    fn unbridged(&self, pair: &Unbridged, number: &Rational) -> Option<&Rational> {
        let _ = (pair, number);
        None
    }
    /// What a number divided by zero is.
    fn quotient_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        let _ = numerator;
        None
    }
    /// What the remainder of a number by zero is.
    fn remainder_by_zero(&self, numerator: &Rational) -> Option<&Rational> {
        let _ = numerator;
        None
    }
}

/// The evidence fixes the claims that are bound, and nothing else.
impl Interpretation for Dictionary {
    fn bool(&self, var: Var) -> Option<bool> {
        match binding(self, var)? {
            Binding::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn number(&self, var: Var) -> Option<&Rational> {
        match binding(self, var)? {
            Binding::Number { value, .. } => Some(value),
            _ => None,
        }
    }

    fn member(&self, var: Var) -> Option<u32> {
        match binding(self, var)? {
            Binding::Member(number) => Some(*number),
            _ => None,
        }
    }
}

fn binding(dictionary: &Dictionary, var: Var) -> Option<&Binding> {
    match var {
        Var::Claim(claim) => Some(dictionary.get(claim)),
        Var::Local(_) => None,
    }
}

/// The value of a node.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    /// It has none: it depends on something that is not fixed.
    Open,
    /// It is fixed, and larger than is computed with. To the nodes that read it, it is open.
    TooLarge,
    /// A boolean.
    Bool(bool),
    /// A number.
    Num(Cow<'a, Rational>),
    /// A member.
    Member(u32),
}

impl Value<'_> {
    /// Whether there is a value.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Value::Open | Value::TooLarge)
    }

    /// Whether both have a value and it is the same one.
    fn is_same(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Num(a), Value::Num(b)) => exact::same(a, b),
            (Value::Member(a), Value::Member(b)) => a == b,
            _ => false,
        }
    }
}

/// The values of all nodes of a formula.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    values: Vec<Value<'a>>,
}

impl<'a> Values<'a> {
    pub(crate) fn at(&self, index: usize) -> &Value<'a> {
        self.values.get(index).unwrap_or(&Value::Open)
    }

    pub(crate) fn bool(&self, node: BoolRef) -> Option<bool> {
        match self.at(node.index()) {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn num(&self, node: NumRef) -> Option<&Rational> {
        match self.at(node.index()) {
            Value::Num(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn member(&self, node: MemberRef) -> Option<u32> {
        match self.at(node.index()) {
            Value::Member(value) => Some(*value),
            _ => None,
        }
    }
}

/// Whether a formula holds under an interpretation, whatever the interpretation leaves open; `None` where that is
/// not settled by evaluation.
pub fn evaluate(formula: &Formula, interpretation: &impl Interpretation) -> Option<bool> {
    values(formula, interpretation).bool(formula.root())
}

/// The value of every node.
pub(crate) fn values<'a>(formula: &'a Formula, interpretation: &'a impl Interpretation) -> Values<'a> {
    let mut values = Values { values: Vec::with_capacity(formula.nodes().len()) };
    let mut work = Work::default();
    for node in formula.nodes() {
        let value = value(formula, node, &values, interpretation, &mut work);
        values.values.push(value);
    }
    values
}

fn value<'a>(
    formula: &'a Formula,
    node: &'a Node,
    values: &Values<'a>,
    interpretation: &'a impl Interpretation,
    work: &mut Work,
) -> Value<'a> {
    match node {
        Node::Bool(value) => Value::Bool(*value),
        Node::BoolVar(var) => bool(interpretation.bool(*var)),
        Node::Not(a) => bool(values.bool(*a).map(|a| !a)),
        Node::And(of) => bool(all(of, values, true)),
        Node::Or(of) => bool(all(of, values, false)),
        Node::Iff(a, b) if a == b => Value::Bool(true),
        Node::Iff(a, b) => bool(values.bool(*a).zip(values.bool(*b)).map(|(a, b)| a == b)),
        Node::Compare(relation, a, b) if a == b => Value::Bool(*relation != Relation::Lt),
        Node::Compare(relation, a, b) => {
            bool(values.num(*a).zip(values.num(*b)).map(|(a, b)| holds(*relation, exact::compare(a, b))))
        }
        Node::CompareMembers(relation, a, b) if a == b => Value::Bool(*relation != Relation::Lt),
        Node::CompareMembers(relation, a, b) => {
            bool(values.member(*a).zip(values.member(*b)).map(|(a, b)| holds(*relation, a.cmp(&b))))
        }
        Node::Num(value) => Value::Num(Cow::Borrowed(value)),
        Node::NumVar(var) => number(interpretation.number(*var)),
        Node::Factor(id) => {
            let interval = formula.intervals().get(id.0 as usize);
            number(interval.and_then(|interval| interpretation.factor(interval)))
        }
        Node::Unbridged(id, a) => {
            let pair = formula.unbridged().get(id.0 as usize);
            let converted = pair.zip(values.num(*a));
            number(converted.and_then(|(pair, a)| interpretation.unbridged(pair, a)))
        }
        Node::Add(of) => sum(of, values, work),
        Node::Neg(a) => values.num(*a).map_or(Value::Open, |a| Value::Num(Cow::Owned(-a))),
        Node::Mul(a, b) => match (values.num(*a), values.num(*b)) {
            (Some(zero), _) | (_, Some(zero)) if zero.is_zero() => Value::Num(Cow::Owned(zero.clone())),
            (Some(a), Some(b)) => computed(work.mul(a, b)),
            _ => Value::Open,
        },
        Node::Div(a, b) => match values.num(*a).zip(values.num(*b)) {
            None => Value::Open,
            Some((a, b)) => match work.div(a, b) {
                Some(quotient) => computed(quotient),
                None => number(interpretation.quotient_by_zero(a)),
            },
        },
        Node::Rem(a, b) => match values.num(*a).zip(values.num(*b)) {
            None => Value::Open,
            Some((a, b)) => match work.rem(a, b) {
                Some(remainder) => computed(remainder),
                None => number(interpretation.remainder_by_zero(a)),
            },
        },
        Node::Count(of) => {
            let holding = of.iter().map(|each| values.bool(*each).map(u32::from)).sum::<Option<u32>>();
            holding.map_or(Value::Open, |count| Value::Num(Cow::Owned(Rational::from_integer(count.into()))))
        }
        Node::Member(number) => Value::Member(*number),
        Node::MemberVar(var, _) => interpretation.member(*var).map_or(Value::Open, Value::Member),
        Node::IfBool(condition, a, b) => choice(values, *condition, a.index(), b.index()),
        Node::IfNum(condition, a, b) => choice(values, *condition, a.index(), b.index()),
        Node::IfMember(condition, a, b) => choice(values, *condition, a.index(), b.index()),
    }
}

fn bool<'a>(value: Option<bool>) -> Value<'a> {
    value.map_or(Value::Open, Value::Bool)
}

fn number(value: Option<&Rational>) -> Value<'_> {
    value.map_or(Value::Open, |value| Value::Num(Cow::Borrowed(value)))
}

fn computed<'a>(value: Result<Rational, TooLarge>) -> Value<'a> {
    value.map_or(Value::TooLarge, |value| Value::Num(Cow::Owned(value)))
}

/// A conjunction with `neutral` true, a disjunction with it false.
fn all(of: &[BoolRef], values: &Values<'_>, neutral: bool) -> Option<bool> {
    let mut open = false;
    for each in of {
        match values.bool(*each) {
            Some(value) if value != neutral => return Some(value),
            Some(_) => {}
            None => open = true,
        }
    }
    (!open).then_some(neutral)
}

fn holds(relation: Relation, ordering: Ordering) -> bool {
    match relation {
        Relation::Eq => ordering.is_eq(),
        Relation::Lt => ordering.is_lt(),
        Relation::Le => ordering.is_le(),
    }
}

fn sum<'a>(of: &[NumRef], values: &Values<'a>, work: &mut Work) -> Value<'a> {
    let mut sum = Rational::zero();
    for each in of {
        let Some(term) = values.num(*each) else { return Value::Open };
        match work.add(&sum, term) {
            Ok(larger) => sum = larger,
            Err(TooLarge) => return Value::TooLarge,
        }
    }
    Value::Num(Cow::Owned(sum))
}

/// The branch that the condition takes; where that is open, what both branches are.
fn choice<'a>(values: &Values<'a>, condition: BoolRef, a: usize, b: usize) -> Value<'a> {
    let taken = match values.bool(condition) {
        Some(true) => values.at(a),
        Some(false) => values.at(b),
        None if values.at(a).is_same(values.at(b)) => values.at(a),
        None => &Value::Open,
    };
    if taken.is_known() { taken.clone() } else { Value::Open }
}

//! How large a typed expression is: what copying it costs.

use super::Value;
use super::value::Loose;
use crate::typed::{Bool, Case, Member, Num, NumKind, Subject};

/// The nodes of an expression, and how deep they stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) nodes: u64,
    pub(super) depth: u32,
}

impl Size {
    /// One node above these.
    fn above(parts: impl IntoIterator<Item = Size>) -> Size {
        let mut size = Size { nodes: 1, depth: 0 };
        for part in parts {
            size.nodes = size.nodes.saturating_add(part.nodes);
            size.depth = size.depth.max(part.depth);
        }
        size.depth += 1;
        size
    }
}

/// The size of a value.
pub(super) fn of(value: &Value) -> Size {
    match value {
        Value::Unknown => Size { nodes: 1, depth: 1 },
        Value::Bool(value) => bool(value),
        Value::Num(value, _) => num(value),
        Value::Member(value, _) => member(value),
        Value::Text(value) => text(value),
    }
}

/// The nodes of a boolean.
pub(super) fn of_bool(value: &Bool) -> u64 {
    bool(value).nodes
}

fn bool(value: &Bool) -> Size {
    match value {
        Bool::Literal(_) | Bool::Claim(_) | Bool::Local(_) => Size::above([]),
        Bool::Not(a) => Size::above([bool(a)]),
        Bool::And(of) | Bool::Or(of) => Size::above(of.iter().map(bool)),
        Bool::Xor(a, b) | Bool::Iff(a, b) => Size::above([bool(a), bool(b)]),
        Bool::If(c, a, b) => Size::above([bool(c), bool(a), bool(b)]),
        Bool::Compare(_, a, b) => Size::above([num(a), num(b)]),
        Bool::CompareMembers(_, a, b) => Size::above([member(a), member(b)]),
        Bool::Case(of) => case(of, bool),
        Bool::Written(written) => bool(&written.is),
    }
}

fn num(value: &Num) -> Size {
    match &value.kind {
        NumKind::Literal(..) | NumKind::Claim(_) | NumKind::Local(_) => Size::above([]),
        NumKind::Neg(a) => Size::above([num(a)]),
        NumKind::Sum(first, rest) => {
            Size::above(std::iter::once(num(first)).chain(rest.iter().map(|(_, a)| num(a))))
        }
        NumKind::Product(first, rest) => {
            Size::above(std::iter::once(num(first)).chain(rest.iter().map(|(_, a)| num(a))))
        }
        NumKind::If(c, a, b) => Size::above([bool(c), num(a), num(b)]),
        NumKind::Count(of) => Size::above(of.iter().map(bool)),
        NumKind::Case(of) => case(of, num),
    }
}

fn member(value: &Member) -> Size {
    match value {
        Member::Literal(..) | Member::Claim(..) | Member::Local(..) => Size::above([]),
        Member::If(c, a, b) => Size::above([bool(c), member(a), member(b)]),
        Member::Case(of) => case(of, member),
    }
}

fn text(value: &Loose) -> Size {
    match value {
        Loose::Text(..) => Size::above([]),
        Loose::If(c, a, b) => Size::above([bool(c), text(a), text(b)]),
        Loose::Case(of) => case(of, text),
    }
}

fn case<T>(case: &Case<T>, of: fn(&T) -> Size) -> Size {
    let subject = match &case.subject {
        Subject::Member(subject) => member(subject),
        Subject::Num(subject) => num(subject),
    };
    let branches = case.arms.iter().map(|(_, branch)| of(branch)).chain(std::iter::once(of(&case.default)));
    let labels = Size { nodes: case.arms.len() as u64, depth: 0 };
    Size::above([subject, labels].into_iter().chain(branches))
}

//! The formulas of all assertions as one list of nodes.
//!
//! Assertions of one ruleset ask for the same things: the same claims, the same comparisons. The builder of
//! formulas makes equal nodes once, so building all formulas into one makes each column operation once.

use std::sync::Arc;

use assay_compile::formula::{BoolRef, Builder, Formula, MemberRef, Node, NumRef};

/// All assertions in one formula. Its own root means nothing.
#[derive(Debug)]
pub(crate) struct Program {
    pub(super) formula: Formula,
    pub(super) assertions: Vec<Asked>,
}

/// What a program knows of one assertion.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) root: BoolRef,
    /// The nodes it depends on, in order.
    pub(super) cone: Vec<usize>,
    /// Whether members that a row may not bind are among these.
    pub(super) has_members: bool,
}

#[derive(Clone, Copy)]
enum Made {
    Bool(BoolRef),
    Num(NumRef),
    Member(MemberRef),
}

impl Program {
    pub(crate) fn new(formulas: &[Arc<Formula>]) -> Program {
        let mut builder = Builder::new();
        let all: Vec<(BoolRef, Vec<usize>)> =
            formulas.iter().map(|formula| copy(&mut builder, formula)).collect();
        let root = builder.bool(true);
        let formula = builder.finish(root);
        let assertions = all.into_iter().map(|(root, mut cone)| {
            cone.sort_unstable();
            let is_member = |node: &usize| matches!(formula.nodes()[*node], Node::MemberVar(..));
            let has_members = cone.iter().any(is_member);
            Asked { root, cone, has_members }
        });
        let assertions = assertions.collect();
        Program { formula, assertions }
    }
}

/// Copies a formula: its root and its nodes.
fn copy(builder: &mut Builder, formula: &Formula) -> (BoolRef, Vec<usize>) {
    let mut made: Vec<Made> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let node = one(builder, formula, &made, node);
        made.push(node);
    }
    let places = made.iter().map(|made| match made {
        Made::Bool(node) => node.index(),
        Made::Num(node) => node.index(),
        Made::Member(node) => node.index(),
    });
    (bool(&made, formula.root()), places.collect())
}

fn one(builder: &mut Builder, formula: &Formula, made: &[Made], node: &Node) -> Made {
    let b = |of: &BoolRef| bool(made, *of);
    let n = |of: &NumRef| num(made, *of);
    let m = |of: &MemberRef| member(made, *of);
    let bools = |of: &[BoolRef]| of.iter().map(b).collect::<Vec<_>>();
    match node {
        Node::Bool(value) => Made::Bool(builder.bool(*value)),
        Node::BoolVar(var) => Made::Bool(builder.bool_var(*var)),
        Node::Not(a) => Made::Bool(builder.not(b(a))),
        Node::And(of) => Made::Bool(builder.and(bools(of))),
        Node::Or(of) => Made::Bool(builder.or(bools(of))),
        Node::Iff(x, y) => Made::Bool(builder.iff(b(x), b(y))),
        Node::IfBool(c, x, y) => Made::Bool(builder.if_bool(b(c), b(x), b(y))),
        Node::Compare(relation, x, y) => Made::Bool(builder.compare(*relation, n(x), n(y))),
        Node::CompareMembers(relation, x, y) => Made::Bool(builder.compare_members(*relation, m(x), m(y))),
        Node::Num(value) => Made::Num(builder.num(value.to_rational())),
        Node::NumVar(var) => Made::Num(builder.num_var(*var)),
        // INVARIANT: a formula's nodes name intervals and pairs that the formula has.
        Node::Factor(id) => Made::Num(builder.factor(&formula.intervals()[id.0 as usize])),
        Node::Unbridged(id, x) => Made::Num(builder.unbridged(&formula.unbridged()[id.0 as usize], n(x))),
        Node::Add(of) => Made::Num(builder.sum(of.iter().map(n).collect::<Vec<_>>())),
        Node::Neg(x) => Made::Num(builder.neg(n(x))),
        Node::Mul(x, y) => Made::Num(builder.mul(n(x), n(y))),
        Node::Div(x, y) => Made::Num(builder.div(n(x), n(y))),
        Node::Rem(x, y) => Made::Num(builder.rem(n(x), n(y))),
        Node::IfNum(c, x, y) => Made::Num(builder.if_num(b(c), n(x), n(y))),
        Node::Count(of) => Made::Num(builder.count(bools(of))),
        Node::Member(number) => Made::Member(builder.member(*number)),
        Node::MemberVar(var, size) => Made::Member(builder.member_var(*var, *size)),
        Node::IfMember(c, x, y) => Made::Member(builder.if_member(b(c), m(x), m(y))),
    }
}

fn bool(made: &[Made], of: BoolRef) -> BoolRef {
    match made[of.index()] {
        Made::Bool(made) => made,
        _ => ill_sorted(),
    }
}

fn num(made: &[Made], of: NumRef) -> NumRef {
    match made[of.index()] {
        Made::Num(made) => made,
        _ => ill_sorted(),
    }
}

fn member(made: &[Made], of: MemberRef) -> MemberRef {
    match made[of.index()] {
        Made::Member(made) => made,
        _ => ill_sorted(),
    }
}

/// INVARIANT: operands come before what reads them and have its sort: formulas are built through handles only.
#[allow(clippy::unreachable)]
fn ill_sorted() -> ! {
    unreachable!("an operand of another sort")
}

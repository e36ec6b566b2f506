//! Questions side by side in one formula.
//!
//! Whether some claims settle an assertion is asked with two copies of it that share these claims and nothing else: every
//! other variable, every factor of an interval, every conversion that nothing gives and every quotient by zero is the
//! copy's own. If the first copy can hold while the second does not, the shared claims do not settle it.

use std::collections::BTreeSet;

use assay_claims::ClaimId;
use assay_compile::formula::{
    BoolRef, Builder, Formula, IntervalId, MemberRef, Node, NumRef, Relation, Unbridged, UnbridgedId, Var,
};
use assay_compile::typed::LocalId;
use assay_units::{Interval, Rational};
use num_traits::Zero;

use super::completions::divisor;

/// How many claims or locals a ruleset has at most, and more: what is added to the number of a variable that is a copy's own.
const OWN: usize = 1 << 20;

/// A node of a copy.
#[derive(Debug, Clone, Copy)]
enum Made {
    Bool(BoolRef),
    Num(NumRef),
    Member(MemberRef),
}

/// A formula that is being put together of copies.
#[derive(Debug)]
pub(super) struct Pairing<'a> {
    builder: Builder,
    shared: &'a BTreeSet<ClaimId>,
}

impl<'a> Pairing<'a> {
    /// Nothing yet; the copies will share these claims.
    pub(super) fn new(shared: &'a BTreeSet<ClaimId>) -> Pairing<'a> {
        Pairing { builder: Builder::new(), shared }
    }

    /// That one of the questions holds in the first copy while one of them fails in the second.
    pub(super) fn differ(mut self, questions: &[&Formula]) -> Option<Formula> {
        let mut holding = Vec::new();
        let mut failing = Vec::new();
        for question in questions {
            holding.push(self.copy(question, 1, true)?);
            failing.push(self.copy(question, 2, false)?);
        }
        let (holds, fails) = (self.builder.or(holding), self.builder.or(failing));
        let root = self.builder.and([holds, fails]);
        Some(self.builder.finish(root))
    }

    /// A copy of a question, that holds or fails, with divisors that the shared claims make different from zero.
    fn copy(&mut self, question: &Formula, copy: usize, holds: bool) -> Option<BoolRef> {
        let mut made: Vec<Made> = Vec::with_capacity(question.nodes().len());
        for node in question.nodes() {
            let node = self.node(question, node, copy, &made)?;
            made.push(node);
        }
        let root = bool(&made, question.root())?;
        let mut all = vec![if holds { root } else { self.builder.not(root) }];
        for divisor in self.divisors(question) {
            let (divisor, zero) = (num(&made, divisor)?, self.builder.num(Rational::zero()));
            let by_zero = self.builder.compare(Relation::Eq, divisor, zero);
            all.push(self.builder.not(by_zero));
        }
        Some(self.builder.and(all))
    }

    /// The divisors that depend on shared claims and on nothing else that is open.
    fn divisors(&self, question: &Formula) -> Vec<NumRef> {
        // By node: whether it depends on a shared claim, and whether on anything else.
        let mut depends: Vec<(bool, bool)> = Vec::with_capacity(question.nodes().len());
        for node in question.nodes() {
            let of = match node {
                Node::BoolVar(var) | Node::NumVar(var) | Node::MemberVar(var, _) => match var {
                    Var::Claim(id) if self.shared.contains(id) => (true, false),
                    _ => (false, true),
                },
                Node::Factor(_) | Node::Unbridged(..) => (false, true),
                node => {
                    let operands = operands(node);
                    let operands = operands.iter().filter_map(|at| depends.get(*at));
                    operands.fold((false, false), |all, of| (all.0 || of.0, all.1 || of.1))
                }
            };
            depends.push(of);
        }
        let only_shared = |divisor: &NumRef| depends.get(divisor.index()) == Some(&(true, false));
        let divisors: BTreeSet<NumRef> =
            question.nodes().iter().filter_map(divisor).filter(only_shared).collect();
        divisors.into_iter().collect()
    }

    fn var(&self, var: Var, copy: usize) -> Var {
        match var {
            Var::Claim(id) if self.shared.contains(&id) => var,
            Var::Claim(id) => Var::Claim(ClaimId(id.0 + copy * OWN)),
            Var::Local(id) => Var::Local(LocalId(id.0 + copy * OWN)),
        }
    }

    fn node(&mut self, question: &Formula, node: &Node, copy: usize, made: &[Made]) -> Option<Made> {
        let b = |of: &BoolRef| bool(made, *of);
        let n = |of: &NumRef| num(made, *of);
        let m = |of: &MemberRef| member(made, *of);
        let bools = |of: &[BoolRef]| of.iter().map(b).collect::<Option<Vec<BoolRef>>>();
        Some(match node {
            Node::Bool(value) => Made::Bool(self.builder.bool(*value)),
            Node::BoolVar(var) => Made::Bool(self.builder.bool_var(self.var(*var, copy))),
            Node::Not(a) => Made::Bool(self.builder.not(b(a)?)),
            Node::And(of) => Made::Bool(self.builder.and(bools(of)?)),
            Node::Or(of) => Made::Bool(self.builder.or(bools(of)?)),
            Node::Iff(x, y) => Made::Bool(self.builder.iff(b(x)?, b(y)?)),
            Node::IfBool(c, x, y) => Made::Bool(self.builder.if_bool(b(c)?, b(x)?, b(y)?)),
            Node::Compare(relation, x, y) => Made::Bool(self.builder.compare(*relation, n(x)?, n(y)?)),
            Node::CompareMembers(relation, x, y) => {
                Made::Bool(self.builder.compare_members(*relation, m(x)?, m(y)?))
            }
            Node::Num(value) => Made::Num(self.builder.num(value.to_rational())),
            Node::NumVar(var) => Made::Num(self.builder.num_var(self.var(*var, copy))),
            Node::Factor(IntervalId(id)) => {
                let interval = question.intervals().get(*id as usize)?;
                let own = Interval { from: format!("{}#{copy}", interval.from), ..interval.clone() };
                Made::Num(self.builder.factor(&own))
            }
            Node::Unbridged(UnbridgedId(id), a) => {
                let pair = question.unbridged().get(*id as usize)?;
                let own = Unbridged { from: format!("{}#{copy}", pair.from), to: pair.to.clone() };
                Made::Num(self.builder.unbridged(&own, n(a)?))
            }
            Node::Add(of) => Made::Num(self.builder.sum(of.iter().map(n).collect::<Option<Vec<NumRef>>>()?)),
            Node::Neg(a) => Made::Num(self.builder.neg(n(a)?)),
            Node::Mul(x, y) => Made::Num(self.builder.mul(n(x)?, n(y)?)),
            Node::Div(x, y) => {
                let (x, y) = (n(x)?, n(y)?);
                let quotient = self.builder.div(x, y);
                Made::Num(self.unless_zero(y, "quotient", x, quotient, copy))
            }
            Node::Rem(x, y) => {
                let (x, y) = (n(x)?, n(y)?);
                let remainder = self.builder.rem(x, y);
                Made::Num(self.unless_zero(y, "remainder", x, remainder, copy))
            }
            Node::IfNum(c, x, y) => Made::Num(self.builder.if_num(b(c)?, n(x)?, n(y)?)),
            Node::Count(of) => Made::Num(self.builder.count(bools(of)?)),
            Node::Member(number) => Made::Member(self.builder.member(*number)),
            Node::MemberVar(var, size) => Made::Member(self.builder.member_var(self.var(*var, copy), *size)),
            Node::IfMember(c, x, y) => Made::Member(self.builder.if_member(b(c)?, m(x)?, m(y)?)),
        })
    }

    /// The value, or what a function of the copy's own gives where the divisor is zero.
    fn unless_zero(&mut self, divisor: NumRef, what: &str, of: NumRef, value: NumRef, copy: usize) -> NumRef {
        if self.builder.constant(divisor).is_some_and(|divisor| !divisor.is_zero()) {
            return value;
        }
        let zero = self.builder.num(Rational::zero());
        let by_zero = self.builder.compare(Relation::Eq, divisor, zero);
        // No unit is called so.
        let own = Unbridged { from: format!("{what} by zero#{copy}"), to: String::new() };
        let anything = self.builder.unbridged(&own, of);
        self.builder.if_num(by_zero, anything, value)
    }
}

fn bool(made: &[Made], of: BoolRef) -> Option<BoolRef> {
    match made.get(of.index())? {
        Made::Bool(made) => Some(*made),
        _ => None,
    }
}

fn num(made: &[Made], of: NumRef) -> Option<NumRef> {
    match made.get(of.index())? {
        Made::Num(made) => Some(*made),
        _ => None,
    }
}

fn member(made: &[Made], of: MemberRef) -> Option<MemberRef> {
    match made.get(of.index())? {
        Made::Member(made) => Some(*made),
        _ => None,
    }
}

/// The places of the nodes that a node reads.
fn operands(node: &Node) -> Vec<usize> {
    match node {
        Node::Bool(_) | Node::BoolVar(_) | Node::Num(_) | Node::NumVar(_) => Vec::new(),
        Node::Factor(_) | Node::Member(_) | Node::MemberVar(..) => Vec::new(),
        Node::Not(a) => vec![a.index()],
        Node::And(of) | Node::Or(of) | Node::Count(of) => of.iter().map(|each| each.index()).collect(),
        Node::Iff(a, b) => vec![a.index(), b.index()],
        Node::IfBool(c, a, b) => vec![c.index(), a.index(), b.index()],
        Node::Compare(_, a, b) | Node::Mul(a, b) | Node::Div(a, b) | Node::Rem(a, b) => {
            vec![a.index(), b.index()]
        }
        Node::CompareMembers(_, a, b) => vec![a.index(), b.index()],
        Node::Unbridged(_, a) | Node::Neg(a) => vec![a.index()],
        Node::Add(of) => of.iter().map(|each| each.index()).collect(),
        Node::IfNum(c, a, b) => vec![c.index(), a.index(), b.index()],
        Node::IfMember(c, a, b) => vec![c.index(), a.index(), b.index()],
    }
}

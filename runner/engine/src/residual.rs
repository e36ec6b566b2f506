//! What is left of a formula once the evidence is in it.
//!
//! A residual is a formula too: bound variables are constants, what evaluation settled is gone, and so is every
//! branch that is not taken. It is the canonical form of a question. Equal residuals are one question, whatever
//! dictionaries they came from, so the solver is asked it once; and a hard question is asked in this form only.
//!
//! Nothing is folded here that evaluation has not settled: the rules of arithmetic have one home.

use assay_compile::formula::{BoolRef, Builder, Formula, MemberRef, Node, NumRef};
use assay_units::Rational;
use num_traits::{One, Zero};

use crate::evaluate::{Interpretation, Value, Values, values};
use crate::exact::{TooLarge, Work};

/// What a formula comes to under the evidence.
#[derive(Debug)]
pub(crate) enum Reduced {
    /// Evaluation settles it.
    Settled(bool),
    /// This question is open.
    Open(Formula),
    /// It turns on a number that is larger than is computed with.
    TooLarge,
}

/// Evaluates a formula, and where that does not settle it, makes the question that is open.
pub(crate) fn reduce(formula: &Formula, interpretation: &impl Interpretation) -> Reduced {
    let values = values(formula, interpretation);
    if let Some(value) = values.bool(formula.root()) {
        return Reduced::Settled(value);
    }
    let needed = needed(formula, &values);
    let too_large = |(index, needed): (usize, &bool)| *needed && matches!(values.at(index), Value::TooLarge);
    if needed.iter().enumerate().any(too_large) {
        return Reduced::TooLarge;
    }
    let mut reducer = Reducer {
        formula,
        values: &values,
        builder: Builder::new(),
        made: vec![None; needed.len()],
        work: Work::default(),
    };
    for (index, node) in formula.nodes().iter().enumerate() {
        if needed[index] && !values.at(index).is_known() {
            match reducer.node(node) {
                Ok(made) => reducer.made[index] = Some(made),
                Err(TooLarge) => return Reduced::TooLarge,
            }
        }
    }
    let root = reducer.bool(formula.root());
    Reduced::Open(reducer.builder.finish(root))
}

/// Which nodes the answer depends on: what the root needs, without the branches that are not taken.
fn needed(formula: &Formula, values: &Values<'_>) -> Vec<bool> {
    let mut needed = vec![false; formula.nodes().len()];
    needed[formula.root().index()] = true;
    for (index, node) in formula.nodes().iter().enumerate().rev() {
        if !needed[index] || values.at(index).is_known() {
            continue;
        }
        let mut need = |index: usize| needed[index] = true;
        match node {
            Node::Bool(_) | Node::BoolVar(_) | Node::Num(_) | Node::NumVar(_) => {}
            Node::Factor(_) | Node::Member(_) | Node::MemberVar(..) => {}
            Node::Not(a) => need(a.index()),
            Node::And(of) | Node::Or(of) | Node::Count(of) => of.iter().for_each(|each| need(each.index())),
            Node::Iff(a, b) => [a, b].into_iter().for_each(|each| need(each.index())),
            Node::CompareMembers(_, a, b) => [a, b].into_iter().for_each(|each| need(each.index())),
            Node::Compare(_, a, b) | Node::Mul(a, b) | Node::Div(a, b) | Node::Rem(a, b) => {
                [a, b].into_iter().for_each(|each| need(each.index()));
            }
            Node::Unbridged(_, a) | Node::Neg(a) => need(a.index()),
            Node::Add(of) => of.iter().for_each(|each| need(each.index())),
            Node::IfBool(condition, a, b) => taken(values, *condition, a.index(), b.index(), need),
            Node::IfNum(condition, a, b) => taken(values, *condition, a.index(), b.index(), need),
            Node::IfMember(condition, a, b) => taken(values, *condition, a.index(), b.index(), need),
        }
    }
    needed
}

fn taken(values: &Values<'_>, condition: BoolRef, a: usize, b: usize, mut need: impl FnMut(usize)) {
    match values.bool(condition) {
        Some(true) => need(a),
        Some(false) => need(b),
        None => [condition.index(), a, b].into_iter().for_each(need),
    }
}

/// A node of the residual.
#[derive(Debug, Clone, Copy)]
enum Made {
    Bool(BoolRef),
    Num(NumRef),
    Member(MemberRef),
}

struct Reducer<'a> {
    formula: &'a Formula,
    values: &'a Values<'a>,
    builder: Builder,
    /// By node of the formula: what became of it, if it is needed and open.
    made: Vec<Option<Made>>,
    /// For sums of which a part is known.
    work: Work,
}

impl Reducer<'_> {
    /// The residual of an open node.
    fn node(&mut self, node: &Node) -> Result<Made, TooLarge> {
        Ok(match node {
            Node::Bool(value) => Made::Bool(self.builder.bool(*value)),
            Node::BoolVar(var) => Made::Bool(self.builder.bool_var(*var)),
            Node::Not(a) => {
                let a = self.bool(*a);
                Made::Bool(self.builder.not(a))
            }
            Node::And(of) => match self.open(of).as_slice() {
                [only] => Made::Bool(*only),
                open => Made::Bool(self.builder.and(open)),
            },
            Node::Or(of) => match self.open(of).as_slice() {
                [only] => Made::Bool(*only),
                open => Made::Bool(self.builder.or(open)),
            },
            Node::Iff(a, b) => Made::Bool(match (self.values.bool(*a), self.values.bool(*b)) {
                (Some(true), _) => self.bool(*b),
                (_, Some(true)) => self.bool(*a),
                (Some(false), _) => {
                    let b = self.bool(*b);
                    self.builder.not(b)
                }
                (_, Some(false)) => {
                    let a = self.bool(*a);
                    self.builder.not(a)
                }
                (None, None) => {
                    let (a, b) = (self.bool(*a), self.bool(*b));
                    self.builder.iff(a, b)
                }
            }),
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                Made::Bool(self.builder.compare(*relation, a, b))
            }
            Node::CompareMembers(relation, a, b) => {
                let (a, b) = (self.member(*a), self.member(*b));
                Made::Bool(self.builder.compare_members(*relation, a, b))
            }
            Node::Num(value) => Made::Num(self.builder.num(value.to_rational())),
            Node::NumVar(var) => Made::Num(self.builder.num_var(*var)),
            // INVARIANT: a formula's nodes name intervals and pairs that the formula has.
            Node::Factor(id) => Made::Num(self.builder.factor(&self.formula.intervals()[id.0 as usize])),
            Node::Unbridged(id, a) => {
                let a = self.num(*a);
                Made::Num(self.builder.unbridged(&self.formula.unbridged()[id.0 as usize], a))
            }
            Node::Add(of) => Made::Num(self.sum(of)?),
            Node::Neg(a) => {
                let a = self.num(*a);
                Made::Num(self.builder.neg(a))
            }
            Node::Mul(a, b) => Made::Num(match (self.values.num(*a), self.values.num(*b)) {
                (Some(one), _) if one.is_one() => self.num(*b),
                (_, Some(one)) if one.is_one() => self.num(*a),
                _ => {
                    let (a, b) = (self.num(*a), self.num(*b));
                    self.builder.mul(a, b)
                }
            }),
            Node::Div(a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                Made::Num(self.builder.div(a, b))
            }
            Node::Rem(a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                Made::Num(self.builder.rem(a, b))
            }
            Node::Count(of) => {
                let holding = of.iter().filter(|each| self.values.bool(**each) == Some(true)).count();
                let open = self.open(of);
                let count = self.builder.count(open);
                Made::Num(self.plus(Rational::from_integer(holding.into()), vec![count]))
            }
            Node::Member(number) => Made::Member(self.builder.member(*number)),
            Node::MemberVar(var, size) => Made::Member(self.builder.member_var(*var, *size)),
            Node::IfBool(condition, a, b) => Made::Bool(match self.values.bool(*condition) {
                Some(true) => self.bool(*a),
                Some(false) => self.bool(*b),
                None => {
                    let (condition, a, b) = (self.bool(*condition), self.bool(*a), self.bool(*b));
                    self.builder.if_bool(condition, a, b)
                }
            }),
            Node::IfNum(condition, a, b) => Made::Num(match self.values.bool(*condition) {
                Some(true) => self.num(*a),
                Some(false) => self.num(*b),
                None => {
                    let (condition, a, b) = (self.bool(*condition), self.num(*a), self.num(*b));
                    self.builder.if_num(condition, a, b)
                }
            }),
            Node::IfMember(condition, a, b) => Made::Member(match self.values.bool(*condition) {
                Some(true) => self.member(*a),
                Some(false) => self.member(*b),
                None => {
                    let (condition, a, b) = (self.bool(*condition), self.member(*a), self.member(*b));
                    self.builder.if_member(condition, a, b)
                }
            }),
        })
    }

    /// The operands that are open.
    fn open(&mut self, of: &[BoolRef]) -> Vec<BoolRef> {
        let open = of.iter().filter(|each| self.values.bool(**each).is_none());
        open.map(|each| self.bool(*each)).collect()
    }

    /// A sum: what is known of it in one constant in front of the rest.
    fn sum(&mut self, of: &[NumRef]) -> Result<NumRef, TooLarge> {
        let mut known = Rational::zero();
        let mut open = Vec::new();
        for each in of {
            match self.values.num(*each) {
                Some(value) => known = self.work.add(&known, value)?,
                None => open.push(self.num(*each)),
            }
        }
        Ok(self.plus(known, open))
    }

    fn plus(&mut self, known: Rational, mut open: Vec<NumRef>) -> NumRef {
        if !known.is_zero() {
            open.insert(0, self.builder.num(known));
        }
        match open.as_slice() {
            [only] => *only,
            _ => self.builder.sum(open),
        }
    }

    fn bool(&mut self, of: BoolRef) -> BoolRef {
        match (self.values.bool(of), self.made[of.index()]) {
            (Some(value), _) => self.builder.bool(value),
            (None, Some(Made::Bool(made))) => made,
            _ => unmade(),
        }
    }

    fn num(&mut self, of: NumRef) -> NumRef {
        match (self.values.num(of), self.made[of.index()]) {
            (Some(value), _) => self.builder.num(value.clone()),
            (None, Some(Made::Num(made))) => made,
            _ => unmade(),
        }
    }

    fn member(&mut self, of: MemberRef) -> MemberRef {
        match (self.values.member(of), self.made[of.index()]) {
            (Some(value), _) => self.builder.member(value),
            (None, Some(Made::Member(made))) => made,
            _ => unmade(),
        }
    }
}

/// INVARIANT: operands stand before what reads them, and what an open node reads is needed: it has a value or was
/// made, of its own sort, before it is read.
#[allow(clippy::unreachable)]
fn unmade() -> ! {
    unreachable!("an operand that is neither known nor made")
}

//! From a formula to the solver's terms.
//!
//! Terms are made from formulas only, node by node and without recursion, and each sort has its own place in
//! [`Term`]; an ill-sorted term cannot be made. Everything is made in the context that is current (see [`crate::solver`]).
//!
//! - A number is a `Real`, written as an integer over an integer: the solver's text of a decimal over one is wrong.
//! - A member is an `Int` from zero to below the number of members. Enumeration sorts would have to be declared once for
//!   each context and vocabulary, and order by position would need a function beside them.
//! - Division by zero is the solver's own: an unconstrained function of the numerator. The remainder by zero, a
//!   conversion that nothing gives and an interval's factor are declared here.

use assay_claims::{Binding, Dictionary};
use assay_compile::formula::{BoolRef, Formula, MemberRef, Node, NumRef, Relation, Var};
use z3::ast::{Ast, Bool, Int, Real};
use z3::{FuncDecl, Sort};

use crate::EngineError;

/// The term of a node.
#[derive(Debug, Clone)]
pub(crate) enum Term {
    Bool(Bool),
    Num(Real),
    Member(Int),
}

/// A formula in the solver's terms.
#[derive(Debug)]
pub(crate) struct Translation {
    /// What always holds of the unknowns: bounds of members and factors.
    pub(crate) bounds: Vec<Bool>,
    /// The assertion.
    pub(crate) root: Bool,
    /// The term of every node.
    pub(crate) terms: Vec<Term>,
}

impl Translation {
    /// That the assertion holds, or that it does not.
    pub(crate) fn claim(&self, holds: bool) -> Bool {
        if holds { self.root.clone() } else { self.root.not() }
    }
}

/// What is wrong with a formula whose nodes do not fit together. No compiled ruleset has one.
#[derive(Debug)]
pub(crate) struct Misfit(pub(crate) String);

impl Misfit {
    pub(crate) fn in_assertion(self, name: &str) -> EngineError {
        EngineError::Translation { assertion: name.to_owned(), problem: self.0 }
    }
}

/// Translates a formula.
///
/// # Errors
/// Where it names something that it does not have.
pub(crate) fn translate(formula: &Formula) -> Result<Translation, Misfit> {
    let count = formula.nodes().len();
    let mut translator = Translator { formula, terms: Vec::with_capacity(count), bounds: Vec::new() };
    for (index, node) in formula.nodes().iter().enumerate() {
        let term =
            translator.node(node).ok_or_else(|| Misfit(format!("node {index} does not fit: {node:?}")))?;
        translator.terms.push(term);
    }
    let root = translator.bool(formula.root()).ok_or_else(|| Misfit("it is no boolean".to_owned()))?.clone();
    Ok(Translation { bounds: translator.bounds, root, terms: translator.terms })
}

/// What the evidence says of the variables of a formula, as equalities. Claims that are unknown have none.
pub(crate) fn bindings(formula: &Formula, translation: &Translation, dictionary: &Dictionary) -> Vec<Bool> {
    let variables = formula.nodes().iter().zip(&translation.terms).filter_map(|(node, term)| match node {
        Node::BoolVar(Var::Claim(id)) | Node::NumVar(Var::Claim(id)) | Node::MemberVar(Var::Claim(id), _) => {
            Some((dictionary.get(*id), term))
        }
        _ => None,
    });
    let equalities = variables.filter_map(|(binding, term)| match (binding, term) {
        (Binding::Bool(value), Term::Bool(term)) => Some(if *value { term.clone() } else { term.not() }),
        (Binding::Number { value, .. }, Term::Num(term)) => Some(term.eq(Real::from_big_rational(value))),
        (Binding::Member(number), Term::Member(term)) => Some(term.eq(Int::from_u64(u64::from(*number)))),
        _ => None,
    });
    equalities.collect()
}

struct Translator<'a> {
    formula: &'a Formula,
    terms: Vec<Term>,
    bounds: Vec<Bool>,
}

impl Translator<'_> {
    fn node(&mut self, node: &Node) -> Option<Term> {
        Some(match node {
            Node::Bool(value) => Term::Bool(Bool::from_bool(*value)),
            Node::BoolVar(var) => Term::Bool(Bool::new_const(name(*var))),
            Node::Not(a) => Term::Bool(self.bool(*a)?.not()),
            Node::And(of) if of.is_empty() => Term::Bool(Bool::from_bool(true)),
            Node::And(of) => Term::Bool(Bool::and(&self.bools(of)?)),
            Node::Or(of) if of.is_empty() => Term::Bool(Bool::from_bool(false)),
            Node::Or(of) => Term::Bool(Bool::or(&self.bools(of)?)),
            Node::Iff(a, b) => Term::Bool(self.bool(*a)?.iff(self.bool(*b)?)),
            Node::IfBool(condition, a, b) => {
                Term::Bool(self.bool(*condition)?.ite(self.bool(*a)?, self.bool(*b)?))
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.num(*a)?, self.num(*b)?);
                Term::Bool(match relation {
                    Relation::Eq => a.eq(b),
                    Relation::Lt => a.lt(b),
                    Relation::Le => a.le(b),
                })
            }
            Node::CompareMembers(relation, a, b) => {
                let (a, b) = (self.member(*a)?, self.member(*b)?);
                Term::Bool(match relation {
                    Relation::Eq => a.eq(b),
                    Relation::Lt => a.lt(b),
                    Relation::Le => a.le(b),
                })
            }
            Node::Num(value) => Term::Num(Real::from_big_rational(value)),
            Node::NumVar(var) => Term::Num(Real::new_const(name(*var))),
            Node::Factor(id) => {
                let interval = self.formula.intervals().get(id.0 as usize)?;
                let factor = Real::new_const(format!("f{}", id.0));
                self.bounds.push(factor.ge(Real::from_big_rational(&interval.low)));
                self.bounds.push(factor.le(Real::from_big_rational(&interval.high)));
                Term::Num(factor)
            }
            Node::Unbridged(id, a) => {
                self.formula.unbridged().get(id.0 as usize)?;
                Term::Num(function(&format!("u{}", id.0), self.num(*a)?)?)
            }
            Node::Add(of) if of.is_empty() => Term::Num(Real::from_rational(0, 1)),
            Node::Add(of) => {
                let terms = of.iter().map(|each| self.num(*each)).collect::<Option<Vec<&Real>>>()?;
                Term::Num(Real::add(&terms))
            }
            Node::Neg(a) => Term::Num(self.num(*a)?.unary_minus()),
            Node::Mul(a, b) => Term::Num(Real::mul(&[self.num(*a)?, self.num(*b)?])),
            Node::Div(a, b) => Term::Num(self.num(*a)?.div(self.num(*b)?)),
            Node::Rem(a, b) => {
                let (a, b) = (self.num(*a)?, self.num(*b)?);
                let floor = a.div(b).to_int().to_real();
                let remainder = Real::sub(&[a, &Real::mul(&[b, &floor])]);
                let by_zero = b.eq(Real::from_rational(0, 1));
                Term::Num(by_zero.ite(&function("rem0", a)?, &remainder))
            }
            Node::IfNum(condition, a, b) => {
                Term::Num(self.bool(*condition)?.ite(self.num(*a)?, self.num(*b)?))
            }
            Node::Count(of) if of.is_empty() => Term::Num(Real::from_rational(0, 1)),
            Node::Count(of) => {
                let (one, zero) = (Real::from_rational(1, 1), Real::from_rational(0, 1));
                let ones: Vec<Real> = self.bools(of)?.iter().map(|each| each.ite(&one, &zero)).collect();
                Term::Num(Real::add(&ones.iter().collect::<Vec<_>>()))
            }
            Node::Member(number) => Term::Member(Int::from_u64(u64::from(*number))),
            Node::MemberVar(var, size) => {
                let member = Int::new_const(name(*var));
                self.bounds.push(member.ge(Int::from_u64(0)));
                self.bounds.push(member.lt(Int::from_u64(u64::from(*size))));
                Term::Member(member)
            }
            Node::IfMember(condition, a, b) => {
                Term::Member(self.bool(*condition)?.ite(self.member(*a)?, self.member(*b)?))
            }
        })
    }

    fn bools(&self, of: &[BoolRef]) -> Option<Vec<&Bool>> {
        of.iter().map(|each| self.bool(*each)).collect()
    }

    fn bool(&self, of: BoolRef) -> Option<&Bool> {
        match self.terms.get(of.index())? {
            Term::Bool(term) => Some(term),
            _ => None,
        }
    }

    fn num(&self, of: NumRef) -> Option<&Real> {
        match self.terms.get(of.index())? {
            Term::Num(term) => Some(term),
            _ => None,
        }
    }

    fn member(&self, of: MemberRef) -> Option<&Int> {
        match self.terms.get(of.index())? {
            Term::Member(term) => Some(term),
            _ => None,
        }
    }
}

/// Names are made here and never come from a source: a claim is `c3` and a local `l2`, by their places.
fn name(var: Var) -> String {
    match var {
        Var::Claim(id) => format!("c{}", id.0),
        Var::Local(id) => format!("l{}", id.0),
    }
}

/// An unconstrained function of a number.
fn function(name: &str, a: &Real) -> Option<Real> {
    FuncDecl::new(name, &[&Sort::real()], &Sort::real()).apply(&[a as &dyn Ast]).as_real()
}

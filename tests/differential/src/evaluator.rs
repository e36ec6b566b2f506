//! The evaluator under test, and evaluators that are wrong in one way each.
//!
//! A wrong evaluator is the true one over a formula that was changed: a test that does not tell the two apart would not
//! notice such a fault in the evaluator either.

use assay_compile::formula::{BoolRef, Builder, Formula, MemberRef, Node, NumRef, Relation};
use assay_engine::{Interpretation, evaluate};
use num_traits::Zero;

/// One fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// `<=` is `<`.
    LessOrEqualIsLess,
    /// The remainder has the sign of the dividend, as in most programming languages.
    RemainderTruncates,
    /// An unknown boolean is false.
    UnknownIsFalse,
    /// A division by zero is zero.
    ByZeroIsZero,
    /// A unit that nothing bridges converts one to one.
    UnbridgedIsSame,
    /// Of things that are counted, the first is left out.
    CountMissesOne,
    /// An interval's factor is the lower end of the interval.
    FactorIsItsLowerEnd,
}

impl Mutation {
    /// Every fault.
    pub const ALL: [Mutation; 7] = [
        Mutation::LessOrEqualIsLess,
        Mutation::RemainderTruncates,
        Mutation::UnknownIsFalse,
        Mutation::ByZeroIsZero,
        Mutation::UnbridgedIsSame,
        Mutation::CountMissesOne,
        Mutation::FactorIsItsLowerEnd,
    ];
}

/// An evaluator, true or with a fault.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evaluator {
    /// The fault.
    pub mutation: Option<Mutation>,
}

impl Evaluator {
    /// Evaluates a formula.
    pub fn evaluate(self, formula: &Formula, interpretation: &impl Interpretation) -> Option<bool> {
        match self.mutation {
            None => evaluate(formula, interpretation),
            Some(mutation) => evaluate(&mutated(formula, interpretation, mutation), interpretation),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Made {
    Bool(BoolRef),
    Num(NumRef),
    Member(MemberRef),
}

/// The formula with a fault worked into every node that the fault touches.
fn mutated(formula: &Formula, interpretation: &impl Interpretation, mutation: Mutation) -> Formula {
    let mut copy = Copy { formula, mutation, builder: Builder::new(), made: Vec::new() };
    for node in formula.nodes() {
        let made = copy.node(node, interpretation);
        copy.made.push(made);
    }
    let root = copy.bool(formula.root());
    copy.builder.finish(root)
}

struct Copy<'a> {
    formula: &'a Formula,
    mutation: Mutation,
    builder: Builder,
    made: Vec<Made>,
}

impl Copy<'_> {
    fn node(&mut self, node: &Node, interpretation: &impl Interpretation) -> Made {
        match node {
            Node::Bool(value) => Made::Bool(self.builder.bool(*value)),
            Node::BoolVar(var) => match self.mutation {
                Mutation::UnknownIsFalse if interpretation.bool(*var).is_none() => {
                    Made::Bool(self.builder.bool(false))
                }
                _ => Made::Bool(self.builder.bool_var(*var)),
            },
            Node::Not(a) => {
                let a = self.bool(*a);
                Made::Bool(self.builder.not(a))
            }
            Node::And(of) => {
                let of = self.bools(of);
                Made::Bool(self.builder.and(of))
            }
            Node::Or(of) => {
                let of = self.bools(of);
                Made::Bool(self.builder.or(of))
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.bool(*a), self.bool(*b));
                Made::Bool(self.builder.iff(a, b))
            }
            Node::IfBool(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.bool(*a), self.bool(*b));
                Made::Bool(self.builder.if_bool(c, a, b))
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                let relation = match (self.mutation, relation) {
                    (Mutation::LessOrEqualIsLess, Relation::Le) => Relation::Lt,
                    _ => *relation,
                };
                Made::Bool(self.builder.compare(relation, a, b))
            }
            Node::CompareMembers(relation, a, b) => {
                let (a, b) = (self.member(*a), self.member(*b));
                Made::Bool(self.builder.compare_members(*relation, a, b))
            }
            Node::Num(value) => Made::Num(self.builder.num(value.to_rational())),
            Node::NumVar(var) => Made::Num(self.builder.num_var(*var)),
            Node::Factor(id) => {
                let interval = &self.formula.intervals()[id.0 as usize];
                Made::Num(match self.mutation {
                    Mutation::FactorIsItsLowerEnd => self.builder.num(interval.low.clone()),
                    _ => self.builder.factor(interval),
                })
            }
            Node::Unbridged(id, a) => {
                let a = self.num(*a);
                Made::Num(match self.mutation {
                    Mutation::UnbridgedIsSame => a,
                    _ => self.builder.unbridged(&self.formula.unbridged()[id.0 as usize], a),
                })
            }
            Node::Add(of) => {
                let of: Vec<NumRef> = of.iter().map(|each| self.num(*each)).collect();
                Made::Num(self.builder.sum(of))
            }
            Node::Neg(a) => {
                let a = self.num(*a);
                Made::Num(self.builder.neg(a))
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                Made::Num(self.builder.mul(a, b))
            }
            Node::Div(a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                let quotient = self.builder.div(a, b);
                Made::Num(match self.mutation {
                    Mutation::ByZeroIsZero => self.unless_zero(b, quotient),
                    _ => quotient,
                })
            }
            Node::Rem(a, b) => {
                let (a, b) = (self.num(*a), self.num(*b));
                let remainder = self.builder.rem(a, b);
                Made::Num(match self.mutation {
                    Mutation::ByZeroIsZero => self.unless_zero(b, remainder),
                    Mutation::RemainderTruncates => self.truncated(a, b, remainder),
                    _ => remainder,
                })
            }
            Node::IfNum(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.num(*a), self.num(*b));
                Made::Num(self.builder.if_num(c, a, b))
            }
            Node::Count(of) => {
                let mut of = self.bools(of);
                if self.mutation == Mutation::CountMissesOne && !of.is_empty() {
                    of.remove(0);
                }
                Made::Num(self.builder.count(of))
            }
            Node::Member(number) => Made::Member(self.builder.member(*number)),
            Node::MemberVar(var, size) => Made::Member(self.builder.member_var(*var, *size)),
            Node::IfMember(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.member(*a), self.member(*b));
                Made::Member(self.builder.if_member(c, a, b))
            }
        }
    }

    fn unless_zero(&mut self, divisor: NumRef, value: NumRef) -> NumRef {
        let zero = self.builder.num(Zero::zero());
        let is_zero = self.builder.compare(Relation::Eq, divisor, zero);
        self.builder.if_num(is_zero, zero, value)
    }

    /// The remainder that has the sign of `a`: `-(-a % b)` where the signs of `a` and `b` differ.
    fn truncated(&mut self, a: NumRef, b: NumRef, remainder: NumRef) -> NumRef {
        let zero = self.builder.num(Zero::zero());
        let negative = self.builder.neg(a);
        let other = self.builder.rem(negative, b);
        let other = self.builder.neg(other);
        let product = self.builder.mul(a, b);
        let same_sign = self.builder.compare(Relation::Le, zero, product);
        self.builder.if_num(same_sign, remainder, other)
    }

    fn bools(&self, of: &[BoolRef]) -> Vec<BoolRef> {
        of.iter().map(|each| self.bool(*each)).collect()
    }

    fn bool(&self, of: BoolRef) -> BoolRef {
        match self.made[of.index()] {
            Made::Bool(made) => made,
            _ => panic!("no boolean"),
        }
    }

    fn num(&self, of: NumRef) -> NumRef {
        match self.made[of.index()] {
            Made::Num(made) => made,
            _ => panic!("no number"),
        }
    }

    fn member(&self, of: MemberRef) -> MemberRef {
        match self.made[of.index()] {
            Made::Member(made) => made,
            _ => panic!("no member"),
        }
    }
}

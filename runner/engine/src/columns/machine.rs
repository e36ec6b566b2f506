//! Evaluates a program for the rows of a block: the rules of [`evaluate`](crate::evaluate), a column at a time.
//!
//! What has a value here has the same value there. The other way round columns are weaker: a number that is too long for
//! them is open, and so is what they do not compute at all: remainders, and conversions by anything but a factor. Such
//! rows are *tainted*, and so are those that divide by zero: what is open in a tainted row is decided on the row path,
//! which knows whether the reason names units or a division by zero.

use std::mem::swap;

use assay_compile::formula::{BoolRef, Node, NumRef, Relation, Var};

use super::bits::Bits;
use super::input::{Claim, Input, block, slice};
use super::lanes::Lanes;
use super::program::Program;
use super::scales::{Scale, Scales};
use super::slots::{Members, Number, Operands, Slot, Truth};
use crate::candidates::Candidates;

/// What stands for the things that a row does not bind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fill<'a> {
    /// Nothing.
    Open,
    /// What a candidate says.
    Candidate(&'a Candidates, usize),
}

/// The state of evaluation; made once and used for block after block.
#[derive(Debug)]
pub(super) struct Machine<'p> {
    program: &'p Program,
    slots: Vec<Slot>,
    scratch: [Lanes; 5],
    tainted: Vec<(usize, Bits)>,
}

/// Where a block is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) scales: &'a Scales,
    pub(super) block: usize,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program) -> Machine<'p> {
        let slots = program.formula.nodes().iter().map(|node| match node {
            Node::Num(_) | Node::NumVar(_) | Node::Factor(_) | Node::Unbridged(..) => {
                Slot::Number(Number::new())
            }
            Node::Add(_) | Node::Neg(_) | Node::Mul(..) | Node::Div(..) => Slot::Number(Number::new()),
            Node::Rem(..) | Node::IfNum(..) | Node::Count(_) => Slot::Number(Number::new()),
            Node::Member(_) | Node::MemberVar(..) | Node::IfMember(..) => Slot::Member(Members::new()),
            _ => Slot::Bool(Truth::OPEN),
        });
        let scratch = [(); 5].map(|()| Lanes::splat(0));
        Machine { program, slots: slots.collect(), scratch, tainted: Vec::new() }
    }

    /// Evaluates the nodes that are wanted.
    pub(super) fn run(&mut self, place: Place<'_>, fill: Fill<'_>, wanted: &[bool]) {
        self.tainted.clear();
        for (index, node) in self.program.formula.nodes().iter().enumerate() {
            if !wanted[index] {
                continue;
            }
            let (before, rest) = self.slots.split_at_mut(index);
            let operands = Operands(before);
            let taint = match rest.first_mut() {
                Some(Slot::Bool(to)) => {
                    let (truth, taint) = bool(node, operands, place, index, fill, &mut self.scratch);
                    *to = truth;
                    taint
                }
                Some(Slot::Number(to)) => number(node, to, operands, place, index, fill, &mut self.scratch),
                Some(Slot::Member(to)) => {
                    member(node, to, operands, place, fill);
                    Bits::NONE
                }
                None => Bits::NONE,
            };
            if taint.any() {
                self.tainted.push((index, taint));
            }
        }
    }

    /// What an assertion comes to.
    pub(super) fn truth(&self, root: BoolRef) -> Truth {
        *Operands(&self.slots).bool(root)
    }

    /// The rows that are tainted for an assertion that depends on these nodes.
    pub(super) fn tainted(&self, cone: &[usize]) -> Bits {
        let of_cone = self.tainted.iter().filter(|(index, _)| cone.binary_search(index).is_ok());
        of_cone.fold(Bits::NONE, |all, (_, taint)| all | *taint)
    }
}

fn bool(
    node: &Node,
    operands: Operands<'_>,
    place: Place<'_>,
    index: usize,
    fill: Fill<'_>,
    scratch: &mut [Lanes; 5],
) -> (Truth, Bits) {
    let of = |a: &BoolRef| operands.bool(*a);
    let truth =
        match node {
            Node::Bool(value) => Truth::known(Bits::of(*value), Bits::ALL),
            Node::BoolVar(var) => bool_var(*var, place, fill),
            Node::Not(a) => Truth { holds: of(a).fails, fails: of(a).holds },
            Node::And(all) => all.iter().map(of).fold(Truth::known(Bits::ALL, Bits::ALL), |all, each| {
                Truth { holds: all.holds & each.holds, fails: all.fails | each.fails }
            }),
            Node::Or(all) => all.iter().map(of).fold(Truth::known(Bits::NONE, Bits::ALL), |all, each| {
                Truth { holds: all.holds | each.holds, fails: all.fails & each.fails }
            }),
            Node::Iff(a, b) if a == b => Truth::known(Bits::ALL, Bits::ALL),
            Node::Iff(a, b) => {
                let (a, b) = (of(a), of(b));
                Truth {
                    holds: (a.holds & b.holds) | (a.fails & b.fails),
                    fails: (a.holds & b.fails) | (a.fails & b.holds),
                }
            }
            Node::IfBool(c, a, b) => {
                let (c, a, b) = (of(c), of(a), of(b));
                Truth {
                    holds: (c.holds & a.holds) | (c.fails & b.holds) | (a.holds & b.holds),
                    fails: (c.holds & a.fails) | (c.fails & b.fails) | (a.fails & b.fails),
                }
            }
            Node::Compare(relation, a, b) if a == b => {
                Truth::known(Bits::of(*relation != Relation::Lt), Bits::ALL)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (operands.number(*a), operands.number(*b));
                let Scale::Factors(factors) = place.scales.at(index) else { return (Truth::OPEN, Bits::ALL) };
                let (holds, lost) = compare(*relation, (a, factors[0]), (b, factors[1]), scratch);
                return (Truth::known(holds, a.known & b.known & !lost), lost);
            }
            Node::CompareMembers(relation, a, b) if a == b => {
                Truth::known(Bits::of(*relation != Relation::Lt), Bits::ALL)
            }
            Node::CompareMembers(relation, a, b) => {
                let (a, b) = (operands.member(*a), operands.member(*b));
                Truth::known(a.compare(*relation, b), a.known & b.known)
            }
            _ => Truth::OPEN,
        };
    (truth, Bits::NONE)
}

fn bool_var(var: Var, place: Place<'_>, fill: Fill<'_>) -> Truth {
    let bound = match var {
        Var::Claim(id) => place.input.claims.get(id.0),
        Var::Local(_) => None,
    };
    let truth = match bound {
        Some(Claim::Bool { values, known }) => {
            Truth::known(block(values, place.block), block(known, place.block))
        }
        _ => Truth::OPEN,
    };
    match fill {
        Fill::Open => truth,
        Fill::Candidate(of, n) => {
            let otherwise = Truth::known(Bits::of(of.bool(n, var)), !truth.is_known());
            Truth { holds: truth.holds | otherwise.holds, fails: truth.fails | otherwise.fails }
        }
    }
}

/// Fills in a number, and returns the rows that are tainted by it.
fn number(
    node: &Node,
    to: &mut Number,
    operands: Operands<'_>,
    place: Place<'_>,
    index: usize,
    fill: Fill<'_>,
    scratch: &mut [Lanes; 5],
) -> Bits {
    let of = |a: &NumRef| operands.number(*a);
    let factors: &[i128] = match place.scales.at(index) {
        Scale::Beyond => {
            to.constant(0, Bits::NONE);
            return Bits::ALL;
        }
        Scale::Constant(mantissa) => {
            to.constant(*mantissa, Bits::ALL);
            return Bits::NONE;
        }
        Scale::Factors(factors) => factors,
        Scale::None => &[],
    };
    let mut lost = Bits::NONE;
    let mut by_zero = Bits::NONE;
    match node {
        Node::NumVar(var) => number_var(*var, to, place, fill, &mut lost),
        Node::Neg(a) => {
            let a = of(a);
            to.mantissa.mul(&a.mantissa, &Lanes::splat(-1), &mut lost);
            to.denominator.copy(&a.denominator);
            to.known = a.known;
        }
        Node::Mul(a, b) => {
            let (a, b) = (of(a), of(b));
            to.mantissa.mul(&a.mantissa, &b.mantissa, &mut lost);
            to.denominator.mul(&a.denominator, &b.denominator, &mut lost);
            to.known = a.known & b.known;
            // Zero times anything is zero.
            for (zero, open) in [(a, b), (b, a)] {
                let candidates = zero.known & !open.known;
                if candidates.any() {
                    to.known |= candidates & zero.mantissa.zeros();
                }
            }
        }
        Node::Div(a, b) => {
            let (a, b) = (of(a), of(b));
            to.mantissa.mul(&a.mantissa, &b.denominator, &mut lost);
            to.denominator.mul(&a.denominator, &b.mantissa, &mut lost);
            let zeros = to.denominator.make_positive(&mut to.mantissa);
            by_zero = zeros & b.known;
            to.known = a.known & b.known & !zeros;
        }
        Node::Add(all) => sum(to, all.iter().map(of).zip(factors.iter().copied()), scratch, &mut lost),
        Node::IfNum(c, a, b) => {
            let (c, a, b) = (operands.bool(*c), of(a), of(b));
            let (x, y) = (factors[0], factors[1]);
            let [first, second, ..] = scratch;
            to.mantissa.select(
                &c.holds,
                scaled(&a.mantissa, x, first, &mut lost),
                scaled(&b.mantissa, y, second, &mut lost),
            );
            to.denominator.select(&c.holds, &a.denominator, &b.denominator);
            to.known = (c.holds & a.known) | (c.fails & b.known);
            let either = !c.is_known() & a.known & b.known;
            if either.any() {
                // Which branch is taken does not matter where both are the same.
                let (same, unfit) = compare(Relation::Eq, (a, x), (b, y), scratch);
                to.known |= either & same;
                lost |= either & unfit;
            }
        }
        Node::Count(all) => {
            let each = || all.iter().map(|each| operands.bool(*each));
            to.mantissa.count(each().map(|each| &each.holds));
            to.denominator.set_splat(1);
            to.known = each().fold(Bits::ALL, |known, each| known & each.is_known());
        }
        _ => {
            to.constant(0, Bits::NONE);
            return Bits::ALL;
        }
    }
    to.lose(&lost);
    lost | by_zero
}

fn number_var(var: Var, to: &mut Number, place: Place<'_>, fill: Fill<'_>, lost: &mut Bits) {
    let bound = match var {
        Var::Claim(id) => place.input.claims.get(id.0),
        Var::Local(_) => None,
    };
    let ((otherwise, below), filled) = match fill {
        Fill::Open => ((0, 1), Bits::NONE),
        Fill::Candidate(of, n) => (of.number(n, var), Bits::ALL),
    };
    let (otherwise, below) = (i128::from(otherwise), i128::from(below));
    match bound {
        Some(Claim::Number { unscaled, scale, known }) => {
            let known = block(known, place.block);
            // The largest candidate at the largest scale has 34 digits, and 38 fit.
            let otherwise = otherwise * 10i128.pow(u32::from(*scale));
            to.mantissa.load(slice(unscaled, place.block), &known, otherwise, lost);
            match below {
                1 => to.denominator.set_splat(1),
                _ => to.denominator.select(&known, &Lanes::splat(1), &Lanes::splat(below)),
            }
            to.known = known | filled;
        }
        _ => {
            to.constant(otherwise, filled);
            to.denominator.set_splat(below);
        }
    }
}

/// The numbers times a factor, in `room` where that changes them.
fn scaled<'l>(numbers: &'l Lanes, factor: i128, room: &'l mut Lanes, lost: &mut Bits) -> &'l Lanes {
    times(numbers, &Lanes::splat(factor), room, lost)
}

/// The product, in `room` where it is another.
fn times<'l>(numbers: &'l Lanes, by: &Lanes, room: &'l mut Lanes, lost: &mut Bits) -> &'l Lanes {
    if by.constant() == Some(1) {
        return numbers;
    }
    room.mul(numbers, by, lost);
    room
}

fn sum<'n>(
    to: &mut Number,
    terms: impl Iterator<Item = (&'n Number, i128)>,
    scratch: &mut [Lanes; 5],
    lost: &mut Bits,
) {
    to.constant(0, Bits::ALL);
    let [first, second, third, total, _] = scratch;
    for (term, factor) in terms {
        let right = scaled(&term.mantissa, factor, first, lost);
        let right = times(right, &to.denominator, second, lost);
        let left = times(&to.mantissa, &term.denominator, third, lost);
        match left.constant() {
            Some(0) => total.copy(right),
            _ => total.add(left, right, lost),
        }
        swap(&mut to.mantissa, total);
        if !term.is_whole() {
            total.mul(&to.denominator, &term.denominator, lost);
            swap(&mut to.denominator, total);
        }
        to.known &= term.known;
    }
}

/// Where the relation holds between two numbers, each in units that are a factor of a common one, and where that is too
/// long to tell: both sides are multiplied with both denominators, which are positive.
fn compare(
    relation: Relation,
    (a, x): (&Number, i128),
    (b, y): (&Number, i128),
    scratch: &mut [Lanes; 5],
) -> (Bits, Bits) {
    let mut lost = Bits::NONE;
    let [first, second, third, fourth, _] = scratch;
    let left = scaled(&a.mantissa, x, first, &mut lost);
    let left = times(left, &b.denominator, second, &mut lost);
    let right = scaled(&b.mantissa, y, third, &mut lost);
    let right = times(right, &a.denominator, fourth, &mut lost);
    (left.compare(relation, right), lost)
}

fn member(node: &Node, to: &mut Members, operands: Operands<'_>, place: Place<'_>, fill: Fill<'_>) {
    match node {
        Node::Member(number) => to.constant(*number, Bits::ALL),
        Node::MemberVar(var, _) => {
            let bound = match var {
                Var::Claim(id) => place.input.claims.get(id.0),
                Var::Local(_) => None,
            };
            let (otherwise, filled) = match fill {
                Fill::Open => (0, Bits::NONE),
                Fill::Candidate(of, n) => (of.member(n, *var), Bits::ALL),
            };
            match bound {
                Some(Claim::Member { numbers, known }) => {
                    let known = block(known, place.block);
                    to.load(slice(numbers, place.block), &known, otherwise);
                    to.known = known | filled;
                }
                _ => to.constant(otherwise, filled),
            }
        }
        Node::IfMember(c, a, b) => {
            let (c, a, b) = (operands.bool(*c), operands.member(*a), operands.member(*b));
            to.select(&c.holds, a, b);
            to.known = (c.holds & a.known) | (c.fails & b.known);
            let either = !c.is_known() & a.known & b.known;
            if either.any() {
                to.known |= either & a.compare(Relation::Eq, b);
            }
        }
        _ => to.constant(0, Bits::NONE),
    }
}

/// What candidates made of the open rows of an assertion.
#[derive(Debug)]
pub(super) struct Seen {
    open: Bits,
    holds: Bits,
    fails: Bits,
}

impl Seen {
    pub(super) fn new(open: Bits) -> Seen {
        Seen { open, holds: Bits::NONE, fails: Bits::NONE }
    }

    pub(super) fn add(&mut self, truth: Truth) {
        if self.open.any() {
            self.holds |= truth.holds & self.open;
            self.fails |= truth.fails & self.open;
        }
    }

    /// The rows that can hold and can fail.
    pub(super) fn unknown(&self) -> Bits {
        self.holds & self.fails
    }

    /// Whether there is nothing left to see.
    pub(super) fn is_done(&self) -> bool {
        self.unknown() == self.open
    }
}

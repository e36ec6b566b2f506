//! What the nodes of a program hold for the rows of a block.

use assay_compile::formula::{BoolRef, MemberRef, NumRef, Relation};

use super::bits::{BLOCK, Bits};
use super::lanes::Lanes;

/// One node.
#[derive(Debug)]
pub(super) enum Slot {
    /// Where it holds and where it fails; in the other rows it is open.
    Bool(Truth),
    Number(Number),
    Member(Members),
}

/// A boolean of three values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Truth {
    pub(super) holds: Bits,
    pub(super) fails: Bits,
}

impl Truth {
    pub(super) const OPEN: Truth = Truth { holds: Bits::NONE, fails: Bits::NONE };

    /// `value` where it is known.
    pub(super) fn known(value: Bits, known: Bits) -> Truth {
        Truth { holds: value & known, fails: !value & known }
    }

    pub(super) fn is_known(&self) -> Bits {
        self.holds | self.fails
    }
}

/// `mantissa / denominator` of the node's unit, where it is known. Denominators are positive in every row.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) mantissa: Lanes,
    pub(super) denominator: Lanes,
    pub(super) known: Bits,
}

impl Number {
    pub(super) fn new() -> Number {
        Number { mantissa: Lanes::splat(0), denominator: Lanes::splat(1), known: Bits::NONE }
    }

    pub(super) fn constant(&mut self, mantissa: i128, known: Bits) {
        self.mantissa.set_splat(mantissa);
        self.denominator.set_splat(1);
        self.known = known;
    }

    /// Whether it is a whole number of units in every row.
    pub(super) fn is_whole(&self) -> bool {
        self.denominator.constant() == Some(1)
    }

    /// Opens the rows whose number did not fit.
    pub(super) fn lose(&mut self, lost: &Bits) {
        if lost.any() {
            self.known &= !*lost;
            // What did not fit holds 0, which is no denominator.
            self.denominator.make_positive(&mut self.mantissa);
        }
    }
}

/// Members by number, where they are known.
#[derive(Debug)]
pub(super) struct Members {
    numbers: Vec<u32>,
    /// The number in every row, if it is one.
    same: Option<u32>,
    pub(super) known: Bits,
}

impl Members {
    pub(super) fn new() -> Members {
        Members { numbers: Vec::new(), same: Some(0), known: Bits::NONE }
    }

    pub(super) fn constant(&mut self, number: u32, known: Bits) {
        (self.same, self.known) = (Some(number), known);
    }

    /// The numbers of a column; where it is not known, `otherwise`.
    pub(super) fn load(&mut self, column: &[u32], known: &Bits, otherwise: u32) {
        self.same = None;
        self.numbers.resize(BLOCK, 0);
        for (row, (to, from)) in self.numbers.iter_mut().zip(column).enumerate() {
            let take = 0u32.wrapping_sub((known.0[row / 64] >> (row % 64) & 1) as u32);
            *to = (from & take) | (otherwise & !take);
        }
    }

    pub(super) fn select(&mut self, mask: &Bits, a: &Members, b: &Members) {
        self.same = None;
        self.numbers.resize(BLOCK, 0);
        for (row, to) in self.numbers.iter_mut().enumerate() {
            *to = if mask.at(row) { a.at(row) } else { b.at(row) };
        }
    }

    pub(super) fn compare(&self, relation: Relation, other: &Members) -> Bits {
        match (self.same, other.same) {
            (Some(a), Some(b)) => Bits::of(holds(relation, a, b)),
            (None, Some(b)) => each(relation, |row| self.lane(row), |_| b),
            (Some(a), None) => each(relation, |_| a, |row| other.lane(row)),
            (None, None) => each(relation, |row| self.lane(row), |row| other.lane(row)),
        }
    }

    #[inline(always)]
    fn lane(&self, row: usize) -> u32 {
        self.numbers[row]
    }

    fn at(&self, row: usize) -> u32 {
        self.same.unwrap_or_else(|| self.numbers[row])
    }
}

#[inline(always)]
fn each(relation: Relation, a: impl Fn(usize) -> u32, b: impl Fn(usize) -> u32) -> Bits {
    match relation {
        Relation::Eq => Bits::where_true(|row| a(row) == b(row)),
        Relation::Lt => Bits::where_true(|row| a(row) < b(row)),
        Relation::Le => Bits::where_true(|row| a(row) <= b(row)),
    }
}

fn holds(relation: Relation, a: u32, b: u32) -> bool {
    match relation {
        Relation::Eq => a == b,
        Relation::Lt => a < b,
        Relation::Le => a <= b,
    }
}

/// The slots before the one that is filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands<'s>(pub(super) &'s [Slot]);

impl<'s> Operands<'s> {
    pub(super) fn bool(self, of: BoolRef) -> &'s Truth {
        match &self.0[of.index()] {
            Slot::Bool(truth) => truth,
            _ => ill_sorted(),
        }
    }

    pub(super) fn number(self, of: NumRef) -> &'s Number {
        match &self.0[of.index()] {
            Slot::Number(number) => number,
            _ => ill_sorted(),
        }
    }

    pub(super) fn member(self, of: MemberRef) -> &'s Members {
        match &self.0[of.index()] {
            Slot::Member(members) => members,
            _ => ill_sorted(),
        }
    }
}

/// INVARIANT: slots are made of the sort of their node, and handles of a sort point to nodes of that sort.
#[allow(clippy::unreachable)]
fn ill_sorted() -> ! {
    unreachable!("an operand of another sort")
}

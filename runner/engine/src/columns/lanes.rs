//! Whole numbers, one for each row of a block, and exact arithmetic on them.
//!
//! Every vector carries a bound on the size of its numbers. From the bounds of the operands follows one of
//! three ways to compute: in 64 bits where no result can be longer, in 128 bits where no result can be longer than
//! that, and otherwise in 128 bits with each result checked. Nothing wraps and nothing is rounded: rows whose result does
//! not fit are told, and hold 0.

use std::cmp::Ordering;

use assay_compile::formula::Relation;

use super::bits::{BLOCK, Bits};

const NARROW: u128 = i64::MAX as u128;
const WIDE: u128 = i128::MAX as u128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The same number in every row.
    Splat(i128),
    /// In 64 bits: the bound is at most [`NARROW`].
    Narrow,
    /// In 128 bits: the bound is at most [`WIDE`].
    Wide,
}

/// The numbers of a block.
#[derive(Debug)]
pub(super) struct Lanes {
    form: Form,
    /// No number is larger, whatever its sign.
    bound: u128,
    narrow: Vec<i64>,
    wide: Vec<i128>,
}

/// Reads a vector of either form, or a constant, as numbers of 64 and of 128 bits. Those that are read as 64 bits fit.
trait Read: Copy {
    fn narrow(self, row: usize) -> i64;
    fn wide(self, row: usize) -> i128;
}

#[derive(Clone, Copy)]
struct Same(i128);
impl Read for Same {
    #[inline(always)]
    fn narrow(self, _: usize) -> i64 {
        self.0 as i64
    }
    #[inline(always)]
    fn wide(self, _: usize) -> i128 {
        self.0
    }
}
impl Read for &[i64; BLOCK] {
    #[inline(always)]
    fn narrow(self, row: usize) -> i64 {
        self[row]
    }
    #[inline(always)]
    fn wide(self, row: usize) -> i128 {
        i128::from(self[row])
    }
}
impl Read for &[i128; BLOCK] {
    #[inline(always)]
    fn narrow(self, row: usize) -> i64 {
        self[row] as i64
    }
    #[inline(always)]
    fn wide(self, row: usize) -> i128 {
        self[row]
    }
}

/// Reads two vectors in the forms that they have.
macro_rules! read {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $body:expr) => {
        match ($a.form, $b.form) {
            (Form::Splat(a), Form::Splat(b)) => {
                let ($x, $y) = (Same(a), Same(b));
                $body
            }
            (Form::Splat(a), Form::Narrow) => {
                let ($x, $y) = (Same(a), $b.as_narrow());
                $body
            }
            (Form::Splat(a), Form::Wide) => {
                let ($x, $y) = (Same(a), $b.as_wide());
                $body
            }
            (Form::Narrow, Form::Splat(b)) => {
                let ($x, $y) = ($a.as_narrow(), Same(b));
                $body
            }
            (Form::Narrow, Form::Narrow) => {
                let ($x, $y) = ($a.as_narrow(), $b.as_narrow());
                $body
            }
            (Form::Narrow, Form::Wide) => {
                let ($x, $y) = ($a.as_narrow(), $b.as_wide());
                $body
            }
            (Form::Wide, Form::Splat(b)) => {
                let ($x, $y) = ($a.as_wide(), Same(b));
                $body
            }
            (Form::Wide, Form::Narrow) => {
                let ($x, $y) = ($a.as_wide(), $b.as_narrow());
                $body
            }
            (Form::Wide, Form::Wide) => {
                let ($x, $y) = ($a.as_wide(), $b.as_wide());
                $body
            }
        }
    };
}

impl Lanes {
    pub(super) fn splat(value: i128) -> Lanes {
        Lanes { form: Form::Splat(value), bound: value.unsigned_abs(), narrow: Vec::new(), wide: Vec::new() }
    }

    /// The number that every row holds, if it is one.
    pub(super) fn constant(&self) -> Option<i128> {
        match self.form {
            Form::Splat(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn set_splat(&mut self, value: i128) {
        (self.form, self.bound) = (Form::Splat(value), value.unsigned_abs());
    }

    fn as_narrow(&self) -> &[i64; BLOCK] {
        self.narrow.as_array().unwrap_or(&[0; BLOCK])
    }

    fn as_wide(&self) -> &[i128; BLOCK] {
        self.wide.as_array().unwrap_or(&[0; BLOCK])
    }

    /// Makes room for results of at most `bound`, in 64 bits.
    fn start_narrow(&mut self, bound: u128) -> &mut [i64] {
        (self.form, self.bound) = (Form::Narrow, bound);
        self.narrow.resize(BLOCK, 0);
        &mut self.narrow
    }

    /// Makes room for results of at most `bound`, in 128 bits.
    fn start_wide(&mut self, bound: u128) -> &mut [i128] {
        (self.form, self.bound) = (Form::Wide, bound.min(WIDE));
        self.wide.resize(BLOCK, 0);
        &mut self.wide
    }

    /// Takes the numbers of the rows that are known from a column; the others hold `otherwise`. Rows whose number has no
    /// negative in 128 bits are added to `lost`.
    pub(super) fn load(&mut self, column: &[i128], known: &Bits, otherwise: i128, lost: &mut Bits) {
        let fits = i64::try_from(otherwise).is_ok_and(|value| value != i64::MIN);
        if fits && self.load_narrow(column, known, otherwise as i64) {
            return;
        }
        let mut bound = otherwise.unsigned_abs();
        let wide = self.start_wide(WIDE);
        for (row, (lane, value)) in wide.iter_mut().zip(column).enumerate() {
            *lane = match known.at(row) {
                true if *value == i128::MIN => {
                    lost.set(row);
                    0
                }
                true => *value,
                false => otherwise,
            };
            bound = bound.max(lane.unsigned_abs());
        }
        wide.iter_mut().skip(column.len()).for_each(|lane| *lane = otherwise);
        self.bound = bound;
    }

    fn load_narrow(&mut self, column: &[i128], known: &Bits, otherwise: i64) -> bool {
        let lanes = self.start_narrow(NARROW);
        let (mut long, mut size) = (0i64, (otherwise ^ (otherwise >> 63)) as u64);
        for ((lanes, column), known) in lanes.chunks_mut(64).zip(column.chunks(64)).zip(known.0) {
            let all = known == u64::MAX;
            for (row, (lane, value)) in lanes.iter_mut().zip(column).enumerate() {
                let take = if all { -1 } else { -((known >> row & 1) as i64) };
                let low = (*value as i64 & take) | (otherwise & !take);
                long |= ((*value >> 64) as i64 ^ (*value as i64 >> 63)) & take;
                size |= (low ^ (low >> 63)) as u64;
                *lane = low;
            }
        }
        lanes.iter_mut().skip(column.len()).for_each(|lane| *lane = otherwise);
        // The next power of two: never less than the largest number, and at most twice as much.
        self.bound = 1u128 << (64 - size.leading_zeros());
        long == 0 && self.bound <= NARROW
    }

    /// The sum of two vectors. Rows that it does not fit are added to `lost`.
    pub(super) fn add(&mut self, a: &Lanes, b: &Lanes, lost: &mut Bits) {
        let bound = a.bound.saturating_add(b.bound);
        self.compute(a, b, bound, lost, i64::wrapping_add, i128::wrapping_add, i128::checked_add);
    }

    /// The product of two vectors. Rows that it does not fit are added to `lost`.
    pub(super) fn mul(&mut self, a: &Lanes, b: &Lanes, lost: &mut Bits) {
        let bound = a.bound.saturating_mul(b.bound);
        self.compute(a, b, bound, lost, i64::wrapping_mul, i128::wrapping_mul, i128::checked_mul);
    }

    #[allow(clippy::too_many_arguments)] // One operation in its three ways.
    fn compute(
        &mut self,
        a: &Lanes,
        b: &Lanes,
        bound: u128,
        lost: &mut Bits,
        narrow: impl Fn(i64, i64) -> i64,
        wide: impl Fn(i128, i128) -> i128,
        checked: impl Fn(i128, i128) -> Option<i128>,
    ) {
        let checked = |a, b| checked(a, b).filter(|result| *result != i128::MIN);
        if let (Form::Splat(a), Form::Splat(b)) = (a.form, b.form) {
            let value = checked(a, b);
            if value.is_none() {
                *lost = Bits::ALL;
            }
            return self.set_splat(value.unwrap_or(0));
        }
        if bound <= NARROW {
            let lanes = self.start_narrow(bound);
            read!(a, b, |x, y| for (row, lane) in lanes.iter_mut().enumerate() {
                *lane = narrow(x.narrow(row), y.narrow(row));
            });
        } else if bound <= WIDE {
            let lanes = self.start_wide(bound);
            read!(a, b, |x, y| for (row, lane) in lanes.iter_mut().enumerate() {
                *lane = wide(x.wide(row), y.wide(row));
            });
        } else {
            let lanes = self.start_wide(bound);
            for (row, lane) in lanes.iter_mut().enumerate() {
                let result = checked(a.at(row), b.at(row));
                if result.is_none() {
                    lost.set(row);
                }
                *lane = result.unwrap_or(0);
            }
        }
    }

    /// `a` in the rows of `mask`, `b` in the others.
    pub(super) fn select(&mut self, mask: &Bits, a: &Lanes, b: &Lanes) {
        if a.constant().is_some() && a.constant() == b.constant() {
            return self.copy(a);
        }
        let bound = a.bound.max(b.bound);
        if bound <= NARROW {
            let lanes = self.start_narrow(bound);
            read!(a, b, |x, y| for (row, lane) in lanes.iter_mut().enumerate() {
                let take = -((mask.0[row / 64] >> (row % 64) & 1) as i64);
                *lane = (x.narrow(row) & take) | (y.narrow(row) & !take);
            });
        } else {
            let lanes = self.start_wide(bound);
            read!(a, b, |x, y| for (row, lane) in lanes.iter_mut().enumerate() {
                *lane = if mask.at(row) { x.wide(row) } else { y.wide(row) };
            });
        }
    }

    pub(super) fn copy(&mut self, a: &Lanes) {
        match a.form {
            Form::Splat(value) => self.set_splat(value),
            Form::Narrow => self.start_narrow(a.bound).copy_from_slice(a.as_narrow()),
            Form::Wide => self.start_wide(a.bound).copy_from_slice(a.as_wide()),
        }
    }

    /// Counts in each row the vectors of bits that have it.
    pub(super) fn count<'b>(&mut self, of: impl Iterator<Item = &'b Bits>) {
        let lanes = self.start_narrow(0);
        lanes.fill(0);
        let mut bound = 0;
        for bits in of {
            bound += 1;
            for (lanes, word) in lanes.chunks_mut(64).zip(bits.0) {
                for (row, lane) in lanes.iter_mut().enumerate() {
                    *lane += (word >> row & 1) as i64;
                }
            }
        }
        self.bound = bound;
    }

    /// The rows in which it is zero.
    pub(super) fn zeros(&self) -> Bits {
        self.compare(Relation::Eq, &Lanes::splat(0))
    }

    /// The rows in which the relation holds.
    pub(super) fn compare(&self, relation: Relation, other: &Lanes) -> Bits {
        if self.bound <= NARROW && other.bound <= NARROW {
            read!(self, other, |x, y| match relation {
                Relation::Eq => Bits::where_true(|row| x.narrow(row) == y.narrow(row)),
                Relation::Lt => Bits::where_true(|row| x.narrow(row) < y.narrow(row)),
                Relation::Le => Bits::where_true(|row| x.narrow(row) <= y.narrow(row)),
            })
        } else {
            read!(self, other, |x, y| match relation {
                Relation::Eq => Bits::where_true(|row| x.wide(row) == y.wide(row)),
                Relation::Lt => Bits::where_true(|row| x.wide(row) < y.wide(row)),
                Relation::Le => Bits::where_true(|row| x.wide(row) <= y.wide(row)),
            })
        }
    }

    /// Makes every number of `self` positive and changes the sign of the same rows of `numerator`. The rows that held
    /// zero hold one afterwards; they are what is returned.
    pub(super) fn make_positive(&mut self, numerator: &mut Lanes) -> Bits {
        let sign = |value: i128| value.cmp(&0);
        if let Form::Splat(value) = self.form {
            match sign(value) {
                Ordering::Greater => return Bits::NONE,
                Ordering::Equal => {
                    self.set_splat(1);
                    return Bits::ALL;
                }
                Ordering::Less => {
                    self.set_splat(-value);
                    numerator.negate(&Bits::ALL);
                    return Bits::NONE;
                }
            }
        }
        let (zeros, negative) = (self.zeros(), self.compare(Relation::Lt, &Lanes::splat(0)));
        if negative.any() {
            self.negate(&negative);
            numerator.negate(&negative);
        }
        if zeros.any() {
            self.bound = self.bound.max(1);
            for row in (0..BLOCK).filter(|row| zeros.at(*row)) {
                match self.form {
                    Form::Narrow => self.narrow[row] = 1,
                    Form::Wide => self.wide[row] = 1,
                    Form::Splat(_) => {}
                }
            }
        }
        zeros
    }

    /// Changes the sign in some rows. No number here is without a negative, so nothing is lost.
    fn negate(&mut self, rows: &Bits) {
        if let Form::Splat(value) = self.form {
            if *rows == Bits::ALL {
                return self.set_splat(-value);
            }
            let bound = self.bound;
            match i64::try_from(value) {
                Ok(value) if bound <= NARROW => self.start_narrow(bound).fill(value),
                _ => self.start_wide(bound).fill(value),
            }
        }
        for row in (0..BLOCK).filter(|row| rows.at(*row)) {
            match self.form {
                Form::Narrow => self.narrow[row] = -self.narrow[row],
                Form::Wide => self.wide[row] = -self.wide[row],
                Form::Splat(_) => {}
            }
        }
    }

    fn at(&self, row: usize) -> i128 {
        match self.form {
            Form::Splat(value) => value,
            Form::Narrow => i128::from(self.narrow[row]),
            Form::Wide => self.wide[row],
        }
    }
}

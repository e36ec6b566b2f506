//! Arithmetic in exact rationals, bounded in size and in work.
//!
//! A source of a few lines can square a number forty times, and the result has more digits than any memory. So there is
//! a limit on the size of a result. And a sum of three thousand fractions stays below that limit and takes minutes, since
//! to reduce a fraction takes time by the square of its digits. So there is a limit on the [`Work`] of one evaluation too.
//! Both are as deterministic as the solver's own limit: past them a question is given up.
//!
//! Comparisons are here because a rational's own compares term by term of a continued fraction, recursively: two
//! large numbers that are nearly the same would overflow the stack.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use assay_units::Rational;

/// The most bits that a numerator or a denominator may have: some forty thousand digits.
const MAX_BITS: u64 = 1 << 17;

/// The most work of one evaluation, in squares of machine words: two products of fractions of ten thousand digits, or twenty
/// thousand of a hundred digits. That is a quarter of a second.
const MAX_WORK: u64 = 1 << 21;

/// Operands that have so many words together cost nothing. So what fits into columns is never given up.
const FREE_WORDS: u64 = 5;

/// A number past the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

fn bits(value: &Rational) -> u64 {
    value.numer().bits().max(value.denom().bits())
}

/// The value, if it is within the limit.
fn bounded(value: Rational) -> Result<Rational, TooLarge> {
    if bits(&value) <= MAX_BITS { Ok(value) } else { Err(TooLarge) }
}

/// The work that is left to one evaluation.
#[derive(Debug)]
pub(crate) struct Work {
    left: u64,
}

impl Default for Work {
    fn default() -> Work {
        Work { left: MAX_WORK }
    }
}

impl Work {
    /// Takes the cost of an operation. Whole numbers are not reduced, so that they cost next to nothing.
    fn take(&mut self, a: &Rational, b: &Rational) -> Result<(), TooLarge> {
        let words = (bits(a) + bits(b)).div_ceil(64);
        let whole = a.denom().is_one() && b.denom().is_one();
        let cost = match words {
            0..=FREE_WORDS => return Ok(()),
            _ if whole => words,
            _ => words * words,
        };
        self.left = self.left.checked_sub(cost).ok_or(TooLarge)?;
        Ok(())
    }

    pub(crate) fn add(&mut self, a: &Rational, b: &Rational) -> Result<Rational, TooLarge> {
        self.take(a, b)?;
        bounded(a + b)
    }

    pub(crate) fn mul(&mut self, a: &Rational, b: &Rational) -> Result<Rational, TooLarge> {
        self.take(a, b)?;
        bounded(a * b)
    }

    /// The quotient; `None` by zero.
    pub(crate) fn div(&mut self, a: &Rational, b: &Rational) -> Option<Result<Rational, TooLarge>> {
        // Even of whole numbers it is a fraction, to be reduced; as the product with the reciprocal it is counted so.
        (!b.is_zero()).then(|| self.mul(a, &b.recip()))
    }

    /// `a - b*floor(a/b)`; `None` by zero.
    pub(crate) fn rem(&mut self, a: &Rational, b: &Rational) -> Option<Result<Rational, TooLarge>> {
        (!b.is_zero()).then(|| {
            self.take(a, b)?;
            // Over the common denominator both are whole.
            let (whole_a, whole_b): (BigInt, BigInt) = (a.numer() * b.denom(), b.numer() * a.denom());
            bounded(Rational::new(whole_a.mod_floor(&whole_b), a.denom() * b.denom()))
        })
    }
}

/// How two numbers compare.
pub(crate) fn compare(a: &Rational, b: &Rational) -> Ordering {
    // Denominators are positive.
    match a.denom() == b.denom() {
        true => a.numer().cmp(b.numer()),
        false => (a.numer() * b.denom()).cmp(&(b.numer() * a.denom())),
    }
}

/// Whether two numbers are the same.
pub(crate) fn same(a: &Rational, b: &Rational) -> bool {
    // They are reduced.
    a.numer() == b.numer() && a.denom() == b.denom()
}

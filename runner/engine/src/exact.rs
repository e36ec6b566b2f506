//! Arithmetic in exact rationals, bounded in size.
//!
//! A source of a few lines can square a number forty times, and the result has more digits than any memory. So there is
//! a limit on the size of a result, as deterministic as the solver's own limit: past it a question is given up.

use num_rational::BigRational;
use num_traits::Zero;

use assay_units::Rational;

/// The most bits that a numerator or a denominator may have: some forty thousand digits.
const MAX_BITS: u64 = 1 << 17;

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

pub(crate) fn add(a: &Rational, b: &Rational) -> Result<Rational, TooLarge> {
    bounded(a + b)
}

pub(crate) fn mul(a: &Rational, b: &Rational) -> Result<Rational, TooLarge> {
    bounded(a * b)
}

/// The quotient; `None` by zero.
pub(crate) fn div(a: &Rational, b: &Rational) -> Option<Result<Rational, TooLarge>> {
    (!b.is_zero()).then(|| bounded(a / b))
}

/// `a - b*floor(a/b)`; `None` by zero.
pub(crate) fn rem(a: &Rational, b: &Rational) -> Option<Result<Rational, TooLarge>> {
    (!b.is_zero()).then(|| bounded(a - b * BigRational::floor(&(a / b))))
}

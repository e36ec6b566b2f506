//! The one grammar of numbers: `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`, ASCII digits only, read
//! exactly and never through a float.
//!
//! Everything that takes a number as text (claims, literals, ranges, factors of converters) reads it
//! here, so that a text is a number everywhere or nowhere.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::Rational;

/// The most characters that a text holding a number (and its unit, if any) may have.
pub const MAX_TEXT: usize = 1000;
/// The most digits before the exponent.
pub const MAX_DIGITS: usize = 1000;
/// The largest exponent, of either sign.
pub const MAX_EXPONENT: u32 = 400;

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberError {
    /// It does not match the grammar.
    Malformed,
    /// It has more than [`MAX_DIGITS`] digits before the exponent.
    TooManyDigits {
        /// How many it has.
        actual: usize,
    },
    /// Its exponent is beyond [`MAX_EXPONENT`] in either direction.
    ExponentTooLarge {
        /// The exponent's size without its sign; `u32::MAX` where it is larger than that.
        actual: u32,
    },
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => write!(f, "not a number"),
            Self::TooManyDigits { actual } => {
                write!(f, "a number of {actual} digits, which is too many")
            }
            Self::ExponentTooLarge { .. } => {
                write!(f, "an exponent beyond {MAX_EXPONENT}")
            }
        }
    }
}

impl std::error::Error for NumberError {}

/// The parts of a number's text, as byte ranges of the text.
struct Parts<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: Option<(bool, &'a [u8])>,
    length: usize,
}

/// How many ASCII digits `bytes` begins with.
fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The longest number that `text` begins with.
fn scan(text: &[u8]) -> Option<Parts<'_>> {
    let (negative, rest) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, mut rest) = rest.split_at(digits(rest));
    if whole.is_empty() {
        return None;
    }
    let mut fraction: &[u8] = &[];
    if let Some(after) = rest.strip_prefix(b".") {
        let (found, after) = after.split_at(digits(after));
        if !found.is_empty() {
            (fraction, rest) = (found, after);
        }
    }
    let mut exponent = None;
    if let Some(after) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let (minus, after) = match after.split_first() {
            Some((b'-', after)) => (true, after),
            Some((b'+', after)) => (false, after),
            _ => (false, after),
        };
        let (found, after) = after.split_at(digits(after));
        if !found.is_empty() {
            exponent = Some((minus, found));
            rest = after;
        }
    }
    Some(Parts { negative, whole, fraction, exponent, length: text.len() - rest.len() })
}

/// Reads the whole of `text` as a number, exactly.
///
/// # Errors
/// [`NumberError::Malformed`] where any of it is no part of the number; the other two where it
/// matches the grammar and is larger than a document's number may be.
pub fn parse(text: &str) -> Result<Rational, NumberError> {
    parse_within(text, MAX_DIGITS)
}

fn parse_within(text: &str, most_digits: usize) -> Result<Rational, NumberError> {
    let parts = scan(text.as_bytes()).ok_or(NumberError::Malformed)?;
    if parts.length != text.len() {
        return Err(NumberError::Malformed);
    }
    let count = parts.whole.len() + parts.fraction.len();
    if count > most_digits {
        return Err(NumberError::TooManyDigits { actual: count });
    }
    let mut exponent = parts.exponent.map_or(Ok(0), |(minus, digits)| {
        let size = digits
            .iter()
            .fold(0_u32, |size, digit| size.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
        if size > MAX_EXPONENT {
            return Err(NumberError::ExponentTooLarge { actual: size });
        }
        let size = i64::from(size);
        Ok(if minus { -size } else { size })
    })?;
    // At most 1,000: the digits were counted.
    exponent -= parts.fraction.len() as i64;
    let digits = parts.whole.iter().chain(parts.fraction).map(|digit| digit - b'0');

    // Most numbers of most documents: a few digits and a short fraction, in machine integers.
    if count <= 18 && (-18..=18).contains(&exponent) {
        let size = digits.fold(0_u64, |size, digit| size * 10 + u64::from(digit));
        return Ok(short(size, exponent, parts.negative));
    }
    let digits: Vec<u8> = digits.collect();
    let size = BigUint::from_radix_be(&digits, 10).unwrap_or_default();
    let size = BigInt::from_biguint(
        if parts.negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus },
        size,
    );
    let power = ten_to(exponent.unsigned_abs() as u32);
    Ok(if exponent >= 0 { Rational::from(size * power) } else { Rational::new(size, power) })
}

/// `size * 10^exponent` for at most 18 digits and an exponent of at most 18, reduced in machine
/// integers: no division of big integers.
fn short(size: u64, exponent: i64, negative: bool) -> Rational {
    if size == 0 {
        return Rational::zero();
    }
    let power = 10_u64.pow(exponent.unsigned_abs() as u32);
    let (numerator, denominator) = if exponent >= 0 {
        (u128::from(size) * u128::from(power), 1)
    } else if power == 1 {
        (u128::from(size), 1)
    } else {
        let common = size.gcd(&power);
        (u128::from(size / common), power / common)
    };
    let numerator = BigInt::from(numerator);
    let numerator = if negative { -numerator } else { numerator };
    Rational::new_raw(numerator, BigInt::from(denominator))
}

fn ten_to(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// Splits `text` after the longest number it begins with, or `None` where it begins with none.
///
/// `"120 USD"` is `("120", " USD")`, `"5e3"` is `("5e3", "")`, `"5."` is `("5", ".")`.
pub fn split(text: &str) -> Option<(&str, &str)> {
    scan(text.as_bytes()).map(|parts| text.split_at(parts.length))
}

/// Reads a number or a fraction of two whole numbers, `-?[0-9]+/[0-9]+`, as factors are written. It may have the digits
/// that any number comes to as a fraction: [`MAX_DIGITS`] and [`MAX_EXPONENT`] together, above and below the line.
///
/// # Errors
/// As [`parse`] for either part; a zero denominator is [`NumberError::Malformed`].
pub fn parse_fraction(text: &str) -> Result<Rational, NumberError> {
    let most_digits = MAX_DIGITS + MAX_EXPONENT as usize;
    let Some((above, below)) = text.split_once('/') else {
        return parse_within(text, most_digits);
    };
    let whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !whole(above.strip_prefix('-').unwrap_or(above)) || !whole(below) {
        return Err(NumberError::Malformed);
    }
    let above = parse_within(above, most_digits)?;
    let below = parse_within(below, most_digits)?;
    if below.is_zero() {
        return Err(NumberError::Malformed);
    }
    Ok(above / below)
}

/// The plain decimal of `value`, without an exponent: `"0"`, `"-2.5"`, `"1000000"`; `None` where
/// its expansion never ends (1/3).
pub fn decimal(value: &Rational) -> Option<String> {
    let denominator = value.denom();
    if denominator.is_one() {
        return Some(value.numer().to_string());
    }
    let twos = denominator.trailing_zeros().unwrap_or(0);
    let mut odd: BigInt = denominator >> twos;
    let five = BigInt::from(5);
    let mut fives = 0_u64;
    while !odd.is_one() {
        let (quotient, remainder) = odd.div_rem(&five);
        if !remainder.is_zero() {
            return None;
        }
        odd = quotient;
        fives += 1;
    }
    let places = u32::try_from(twos.max(fives)).ok()?;
    let scaled = value.numer().abs() * ten_to(places) / denominator;
    let places = places as usize;
    let digits = format!("{:0>width$}", scaled.to_string(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if value.is_negative() { "-" } else { "" };
    Some(format!("{sign}{whole}.{fraction}"))
}

/// `value` as a reduced fraction: `"27/25"`, `"-1/3"`, `"3"`.
pub fn fraction(value: &Rational) -> String {
    value.to_string()
}

/// `value` for a person: its plain decimal, or its reduced fraction where that never ends.
pub fn plain(value: &Rational) -> String {
    decimal(value).unwrap_or_else(|| fraction(value))
}

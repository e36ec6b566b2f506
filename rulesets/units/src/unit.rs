//! A unit: a product of atoms with whole exponents, and its text.
//!
//! The grammar is atoms `[A-Za-z_][A-Za-z0-9_]*` (and the aliases `€` and `US$`), each with an
//! optional `^` and 1 to 99, joined by `*` and `/` that are read from the left: `kg*m/s^2`,
//! `USD/night`. No spaces, no brackets, case-sensitive. An atom that no library knows is a unit like
//! any other, of a dimension of its own.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::number::MAX_TEXT;
use crate::standard;

/// The largest exponent that a unit's text may reach, written or in all.
pub const MAX_EXPONENT: i32 = 99;

/// A product of atoms with exponents other than zero, aliases replaced by their symbols.
///
/// Its [`Display`](fmt::Display) is canonical: atoms in byte order, those above the line joined by
/// `*`, then those below it with a `/` each; `1` where nothing is left. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit(Arc<[(Arc<str>, i32)]>);

impl Unit {
    /// Reads a unit's text, the whole of it.
    ///
    /// # Errors
    /// A [`UnitError`] that says what is wrong with the text. Whether anything knows its atoms is not
    /// asked here: see [`Library::knows`](crate::Library::knows).
    pub fn parse(text: &str) -> Result<Unit, UnitError> {
        if text.chars().count() > MAX_TEXT {
            return Err(UnitError::TooLong);
        }
        let mut atoms: Vec<(Arc<str>, i32)> = Vec::new();
        let mut rest = text;
        let mut sign = 1;
        loop {
            let (atom, after) = take_atom(rest, text)?;
            let (exponent, after) = take_exponent(after, text)?;
            multiply_in(&mut atoms, standard::symbol_of(atom), sign * exponent);
            sign = match after.as_bytes().first() {
                None => break,
                Some(b'*') => 1,
                Some(b'/') => -1,
                Some(_) => return Err(unexpected(after, text)),
            };
            rest = after.get(1..).unwrap_or_default();
        }
        if let Some((atom, exponent)) = atoms.iter().find(|(_, exponent)| exponent.abs() > MAX_EXPONENT) {
            return Err(UnitError::Exponent { found: format!("{atom}^{exponent}") });
        }
        Ok(Self(atoms.into()))
    }

    /// The unit of a bare number.
    pub fn one() -> Unit {
        Self(Arc::from([]))
    }

    /// Whether nothing is left of it: the unit of a bare number.
    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// The product of two units. An exponent that grows past an `i32` stays at its limit, where the
    /// unit converts to nothing (see [`Unit::is_oversized`]).
    pub fn mul(&self, other: &Unit) -> Unit {
        self.combined(other, 1)
    }

    /// This unit by another, limits as in [`Unit::mul`].
    pub fn div(&self, other: &Unit) -> Unit {
        self.combined(other, -1)
    }

    /// This unit to a whole power, limits as in [`Unit::mul`].
    pub fn pow(&self, power: i32) -> Unit {
        if power == 0 {
            return Self::one();
        }
        Self(self.0.iter().map(|(atom, exponent)| (atom.clone(), exponent.saturating_mul(power))).collect())
    }

    /// Its atoms in byte order, with their exponents, none of them zero.
    pub fn atoms(&self) -> impl Iterator<Item = (&str, i32)> {
        self.0.iter().map(|(atom, exponent)| (&**atom, *exponent))
    }

    /// Whether an exponent is so large (beyond 10,000) that no conversion is computed for it. Only
    /// products of products get there; a ruleset that makes one had better be refused.
    pub fn is_oversized(&self) -> bool {
        self.0.iter().any(|(_, exponent)| exponent.unsigned_abs() > 10_000)
    }

    fn combined(&self, other: &Unit, sign: i32) -> Unit {
        let mut atoms = self.0.to_vec();
        for (atom, exponent) in other.0.iter() {
            multiply_in(&mut atoms, atom.clone(), exponent.saturating_mul(sign));
        }
        Self(atoms.into())
    }
}

/// Multiplies `atom^exponent` into a product that is sorted by atom.
fn multiply_in(atoms: &mut Vec<(Arc<str>, i32)>, atom: Arc<str>, exponent: i32) {
    match atoms.binary_search_by(|(other, _)| other.cmp(&atom)) {
        Ok(at) => {
            let Some((_, present)) = atoms.get_mut(at) else {
                return;
            };
            *present = present.saturating_add(exponent);
            if *present == 0 {
                atoms.remove(at);
            }
        }
        Err(at) => atoms.insert(at, (atom, exponent)),
    }
}

fn take_atom<'a>(rest: &'a str, text: &str) -> Result<(&'a str, &'a str), UnitError> {
    for alias in ["€", "US$"] {
        if rest.starts_with(alias) {
            return Ok(rest.split_at(alias.len()));
        }
    }
    let length = rest
        .bytes()
        .enumerate()
        .take_while(|(at, byte)| {
            byte.is_ascii_alphabetic() || *byte == b'_' || (*at > 0 && byte.is_ascii_digit())
        })
        .count();
    if length > 0 { Ok(rest.split_at(length)) } else { Err(unexpected(rest, text)) }
}

fn take_exponent<'a>(rest: &'a str, text: &str) -> Result<(i32, &'a str), UnitError> {
    let Some(after) = rest.strip_prefix('^') else {
        return Ok((1, rest));
    };
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, after) = after.split_at(length);
    if digits.is_empty() {
        return Err(unexpected(after, text));
    }
    match digits.parse::<i32>() {
        Ok(exponent @ 1..=MAX_EXPONENT) if !digits.starts_with('0') => Ok((exponent, after)),
        _ => Err(UnitError::Exponent { found: format!("^{digits}") }),
    }
}

fn unexpected(rest: &str, text: &str) -> UnitError {
    match rest.chars().next() {
        None if text.is_empty() => UnitError::Empty,
        None => UnitError::Unfinished,
        Some(sign) if "$£¥".contains(sign) => UnitError::CurrencySign { sign },
        Some(found) => {
            UnitError::Unexpected { found, position: text.chars().count() - rest.chars().count() + 1 }
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |f: &mut fmt::Formatter<'_>, atom: &str, exponent: i32| match exponent.cmp(&1) {
            Ordering::Equal => write!(f, "{atom}"),
            _ => write!(f, "{atom}^{exponent}"),
        };
        let mut any = false;
        for (atom, exponent) in self.atoms().filter(|(_, exponent)| *exponent > 0) {
            if any {
                write!(f, "*")?;
            }
            power(f, atom, exponent)?;
            any = true;
        }
        if !any {
            write!(f, "1")?;
        }
        for (atom, exponent) in self.atoms().filter(|(_, exponent)| *exponent < 0) {
            write!(f, "/")?;
            power(f, atom, exponent.saturating_neg())?;
        }
        Ok(())
    }
}

/// What is wrong with a unit's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitError {
    /// There is no text.
    Empty,
    /// More characters than [`MAX_TEXT`].
    TooLong,
    /// It ends where an atom or an exponent should follow.
    Unfinished,
    /// A character that cannot stand there.
    Unexpected {
        /// The character.
        found: char,
        /// Where it stands, in characters from 1.
        position: usize,
    },
    /// An exponent that is not one of 1 to 99, as written or as the product comes to.
    Exponent {
        /// What was found.
        found: String,
    },
    /// A sign that several currencies share.
    CurrencySign {
        /// The sign.
        sign: char,
    },
}

impl UnitError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::CurrencySign { .. } => "write the currency's ISO 4217 code, such as `USD`",
            Self::Exponent { .. } => "an exponent is 1 to 99, without leading zeros",
            _ => "a unit is written like `km/h`, `USD/night` or `kg*m/s^2`, without spaces or brackets",
        }
    }
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the unit is empty"),
            Self::TooLong => write!(f, "the unit has more than {MAX_TEXT} characters"),
            Self::Unfinished => write!(f, "the unit stops in the middle"),
            Self::Unexpected { found, position } => {
                write!(f, "`{}` at character {position} of the unit", found.escape_debug())
            }
            Self::Exponent { found } => write!(f, "the exponent of `{found}` is out of range"),
            Self::CurrencySign { sign } => write!(f, "`{sign}` names no one currency"),
        }
    }
}

impl std::error::Error for UnitError {}

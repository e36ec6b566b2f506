//! One value on the fast lane: bound exactly as [`Checker::bind`](crate::Checker::bind) binds it, or set aside.
//!
//! Only what is plainly well is decided here. A value that is refused is set aside like one that is merely unusual: the
//! words for it are made where they are made for every other.

use assay_compile::{ClaimKind, Range, UNKNOWN};
use assay_units::Rational;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, pow};

use super::MAX_SCALE;
use super::decimal::{Decimal, Marks};
use super::members::Table;
use crate::Reading;

/// What a value is on the fast lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It was not determined.
    Unknown,
    /// A boolean.
    Bool(bool),
    /// A member of the claim's vocabulary, by its shared number.
    Member(u32),
    /// A number in the claim's declared unit.
    Number {
        /// The number times `10^scale`, of at most 18 digits.
        unscaled: i64,
        /// At most 18.
        scale: u8,
    },
    /// It does not fit.
    SetAside,
}

/// The fast lane of one claim.
#[derive(Debug)]
pub(crate) struct Lane {
    kind: Kind,
    words: Words,
}

#[derive(Debug)]
enum Kind {
    Boolean,
    Numeric(Numeric),
    Enum { members: Table, unknown_is_member: bool },
}

#[derive(Debug)]
struct Numeric {
    /// `None` where no number is read from a text here: a mark of more than one byte.
    marks: Option<Marks>,
    /// The text of the declared unit.
    unit: Option<Box<str>>,
    /// By scale, the least and the greatest unscaled number in range.
    range: Option<Vec<(i128, i128)>>,
    /// Whether a word for null begins as numbers do.
    null_like_number: bool,
}

/// What of the reading concerns every kind of claim.
#[derive(Debug)]
struct Words {
    reading: Reading,
    /// Whether the text of the declared unit is a null too.
    unit_is_null: bool,
}

/// Longer texts are left to be looked at closely.
const MAX_TEXT: usize = 256;

impl Lane {
    pub fn new(kind: &ClaimKind, reading: &Reading) -> Lane {
        let mut unit_is_null = false;
        let kind = match kind {
            ClaimKind::Boolean => Kind::Boolean,
            ClaimKind::Numeric { unit, range } => {
                let unit: Option<Box<str>> = unit.as_ref().map(|unit| unit.to_string().into());
                unit_is_null = unit.as_ref().is_some_and(|unit| reading.is_null(unit));
                let begins =
                    |word: &String| word.starts_with(|first: char| first.is_ascii_digit() || first == '-');
                Kind::Numeric(Numeric {
                    marks: marks(reading),
                    unit,
                    range: range.as_ref().map(bounds),
                    null_like_number: reading.null.iter().any(begins),
                })
            }
            ClaimKind::Enum(kind) => {
                let members = Table::new(kind);
                Kind::Enum { unknown_is_member: members.get(UNKNOWN).is_some(), members }
            }
        };
        Lane { kind, words: Words { reading: reading.clone(), unit_is_null } }
    }

    /// A boolean of a format that has booleans.
    #[inline]
    pub fn boolean(&self, value: bool) -> Fit {
        match self.kind {
            Kind::Boolean => Fit::Bool(value),
            _ => Fit::SetAside,
        }
    }

    /// A number of a format that has numbers.
    #[inline]
    pub fn number(&self, unscaled: i64, scale: u8) -> Fit {
        match &self.kind {
            Kind::Numeric(numeric) => numeric.number(unscaled, scale),
            _ => Fit::SetAside,
        }
    }

    /// The least and the greatest unscaled number of a scale that is in the claim's range and fits every scale. `None` for
    /// claims of other kinds, and for too large a scale.
    pub fn bounds(&self, scale: u8) -> Option<(i128, i128)> {
        let Kind::Numeric(numeric) = &self.kind else { return None };
        let room = *ROOM.get(usize::from(scale))?;
        match &numeric.range {
            None => Some((-room, room)),
            Some(bounds) => {
                bounds.get(usize::from(scale)).map(|(min, max)| ((*min).max(-room), (*max).min(room)))
            }
        }
    }

    /// A text. Where `paired`, its unit is in a column of its own, and none may stand in the text.
    #[inline]
    pub fn text(&self, text: &str, paired: bool) -> Fit {
        if text.len() > MAX_TEXT || self.words.reading.values(text).is_some() {
            return Fit::SetAside;
        }
        match &self.kind {
            Kind::Enum { members, unknown_is_member } => {
                if let Some(number) = members.get(text) {
                    Fit::Member(number)
                } else if !self.words.is_trimmed(text) {
                    Fit::SetAside
                } else if (text == UNKNOWN && !unknown_is_member) || self.words.reading.is_null(text) {
                    Fit::Unknown
                } else {
                    Fit::SetAside
                }
            }
            _ if !self.words.is_trimmed(text) => Fit::SetAside,
            Kind::Numeric(numeric) => {
                if numeric.begins(text) && !(numeric.null_like_number && self.words.reading.is_null(text)) {
                    numeric.text(text.as_bytes(), paired)
                } else {
                    self.words.unknown(text)
                }
            }
            Kind::Boolean => match self.words.unknown(text) {
                Fit::Unknown => Fit::Unknown,
                _ => self.words.reading.boolean(text).map_or(Fit::SetAside, Fit::Bool),
            },
        }
    }

    /// Whether a text of a unit column names the declared unit.
    #[inline]
    pub fn is_unit(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Numeric(Numeric { unit: Some(unit), .. }) => **unit == *text && !self.words.unit_is_null,
            _ => false,
        }
    }
}

impl Numeric {
    #[inline]
    fn begins(&self, text: &str) -> bool {
        text.as_bytes().first().is_some_and(|first| first.is_ascii_digit() || *first == b'-')
    }

    #[inline]
    fn text(&self, text: &[u8], paired: bool) -> Fit {
        let Some(Decimal { unscaled, scale, length }) = self.marks.and_then(|marks| marks.read(text)) else {
            return Fit::SetAside;
        };
        let rest = text.get(length..).unwrap_or_default();
        let fits = match rest.split_first() {
            None => true,
            // What may be an exponent.
            Some((b'e' | b'E', _)) => false,
            Some((b' ', after)) => !paired && self.is_unit(after),
            Some(_) => !paired && self.is_unit(rest),
        };
        if fits { self.number(unscaled, scale) } else { Fit::SetAside }
    }

    #[inline]
    fn is_unit(&self, text: &[u8]) -> bool {
        !text.is_empty() && self.unit.as_ref().is_some_and(|unit| unit.as_bytes() == text)
    }

    #[inline]
    fn number(&self, unscaled: i64, scale: u8) -> Fit {
        if self.in_range(unscaled.into(), scale) { Fit::Number { unscaled, scale } } else { Fit::SetAside }
    }

    #[inline]
    fn in_range(&self, unscaled: i128, scale: u8) -> bool {
        self.range.as_ref().is_none_or(|bounds| {
            bounds.get(usize::from(scale)).is_some_and(|(min, max)| (*min..=*max).contains(&unscaled))
        })
    }
}

impl Words {
    /// A text that is no value: unknown, or nothing that is known here.
    #[inline]
    fn unknown(&self, text: &str) -> Fit {
        if text == UNKNOWN || self.reading.is_null(text) { Fit::Unknown } else { Fit::SetAside }
    }

    /// Whether trimming would take nothing away, where texts are trimmed.
    #[inline]
    fn is_trimmed(&self, text: &str) -> bool {
        let solid = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
        !self.reading.trim || (solid(text.as_bytes().first()) && solid(text.as_bytes().last()))
    }
}

fn marks(reading: &Reading) -> Option<Marks> {
    let byte = |mark: char| u8::try_from(mark).ok().filter(u8::is_ascii);
    // No text that has another thousands mark in it is read to its end, so none is mistaken.
    Some(Marks { decimal: byte(reading.decimal)?, thousands: reading.thousands.and_then(byte) })
}

/// By scale, the greatest unscaled number that is still an `i128` at the largest scale.
const ROOM: [i128; MAX_SCALE as usize + 1] = {
    let mut room = [i128::MAX; MAX_SCALE as usize + 1];
    let mut scale = MAX_SCALE as usize;
    while scale > 0 {
        scale -= 1;
        room[scale] = room[scale + 1] / 10;
    }
    room
};

/// By scale, the least and the greatest unscaled number in a range.
fn bounds(range: &Range) -> Vec<(i128, i128)> {
    let at = |scale: u8| {
        let power = Rational::from_integer(pow(BigInt::from(10), usize::from(scale)));
        let least = range.min.as_ref().map(|min| (min * &power).ceil().to_integer());
        let greatest = range.max.as_ref().map(|max| (max * &power).floor().to_integer());
        // A bound beyond what fits bounds nothing that fits, or lets nothing in.
        let clamped = |bound: BigInt| {
            let beyond = if bound.sign() == num_bigint::Sign::Minus { i128::MIN } else { i128::MAX };
            bound.to_i128().unwrap_or(beyond)
        };
        (least.map_or(i128::MIN, clamped), greatest.map_or(i128::MAX, clamped))
    };
    (0..=MAX_SCALE).map(at).collect()
}

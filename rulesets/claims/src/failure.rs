//! What a refusal says: the field, what would have been accepted, what came.

use std::fmt::{self, Write};

use assay_compile::{Claim, ClaimKind, LISTED_FAILURES, RECEIVED_CHARACTERS, Range};
use assay_units::{Library, Rational, UnitError, number};

use crate::closest::closest;
use crate::{Raw, Reading};

/// One field that failed. The keys of the wire are the names of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The name of the claim, or of the field that is none.
    pub field: String,
    /// What would have been accepted, and why this was not where that is not plain.
    pub expected: String,
    /// What came, cut to 100 characters: a text as it is, other values as JSON, `nothing` where nothing came.
    pub received: String,
}

/// Every failure of one dictionary or row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rejection {
    /// The failures: declared claims in their order, then other fields in theirs; 50 at most.
    pub failures: Vec<Failure>,
    /// How many there are in all.
    pub failure_count: usize,
}

impl Rejection {
    /// A rejection without a failure yet.
    pub(crate) fn new() -> Rejection {
        Rejection { failures: Vec::new(), failure_count: 0 }
    }

    /// Counts a failure, and lists it while there is room: only then is it put in words.
    pub(crate) fn add(&mut self, failure: impl FnOnce() -> Failure) {
        self.failure_count += 1;
        if self.failures.len() < LISTED_FAILURES {
            self.failures.push(failure());
        }
    }
}

/// Why a value was refused. Cheap: it is put in words only where it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// It has none of the accepted forms.
    Form,
    /// The claim has no value at all.
    Missing,
    /// The field is there more than once.
    Repeated,
    /// A list of values.
    List,
    /// A NaN or an infinity.
    NotFinite,
    /// A text of too many characters.
    TooLong,
    /// A number of too many digits.
    TooManyDigits,
    /// A number of too large an exponent.
    ExponentTooLarge,
    /// A unit, where the claim has none.
    NoUnit,
    /// A unit that cannot be read.
    Unit(UnitError),
    /// A unit of atoms that nothing knows.
    UnknownUnit(Vec<String>),
    /// A temperature with an offset, where the claim is of another dimension.
    Temperature,
    /// A pair with a value and a null for its unit.
    NullUnit,
    /// A pair of other keys, or of a unit that is no text.
    Pair,
    /// A pair whose value is not one number.
    PairValue,
    /// A number out of range; the number it was converted to, where it was.
    OutOfRange(Option<Rational>),
}

/// Puts the refusal of a claim's value in words.
pub(crate) fn failure(
    claim: &Claim,
    library: &Library,
    reading: &Reading,
    raw: Option<&Raw<'_>>,
    why: &Why,
) -> Failure {
    let mut expected = accepted(claim);
    if let Some(note) = note(claim, library, reading, raw, why) {
        // Writing to a text does not fail.
        let _ = write!(expected, " ({note})");
    }
    Failure {
        field: claim.name.clone(),
        expected,
        received: raw.map_or_else(|| "nothing".to_owned(), received),
    }
}

/// What a claim accepts: `a number in USD between 0 and 1000000, or unknown`.
fn accepted(claim: &Claim) -> String {
    let mut text = match &claim.kind {
        ClaimKind::Boolean => "true or false".to_owned(),
        ClaimKind::Numeric { unit, range } => {
            let mut text = "a number".to_owned();
            if let Some(unit) = unit {
                let _ = write!(text, " in {unit}");
            }
            if let Some(range) = range {
                bounds(range, &mut text);
            }
            text
        }
        ClaimKind::Enum(kind) => members(&kind.members),
    };
    let _ = write!(text, ", or {}", claim.undetermined());
    text
}

fn bounds(range: &Range, text: &mut String) {
    let _ = match (range.min.as_ref().map(plain), range.max.as_ref().map(plain)) {
        (Some(min), Some(max)) => write!(text, " between {min} and {max}"),
        (Some(min), None) => write!(text, " of at least {min}"),
        (None, Some(max)) => write!(text, " of at most {max}"),
        (None, None) => Ok(()),
    };
}

/// A number for people: its plain decimal, else its fraction.
pub(crate) fn plain(value: &Rational) -> String {
    number::decimal(value).unwrap_or_else(|| number::fraction(value))
}

/// The members, the first few of them where they are many.
fn members(members: &[String]) -> String {
    const SHOWN: usize = 12;
    let quoted: Vec<String> = members
        .iter()
        .take(if members.len() > SHOWN + 1 { SHOWN } else { SHOWN + 1 })
        .map(|member| quote(member))
        .collect();
    let list = quoted.join(", ");
    match members.len() {
        1 => list,
        count if count > quoted.len() => format!("one of {list}, ... ({count} in all)"),
        _ => format!("one of {list}"),
    }
}

/// What the accepted forms do not say themselves.
fn note(
    claim: &Claim,
    library: &Library,
    reading: &Reading,
    raw: Option<&Raw<'_>>,
    why: &Why,
) -> Option<String> {
    let fixed = |text: &str| Some(text.to_owned());
    match why {
        Why::Form => match (raw, &claim.kind) {
            (Some(Raw::Text(text)), kind) => near(text, kind, reading),
            (Some(Raw::Object(_)), ClaimKind::Boolean | ClaimKind::Enum(_)) => {
                fixed("a pair of value and unit is for numeric claims")
            }
            _ => None,
        },
        Why::Missing => fixed("every declared claim must be there"),
        Why::Repeated => fixed("once: the field is there more than once"),
        Why::List => fixed("a list is not accepted: one value for each claim"),
        Why::NotFinite => fixed("a NaN or an infinity is no number"),
        Why::TooLong => Some(format!("a text has at most {} characters", number::MAX_TEXT)),
        Why::TooManyDigits => Some(format!("a number has at most {} digits", number::MAX_DIGITS)),
        Why::ExponentTooLarge => {
            Some(format!("an exponent is at most {max} and at least -{max}", max = number::MAX_EXPONENT))
        }
        Why::NoUnit => fixed("a number alone: this claim has no unit"),
        Why::Unit(error) => Some(format!("{error}: {}", error.help())),
        Why::UnknownUnit(atoms) => {
            let atoms = atoms.iter().map(|atom| match library.closest(atom) {
                Some(known) => format!("`{atom}` is no known unit, the closest is `{known}`"),
                None => format!("`{atom}` is no known unit"),
            });
            Some(atoms.collect::<Vec<_>>().join("; "))
        }
        Why::Temperature => fixed("a temperature with an offset converts to nothing but a temperature"),
        Why::NullUnit => fixed("a value in a pair needs its unit"),
        Why::Pair => fixed("a pair has exactly `value` and `unit`, the unit a text"),
        Why::PairValue => fixed("the value of a pair is one number"),
        Why::OutOfRange(None) => None,
        Why::OutOfRange(Some(converted)) => {
            let converted = plain(converted);
            (converted.len() <= 60).then(|| match &claim.kind {
                ClaimKind::Numeric { unit: Some(unit), .. } => format!("it is {converted} {unit}"),
                _ => format!("it is {converted}"),
            })
        }
    }
}

/// A hint for a text that is nearly one that is accepted.
fn near(text: &str, kind: &ClaimKind, reading: &Reading) -> Option<String> {
    let fixed = |text: &str| Some(text.to_owned());
    if let ClaimKind::Enum(kind) = kind {
        let member = closest(text, kind.members.iter().map(String::as_str))?;
        return Some(format!("closest: {}", quote(member)));
    }
    if reading.trimmed(text).trim() != reading.trimmed(text) {
        return fixed("without white space around it");
    }
    match (kind, number::split(text)) {
        (ClaimKind::Numeric { .. }, _) if text.contains(|c: char| c.is_numeric() && !c.is_ascii()) => {
            fixed("in the digits 0 to 9")
        }
        (ClaimKind::Numeric { .. }, Some(_)) if reading.decimal != '.' => {
            Some(format!("its decimal mark is `{}` here", reading.decimal))
        }
        (ClaimKind::Numeric { .. }, Some(_)) => fixed("a number alone"),
        _ => None,
    }
}

/// A name or member in quotes, with quotes inside it escaped as JSON has it.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What came, cut: a text as it is, whatever is in it; other values as JSON.
pub(crate) fn received(raw: &Raw<'_>) -> String {
    let mut out = Cut { text: String::new(), left: RECEIVED_CHARACTERS };
    // The only error is that it is full.
    let _ = match raw {
        Raw::Text(text) => out.write_str(text),
        other => json(other, &mut out),
    };
    out.text
}

/// A text that stops growing, and says so, when it is full.
struct Cut {
    text: String,
    left: usize,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for character in more.chars() {
            if self.left == 0 {
                return Err(fmt::Error);
            }
            self.text.push(character);
            self.left -= 1;
        }
        Ok(())
    }
}

fn json(raw: &Raw<'_>, out: &mut Cut) -> fmt::Result {
    match raw {
        Raw::Null => out.write_str("null"),
        Raw::Bool(value) => write!(out, "{value}"),
        Raw::Number(text) | Raw::Other(text) => out.write_str(text),
        Raw::NotFinite(name) => out.write_str(name),
        Raw::Text(text) => json_text(text, out),
        Raw::List(items) => {
            out.write_str("[")?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.write_str(",")?;
                }
                json(item, out)?;
            }
            out.write_str("]")
        }
        Raw::Object(fields) => {
            out.write_str("{")?;
            for (at, (key, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.write_str(",")?;
                }
                json_text(key, out)?;
                out.write_str(":")?;
                json(value, out)?;
            }
            out.write_str("}")
        }
    }
}

/// A text in quotes; no more of it is escaped than can be shown.
fn json_text(text: &str, out: &mut Cut) -> fmt::Result {
    let shown: String = text.chars().take(RECEIVED_CHARACTERS).collect();
    let cut = shown.len() < text.len();
    let quoted = quote(&shown);
    match quoted.strip_suffix('"') {
        Some(open) if cut => out.write_str(open),
        _ => out.write_str(&quoted),
    }
}

//! The first half of a refusal: what would have been accepted, and why this was not.

use assay_compile::{Claim, ClaimKind, Range};
use assay_units::{Library, number};

use crate::failure::Why;
use crate::{Raw, Reading};

/// What a claim accepts and, in brackets, what that does not say itself.
pub(crate) fn expected(
    claim: &Claim,
    library: &Library,
    reading: &Reading,
    raw: Option<&Raw<'_>>,
    why: &Why,
) -> String {
    let accepted = accepted(claim);
    match note(claim, library, reading, raw, why) {
        Some(note) => format!("{accepted} ({note})"),
        None => accepted,
    }
}

/// What a claim accepts: `a number in USD between 0 and 1000000, or unknown`.
fn accepted(claim: &Claim) -> String {
    let value = match &claim.kind {
        ClaimKind::Boolean => "true or false".to_owned(),
        ClaimKind::Numeric { unit, range } => {
            let unit = unit.as_ref().map(|unit| format!(" in {unit}"));
            let range = range.as_ref().map(bounds);
            format!("a number{}{}", unit.unwrap_or_default(), range.unwrap_or_default())
        }
        ClaimKind::Enum(kind) => members(&kind.members),
    };
    format!("{value}, or {}", claim.undetermined())
}

fn bounds(range: &Range) -> String {
    match (range.min.as_ref().map(number::plain), range.max.as_ref().map(number::plain)) {
        (Some(min), Some(max)) => format!(" between {min} and {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    }
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
        Why::List => fixed("a list in a list is no evidence"),
        Why::Units => fixed("a list of units needs a list of as many values"),
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
            let converted = number::plain(converted);
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
        let member = assay_spelling::near(text, kind.members.iter().map(String::as_str))?;
        return Some(format!("closest: {}", quote(member)));
    }
    if reading.trimmed(text).trim() != reading.trimmed(text) {
        return fixed("without white space around it");
    }
    if let ClaimKind::Boolean = kind {
        return words(reading);
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

/// The words of a boolean, where they are not the usual ones.
fn words(reading: &Reading) -> Option<String> {
    let usual = Reading::default();
    let given = reading.true_words != usual.true_words || reading.false_words != usual.false_words;
    let quoted = |words: &[String]| match words {
        [] => "no text".to_owned(),
        words => words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" or "),
    };
    given.then(|| {
        format!("{} is true here, {} is false", quoted(&reading.true_words), quoted(&reading.false_words))
    })
}

/// A name or member in quotes, with quotes inside it escaped as JSON has it.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

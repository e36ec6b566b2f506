//! A project's converters: `to = from * factor + offset`, each given by a person.

use std::fmt;

use num_traits::{Signed, Zero};
use serde::Serialize;

use crate::number::{self, fraction};
use crate::{Interval, Rational, Unit};

/// One converter: `to = from * factor + offset`. The inverse follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converter {
    /// The unit converted from.
    pub from: Unit,
    /// The unit converted to.
    pub to: Unit,
    /// How many `to` one `from` is; more than zero.
    pub factor: Rational,
    /// The value in `to` of zero `from`.
    pub offset: Rational,
    /// Who supplied the factor, and when: kept beside the converter, and outside the library's hash.
    pub attribution: Option<String>,
}

/// What is wrong with one converter, or with a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConverterError {
    /// Which of the list it is, from 0; `None` where the list as a whole cannot be read.
    pub index: Option<usize>,
    /// The pair as it was given, as far as it was, for messages: `EUR` and `USD`.
    pub pair: Option<(String, String)>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ConverterError {
    /// The place and the message; the help is apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "converter {}", index + 1)?;
            if let Some((from, to)) = &self.pair {
                write!(f, " (`{from}` to `{to}`)")?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for ConverterError {}

/// What is wrong with a converter, before it is known which of the list it is.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(crate) fn of(self, index: usize, converter: &Converter) -> ConverterError {
        self.at(index, Some((converter.from.to_string(), converter.to.to_string())))
    }

    pub(crate) fn at(self, index: usize, pair: Option<(String, String)>) -> ConverterError {
        ConverterError { index: Some(index), pair, message: self.message, help: self.help }
    }
}

impl Converter {
    /// What can be said of it alone.
    pub(crate) fn checked(&self) -> Result<(), Problem> {
        if let Some(unit) = [&self.from, &self.to].into_iter().find(|unit| !has_atom_above(unit)) {
            return Err(Problem::new(format!("`{unit}` is no unit that values are measured in"))
                .help("a converter's unit has an atom above the line, such as `box` or `USD/night`"));
        }
        if !self.factor.is_positive() {
            return Err(Problem::new(format!("the factor {} is not more than zero", fraction(&self.factor))));
        }
        if self.from == self.to {
            return Err(Problem::new("converts a unit to itself"));
        }
        Ok(())
    }
}

fn has_atom_above(unit: &Unit) -> bool {
    unit.atoms().any(|(_, exponent)| exponent > 0)
}

pub(crate) fn given_twice(first: usize) -> Problem {
    Problem::new(format!("converter {} gives this pair already", first + 1))
        .help("give each pair once, in one direction: the inverse follows")
}

pub(crate) fn too_large() -> Problem {
    Problem::new("the numbers that follow from it are too large to compute with")
}

/// The converter contradicts what is known: the pair's factor and offset, where they are known.
pub(crate) fn contradiction(known: Option<(&Rational, &Rational)>) -> Problem {
    let Some((factor, offset)) = known else {
        return Problem::new("it contradicts what follows from the converters before it together")
            .help("leave it out, or correct whichever is wrong");
    };
    let mut known = format!("the factor {}", number::plain(factor));
    if !offset.is_zero() {
        known += &format!(" and the offset {}", number::plain(offset));
    }
    Problem::new(format!("the built-in units and the converters before it give this pair {known}"))
        .help("leave it out, or correct whichever is wrong")
}

/// The converter fixes a factor that the standards only bound, outside the bounds.
pub(crate) fn outside(interval: &Interval, known: &Rational) -> Problem {
    let Interval { from, to, low, high } = interval;
    Problem::new(format!(
        "it makes one `{from}` {} `{to}`, outside {} to {}",
        number::plain(known),
        number::plain(low),
        number::plain(high)
    ))
    .help("name a unit of your own for a month or a year by convention, such as `mo_30`")
}

/// The converter fixes a power of what the standards bound, and not the factor itself.
pub(crate) fn power_of(interval: &Interval) -> Problem {
    let Interval { from, to, .. } = interval;
    Problem::new(format!("it fixes a power of `{from}` in `{to}`, and `{from}` in `{to}` is an interval"))
        .help(format!("give the factor of `{from}` to `{to}` itself"))
}

/// The JSON that is hashed: keys in byte order, converters by from and to, numbers as reduced
/// fractions, no attribution.
pub(crate) fn canonical_json(converters: &[Converter]) -> String {
    #[derive(Serialize)]
    struct Entry {
        factor: String,
        from: String,
        offset: String,
        to: String,
    }
    let mut entries: Vec<Entry> = converters
        .iter()
        .map(|converter| Entry {
            factor: fraction(&converter.factor),
            from: converter.from.to_string(),
            offset: fraction(&converter.offset),
            to: converter.to.to_string(),
        })
        .collect();
    entries.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
    serde_json::json!({ "converters": entries }).to_string()
}

impl Serialize for Converter {
    /// As an entry of a converters file, from which it reads back as it was.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("from", &self.from.to_string())?;
        map.serialize_entry("to", &self.to.to_string())?;
        map.serialize_entry("factor", &fraction(&self.factor))?;
        map.serialize_entry("offset", &fraction(&self.offset))?;
        if let Some(attribution) = &self.attribution {
            map.serialize_entry("attribution", attribution)?;
        }
        map.end()
    }
}

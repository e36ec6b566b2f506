//! JSON, exactly: numbers keep their text and objects keep every key.
//!
//! `serde_json` checks the syntax and finds the parts; each part stays its own text until it is looked at. Numbers are never
//! handed to it as numbers, so it has no chance to round one, and no key of a document can pass for one of the
//! library's own markers.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::Raw;

/// How deep a document may nest.
pub const MAX_DEPTH: usize = 64;

/// Why a text is not the JSON of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub message: String,
    /// The byte it was found at, from 0.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its character in the line, from 1.
    pub column: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

/// Reads the JSON text of one value.
///
/// # Errors
/// A [`JsonError`] for what is not JSON, not UTF-8, or nests deeper than [`MAX_DEPTH`].
pub fn parse_json(text: &[u8]) -> Result<Raw<'_>, JsonError> {
    let whole = match std::str::from_utf8(text) {
        Ok(whole) => whole,
        Err(error) => {
            let (good, _) = text.split_at(error.valid_up_to());
            let good = std::str::from_utf8(good).unwrap_or_default();
            return Err(at_end_of(good, "a byte that is not UTF-8".to_owned()));
        }
    };
    let document = Document { whole };
    let value: &RawValue = document.parse(whole)?;
    document.value(value.get(), 0)
}

struct Document<'a> {
    whole: &'a str,
}

impl<'a> Document<'a> {
    /// A value, from its own text: `part` is JSON but for what hides in the escapes of its strings.
    fn value(&self, part: &'a str, depth: usize) -> Result<Raw<'a>, JsonError> {
        Ok(match part.as_bytes().first() {
            Some(b'n') => Raw::Null,
            Some(b't') => Raw::Bool(true),
            Some(b'f') => Raw::Bool(false),
            Some(b'"') => Raw::Text(self.text(part)?),
            Some(b'[' | b'{') if depth == MAX_DEPTH => {
                let message = format!("a value nested deeper than {MAX_DEPTH} levels");
                return Err(self.error(part, 0, message));
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = self.parse(part)?;
                let items = items.into_iter().map(|item| self.value(item.get(), depth + 1));
                Raw::List(items.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let Fields(fields) = self.parse(part)?;
                let fields = fields.into_iter().map(|(Key(key), value)| {
                    let value = self.value(value.get(), depth + 1)?;
                    Ok((key, value))
                });
                Raw::Object(fields.collect::<Result<_, _>>()?)
            }
            _ => Raw::Number(Cow::Borrowed(part)),
        })
    }

    fn text(&self, part: &'a str) -> Result<Cow<'a, str>, JsonError> {
        match part.get(1..part.len() - 1) {
            Some(inner) if !inner.contains('\\') => Ok(Cow::Borrowed(inner)),
            _ => self.parse::<String>(part).map(Cow::Owned),
        }
    }

    fn parse<T: Deserialize<'a>>(&self, part: &'a str) -> Result<T, JsonError> {
        serde_json::from_str(part).map_err(|error| {
            let line_start =
                part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
            let place = format!(" at line {} column {}", error.line(), error.column());
            let message = error.to_string();
            let message = message.strip_suffix(&place).unwrap_or(&message);
            let message = message.replace("EOF while parsing", "the text ends inside");
            self.error(part, (line_start + error.column()).saturating_sub(1), message)
        })
    }

    /// An error at a byte of a part, placed in the whole.
    fn error(&self, part: &str, byte: usize, message: String) -> JsonError {
        let start = (part.as_ptr() as usize).wrapping_sub(self.whole.as_ptr() as usize);
        let mut offset = start.saturating_add(byte).min(self.whole.len());
        while !self.whole.is_char_boundary(offset) {
            offset -= 1;
        }
        at_end_of(self.whole.get(..offset).unwrap_or_default(), message)
    }
}

/// An error right after `before`, which the document begins with.
fn at_end_of(before: &str, message: String) -> JsonError {
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let last_line = before.get(line_start..).unwrap_or_default();
    JsonError {
        message,
        offset: before.len(),
        line: before.matches('\n').count() + 1,
        column: last_line.chars().count() + 1,
    }
}

/// The fields of an object as they stand.
struct Fields<'a>(Vec<(Key<'a>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Take;
        impl<'de> Visitor<'de> for Take {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Take)
    }
}

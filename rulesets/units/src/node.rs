//! A value of a JSON or TOML text, read so that nothing of it is lost: numbers by their own text, and
//! every key of a JSON object, repeated ones too.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value of either format.
pub(crate) enum Node {
    Text(String),
    /// A number whose text is exact.
    Number(String),
    /// A float of TOML, whose text is lost.
    Float,
    Null,
    Bool,
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// A date or a time of TOML.
    Date,
}

impl Node {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Number(_) | Self::Float => "a number",
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "an object",
            Self::Date => "a date",
        }
    }

    /// Reads a JSON text, or says what is wrong with it.
    pub(crate) fn from_json(text: &str) -> Result<Node, String> {
        serde_json::from_str::<&RawValue>(text)
            .and_then(Self::of_json)
            .map_err(|error| format!("not valid JSON: {error}"))
    }

    /// Reads a TOML text, or says what is wrong with it.
    pub(crate) fn from_toml(text: &str) -> Result<Node, String> {
        let table: toml::Table = toml::from_str(text)
            .map_err(|error| format!("not valid TOML: {}", error.to_string().trim_end()))?;
        Ok(Self::of_toml(toml::Value::Table(table)))
    }

    fn of_json(raw: &RawValue) -> Result<Node, serde_json::Error> {
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'"') => Self::Text(serde_json::from_str(text)?),
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                Self::List(items.into_iter().map(Self::of_json).collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let Fields(fields) = serde_json::from_str(text)?;
                let read = |(key, value)| Ok((key, Self::of_json(value)?));
                Self::Table(fields.into_iter().map(read).collect::<Result<_, serde_json::Error>>()?)
            }
            Some(b'n') => Self::Null,
            Some(b't' | b'f') => Self::Bool,
            _ => Self::Number(text.to_owned()),
        })
    }

    fn of_toml(value: toml::Value) -> Node {
        match value {
            toml::Value::String(text) => Self::Text(text),
            toml::Value::Integer(number) => Self::Number(number.to_string()),
            toml::Value::Float(_) => Self::Float,
            toml::Value::Boolean(_) => Self::Bool,
            toml::Value::Datetime(_) => Self::Date,
            toml::Value::Array(items) => Self::List(items.into_iter().map(Self::of_toml).collect()),
            toml::Value::Table(fields) => {
                Self::Table(fields.into_iter().map(|(key, value)| (key, Self::of_toml(value))).collect())
            }
        }
    }
}

/// The fields of a JSON object, in their order, none merged.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Every;
        impl<'de> Visitor<'de> for Every {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Every)
    }
}

//! Reading a converters file, JSON or TOML.
//!
//! JSON is a list of entries, or an object with the list under `converters`, as the canonical JSON has
//! it; TOML has it under `converters`. An entry has `from`, `to` and `factor`, and may have `offset`
//! and `attribution`. Numbers are text, exact decimals or `a/b`; a number of JSON counts by its own
//! text, and a whole number of TOML is exact too, while a float of TOML has lost its text.

use std::fmt;

use num_traits::Zero;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::converter::Problem;
use crate::number::{MAX_TEXT, NumberError, parse_fraction};
use crate::{Converter, ConverterError, Library, Rational, Unit};

/// The format of a converters file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON list, or an object with the list under `converters`.
    Json,
    /// TOML with the list under `converters`.
    Toml,
}

const KEYS: [&str; 5] = ["from", "to", "factor", "offset", "attribution"];

/// Reads a converters file. The list is not yet a library: see [`Library::with`].
///
/// # Errors
/// Everything that is wrong with the file, in its order: what cannot be read and what
/// [`Library::with`] would say of the entries that can.
pub fn read_converters(text: &str, format: Format) -> Result<Vec<Converter>, Vec<ConverterError>> {
    let document = match format {
        Format::Json => serde_json::from_str::<Node>(text).map_err(|error| error.to_string()),
        Format::Toml => toml::from_str::<Node>(text).map_err(|error| error.to_string()),
    };
    let document = document.map_err(|message| {
        let name = if format == Format::Json {
            "JSON"
        } else {
            "TOML"
        };
        vec![whole(
            format!(
                "the converters are not valid {name}: {}",
                message.trim_end()
            ),
            None,
        )]
    })?;
    let entries = match (document, format) {
        (Node::List(entries), _) => entries,
        (Node::Table(fields), _) => list_under_converters(fields)?,
        (other, _) => {
            return Err(vec![whole(
                format!("{} where a list of converters is due", other.kind()),
                None,
            )]);
        }
    };

    let mut errors = Vec::new();
    let mut read: Vec<(usize, Converter)> = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        match converter(index, entry) {
            Ok(converter) => read.push((index, converter)),
            Err(problems) => errors.extend(problems),
        }
    }
    if errors.is_empty() {
        return Ok(read.into_iter().map(|(_, converter)| converter).collect());
    }
    let (places, converters): (Vec<usize>, Vec<Converter>) = read.into_iter().unzip();
    if let Err(more) = Library::with(converters) {
        errors.extend(more.into_iter().map(|error| ConverterError {
            index: error.index.and_then(|index| places.get(index).copied()),
            ..error
        }));
    }
    errors.sort_by_key(|error| error.index);
    Err(errors)
}

fn whole(message: impl Into<String>, help: Option<&str>) -> ConverterError {
    ConverterError {
        index: None,
        pair: None,
        message: message.into(),
        help: help.map(str::to_owned),
    }
}

fn list_under_converters(fields: Vec<(String, Node)>) -> Result<Vec<Node>, Vec<ConverterError>> {
    let mut errors = Vec::new();
    let mut list = None;
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("converters", Node::List(entries)) if list.is_none() => list = Some(entries),
            ("converters", Node::List(_)) => {
                errors.push(whole("`converters` is given twice", None))
            }
            ("converters", other) => {
                list = Some(Vec::new());
                errors.push(whole(
                    format!("`converters` is {}, not a list", other.kind()),
                    None,
                ));
            }
            _ => errors.push(whole(
                format!("`{key}` is no key of a converters file"),
                Some("the list of converters stands under `converters`"),
            )),
        }
    }
    match list {
        Some(list) if errors.is_empty() => Ok(list),
        Some(_) => Err(errors),
        None => {
            errors.push(whole(
                "there is no `converters`",
                Some("an empty list, `converters = []` in TOML, says that there are none"),
            ));
            Err(errors)
        }
    }
}

/// One entry, or everything that is wrong with it.
fn converter(index: usize, entry: Node) -> Result<Converter, Vec<ConverterError>> {
    let Node::Table(fields) = entry else {
        let problem = Problem::new(format!("{} where a converter is due", entry.kind()));
        return Err(vec![problem.at(index, None)]);
    };
    let mut problems = Vec::new();
    let mut found: [Option<Node>; KEYS.len()] = Default::default();
    for (key, value) in fields {
        match KEYS.iter().position(|known| *known == key) {
            Some(at) => match found.get_mut(at) {
                Some(place @ None) => *place = Some(value),
                _ => problems.push(Problem::new(format!("`{key}` is given twice"))),
            },
            None => problems.push(unknown_key(&key)),
        }
    }
    let pair = match &found {
        [Some(Node::Text(from)), Some(Node::Text(to)), ..] => Some((from.clone(), to.clone())),
        _ => None,
    };
    let [from, to, factor, offset, attribution] = found;
    let mut keep =
        |result: Result<_, Problem>| result.map_err(|problem| problems.push(problem)).ok();
    let from = keep(unit("from", from).map(Value::Unit));
    let to = keep(unit("to", to).map(Value::Unit));
    let factor = keep(
        required("factor", factor)
            .and_then(|node| exact("factor", node))
            .map(Value::Number),
    );
    let offset = keep(
        offset
            .map_or(Ok(Rational::zero()), |node| exact("offset", node))
            .map(Value::Number),
    );
    let attribution = keep(text("attribution", attribution).map(Value::Attribution));
    match (from, to, factor, offset, attribution) {
        (
            Some(Value::Unit(from)),
            Some(Value::Unit(to)),
            Some(Value::Number(factor)),
            Some(Value::Number(offset)),
            Some(Value::Attribution(attribution)),
        ) if problems.is_empty() => Ok(Converter {
            from,
            to,
            factor,
            offset,
            attribution,
        }),
        _ => Err(problems
            .into_iter()
            .map(|problem| problem.at(index, pair.clone()))
            .collect()),
    }
}

/// A field of an entry, once read.
enum Value {
    Unit(Unit),
    Number(Rational),
    Attribution(Option<String>),
}

fn unknown_key(key: &str) -> Problem {
    let problem = Problem::new(format!("`{key}` is no key of a converter"));
    let near = KEYS
        .iter()
        .map(|known| (strsim::damerau_levenshtein(key, known), known));
    match near.min().filter(|(slips, _)| *slips <= 2) {
        Some((_, known)) => problem.help(format!("did you mean `{known}`?")),
        None => problem.help("the keys are `from`, `to`, `factor`, `offset` and `attribution`"),
    }
}

fn required(key: &str, node: Option<Node>) -> Result<Node, Problem> {
    node.ok_or_else(|| Problem::new(format!("there is no `{key}`")))
}

fn unit(key: &str, node: Option<Node>) -> Result<Unit, Problem> {
    match required(key, node)? {
        Node::Text(text) => Unit::parse(&text)
            .map_err(|error| Problem::new(format!("`{key}`: {error}")).help(error.help())),
        other => Err(Problem::new(format!(
            "`{key}` is {}, not a unit in quotes",
            other.kind()
        ))),
    }
}

fn exact(key: &str, node: Node) -> Result<Rational, Problem> {
    match node {
        Node::Text(text) | Node::Number(text) if text.len() <= 2 * MAX_TEXT => {
            parse_fraction(&text).map_err(|error| {
                let shown: String = text.chars().take(100).collect();
                let problem = Problem::new(format!(
                    "`{key}`: `{}` is {}",
                    shown.escape_debug(),
                    wrong(error)
                ));
                problem.help("an exact decimal such as `1.08`, or a fraction such as `27/25`")
            })
        }
        Node::Float => Err(
            Problem::new(format!("`{key}` is a float, which is not exact"))
                .help(format!("write it in quotes: `{key} = \"1.08\"`")),
        ),
        Node::Text(_) | Node::Number(_) => Err(Problem::new(format!("`{key}` is too long"))),
        other => Err(Problem::new(format!(
            "`{key}` is {}, not a number",
            other.kind()
        ))),
    }
}

fn wrong(error: NumberError) -> String {
    match error {
        NumberError::Malformed => "no exact number".to_owned(),
        other => other.to_string(),
    }
}

fn text(key: &str, node: Option<Node>) -> Result<Option<String>, Problem> {
    match node {
        None => Ok(None),
        Some(Node::Text(text)) => Ok(Some(text)),
        Some(other) => Err(Problem::new(format!(
            "`{key}` is {}, not a text",
            other.kind()
        ))),
    }
}

/// A value of either format, with numbers by their text and every key of a table, repeated ones too.
enum Node {
    Text(String),
    /// A number whose text is exact.
    Number(String),
    Float,
    Null,
    Bool,
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
}

impl Node {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Number(_) | Self::Float => "a number",
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "an object",
        }
    }
}

/// The key under which `serde_json` hands over the text of a number.
const NUMBER_TEXT: &str = "$serde_json::private::Number";

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyValue;
        impl<'de> Visitor<'de> for AnyValue {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a value")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
                Ok(Node::Bool)
            }

            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Number(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Number(value.to_string()))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
                Ok(Node::Float)
            }

            fn visit_str<E>(self, value: &str) -> Result<Node, E> {
                Ok(Node::Text(value.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Node::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
                let mut table = Vec::new();
                while let Some(key) = fields.next_key::<String>()? {
                    if key == NUMBER_TEXT {
                        return fields.next_value().map(Node::Number);
                    }
                    table.push((key, fields.next_value()?));
                }
                Ok(Node::Table(table))
            }
        }
        deserializer.deserialize_any(AnyValue)
    }
}

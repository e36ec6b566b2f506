//! Reading a converters file, JSON or TOML.
//!
//! JSON is a list of entries, or an object with the list under `converters`, as the canonical JSON has
//! it; TOML has it under `converters`. An entry has `from`, `to` and `factor`, and may have `offset`
//! and `attribution`. Numbers are text, exact decimals or `a/b`; a number of JSON counts by its own
//! text, and a whole number of TOML is exact too, while a float of TOML has lost its text.

use num_traits::Zero;

use crate::converter::Problem;
use crate::node::Node;
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

/// The most bytes of a number: what the largest fraction comes to.
const LONGEST: usize = 3 * MAX_TEXT;

const KEYS: [&str; 5] = ["from", "to", "factor", "offset", "attribution"];

/// Reads a converters file. The list is not yet a library: see [`Library::with`].
///
/// # Errors
/// Everything that is wrong with the file, in its order: what cannot be read and what
/// [`Library::with`] would say of the entries that can.
pub fn read_converters(text: &str, format: Format) -> Result<Vec<Converter>, Vec<ConverterError>> {
    let document = match format {
        Format::Json => Node::from_json(text),
        Format::Toml => Node::from_toml(text),
    };
    let document = document.map_err(|message| vec![whole(message, None)])?;
    let entries = match (document, format) {
        (Node::List(entries), _) => entries,
        (Node::Table(fields), _) => list_under_converters(fields)?,
        (other, _) => {
            return Err(vec![whole(format!("{} where a list of converters is due", other.kind()), None)]);
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
    errors.extend(Library::problems(&converters, &places));
    errors.sort_by_key(|error| error.index);
    Err(errors)
}

fn whole(message: impl Into<String>, help: Option<&str>) -> ConverterError {
    ConverterError { index: None, pair: None, message: message.into(), help: help.map(str::to_owned) }
}

fn list_under_converters(fields: Vec<(String, Node)>) -> Result<Vec<Node>, Vec<ConverterError>> {
    let mut errors = Vec::new();
    let mut list = None;
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("converters", Node::List(entries)) if list.is_none() => list = Some(entries),
            ("converters", Node::List(_)) => errors.push(whole("`converters` is given twice", None)),
            ("converters", other) => {
                list = Some(Vec::new());
                errors.push(whole(format!("`converters` is {}, not a list", other.kind()), None));
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
    let from = keep(unit("from", from), &mut problems);
    let to = keep(unit("to", to), &mut problems);
    let factor = required("factor", factor).and_then(|node| exact("factor", node));
    let factor = keep(factor, &mut problems);
    let offset = offset.map_or_else(|| Ok(Rational::zero()), |node| exact("offset", node));
    let offset = keep(offset, &mut problems);
    let attribution = keep(text("attribution", attribution), &mut problems);
    match (from, to, factor, offset, attribution) {
        (Some(from), Some(to), Some(factor), Some(offset), Some(attribution)) if problems.is_empty() => {
            Ok(Converter { from, to, factor, offset, attribution })
        }
        _ => Err(problems.into_iter().map(|problem| problem.at(index, pair.clone())).collect()),
    }
}

fn keep<T>(result: Result<T, Problem>, problems: &mut Vec<Problem>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

fn unknown_key(key: &str) -> Problem {
    let problem = Problem::new(format!("`{key}` is no key of a converter"));
    match assay_spelling::near(key, KEYS) {
        Some(known) => problem.help(format!("did you mean `{known}`?")),
        None => problem.help("the keys are `from`, `to`, `factor`, `offset` and `attribution`"),
    }
}

fn required(key: &str, node: Option<Node>) -> Result<Node, Problem> {
    node.ok_or_else(|| Problem::new(format!("there is no `{key}`")))
}

fn unit(key: &str, node: Option<Node>) -> Result<Unit, Problem> {
    match required(key, node)? {
        Node::Text(text) => {
            Unit::parse(&text).map_err(|error| Problem::new(format!("`{key}`: {error}")).help(error.help()))
        }
        other => Err(Problem::new(format!("`{key}` is {}, not a unit in quotes", other.kind()))),
    }
}

fn exact(key: &str, node: Node) -> Result<Rational, Problem> {
    match node {
        Node::Text(text) | Node::Number(text) if text.len() <= LONGEST => {
            parse_fraction(&text).map_err(|error| {
                let shown: String = text.chars().take(100).collect();
                let problem =
                    Problem::new(format!("`{key}`: `{}` is {}", shown.escape_debug(), wrong(error)));
                problem.help("an exact decimal such as `1.08`, or a fraction such as `27/25`")
            })
        }
        Node::Float => Err(Problem::new(format!("`{key}` is a float, which is not exact"))
            .help(format!("write it in quotes: `{key} = \"1.08\"`"))),
        Node::Text(_) | Node::Number(_) => Err(Problem::new(format!("`{key}` is too long"))),
        other => Err(Problem::new(format!("`{key}` is {}, not a number", other.kind()))),
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
        Some(other) => Err(Problem::new(format!("`{key}` is {}, not a text", other.kind()))),
    }
}

//! The claim schema: JSON Schema 2020-12 of a claim dictionary.
//!
//! It accepts the shapes that a check accepts: every claim there and no other field, and for each claim the JSON
//! types, texts and pairs of its type. What a schema cannot see stays with the check: whether a unit is known, the
//! range of a number that came as text or in another unit, and the sizes of numbers.

use assay_units::number::MAX_TEXT;
use serde_json::{Map, Value, json};

use crate::manifest::{UNKNOWN, exact};
use crate::{Claim, ClaimKind, Range, Ruleset};

macro_rules! unit_pattern {
    () => {
        r"(US\$|€|[A-Za-z_][A-Za-z0-9_]*)(\^[1-9][0-9]?)?([*/](US\$|€|[A-Za-z_][A-Za-z0-9_]*)(\^[1-9][0-9]?)?)*"
    };
}
/// The pattern of a text that is one number.
pub(crate) const NUMBER_PATTERN: &str = r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$";

/// The pattern of a unit's text.
pub(crate) const UNIT_PATTERN: &str = concat!(r"^", unit_pattern!(), "$");

/// The pattern of a text that is one number, in a unit if it names one.
pub(crate) const QUANTITY_PATTERN: &str =
    concat!(r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?( ?", unit_pattern!(), ")?$");

/// The words of a boolean, in any case.
const BOOLEAN_PATTERN: &str = "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$";

/// The schema of a dictionary for `ruleset`.
pub fn claim_schema(ruleset: &Ruleset) -> Value {
    let properties: Map<String, Value> =
        ruleset.claims.iter().map(|claim| (claim.name.clone(), property(claim))).collect();
    let required: Vec<&str> = ruleset.claims.iter().map(|claim| claim.name.as_str()).collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let definitions = definitions(ruleset);
    if let (false, Some(fields)) = (definitions.is_empty(), schema.as_object_mut()) {
        fields.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

fn property(claim: &Claim) -> Value {
    let mut shapes = match &claim.kind {
        ClaimKind::Boolean => vec![json!({ "type": "boolean" }), text(BOOLEAN_PATTERN)],
        ClaimKind::Numeric { unit: None, range } => {
            vec![number(range.as_ref()), reference("number_text"), reference("undetermined_pair")]
        }
        ClaimKind::Numeric { unit: Some(_), range } => {
            vec![
                number(range.as_ref()),
                reference("quantity_text"),
                reference("quantity_pair"),
                reference("undetermined_pair"),
            ]
        }
        ClaimKind::Enum(kind) => vec![json!({ "enum": kind.members })],
    };
    shapes.push(if claim.unknown_is_member() {
        json!({ "type": "null" })
    } else {
        json!({ "enum": [UNKNOWN, null] })
    });
    json!({ "description": claim.question, "anyOf": shapes })
}

/// A JSON number, within the bounds that are there.
fn number(range: Option<&Range>) -> Value {
    let bound = |end: &Option<_>| end.as_ref().and_then(exact);
    let mut shape = Map::from_iter([("type".to_owned(), json!("number"))]);
    if let Some(range) = range {
        shape.extend(bound(&range.min).map(|min| ("minimum".to_owned(), min)));
        shape.extend(bound(&range.max).map(|max| ("maximum".to_owned(), max)));
    }
    Value::Object(shape)
}

/// A text of this pattern. A line feed is shut out by itself: in some dialects `$` also matches before a last one.
fn text(pattern: &str) -> Value {
    json!({ "type": "string", "maxLength": MAX_TEXT, "pattern": pattern, "not": { "pattern": "\n" } })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The shapes that several claims share, as far as they are used.
fn definitions(ruleset: &Ruleset) -> Map<String, Value> {
    let any = |test: fn(&ClaimKind) -> bool| ruleset.claims.iter().any(|claim| test(&claim.kind));
    let with_unit = any(|kind| matches!(kind, ClaimKind::Numeric { unit: Some(_), .. }));
    let without = any(|kind| matches!(kind, ClaimKind::Numeric { unit: None, .. }));
    let mut shapes = Map::new();
    let mut add = |name: &str, shape: Value| {
        shapes.insert(name.to_owned(), shape);
    };
    if with_unit || without {
        add("number_text", text(NUMBER_PATTERN));
        add("undetermined_pair", pair(json!({ "enum": [UNKNOWN, null] }), json!({})));
    }
    if with_unit {
        add("quantity_text", text(QUANTITY_PATTERN));
        let value = json!({ "anyOf": [{ "type": "number" }, reference("number_text")] });
        add("quantity_pair", pair(value, text(UNIT_PATTERN)));
    }
    shapes
}

fn pair(value: Value, unit: Value) -> Value {
    json!({
        "type": "object",
        "properties": { "value": value, "unit": unit },
        "required": ["value", "unit"],
        "additionalProperties": false,
    })
}

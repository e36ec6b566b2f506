//! The validation contract: what a check will refuse, told before anything is submitted.

use assay_units::number::{MAX_DIGITS, MAX_EXPONENT, MAX_TEXT};
use serde_json::{Map, Value, json};

use crate::manifest::{UNKNOWN, range};
use crate::schema::{NUMBER_PATTERN, QUANTITY_PATTERN, UNIT_PATTERN};
use crate::{Claim, ClaimKind, Ruleset};

/// The most failures that a rejection lists; all of them are counted.
pub const LISTED_FAILURES: usize = 50;

/// The most characters that a failure shows of what came.
pub const RECEIVED_CHARACTERS: usize = 100;

/// What holds for a dictionary whatever its ruleset.
const RULES: [&str; 10] = [
    "every declared claim is there: one that could not be determined is sent as undetermined, never left out",
    "no other field is there, and no field twice",
    "numbers are exact: the text of a JSON number is read as a decimal and never rounded",
    "a text that is a number has ASCII digits, at most one minus in front, at most one point between digits and at most \
     one exponent; then, for a claim with a unit, at most one space and a unit; nothing before it or after it",
    "a unit that no library knows is refused, unless it is an atom of the claim's own unit; a known unit that nothing \
     converts to the claim's unit is accepted and stays as it is",
    "a claim without a unit takes no unit",
    "a range is inclusive and is compared after conversion to the claim's unit; it is skipped where the value's \
     unit does not convert, or by an interval only",
    "a temperature with an offset, in degC or degF, is refused for a claim of another dimension",
    "a member of a vocabulary is written exactly as listed, in the same case",
    "a list in the place of a value is several pieces of evidence for one claim, each accepted as a value is; an empty \
     list is none, and a list in a list is refused",
];

/// The contract of `ruleset`: each claim with what it accepts, the rules common to all, the patterns of texts, the
/// sizes, and what a rejection says.
pub fn validation_contract(ruleset: &Ruleset) -> Value {
    json!({
        "claims": ruleset.claims.iter().map(claim).collect::<Vec<_>>(),
        "rules": RULES,
        "patterns": { "number": NUMBER_PATTERN, "quantity": QUANTITY_PATTERN, "unit": UNIT_PATTERN },
        "budgets": {
            "text_characters": MAX_TEXT,
            "number_digits": MAX_DIGITS,
            "number_exponent": MAX_EXPONENT,
            "listed_failures": LISTED_FAILURES,
            "received_characters": RECEIVED_CHARACTERS,
        },
        "rejection": {
            "code": "VALIDATION_REJECTED",
            "failure": ["field", "expected", "received"],
            "rule": "every field that fails is reported in one answer, declared claims first and in their order; \
                     `failure_count` counts all of them, also those past the limit of the list; a dictionary with one \
                     failure is not checked at all",
        },
    })
}

fn claim(claim: &Claim) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("claim", json!(claim.name));
    set("data_type", json!(claim.data_type()));
    set("required", json!(true));
    set("accepts", json!(accepts(claim)));
    let undetermined = if claim.unknown_is_member() { json!([null]) } else { json!([UNKNOWN, null]) };
    set("undetermined", undetermined);
    match &claim.kind {
        ClaimKind::Boolean => {}
        ClaimKind::Numeric { unit, range: bounds } => {
            set("unit", json!(unit.as_ref().map(ToString::to_string)));
            if let Some(bounds) = bounds {
                set("range", range(bounds));
            }
        }
        ClaimKind::Enum(kind) => set("vocabulary", json!(kind.members)),
    }
    Value::Object(fields)
}

/// The forms a value may have, in words.
fn accepts(claim: &Claim) -> Vec<String> {
    let form = |text: &str| text.to_owned();
    match &claim.kind {
        ClaimKind::Boolean => vec![form("a JSON boolean"), form("the text true or false, in any case")],
        ClaimKind::Numeric { unit: None, .. } => {
            vec![form("a JSON number"), form("a text that is one number, without a unit")]
        }
        ClaimKind::Numeric { unit: Some(unit), .. } => vec![
            format!("a JSON number, taken in {unit}"),
            format!("a text that is one number, taken in {unit}, or a number and a unit"),
            form("an object of exactly `value` (a number, or a text that is one) and `unit`"),
        ],
        ClaimKind::Enum(_) => vec![form("a text that is exactly a member of the vocabulary")],
    }
}

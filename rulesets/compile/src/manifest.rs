//! The manifest: what a ruleset asks and what it decides, as data for programs.
//!
//! Everything else that is said about a ruleset (schema, contract, prompts, review) says the same facts to another
//! reader, so the few words they share live here.

use assay_units::{Rational, number};
use serde_json::{Map, Number, Value, json};

use crate::{Assertion, Claim, ClaimKind, Range, Ruleset};

/// The text that means "not determined", unless a vocabulary has it as a member.
pub const UNKNOWN: &str = "unknown";

/// How `null` is spelled where the contract wants the undetermined value named as text.
pub const NULL: &str = "null";

impl Claim {
    /// The word for its type on the wire: `boolean`, `numeric` or `enum`.
    pub fn data_type(&self) -> &'static str {
        match self.kind {
            ClaimKind::Boolean => "boolean",
            ClaimKind::Numeric { .. } => "numeric",
            ClaimKind::Enum(_) => "enum",
        }
    }

    /// Whether the text `unknown` is a member of its vocabulary, so that only `null` is undetermined.
    pub fn unknown_is_member(&self) -> bool {
        matches!(&self.kind, ClaimKind::Enum(kind) if kind.members.iter().any(|member| member == UNKNOWN))
    }

    /// What to submit where it could not be determined: `unknown`, or `null` where that is a member.
    pub fn undetermined(&self) -> &'static str {
        if self.unknown_is_member() { NULL } else { UNKNOWN }
    }
}

/// The manifest: `ruleset_hash`, `claims` in declared order and `rules` in source order.
///
/// Every assertion is a rule of its own: the language has no grouping.
pub fn manifest(ruleset: &Ruleset) -> Value {
    json!({
        "ruleset_hash": ruleset.hash,
        "claims": ruleset.claims.iter().map(claim).collect::<Vec<_>>(),
        "rules": ruleset.assertions.iter().map(rule).collect::<Vec<_>>(),
    })
}

fn claim(claim: &Claim) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("claim", json!(claim.name));
    set("data_type", json!(claim.data_type()));
    set("question", json!(claim.question));
    if let Some(context) = &claim.context {
        set("context", json!(context));
    }
    match &claim.kind {
        ClaimKind::Boolean => {}
        ClaimKind::Numeric { unit, range: bounds } => {
            set("unit", json!(unit.as_ref().map(ToString::to_string)));
            if let Some(bounds) = bounds {
                set("range", range(bounds));
            }
        }
        ClaimKind::Enum(kind) => {
            set("vocabulary", json!(kind.members));
            set("ordered", json!(kind.vocabulary.ordered));
        }
    }
    set("required", json!(true));
    set("unknown_allowed", json!(true));
    if claim.unknown_is_member() {
        set("unknown_sentinel", json!(NULL));
    }
    Value::Object(fields)
}

fn rule(assertion: &Assertion) -> Value {
    let mut stated = json!({
        "name": assertion.name,
        "line": assertion.line,
        "source": assertion.source,
        "unknown_policy": assertion.policy.as_str(),
    });
    if let (Some(description), Some(fields)) = (&assertion.description, stated.as_object_mut()) {
        fields.insert("description".to_owned(), json!(description));
    }
    json!({ "rule": assertion.name, "assertions": [stated] })
}

/// The bounds that are there, as `min` and `max`.
pub(crate) fn range(range: &Range) -> Value {
    let ends = [("min", &range.min), ("max", &range.max)];
    let ends = ends.into_iter().filter_map(|(name, end)| Some((name.to_owned(), exact(end.as_ref()?)?)));
    Value::Object(ends.collect())
}

/// A number of a payload: its plain decimal, an integer without a point. `None` where no decimal is exact (1/3).
pub fn exact(value: &Rational) -> Option<Value> {
    let text = number::decimal(value)?;
    text.parse::<Number>().ok().map(Value::Number)
}

/// A range in words: `from 0 to 100`, `at least 0`, `at most 100`.
pub(crate) fn range_text(range: &Range) -> Option<String> {
    let text = |end: &Option<Rational>| end.as_ref().map(plain);
    match (text(&range.min), text(&range.max)) {
        (Some(min), Some(max)) => Some(format!("from {min} to {max}")),
        (Some(min), None) => Some(format!("at least {min}")),
        (None, Some(max)) => Some(format!("at most {max}")),
        (None, None) => None,
    }
}

/// A number in words: its plain decimal, or its fraction.
fn plain(value: &Rational) -> String {
    number::decimal(value).unwrap_or_else(|| number::fraction(value))
}

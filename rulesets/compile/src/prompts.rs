//! Prompts for the caller's own extractor: one for each claim, complete by itself.
//!
//! What ends up in an extraction call is often a single prompt, so the rule on unknowns and everything about the form
//! of an answer stands inside each of them, and not only around them.

use serde_json::{Map, Value, json};

use crate::manifest::{range, range_text};
use crate::{Claim, ClaimKind, Ruleset};

/// The rule on unknowns that stands around the prompts.
pub const INTEGRITY_RULE: &str = "Not knowing is an answer. Where the document does not settle a claim, submit it as \
    undetermined: the text \"unknown\", or null. Do not guess, do not fill in a value that merely fits the type, and do \
    not leave the claim out. A rule that needs an undetermined claim says so; a rule that was given a guess answers as \
    if the guess were a fact.";

/// The question for a claim that has no `@ask`, made from its name: `has_receipt` and `hasReceipt` both ask about
/// "has receipt".
pub fn question_from_name(name: &str, kind: &ClaimKind) -> String {
    let words = words(name);
    match kind {
        ClaimKind::Boolean => format!("Is this so according to the document: {words}?"),
        ClaimKind::Numeric { unit: Some(unit), .. } => format!("What is the {words}, in {unit}?"),
        ClaimKind::Numeric { unit: None, .. } => format!("What is the {words}, as a number?"),
        ClaimKind::Enum(_) => format!("Which of the listed values is the {words}?"),
    }
}

/// The words of a name, lower case: parts of capitals only (`USD`, `ID`) stay as they are.
fn words(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut word = String::new();
        let mut before: Option<char> = None;
        for letter in part.chars() {
            let starts = letter.is_ascii_uppercase() && before.is_some_and(|c| !c.is_ascii_uppercase());
            if starts && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.push(letter);
            before = Some(letter);
        }
        words.push(word);
    }
    let lowered = words.into_iter().map(|word| {
        let acronym = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        if acronym { word } else { word.to_ascii_lowercase() }
    });
    let text = lowered.collect::<Vec<_>>().join(" ");
    if text.is_empty() { name.to_owned() } else { text }
}

/// One prompt for each claim, in declared order.
pub fn prompts(ruleset: &Ruleset) -> Vec<Value> {
    ruleset.claims.iter().map(prompt).collect()
}

fn prompt(claim: &Claim) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("claim", json!(claim.name));
    set("data_type", json!(claim.data_type()));
    set("question", json!(claim.question));
    set("answer_format", json!(answer_format(claim)));
    set("unknown_rule", json!(unknown_rule(claim)));
    set("undetermined_value", json!(claim.undetermined()));
    if let Some(context) = &claim.context {
        set("context", json!(context));
    }
    match &claim.kind {
        ClaimKind::Boolean => {}
        ClaimKind::Numeric { unit, range: bounds } => {
            if let Some(unit) = unit {
                set("unit", json!(unit.to_string()));
            }
            if let Some(bounds) = bounds {
                set("range", range(bounds));
            }
        }
        ClaimKind::Enum(kind) => {
            set("vocabulary", json!(kind.members));
            set("ordered_vocabulary", json!(kind.vocabulary.ordered));
        }
    }
    Value::Object(fields)
}

/// What an answer looks like, in one line.
fn answer_format(claim: &Claim) -> String {
    let value = match &claim.kind {
        ClaimKind::Boolean => "true or false".to_owned(),
        ClaimKind::Numeric { unit, range } => {
            let mut format = "one number and nothing else".to_owned();
            if let Some(unit) = unit {
                format = format!("one number in {unit} and nothing else");
            }
            if let Some(bounds) = range.as_ref().and_then(range_text) {
                format.push_str(", ");
                format.push_str(&bounds);
            }
            if unit.is_some() {
                format.push_str(
                    "; where the document uses another unit, the number as it stands there, a space and that unit",
                );
            }
            format
        }
        ClaimKind::Enum(kind) => {
            let members: Vec<String> = kind.members.iter().map(|member| json!(member).to_string()).collect();
            match members.as_slice() {
                [only] => format!("exactly {only}"),
                _ => format!("exactly one of {}", members.join(", ")),
            }
        }
    };
    let undetermined = claim.undetermined();
    format!("{value}; or {undetermined}")
}

/// The rule on unknowns, as it applies to one claim.
fn unknown_rule(claim: &Claim) -> &'static str {
    if claim.unknown_is_member() {
        "Not knowing is an answer, and for this claim it is null: the text \"unknown\" is one of its values and says \
         something else. If the document does not settle the question, answer null. Do not guess and do not leave the \
         claim out."
    } else {
        "Not knowing is an answer. If the document does not settle the question, answer unknown. Do not guess, do not \
         pick a value because it fits, and do not leave the claim out."
    }
}

/// How the answers become the dictionary that a check takes.
pub fn assembly_notes(ruleset: &Ruleset) -> Vec<String> {
    let count = match ruleset.claims.len() {
        0 => {
            return vec!["This ruleset asks for nothing: the dictionary is the empty object, {}.".to_owned()];
        }
        1 => "The one claim".to_owned(),
        count => format!("Each of the {count} claims"),
    };
    let mut notes = vec![
        format!(
            "Collect the answers in one JSON object with the claims' names as its keys. {count} is in it once, and nothing \
             else is: a claim left out and a name that is no claim are both refused."
        ),
        "Write an undetermined claim as the `undetermined_value` of its prompt (null as the JSON null, without quotes)."
            .to_owned(),
    ];
    let numeric = |with: bool| {
        ruleset
            .claims
            .iter()
            .any(|claim| matches!(&claim.kind, ClaimKind::Numeric { unit, .. } if unit.is_some() == with))
    };
    if numeric(true) || numeric(false) {
        notes.push(
            "Write a number with all its digits and without separators, as a JSON number or as text: 1234.5, not 1,234.5. \
             It is read exactly and never rounded."
                .to_owned(),
        );
    }
    if numeric(true) {
        notes.push(
            "Do not convert units or currencies. Where the document has another unit than the prompt, send what it says, \
             such as \"120 EUR\": the check converts what converts exactly, and says what it could not."
                .to_owned(),
        );
    }
    notes
}

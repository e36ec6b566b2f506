//! The claim schema that a compile publishes is never stricter than the check: what binds, validates.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::Reading;
use assay_compile::claim_schema;
use serde_json::{Value, json};
use support::{checker, outcome_of_json};

/// A dictionary in which every claim but one is null.
fn dictionary(checker: &assay_claims::Checker, claim: &str, value: Value) -> Value {
    let nulls = checker.ruleset().claims.iter().map(|claim| (claim.name.clone(), Value::Null));
    let mut fields: serde_json::Map<String, Value> = nulls.collect();
    fields.insert(claim.to_owned(), value);
    json!(fields)
}

#[test]
fn what_binds_validates() {
    let checker = checker(Reading::default());
    let validator = jsonschema::validator_for(&claim_schema(checker.ruleset())).unwrap();
    let file: toml::Table = include_str!("data/bindings.toml").parse().unwrap();
    let tables = file["table"].as_array().unwrap().iter();
    let strict = tables.filter(|table| table.get("reading").is_none());
    let (mut bound, mut shut_out) = (0, 0);
    for row in strict.flat_map(|table| table["rows"].as_array().unwrap()) {
        let [claim, json, _] = row.as_array().unwrap().as_slice() else { panic!("{row}") };
        let (claim, json) = (claim.as_str().unwrap(), json.as_str().unwrap());
        let value = dictionary(&checker, claim, serde_json::from_str(json).unwrap());
        let valid = validator.is_valid(&value);
        if outcome_of_json(&checker, claim, json).starts_with('!') {
            shut_out += usize::from(!valid);
        } else {
            assert!(valid, "{claim} = {json} binds, and the schema refuses it");
            bound += 1;
        }
    }
    assert!(bound > 80 && shut_out > 80, "{bound} bound, {shut_out} refused by both");
}

//! Every payload against the public contract.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests

use std::collections::BTreeSet;

use assay_tests_payloads::{Payload, fixtures, payloads};
use jsonschema::Validator;
use serde_json::Value;

fn contract() -> Value {
    let text = std::fs::read_to_string(fixtures().join("payloads/contract.json")).expect("the contract");
    serde_json::from_str(&text).expect("JSON")
}

fn schema<'a>(contract: &'a Value, shape: &str) -> &'a Value {
    contract["schemas"].get(shape).unwrap_or_else(|| panic!("no schema `{shape}`"))
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("a schema")
}

fn value(payload: &Payload) -> Value {
    serde_json::from_str(&payload.text).unwrap_or_else(|error| panic!("{}: {error}", payload.name))
}

#[test]
fn every_payload_follows_the_contract() {
    let contract = contract();
    let mut shapes = BTreeSet::new();
    let mut faults = Vec::new();
    for payload in payloads() {
        let validator = validator(schema(&contract, payload.shape));
        shapes.insert(payload.shape);
        for error in validator.iter_errors(&value(&payload)) {
            faults.push(format!("{}: {error} at {}", payload.name, error.instance_path()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let every: BTreeSet<&str> =
        contract["schemas"].as_object().expect("schemas").keys().map(String::as_str).collect();
    assert_eq!(shapes, every, "a shape of the contract without a payload");
}

#[test]
fn every_code_of_ours_has_a_payload() {
    let codes: BTreeSet<String> = payloads()
        .iter()
        .filter(|payload| payload.shape == "error")
        .map(|payload| value(payload)["error"]["code"].as_str().expect("a code").to_owned())
        .collect();
    let expected = [
        "BAD_REQUEST",
        "BUDGET_EXCEEDED",
        "COMPILE_FAILED",
        "ENGINE_ERROR",
        "RULESET_NOT_FOUND",
        "VALIDATION_REJECTED",
    ];
    assert_eq!(codes, expected.map(str::to_owned).into());
}

/// What payloads say beyond the contract. It permits more fields, and each of ours is a decision.
const OURS: [&str; 17] = [
    "approval.approval.unit_library_hash",
    "approval.approvals[].unit_library_hash",
    "check.claims.quantities[].conversion.factor_exact",
    "check.claims.quantities[].conversion.offset",
    "check.claims.quantities[].conversion.offset_exact",
    "check.rules[].assertions[].contradicted",
    "check.rules[].assertions[].unbridged_units[].cause",
    "compile.diagnostics[].column",
    "compile.diagnostics[].help",
    "compile.diagnostics[].source_line",
    "compile.manifest.rules[].assertions[].description",
    "error.error.diagnostics[].column",
    "error.error.diagnostics[].help",
    "error.error.diagnostics[].related",
    "error.error.diagnostics[].source_line",
    "ruleset_show.approvals[].unit_library_hash",
    "ruleset_show.manifest.rules[].assertions[].description",
];

#[test]
fn fields_beyond_the_contract_are_the_documented_ones() {
    let contract = contract();
    let mut found = BTreeSet::new();
    for payload in payloads() {
        // The contract leaves these answers open.
        if !["units", "converter_added"].contains(&payload.shape) {
            beyond(schema(&contract, payload.shape), &value(&payload), payload.shape, &mut found);
        }
    }
    let allowed: BTreeSet<String> = OURS.iter().map(|&path| path.to_owned()).collect();
    let (more, fewer): (Vec<_>, Vec<_>) =
        (found.difference(&allowed).collect(), allowed.difference(&found).collect());
    assert!(more.is_empty() && fewer.is_empty(), "beyond the contract: {more:#?}\nnot seen: {fewer:#?}");
}

/// Collects the paths of the fields of `value` that `schema` does not name. A schema without properties names all.
fn beyond(schema: &Value, value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let Some(named) = schema["properties"].as_object() else { return };
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                match named.get(name) {
                    Some(schema) => beyond(schema, value, &path, found),
                    None => drop(found.insert(path)),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                beyond(&schema["items"], item, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

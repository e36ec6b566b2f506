//! What the payloads say, kept beside this suite so that a change of any of them is seen.
//!
//! A snapshot is the payload, indented; its bytes are held by the suite `bytes`.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests

use assay_compile::{GRAMMAR_GUIDE, worked_example};
use assay_service::{Error, compile};
use assay_tests_payloads::{fixtures, payloads};
use assay_units::Library;
use serde_json::Value;

#[test]
fn payloads_are_as_kept() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(fixtures().join("payloads/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for payload in payloads() {
            // The library's own suite holds every factor; here they would only be copied.
            if payload.name == "units/built_in" {
                continue;
            }
            let mut value: Value = serde_json::from_str(&payload.text).expect("JSON");
            shorten(&mut value, payload.shape);
            let text = serde_json::to_string_pretty(&value).expect("JSON");
            insta::assert_snapshot!(payload.name.replace('/', "."), text);
        }
    });
}

/// Takes out what is kept once elsewhere: the versions, the guide, the built-in standards, and the parts of a compile
/// that a prompt pack and a stored ruleset have too.
fn shorten(payload: &mut Value, shape: &str) {
    if let Some(fields) = payload.as_object_mut() {
        fields.shift_remove("versions").expect("the versions");
        fields.shift_remove("standards");
        if ["prompt_pack", "ruleset_show"].contains(&shape) {
            fields.shift_remove("claim_schema").expect("the schema");
            fields.shift_remove("validation_contract").expect("the contract");
        }
        if let Some(error) = fields.get_mut("error").and_then(Value::as_object_mut)
            && let Some(hint) = error.shift_remove("hint")
        {
            assert_eq!(hint, GRAMMAR_GUIDE);
        }
    }
}

#[test]
fn the_example_of_the_guide_compiles() {
    let example = worked_example();
    assert!(example.contains("assert fare_cap"), "{example}");
    let payload = compile(
        example.as_bytes(),
        &assay_compile::Options { require_descriptions: true },
        &Library::built_in(),
    );
    let payload = payload.unwrap_or_else(|error| panic!("{}", error.envelope()));
    let payload: Value = serde_json::from_str(&payload).expect("JSON");
    assert_eq!(payload["diagnostics"], Value::Array(Vec::new()));
}

#[test]
fn a_failed_compile_carries_the_guide() {
    let error =
        compile(b"declare a as integer;", &Default::default(), &Library::built_in()).expect_err("refused");
    assert!(matches!(error, Error::Compile(_)));
    let envelope: Value = serde_json::from_str(&error.envelope()).expect("JSON");
    assert_eq!(envelope["error"]["hint"], GRAMMAR_GUIDE);
    assert_eq!(envelope["error"]["diagnostics"][0]["line"], 1);
}

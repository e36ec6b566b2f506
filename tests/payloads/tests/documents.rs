//! The payload of a document in a batch: the bytes of a one-shot check, or none.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests

use std::sync::Arc;

use assay_service::{CheckWriter, Document, Error, Prepared};
use assay_tests_payloads::{files, payloads, project_library, ruleset};
use assay_units::Library;
use serde_json::Value;

fn prepared(name: &str, library: &Library) -> Prepared {
    Prepared::new(&ruleset(name), &Default::default(), library, Default::default()).expect("a ruleset")
}

#[test]
fn a_document_of_a_batch_has_the_bytes_of_a_check() {
    for library in [Library::built_in(), project_library()] {
        for (name, claims) in files("claims", "json") {
            let (of, _) = name.split_once('.').expect("a dictionary named RULESET.CASE");
            let prepared = prepared(of, &library);
            let Ok(checked) = prepared.check(&claims) else { continue };
            let writer = CheckWriter::new(Arc::clone(prepared.ruleset()), library.clone());
            let document = Document { evidence: &checked.evidence, answers: &checked.answers };
            // One writer serves documents of many combinations of units, one after the other.
            for _ in 0..2 {
                let mut out = "before".to_owned();
                writer.write(&mut out, &document).expect("a payload");
                assert_eq!(out.strip_prefix("before"), Some(&*checked.payload), "{name}");
            }
        }
    }
}

#[test]
fn contradicted_values_tell_their_sources() {
    let prepared = prepared("bare", &Library::built_in());
    let checked = ["true", "true", "false"].map(|paid| {
        let claims = format!(r#"{{"paid": {paid}}}"#);
        prepared.check(claims.as_bytes()).expect("a check").evidence
    });
    let [mut first, mut second, mut third] = checked;
    for (evidence, source) in [(&mut first, "scan"), (&mut second, "mail"), (&mut third, "scan")] {
        evidence.set_source(&Arc::from(source));
    }
    first.join(second, &Library::built_in());
    first.join(third, &Library::built_in());
    let claims = br#"{"paid": [true, true, false]}"#;
    let answers = prepared.check(claims).expect("a check").answers;
    let writer = CheckWriter::new(Arc::clone(prepared.ruleset()), Library::built_in());
    let mut out = String::new();
    writer.write(&mut out, &Document { evidence: &first, answers: &answers }).expect("a payload");
    let told = r#""contradicted":[{"claim":"paid","values":[{"pieces":2,"sources":[{"pieces":1,"source":"scan"},{"pieces":1,"source":"mail"}],"value":true},{"pieces":1,"sources":[{"pieces":1,"source":"scan"}],"value":false}]}]"#;
    assert!(out.contains(told), "{out}");
}

#[test]
fn reasons_and_pairs_of_units_agree() {
    let mut agreed = 0;
    for payload in payloads().iter().filter(|payload| payload.shape == "check") {
        let value: Value = serde_json::from_str(&payload.text).expect("JSON");
        for rule in value["rules"].as_array().expect("rules") {
            let assertion = &rule["assertions"][0];
            let Some(reason) = assertion["reason_unknown"].as_str() else { continue };
            let pairs = assertion["unbridged_units"].as_array().cloned().unwrap_or_default();
            for (cause, part) in [("missing", "unbridged: "), ("ambiguous", "interval: ")] {
                let said = reason.split("; ").find_map(|each| each.strip_prefix(part)).unwrap_or_default();
                let of_cause = pairs.iter().filter(|pair| pair["cause"] == cause);
                let text =
                    |pair: &Value| format!("{} -> {}", pair["from"].as_str()?, pair["to"].as_str()?).into();
                let listed: Option<Vec<String>> = of_cause.map(text).collect();
                assert_eq!(said, listed.expect("texts").join(", "), "{}: {assertion}", payload.name);
                agreed += usize::from(!said.is_empty());
            }
        }
    }
    assert!(agreed >= 4, "{agreed}");
}

#[test]
fn a_set_of_answers_that_is_not_the_advertised_one_gives_no_payload() {
    let library = Library::built_in();
    let prepared = prepared("bare", &library);
    let checked = prepared.check(br#"{"paid":true}"#).expect("a check");
    let writer = CheckWriter::new(Arc::clone(prepared.ruleset()), library);
    let twice = [checked.answers.clone(), checked.answers.clone()].concat();
    for answers in [&[][..], &twice] {
        let mut out = String::new();
        let document = Document { evidence: &checked.evidence, answers };
        let refused = writer.write(&mut out, &document).expect_err("refused");
        assert!(matches!(refused, Error::Engine(_)), "{refused}");
        assert_eq!(refused.code(), "ENGINE_ERROR");
        assert_eq!(out, "");
    }
}

//! The payload of a document in a batch: the bytes of a one-shot check, or none.

use std::sync::Arc;

use assay_service::{CheckWriter, Document, Error, Prepared};
use assay_tests_payloads::{files, project_library, ruleset};
use assay_units::Library;

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
            let document = Document {
                dictionary: &checked.dictionary,
                quantities: &checked.quantities,
                answers: &checked.answers,
            };
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
fn a_set_of_answers_that_is_not_the_advertised_one_gives_no_payload() {
    let library = Library::built_in();
    let prepared = prepared("bare", &library);
    let checked = prepared.check(br#"{"paid":true}"#).expect("a check");
    let writer = CheckWriter::new(Arc::clone(prepared.ruleset()), library);
    let twice = [checked.answers.clone(), checked.answers.clone()].concat();
    for answers in [&[][..], &twice] {
        let mut out = String::new();
        let document = Document { dictionary: &checked.dictionary, quantities: &checked.quantities, answers };
        let refused = writer.write(&mut out, &document).expect_err("refused");
        assert!(matches!(refused, Error::Engine(_)), "{refused}");
        assert_eq!(refused.code(), "ENGINE_ERROR");
        assert_eq!(out, "");
    }
}

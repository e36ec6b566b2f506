//! The run over published expense lines, held against a count that shares nothing with assay.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use assay_batch::events::Documents;
use assay_batch::job::{Job, KEYS, Settings};
use assay_batch::remote::NoStores;
use assay_batch::{Around, Before, Cancel, Exit, run};
use assay_engine::Word;
use assay_tabular::Tabular;
use assay_tests_run::NoStore;
use assay_units::Library;
use serde_json::{Map, Value, json};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/parliament").join(name)
}

/// What Python counts.
fn counted(arguments: &[&str]) -> Value {
    let counted = Command::new("python3").arg(fixture("count.py")).args(arguments).output();
    let counted = counted.expect("python3 runs");
    assert!(counted.status.success(), "{}", String::from_utf8_lossy(&counted.stderr));
    serde_json::from_slice(&counted.stdout).expect("JSON")
}

/// What the job answers with some flags over it, as Python counts it.
fn answered(folder: &Path, given: &[(&str, &str)]) -> Value {
    let text = std::fs::read_to_string(fixture("job.toml")).expect("a job");
    let mut flags = Settings::new();
    let output = folder.join("out").display().to_string();
    for (name, value) in given.iter().chain(&[("output", output.as_str())]) {
        flags.flag(KEYS.iter().find(|key| key.name == *name).expect("a key"), value);
    }
    let job = Job::resolve(Settings::from_toml(&text, "job.toml", &fixture("")), flags).expect("a job");
    let around = Around {
        rulesets: &NoStore,
        library: Library::built_in(),
        open: Arc::new(Tabular),
        stores: &NoStores,
        create: Arc::new(Tabular),
        before: Before::default(),
        cancel: Cancel::new(),
        solver: None,
    };
    let outcome = run(job, &around, &mut |_| ()).expect("a run");
    assert_eq!(outcome.exit, Exit::Completed);
    let tallies: Map<String, Value> = outcome
        .assertions
        .iter()
        .map(|(name, tally)| {
            let words = Word::ALL.iter().map(|word| (word.as_str().to_owned(), json!(tally.of(*word))));
            (name.clone(), Value::Object(words.collect()))
        })
        .collect();
    let mut found = json!({ "read": outcome.rows, "rejected": outcome.rejected, "tallies": tallies });
    if let Some(Documents { checked, rejected, .. }) = outcome.documents {
        found["documents"] = json!({ "checked": checked, "rejected": rejected });
    }
    found
}

#[test]
fn published_lines_are_answered_as_they_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = fixture("expenses-2000.csv").display().to_string();
    assert_eq!(answered(folder.path(), &[]), counted(&[&lines]));
}

#[test]
fn three_extractions_of_each_line_are_answered_as_they_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let three = folder.path().join("three.csv").display().to_string();
    let made = Command::new("python3")
        .arg(fixture("extractions.py"))
        .args([fixture("expenses-2000.csv").display().to_string(), three.clone()])
        .status();
    assert!(made.expect("python3 runs").success());
    let counted = counted(&["--grouped", &three]);
    assert_eq!(answered(folder.path(), &[("input", &three), ("group_by", "claim_id")]), counted);
    for (name, tally) in counted["tallies"].as_object().expect("tallies") {
        let certain = ["category_is_one_of_nine", "line_is_not_late"].contains(&name.as_str());
        assert_eq!(tally["AMBIGUOUS"] == json!(0), certain, "{name}");
    }
}

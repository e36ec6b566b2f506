//! The run over published expense lines, held against a count that shares nothing with assay.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use assay_batch::job::{Job, KEYS, Settings};
use assay_batch::{Around, Cancel, Exit, run};
use assay_engine::Word;
use assay_tabular::Tabular;
use assay_tests_run::NoStore;
use assay_units::Library;
use serde_json::{Map, Value, json};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/parliament").join(name)
}

#[test]
fn published_lines_are_answered_as_they_are_counted() {
    let counted = Command::new("python3").arg(fixture("count.py")).arg(fixture("expenses-2000.csv")).output();
    let counted = counted.expect("python3 runs");
    assert!(counted.status.success(), "{}", String::from_utf8_lossy(&counted.stderr));
    let counted: Value = serde_json::from_slice(&counted.stdout).expect("JSON");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = std::fs::read_to_string(fixture("job.toml")).expect("a job");
    let mut flags = Settings::new();
    let output = KEYS.iter().find(|key| key.name == "output").expect("a key");
    flags.flag(output, &folder.path().join("out").display().to_string());
    let job = Job::resolve(Settings::from_toml(&text, "job.toml", &fixture("")), flags).expect("a job");
    let around = Around {
        rulesets: &NoStore,
        library: Library::built_in(),
        open: Arc::new(Tabular),
        create: Arc::new(Tabular),
        overwrite: false,
        cancel: Cancel::new(),
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
    assert_eq!(json!({ "read": outcome.rows, "rejected": outcome.rejected, "tallies": tallies }), counted);
}

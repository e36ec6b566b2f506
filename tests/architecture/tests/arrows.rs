//! The dependencies between crates point one way, as ARCHITECTURE.md draws them.

// What cargo prints has the shape that it documents; anything else fails the test, as it should.
#![allow(clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// What each crate may depend on, of this workspace, outside its tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("assay-spelling", &[]),
    ("assay-faults", &[]),
    ("assay-syntax", &["assay-spelling"]),
    ("assay-units", &["assay-spelling"]),
    ("assay-compile", &["assay-spelling", "assay-syntax", "assay-units"]),
    ("assay-claims", &["assay-compile", "assay-spelling", "assay-units"]),
    ("assay-store", &["assay-faults", "assay-units"]),
    ("assay-z3-link", &[]),
    (
        "assay-engine",
        &["assay-claims", "assay-compile", "assay-faults", "assay-syntax", "assay-units", "assay-z3-link"],
    ),
    (
        "assay-service",
        &["assay-claims", "assay-compile", "assay-engine", "assay-syntax", "assay-units", "assay-z3-link"],
    ),
    (
        "assay-batch",
        &[
            "assay-claims",
            "assay-compile",
            "assay-engine",
            "assay-faults",
            "assay-service",
            "assay-spelling",
            "assay-syntax",
            "assay-units",
            "assay-z3-link",
        ],
    ),
    ("assay-objects", &["assay-batch", "assay-faults", "assay-z3-link"]),
    ("assay-tabular", &["assay-batch", "assay-claims", "assay-engine", "assay-faults", "assay-z3-link"]),
    (
        "assay-cli",
        &[
            "assay-batch",
            "assay-claims",
            "assay-compile",
            "assay-engine",
            "assay-faults",
            "assay-objects",
            "assay-service",
            "assay-store",
            "assay-syntax",
            "assay-tabular",
            "assay-units",
            "assay-z3-link",
        ],
    ),
];

/// The crates that alone may depend on these libraries.
const OWNERS: &[(&str, &str)] = &[
    ("z3", "assay-engine"),
    ("z3-sys", "assay-engine"),
    ("rusqlite", "assay-store"),
    ("arrow", "assay-tabular"),
    ("parquet", "assay-tabular"),
    ("csv", "assay-tabular"),
    ("object_store", "assay-objects"),
    ("reqwest", "assay-objects"),
    ("clap", "assay-cli"),
    ("strsim", "assay-spelling"),
];

/// The dependencies of every crate of the workspace outside its tests, by name.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let list = |value: &Value| value.as_array().expect("an array").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    list(&metadata["packages"])
        .iter()
        .map(|package| {
            let of_production = list(&package["dependencies"])
                .iter()
                .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
                .map(|dependency| text(&dependency["name"]))
                .collect();
            (text(&package["name"]), of_production)
        })
        .collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    let found = dependencies();
    let mut wrong = Vec::new();
    for (name, depends) in &found {
        if name.starts_with("assay-tests-") {
            continue;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| known == name) else {
            wrong.push(format!("`{name}` is not in the drawing"));
            continue;
        };
        for dependency in depends.iter().filter(|dependency| dependency.starts_with("assay-")) {
            if !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("`{name}` may not depend on `{dependency}`"));
            }
        }
    }
    for (name, _) in ARROWS {
        assert!(found.contains_key(*name), "`{name}` is in the drawing and not in the workspace");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_library_has_the_one_owner_it_is_given() {
    for (name, depends) in dependencies() {
        for (library, owner) in OWNERS {
            let for_tests = name.starts_with("assay-tests-");
            assert!(
                for_tests || !depends.contains(*library) || name == *owner,
                "only `{owner}` may depend on `{library}`, and `{name}` does"
            );
        }
    }
}

//! `assay explain` and `assay check --decisive`, over the rulesets and claims of `fixtures/explain`: every kind of
//! assertion, answered in every way.

use serde_json::{Value, json};

use crate::folder::{Folder, fixtures};
use crate::session::session;

fn trip() -> Folder {
    let folder = Folder::new();
    for name in ["trip.dsail", "settled.json", "open.json", "contradicted.json"] {
        std::fs::copy(fixtures().join("explain").join(name), folder.path(name)).expect("a copy");
    }
    folder
}

#[test]
fn settled_open_and_contradicted() {
    session(
        &trip(),
        "explain",
        &[
            "assay explain policy.dsail --claims claims.json --format text",
            "assay explain trip.dsail --claims settled.json --format text",
            "assay explain trip.dsail --claims open.json --format text",
            "assay explain trip.dsail --claims contradicted.json --format text",
        ],
    );
}

#[test]
fn one_assertion_and_refusals() {
    let folder = trip();
    let of = |kind: &str, name: &str| fixtures().join(kind).join(name);
    std::fs::copy(of("rulesets", "freight.dsail"), folder.path("freight.dsail")).expect("a copy");
    std::fs::copy(of("claims", "freight.bound.json"), folder.path("freight.json")).expect("a copy");
    folder.put(
        "n.dsail",
        "version 1.3;\ndeclare n as numeric;\ndeclare d as numeric;\nassert long { n / (d * d * d) < n };\n",
    );
    session(
        &folder,
        "explain_one",
        &[
            "assay explain trip.dsail --claims open.json --assertion near --format text",
            "assay explain trip.dsail --claims open.json --assertion near",
            "assay explain trip.dsail --claims open.json --assertion far --format text",
            "assay explain - --claims open.json --assertion seat --format text < trip.dsail",
            "assay explain freight.dsail --claims freight.json --assertion frozen --format text",
            "echo '{\"n\": 123456789012345678901234567890, \"d\": 7.1}' > n.json; assay explain n.dsail --claims n.json --format text",
            "assay explain policy.dsail --claims open.json --format text",
            "assay explain --claims open.json",
            "assay explain --hash 00 --claims open.json --format text",
            "assay check trip.dsail --claims open.json --decisive --format text",
            "assay check trip.dsail --claims contradicted.json --decisive --format text",
        ],
    );
}

/// The explanations of a ruleset's answers by the names of its assertions.
fn explained(folder: &Folder, claims: &str) -> Vec<(String, Value)> {
    let ran = folder.sh(&format!("assay explain trip.dsail --claims {claims}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let payload: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let each = payload["explanations"].as_array().expect("a list").iter();
    each.map(|each| (each["name"].as_str().expect("a name").to_owned(), each.clone())).collect()
}

/// What a check answers to an assertion when what a completion supposes is put in the claims.
fn answer(folder: &Folder, claims: &str, supposing: &Value, assertion: &str) -> Option<Value> {
    let text = std::fs::read_to_string(folder.path(claims)).expect("claims");
    let mut claims: Value = serde_json::from_str(&text).expect("JSON");
    for each in supposing.as_array().expect("a list") {
        let name = each["claim"].as_str()?;
        let number = each["value"].as_str().filter(|_| name != "class");
        claims[name] = match (number, each["unit"].as_str()) {
            (Some(number), Some(unit)) => json!(format!("{number} {unit}")),
            (Some(number), None) => serde_json::from_str(number).expect("a number"),
            _ => each["value"].clone(),
        };
    }
    folder.put("supposed.json", claims.to_string());
    let ran = folder.sh("assay check trip.dsail --claims supposed.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let payload: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let rules = payload["rules"].as_array().expect("a list").iter();
    rules.map(|rule| rule["assertions"][0].clone()).find(|each| each["name"] == assertion)
}

#[test]
fn a_check_of_what_a_completion_supposes_comes_to_the_same_end() {
    let folder = trip();
    let mut replayed = 0;
    for claims in ["open.json", "contradicted.json"] {
        for (name, explanation) in explained(&folder, claims) {
            for (which, word) in [("holds", "TRUE"), ("fails", "FALSE")] {
                let supposing = &explanation["completions"][which]["supposing"];
                // Locals and intervals are no claims, and a document cannot state them.
                if supposing.is_null() || supposing.as_array().is_some_and(Vec::is_empty) {
                    continue;
                }
                if let Some(answered) = answer(&folder, claims, supposing, &name) {
                    assert_eq!(answered["check"], word, "{name} {which} in {claims}: {supposing}");
                    replayed += 1;
                }
            }
        }
    }
    assert!(replayed >= 8, "{replayed} completions were replayed");
}

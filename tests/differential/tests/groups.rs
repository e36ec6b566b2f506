//! Ten thousand documents of several pieces of evidence: the definition against every way to decide them.

use std::collections::BTreeMap;
use std::time::Instant;

use assay_engine::{Answer, Before};
use assay_tests_differential::{Group, groups};

/// How many documents are compared.
const GROUPS: usize = 10_000;

/// How often each thing that could be decided wrongly comes up at least.
const LEAST: usize = 200;

#[track_caller]
fn compare(group: &Group, way: &str, answer: &Answer) {
    let defined = &group.defined;
    if answer.before == Before::GaveUp || defined.before == Before::GaveUp {
        // Another question, another limit: there is nothing to compare.
        return;
    }
    let found = (answer.before, answer.reason_unknown.as_deref(), &answer.contradicted);
    let expected = (defined.before, defined.reason.as_deref(), &defined.contradicted);
    assert_eq!(found, expected, "{way}: {}\n{:#?}\n{}", group.assertion, group.rows, group.source);
}

#[test]
fn every_way_answers_by_the_definition() {
    let started = Instant::now();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |what: String| *seen.entry(what).or_default() += 1;
    for group in groups(3, GROUPS) {
        compare(&group, "auto", &group.auto);
        compare(&group, "z3", &group.solver);
        if let Some(answer) = &group.column {
            compare(&group, "columns", answer);
            // Evaluation decides, whatever the way: it gives up on the same documents.
            assert_eq!(answer.before, group.auto.before);
        }
        let way = if group.column.is_some() { "by column" } else { "by row" };
        if group.defined.contradicted.is_empty() {
            count("not contradicted".to_owned());
        } else if group.defined.reason.as_deref() == Some("too many choices") {
            count("too many choices".to_owned());
        } else {
            count(format!("{way}, {}", group.defined.before.as_str()));
        }
    }
    println!("{GROUPS} documents in {:?}: {seen:#?}", started.elapsed());
    for what in [
        "not contradicted",
        "too many choices",
        "by row, TRUE",
        "by row, FALSE",
        "by row, UNKNOWN",
        "by row, AMBIGUOUS",
        "by column, TRUE",
        "by column, FALSE",
        "by column, UNKNOWN",
        "by column, AMBIGUOUS",
    ] {
        let times = seen.get(what).copied().unwrap_or(0);
        assert!(times >= LEAST, "`{what}` came up {times} times");
    }
}

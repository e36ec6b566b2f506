//! Twelve thousand pairs decided in three ways, and faults that the comparison must notice: see `docs/differential.md`.

use std::collections::BTreeMap;
use std::time::Instant;

use assay_engine::{Before, DecidedBy};
use assay_tests_differential::{Difference, Evaluator, FORMS, Mutation, POLICIES, Pair, difference, pairs};

/// How many pairs are compared.
const PAIRS: usize = 12_000;

/// How often each form, word and policy comes up at least.
const LEAST: usize = 500;

fn describe(pair: &Pair) -> String {
    let (source, claims, assertion) = (&pair.source, &pair.claims, &pair.assertion);
    format!(
        "{source}\n{claims}\n{assertion}\ncolumns: {:?}\nauto: {:?}\nsolver: {:?}",
        pair.columns, pair.auto, pair.solver
    )
}

#[test]
fn columns_evaluation_and_the_solver_agree() {
    let started = Instant::now();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = |what| *seen.entry(what).or_default() += 1;
    let mut pairs_seen = 0;
    for pair in pairs(1, PAIRS) {
        match difference(&pair, Evaluator::default()) {
            Ok(()) => {}
            Err(Difference::Irrational) => count("irrational"),
            Err(difference) => panic!("{difference:?}\n{}", describe(&pair)),
        }
        pairs_seen += 1;
        pair.forms.iter().for_each(|form| count(form));
        count(pair.policy);
        count(match pair.solver.before {
            Before::True => "TRUE",
            Before::False => "FALSE",
            Before::Unknown => "UNKNOWN",
            Before::GaveUp => "gave up",
            Before::Ambiguous => "AMBIGUOUS",
        });
        if pair.columns.is_some() {
            count("by column");
        }
        if pair.auto.by == DecidedBy::Evaluation {
            count("settled by evaluation");
        }
    }
    println!("{pairs_seen} pairs in {:?}: {seen:#?}", started.elapsed());
    assert!(pairs_seen >= PAIRS);
    for what in FORMS.iter().chain(POLICIES).chain(&["TRUE", "FALSE", "UNKNOWN"]) {
        let times = seen.get(what).copied().unwrap_or(0);
        assert!(times >= LEAST, "`{what}` came up {times} times");
    }
    // Some have irrational models alone (`n * n == 2`): nothing is replayed then.
    let irrational = seen.get("irrational").copied().unwrap_or(0);
    assert!(irrational <= PAIRS / 1_000, "{irrational} pairs were not replayed");
    assert!(seen.get("by column").is_some_and(|times| *times >= PAIRS / 3), "few dictionaries fit columns");
    assert_eq!(seen.get("AMBIGUOUS"), None, "one value for each claim contradicts nothing");
}

#[test]
fn every_fault_is_noticed() {
    let mut unnoticed = Mutation::ALL.to_vec();
    for pair in pairs(2, 2_000) {
        unnoticed.retain(|&mutation| {
            let found = difference(&pair, Evaluator { mutation: Some(mutation) });
            matches!(found, Ok(()) | Err(Difference::Irrational))
        });
        if unnoticed.is_empty() {
            return;
        }
    }
    panic!("these faults were not noticed: {unnoticed:?}");
}

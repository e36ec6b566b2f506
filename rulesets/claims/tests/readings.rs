//! Reading options that cannot be meant.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::{Checker, Reading};
use support::{claim, compile_text, library, ruleset};

fn check(reading: Reading, expected: &str) {
    let found = match Checker::new(ruleset(), library(), reading.clone()) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => format!("{}: {error}", error.option),
    };
    assert_eq!(found, expected, "{reading:?}");
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn marks() {
    let marks = |thousands, decimal| Reading { thousands, decimal, ..Reading::default() };
    check(marks(None, '.'), "accepted");
    check(marks(Some(','), '.'), "accepted");
    check(marks(Some('.'), ','), "accepted");
    check(marks(Some('\u{a0}'), ','), "accepted");
    check(marks(Some('\''), '.'), "accepted");
    check(marks(Some(','), ','), "thousands: `thousands` is ',', which is the decimal mark too");
    check(marks(Some('.'), '.'), "thousands: `thousands` is '.', which is the decimal mark too");
    check(
        marks(Some('0'), '.'),
        "thousands: `thousands` is '0', which cannot stand between groups of digits",
    );
    check(
        marks(Some('e'), '.'),
        "thousands: `thousands` is 'e', which cannot stand between groups of digits",
    );
    check(
        marks(Some('-'), '.'),
        "thousands: `thousands` is '-', which cannot stand between groups of digits",
    );
    check(marks(None, ' '), "decimal: `decimal` is ' ', which cannot be a decimal mark");
    check(marks(None, '5'), "decimal: `decimal` is '5', which cannot be a decimal mark");
    check(marks(None, '+'), "decimal: `decimal` is '+', which cannot be a decimal mark");
}

#[test]
fn words_that_are_members() {
    let null = |list: &[&str]| Reading { null: words(list), ..Reading::default() };
    check(null(&["", "N/A"]), "accepted");
    check(null(&["na"]), "accepted");
    check(null(&["N/A", "NA"]), "null: the word \"NA\" of `null` is a member of the vocabulary of `country`");
    check(
        null(&["unknown"]),
        "null: the word \"unknown\" of `null` is a member of the vocabulary of `status`",
    );
    let yes = |list: &[&str]| Reading { true_words: words(list), ..Reading::default() };
    check(yes(&["true", "Y"]), "accepted");
    check(yes(&["OPEN"]), "true: the word \"OPEN\" of `true` is a member of the vocabulary of `status`");
    let no = Reading { false_words: words(&["NO"]), ..Reading::default() };
    check(no.clone(), "false: the word \"NO\" of `false` is a member of the vocabulary of `country`");

    // Only vocabularies that a column is read for.
    let checker = Checker::new(ruleset(), library(), Reading::default()).unwrap();
    let country = claim(&checker, "country");
    assert!(Checker::mapped(ruleset(), library(), no, |claim| claim != country).is_ok());
}

/// The default words were given by nobody.
#[test]
fn a_vocabulary_may_have_true_and_false() {
    let source = b"version 1.3;\ndeclare answer as enum {\"true\", \"false\", \"maybe\"};\nassert a { answer == \"true\" };\n";
    let ruleset = compile_text(source);
    let checker = |reading| Checker::new(ruleset.clone(), library(), reading);
    assert!(checker(Reading::default()).is_ok());
    assert!(checker(Reading { true_words: words(&["true", "Y"]), ..Reading::default() }).is_err());
}

#[test]
fn words_that_mean_two_things() {
    let both = |null: &[&str], yes: &[&str], no: &[&str]| Reading {
        null: words(null),
        true_words: words(yes),
        false_words: words(no),
        ..Reading::default()
    };
    check(both(&[], &["Y"], &["N"]), "accepted");
    check(both(&[], &[], &[]), "accepted");
    check(both(&[], &["Y", "x"], &["X"]), "true: the word \"x\" of `true` is also one of `false`");
    check(both(&["-"], &["Y"], &["-"]), "false: the word \"-\" of `false` is also one of `null`");
    check(both(&["true"], &["true"], &["false"]), "true: the word \"true\" of `true` is also one of `null`");
    check(
        both(&[], &["unknown"], &["N"]),
        "true: the word \"unknown\" of `true` is also the text of what was not determined",
    );
}

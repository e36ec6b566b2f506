//! Several pieces of evidence: what is one value, how many pieces gave it, and from where.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::sync::Arc;

use assay_claims::{
    BooleanBuffer, Checker, ClaimColumn, ClaimColumns, ClaimId, Evidence, Given, Missing, Reading, parse_json,
};
use assay_units::Library;
use support::{checker, claim, compile_text, show};

/// A row that says something of one claim alone.
fn row(checker: &Checker, name: &str, json: &str) -> Evidence {
    let raw = parse_json(json.as_bytes()).unwrap();
    let id = claim(checker, name);
    let given = |at| if at == id.0 { Given::One(&raw) } else { Given::Missing };
    let cells = (0..checker.ruleset().claims.len()).map(given);
    checker.row(cells, &[], Missing::Unknown).unwrap()
}

/// The distinct values of a claim with how many pieces gave each.
fn told(checker: &Checker, evidence: &Evidence, name: &str) -> String {
    let id = claim(checker, name);
    let told = evidence.told(id).unwrap();
    let values: Vec<String> = told
        .values
        .iter()
        .map(|value| format!("{} from {}", show(checker, id, &value.binding), value.pieces))
        .collect();
    let bindings: Vec<_> = evidence.values(id).collect();
    assert_eq!(bindings, told.values.iter().map(|value| &value.binding).collect::<Vec<_>>());
    assert_eq!(evidence.is_contradicted(id), values.len() > 1);
    format!("{}; undetermined {}", values.join(", "), told.undetermined)
}

#[test]
fn lists() {
    let checker = checker(Reading::default());
    for (name, json, expected) in [
        ("count", r#"[1, "1.0", "1e0", 2, null]"#, "1 from 3, 2 from 1; undetermined 1"),
        ("count", "[]", "; undetermined 0"),
        ("count", r#"[null, "unknown"]"#, "; undetermined 2"),
        ("amount", r#"["1.08 USD", "1 EUR", {"value": "1", "unit": "EUR"}]"#, "1.08 from 3; undetermined 0"),
        ("amount", r#"["5 JPY", 5, "5.0 JPY"]"#, "5 foreign JPY from 2, 5 from 1; undetermined 0"),
        (
            "amount",
            r#"["2.5 km", "2500 m", "2501 m"]"#,
            "2.5 foreign km from 2, 2501 foreign m from 1; undetermined 0",
        ),
        ("amount", r#"["5 JPY", "5 CHF"]"#, "5 foreign JPY from 1, 5 foreign CHF from 1; undetermined 0"),
        (
            "duration",
            r#"["1 mo", "1 month", "2 mo"]"#,
            "1 interval mo from 2, 2 interval mo from 1; undetermined 0",
        ),
        ("duration", r#"["1 yr", "12 mo"]"#, "1 interval yr from 1, 12 interval mo from 1; undetermined 0"),
        ("temperature", r#"["41 degF", 5, "278.15 K"]"#, "5 from 3; undetermined 0"),
        ("has_receipt", r#"[true, "TRUE", false]"#, "true from 2, false from 1; undetermined 0"),
        ("status", r#"["open", "unknown", null]"#, "\"open\" from 1, \"unknown\" from 1; undetermined 1"),
    ] {
        assert_eq!(told(&checker, &row(&checker, name, json), name), expected, "{name} = {json}");
    }
}

#[test]
fn rows_join_to_the_evidence_of_a_list_whatever_they_hold() {
    let checker = checker(Reading::default());
    let joined = |rows: &[&str]| {
        let mut all = rows.iter().map(|json| row(&checker, "amount", json));
        let first = all.next().unwrap();
        all.fold(first, |mut joined, next| {
            joined.join(next, checker.library());
            joined
        })
    };
    let list = told(&checker, &row(&checker, "amount", r#"[null, 5, "5 JPY", 5, 6]"#), "amount");
    for rows in [
        &["null", "5", r#""5 JPY""#, "5", "6"][..],
        &[r#"[null, 5]"#, r#"["5 JPY", 5]"#, "6"],
        &[r#"[null, 5, "5 JPY"]"#, "[]", "[5, 6]"],
    ] {
        assert_eq!(told(&checker, &joined(rows), "amount"), list, "{rows:?}");
    }
    assert_eq!(joined(&["5"]), row(&checker, "amount", "[5]"));
}

#[test]
fn a_unit_column_holds_for_every_member_or_has_as_many() {
    let checker = checker(Reading::default());
    let read = |value: &str, unit: &str| {
        let (value, unit) = (parse_json(value.as_bytes()).unwrap(), parse_json(unit.as_bytes()).unwrap());
        let pair = Given::Pair { value: &value, unit: &unit };
        let id = claim(&checker, "amount");
        let given = |at| if at == id.0 { pair } else { Given::Missing };
        let row = checker.row((0..checker.ruleset().claims.len()).map(given), &[], Missing::Unknown);
        row.map(|evidence| told(&checker, &evidence, "amount")).map_err(|rejection| {
            rejection.failures.iter().map(|failure| failure.expected.clone()).collect::<Vec<_>>().join(" | ")
        })
    };
    assert_eq!(read("[1, 1.08]", r#""EUR""#), Ok("1.08 from 1, 1.1664 from 1; undetermined 0".to_owned()));
    assert_eq!(read("[1, 1.08]", r#"["EUR", "USD"]"#), Ok("1.08 from 2; undetermined 0".to_owned()));
    assert_eq!(read("[1, null]", r#"["EUR", null]"#), Ok("1.08 from 1; undetermined 1".to_owned()));
    let expected =
        "a number in USD between 0 and 1000000, or unknown (a list of units needs a list of as many values)";
    assert_eq!(read("[1, 2]", r#"["EUR"]"#), Err(expected.to_owned()));
    let second = "in place 2 of 2: a number in USD between 0 and 1000000, or unknown (a value in a pair needs its unit)";
    assert_eq!(read("[1, 2]", r#"["EUR", null]"#), Err(second.to_owned()));
}

#[test]
fn sources_and_readings_stay_with_their_values() {
    let checker = checker(Reading::default());
    let id = claim(&checker, "amount");
    let read = |json: &str, source: &str| {
        let mut evidence = row(&checker, "amount", json);
        let raw = parse_json(json.as_bytes()).unwrap();
        let given = |at| if at == id.0 { Given::One(&raw) } else { Given::Missing };
        checker.quote(&mut evidence, (0..checker.ruleset().claims.len()).map(given));
        evidence.set_source(&Arc::from(source));
        evidence
    };
    let mut all = read(r#""1 EUR""#, "scan");
    all.join(read(r#"["1.08", 2]"#, "mail"), checker.library());
    all.join(read(r#""2.0 USD""#, "scan"), checker.library());
    let values = all.told(id).unwrap().values.iter().map(|value| {
        let sources = value.sources.iter().map(|(source, pieces)| format!("{source} {pieces}"));
        let submitted = &value.quantity.as_ref().unwrap().submitted;
        format!("{submitted}: {}", sources.collect::<Vec<_>>().join(", "))
    });
    assert_eq!(values.collect::<Vec<_>>(), ["1 EUR: scan 1, mail 1", "2: mail 1, scan 1"]);
    assert_eq!(
        all.quantities().map(|(_, quantity)| quantity.submitted.as_str()).collect::<Vec<_>>(),
        ["1 EUR", "2"]
    );
}

/// `x` and `y` are read together, `z` alone, and `w` by nobody.
fn small() -> Checker {
    let source =
        b"declare x as numeric;\ndeclare y as numeric;\ndeclare z as numeric;\ndeclare w as numeric;\n\
        assert a { x < y };\nassert b { z > 0 };\n";
    Checker::new(compile_text(source), Library::built_in(), Reading::default()).unwrap()
}

/// Rows of four numbers each; below zero is unknown.
fn columns(rows: &[[i128; 4]]) -> ClaimColumns {
    let column = |claim: usize| ClaimColumn::Number {
        unscaled: rows.iter().map(|row| row[claim]).collect(),
        scale: 0,
        known: rows.iter().map(|row| row[claim] >= 0).collect(),
    };
    let set_aside = BooleanBuffer::new_unset(rows.len());
    ClaimColumns { rows: rows.len(), columns: (0..4).map(column).collect(), set_aside }
}

#[test]
fn rows_of_documents_fold_and_choices_become_rows() {
    let rows = [
        // Agrees, and fills gaps.
        [1, -1, 3, -1],
        [1, 2, 3, -1],
        // Alone.
        [5, 6, 7, 8],
        // Three values of `x`, two of `y`, two of `z`, two of `w`.
        [1, 1, 1, 1],
        [2, 2, 2, 2],
        [3, -1, 1, 1],
    ];
    let documents = small().documents(columns(&rows), &[0, 2, 3], 4_096);
    let contradicted: Vec<_> = documents.contradicted().collect();
    let [of] = contradicted.as_slice() else { panic!("{contradicted:?}") };
    assert_eq!((of.document, of.claims, of.further.clone()), (2, &[0, 1, 2, 3].map(ClaimId)[..], 3..8));
    let number = |row: usize, claim: usize| match documents.columns.columns[claim] {
        ClaimColumn::Number { ref unscaled, ref known, .. } if known.value(row) => unscaled[row],
        _ => -1,
    };
    let found = |row| (0..4).map(|claim| number(row, claim)).collect::<Vec<_>>();
    assert_eq!([found(0), found(1), found(2)], [[1, 2, 3, -1], [5, 6, 7, 8], [1, 1, 1, 1]]);
    // Six choices of the two that are read together, with the others beside them.
    let mut pairs: Vec<_> = [2, 3, 4, 5, 6, 7].map(|row| (number(row, 0), number(row, 1))).into();
    pairs.sort_unstable();
    assert_eq!(pairs, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]);
    assert!((3..8).any(|row| number(row, 2) == 2));
    let evidence = documents.evidence(2);
    assert_eq!([0, 1, 2].map(|claim| evidence.values(ClaimId(claim)).count()), [3, 2, 2]);
}

#[test]
fn a_document_is_set_aside_as_a_whole() {
    let rows = [[1, 1, 1, 1], [2, 2, 1, 1], [7, 1, 1, 1], [7, 1, 1, 1], [7, 1, 1, 1], [8, 1, 1, 1]];
    let mut columns = columns(&rows);
    columns.set_aside = BooleanBuffer::from_iter([false, false, false, true, false, false]);
    let aside = |max_choices| {
        let documents = small().documents(columns.clone(), &[0, 2, 4], max_choices);
        (0..3).map(|document| documents.columns.set_aside.value(document)).collect::<Vec<_>>()
    };
    assert_eq!(aside(4), [false, true, false]);
    assert_eq!(aside(3), [true, true, false], "four choices of the first are too many");
}

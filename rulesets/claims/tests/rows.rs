//! Dictionaries and rows: what all their failures together say.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::{
    Binding, Checker, Dictionary, Given, Measure, Missing, Raw, Reading, Rejection, parse_json,
};
use support::{checker, claim, compile_text, library, show};

const GOOD: &str = r#"{"has_receipt": true, "count": 3, "rate": 0.5, "amount": "100 EUR", "nightly": "unknown",
    "weight": null, "temperature": "41 degF", "duration": "2 mo", "stock": 4, "category": "meals", "size": "large",
    "status": "unknown", "country": "FR"}"#;

fn dictionary(checker: &Checker, json: &str) -> Result<Dictionary, Rejection> {
    match parse_json(json.as_bytes()) {
        Ok(Raw::Object(fields)) => checker.dictionary(&fields).map(|evidence| evidence.first().clone()),
        other => panic!("no object: {other:?}"),
    }
}

/// The failures of `GOOD` with its fields replaced, as `field: expected <- received`.
fn check(edits: &[(&str, &str)], expected: &[&str]) {
    let checker = checker(Reading::default());
    let json = edits.iter().fold(GOOD.to_owned(), |json, (from, to)| {
        assert!(json.contains(from), "{from}");
        json.replacen(from, to, 1)
    });
    let found = match dictionary(&checker, &json) {
        Ok(_) => Vec::new(),
        Err(rejection) => {
            assert_eq!(rejection.failure_count, rejection.failures.len());
            let failures = rejection.failures.iter();
            failures.map(|f| format!("{}: {} <- {}", f.field, f.expected, f.received)).collect()
        }
    };
    assert_eq!(found, expected, "{json}");
}

#[test]
fn a_good_dictionary_binds_every_claim_in_declared_order() {
    let checker = checker(Reading::default());
    let bound = dictionary(&checker, GOOD).unwrap();
    let names = checker.ruleset().claims.iter().map(|claim| claim.name.as_str());
    let shown: Vec<String> = names
        .map(|name| {
            let claim = claim(&checker, name);
            format!("{name} {}", show(&checker, claim, bound.get(claim)))
        })
        .collect();
    assert_eq!(
        shown.join(", "),
        "has_receipt true, count 3, rate 0.5, amount 108, nightly unknown, weight unknown, temperature 5, \
         duration 2 interval mo, stock 4, category \"meals\", size \"large\", status \"unknown\", country \"FR\""
    );
    assert!(!bound.is_declared());
    let duration = claim(&checker, "duration");
    assert!(matches!(bound.measures().of(duration), Measure::Interval(unit) if unit.to_string() == "mo"));
    check(&[], &[]);
}

#[test]
fn fields_may_come_in_any_order() {
    let checker = checker(Reading::default());
    let Ok(Raw::Object(mut fields)) = parse_json(GOOD.as_bytes()) else { panic!() };
    let bound = checker.dictionary(&fields).unwrap();
    fields.reverse();
    assert_eq!(checker.dictionary(&fields).unwrap(), bound);
}

#[test]
fn every_failure_is_told_claims_first() {
    check(
        &[(r#""has_receipt": true, "#, "")],
        &["has_receipt: true or false, or unknown (every declared claim must be there) <- nothing"],
    );
    check(
        &[(r#""count": 3"#, r#""coutn": 3"#)],
        &[
            "count: a number, or unknown (every declared claim must be there) <- nothing",
            "coutn: only fields that are declared claims (closest: \"count\") <- 3",
        ],
    );
    check(
        &[(r#""count": 3"#, r#""count": 3, "count": 4"#)],
        &["count: a number, or unknown (once: the field is there more than once) <- 4"],
    );
    check(
        &[(r#""count": 3"#, r#""zzzzzz": [1], "count": 3, "zzzzzz": 2, "note": "a\u0007b""#)],
        &[
            "zzzzzz: only fields that are declared claims <- [1]",
            "note: only fields that are declared claims <- a\u{7}b",
        ],
    );
    check(
        &[
            (r#"{"has_receipt": true"#, r#"{"b": 1, "a": {"x": "y"}, "has_receipt": "ja""#),
            (r#""country": "FR""#, r#""country": "fr""#),
            (r#""amount": "100 EUR""#, r#""amount": {"value": 5, "unit": "USDD"}"#),
        ],
        &[
            "has_receipt: true or false, or unknown <- ja",
            "amount: a number in USD between 0 and 1000000, or unknown (`USDD` is no known unit, the closest is \
             `USD`) <- {\"value\":5,\"unit\":\"USDD\"}",
            "country: one of \"AT\", \"BE\", \"CH\", \"DE\", \"DK\", \"ES\", \"FI\", \"FR\", \"IT\", \"NA\", \"NL\", \
             \"NO\", ... (15 in all), or unknown (closest: \"FR\") <- fr",
            "b: only fields that are declared claims <- 1",
            "a: only fields that are declared claims <- {\"x\":\"y\"}",
        ],
    );
}

#[test]
fn fifty_failures_are_listed_and_all_are_counted() {
    let checker = checker(Reading::default());
    let extra = |count: usize| {
        let fields = (0..count).map(|at| format!(", \"field_{at:05}\": {at}")).collect::<String>();
        GOOD.replacen("\"count\": 3", &format!("\"count\": \"x\"{fields}"), 1)
    };
    for (count, listed) in [(48, 49), (49, 50), (50, 50), (20_000, 50)] {
        let rejection = dictionary(&checker, &extra(count)).unwrap_err();
        assert_eq!((rejection.failure_count, rejection.failures.len()), (count + 1, listed));
        assert_eq!(rejection.failures[0].field, "count");
        assert_eq!(rejection.failures[1].field, "field_00000");
    }
}

#[test]
fn what_came_is_cut_to_a_hundred_characters() {
    let checker = checker(Reading::default());
    let count = claim(&checker, "count");
    let received = |json: &str| {
        let raw = parse_json(json.as_bytes()).unwrap();
        checker.bind(count, &raw).unwrap_err().received
    };
    assert_eq!(received(&format!("\"{}\"", "é".repeat(100))), "é".repeat(100));
    assert_eq!(received(&format!("\"{}\"", "é".repeat(101))), "é".repeat(100));
    assert_eq!(received(&"7".repeat(2000)), "7".repeat(100));
    assert_eq!(received(r#""a\n\u0000\u202e""#), "a\n\u{0}\u{202e}");
    assert_eq!(received("[1,\"a\\n\",null,{\"k\":true}]"), r#"[1,"a\n",null,{"k":true}]"#);
    let long = received(&format!("[\"{}\", 1]", "\\\"".repeat(500)));
    assert_eq!(long, format!("[\"{}", "\\\"".repeat(49)));
    assert_eq!(received(&format!("[{}1]", "1,".repeat(100_000))).chars().count(), 100);
}

#[test]
fn a_row_may_leave_claims_out_and_take_units_from_a_column() {
    let source =
        b"version 1.3;\n// @unit amount USD\ndeclare amount as numeric;\ndeclare ok as boolean;\nassert a { ok };\n";
    let checker = Checker::new(compile_text(source), library(), Reading::default()).unwrap();
    let (five, eur, null, text) =
        (Raw::Number("5".into()), Raw::Text("EUR".into()), Raw::Null, Raw::Text("5 EUR".into()));
    let yes = Raw::Bool(true);
    let amount = Given::Pair { value: &five, unit: &eur };

    let bound = checker.row([amount, Given::One(&yes)], &[], Missing::Reject).unwrap();
    let amount_id = claim(&checker, "amount");
    assert_eq!(show(&checker, amount_id, bound.first().get(amount_id)), "5.4");
    let bound = checker.row([Given::Missing, Given::One(&yes)], &[], Missing::Unknown).unwrap();
    assert_eq!(bound.first().bindings(), [Binding::Unknown, Binding::Bool(true)]);
    let bound = checker.row([], &[], Missing::Unknown).unwrap();
    assert_eq!(bound.first().bindings(), [Binding::Unknown, Binding::Unknown]);
    let bound = checker.row([Given::Pair { value: &null, unit: &null }], &[], Missing::Unknown);
    assert_eq!(bound.unwrap().first().bindings(), [Binding::Unknown, Binding::Unknown]);

    let failures = |cells: &[Given<'_>], extra: &[(&str, &Raw<'_>)]| {
        let extra: Vec<_> = extra.iter().map(|(name, raw)| ((*name).into(), (*raw).clone())).collect();
        let rejection = checker.row(cells.iter().copied(), &extra, Missing::Reject).unwrap_err();
        let failures = rejection.failures.iter();
        failures.map(|f| format!("{}: {} <- {}", f.field, f.expected, f.received)).collect::<Vec<_>>()
    };
    assert_eq!(
        failures(&[], &[]),
        [
            "amount: a number in USD, or unknown (every declared claim must be there) <- nothing",
            "ok: true or false, or unknown (every declared claim must be there) <- nothing",
        ]
    );
    assert_eq!(
        failures(&[Given::Pair { value: &five, unit: &null }, Given::Repeated(&yes)], &[]),
        [
            "amount: a number in USD, or unknown (a value in a pair needs its unit) <- {\"value\":5,\"unit\":null}",
            "ok: true or false, or unknown (once: the field is there more than once) <- true",
        ]
    );
    let mixed = Given::Pair { value: &text, unit: &eur };
    assert_eq!(
        failures(&[mixed, Given::Pair { value: &yes, unit: &eur }], &[("ok", &yes), ("okk", &yes)]),
        [
            "amount: a number in USD, or unknown (the value of a pair is one number) <- {\"value\":\"5 EUR\",\"unit\":\"EUR\"}",
            "ok: true or false, or unknown (a pair of value and unit is for numeric claims) <- {\"value\":true,\"unit\":\"EUR\"}",
            "ok: no field of this name: the claim is read from another one <- true",
            "okk: only fields that are declared claims (closest: \"ok\") <- true",
        ]
    );
}

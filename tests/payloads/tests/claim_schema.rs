//! The claim schema against what a check accepts.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests

use assay_service::{Error, Prepared};
use assay_tests_payloads::{files, ruleset};
use assay_units::Library;
use jsonschema::Validator;
use serde_json::Value;

fn prepared(source: &[u8]) -> Prepared {
    Prepared::new(source, &Default::default(), &Library::built_in(), Default::default()).expect("a ruleset")
}

fn schema(prepared: &Prepared) -> Value {
    let payload: Value = serde_json::from_str(&prepared.compile_payload()).expect("JSON");
    payload["claim_schema"].clone()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("a schema that a validator library accepts")
}

#[test]
fn schemas_are_json_schema_2020_12() {
    let meta = jsonschema::draft202012::meta::validator();
    for (name, source) in files("rulesets", "dsail") {
        if let Ok(prepared) =
            Prepared::new(&source, &Default::default(), &Library::built_in(), Default::default())
        {
            let schema = schema(&prepared);
            let faults: Vec<String> = meta.iter_errors(&schema).map(|error| error.to_string()).collect();
            assert!(faults.is_empty(), "{name}: {faults:?}");
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            validator(&schema);
        }
    }
}

#[test]
fn dictionaries_that_a_check_accepts_follow_the_schema() {
    let mut accepted = 0;
    for (name, claims) in files("claims", "json") {
        let (of, _) = name.split_once('.').expect("a dictionary named RULESET.CASE");
        let prepared = prepared(&ruleset(of));
        let instance: Value = serde_json::from_slice(&claims).expect("JSON");
        let valid = validator(&schema(&prepared)).is_valid(&instance);
        // The schema is that of one answer for each claim.
        let several = instance.as_object().is_some_and(|fields| fields.values().any(Value::is_array));
        assert_eq!(prepared.check(&claims).is_ok(), valid || several, "{name}");
        accepted += usize::from(valid);
    }
    assert!(accepted >= 10, "{accepted}");
}

/// One claim of each type.
const EACH: &str = r#"
// @unit money USD
// @range money 0..100
declare money as numeric;
// @unit pace USD/night
declare pace as numeric;
// @range plain -5..5
declare plain as numeric;
declare flag as boolean;
declare tier as enum ["low","high"];
declare answer as enum {"yes","unknown"};
assert any { Or(flag, money > 0 "USD", pace > 0 "USD/night", plain > 0, tier == "low", answer == "yes") };
"#;

/// A value, and the claims of [`EACH`] that a check accepts it for. `EUR` and `USD` are known, so a claim in `USD/night`
/// takes them: that nothing bridges them is for the answer to say.
const SHAPES: &[(&str, &[&str])] = &[
    ("null", &["money", "pace", "plain", "flag", "tier", "answer"]),
    (r#""unknown""#, &["money", "pace", "plain", "flag", "tier", "answer"]),
    (r#""Unknown""#, &[]),
    (r#"" unknown""#, &[]),
    ("true", &["flag"]),
    ("false", &["flag"]),
    (r#""true""#, &["flag"]),
    (r#""False""#, &["flag"]),
    (r#""tRuE""#, &["flag"]),
    (r#""yes""#, &["answer"]),
    (r#""low""#, &["tier"]),
    (r#""Low""#, &[]),
    (r#""low ""#, &[]),
    (r#""""#, &[]),
    ("0", &["money", "pace", "plain"]),
    ("5", &["money", "pace", "plain"]),
    ("-5", &["pace", "plain"]),
    ("5.000000001", &["money", "pace"]),
    ("100", &["money", "pace"]),
    ("100.5", &["pace"]),
    ("1e1", &["money", "pace"]),
    ("-0", &["money", "pace", "plain"]),
    (r#""5""#, &["money", "pace", "plain"]),
    (r#""-5""#, &["pace", "plain"]),
    (r#""007""#, &["money", "pace"]),
    (r#""2.50""#, &["money", "pace", "plain"]),
    (r#""1e0""#, &["money", "pace", "plain"]),
    (r#""1E+0""#, &["money", "pace", "plain"]),
    (r#""10e-1""#, &["money", "pace", "plain"]),
    (r#""5 USD""#, &["money", "pace"]),
    (r#""5USD""#, &["money", "pace"]),
    (r#""5 US$""#, &["money", "pace"]),
    (r#""5 €""#, &["money", "pace"]),
    (r#""5 USD/night""#, &["pace"]),
    (r#""5 EUR/night""#, &["pace"]),
    (r#""5  USD""#, &[]),
    (r#""5 USD ""#, &[]),
    (r#"" 5""#, &[]),
    (r#""5 ""#, &[]),
    (r#""5\n""#, &[]),
    (r#""5 USD\n""#, &[]),
    (r#""5\tUSD""#, &[]),
    (r#""+5""#, &[]),
    (r#"".5""#, &[]),
    (r#""5.""#, &[]),
    (r#""1,200""#, &[]),
    (r#""1_000""#, &[]),
    (r#""500 000""#, &[]),
    (r#""0x10""#, &[]),
    (r#""١٢""#, &[]),
    (r#""５""#, &[]),
    (r#""--5""#, &[]),
    (r#""5 USD/""#, &[]),
    (r#""5 USD^0""#, &[]),
    (r#""5 USD^100""#, &[]),
    (r#""5 USD * night""#, &[]),
    (r#""5 (USD)""#, &[]),
    (r#""NaN""#, &[]),
    (r#""Infinity""#, &[]),
    (r#"{"value":5,"unit":"USD"}"#, &["money", "pace"]),
    (r#"{"value":"5.0","unit":"USD"}"#, &["money", "pace"]),
    (r#"{"unit":"EUR/night","value":5}"#, &["pace"]),
    (r#"{"value":"5 USD","unit":"USD"}"#, &[]),
    (r#"{"value":5,"unit":null}"#, &[]),
    (r#"{"value":5}"#, &[]),
    (r#"{"unit":"USD"}"#, &[]),
    (r#"{"value":5,"unit":"USD","note":"x"}"#, &[]),
    (r#"{"value":true,"unit":"USD"}"#, &[]),
    (r#"{"value":null,"unit":"USD"}"#, &["money", "pace", "plain"]),
    (r#"{"value":"unknown","unit":null}"#, &["money", "pace", "plain"]),
    ("{}", &[]),
    ("[[5]]", &[]),
    (r#"["lower"]"#, &[]),
];

/// Values that follow the schema of a claim and are refused all the same: what a schema cannot see.
const UNSEEN: &[(&str, &str)] = &[
    // The range of a text or a pair: whether it holds depends on the unit.
    (r#""-5""#, "money"),
    (r#""007""#, "plain"),
    (r#""101""#, "money"),
    (r#""-1 USD""#, "money"),
    (r#"{"value":101,"unit":"USD"}"#, "money"),
    // Whether a unit is known.
    (r#""5 USD/night""#, "money"),
    (r#""5 EUR/night""#, "money"),
    (r#"{"unit":"EUR/night","value":5}"#, "money"),
    (r#""5 dollars""#, "pace"),
    (r#""1_000""#, "money"),
    (r#""1_000""#, "pace"),
    (r#""0x10""#, "money"),
    (r#""0x10""#, "pace"),
    (r#"{"value":5,"unit":"bucks"}"#, "pace"),
    // The sizes of numbers.
    ("1e401", "pace"),
    (r#""1e401""#, "pace"),
];

/// Pieces of evidence, in a list: accepted by the check, while the schema is that of one answer.
const PIECES: &[(&str, &str)] = &[
    ("[]", "money"),
    ("[5]", "plain"),
    (r#"[5, "5 EUR/night", null]"#, "pace"),
    (r#"["low", "high"]"#, "tier"),
    ("[true, false]", "flag"),
];

/// A dictionary of [`EACH`] in which one claim has this value and the others are undetermined.
fn dictionary(claim: &str, value: &str) -> String {
    let claims = ["money", "pace", "plain", "flag", "tier", "answer"];
    assert!(claims.contains(&claim));
    let fields = claims.map(|each| format!("{each:?}:{}", if each == claim { value } else { "null" }));
    format!("{{{}}}", fields.join(","))
}

#[test]
fn schema_and_check_accept_the_same_shapes() {
    let prepared = prepared(EACH.as_bytes());
    let validator = validator(&schema(&prepared));
    let mut wrong = Vec::new();
    let mut hold = |claim: &str, value: &str, by_schema: bool, by_check: bool| {
        let text = dictionary(claim, value);
        let instance: Value = serde_json::from_str(&text).expect("JSON");
        let checked = prepared.check(text.as_bytes());
        assert!(matches!(checked, Ok(_) | Err(Error::Rejected(_))), "{text}: {checked:?}");
        for (what, found, expected) in
            [("schema", validator.is_valid(&instance), by_schema), ("check", checked.is_ok(), by_check)]
        {
            if found != expected {
                wrong.push(format!("{claim} = {value}: {what} accepts is {found}"));
            }
        }
    };
    for (value, accepting) in SHAPES {
        for claim in ["money", "pace", "plain", "flag", "tier", "answer"] {
            let accepted = accepting.contains(&claim);
            hold(claim, value, accepted || UNSEEN.contains(&(*value, claim)), accepted);
        }
    }
    for (value, claim) in UNSEEN {
        hold(claim, value, true, false);
    }
    // The schema is that of one answer: several pieces of evidence are a matter of the check alone.
    for (value, claim) in PIECES {
        hold(claim, value, false, true);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_dictionary_has_every_claim_and_nothing_else() {
    let prepared = prepared(&ruleset("bare"));
    let validator = validator(&schema(&prepared));
    for (text, accepted) in [
        (r#"{"paid":true}"#, true),
        ("{}", false),
        (r#"{"paid":true,"piad":true}"#, false),
        ("[]", false),
        ("null", false),
    ] {
        let instance: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(validator.is_valid(&instance), accepted, "schema: {text}");
        assert_eq!(prepared.check(text.as_bytes()).is_ok(), accepted, "check: {text}");
    }
}

//! Values one at a time: the tables of `data/bindings.toml`, and what only some formats can hold.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::{Raw, Reading};
use support::{checker, outcome, outcome_of_json};

/// A table's reading options, by their keys in a job file.
fn reading(options: Option<&toml::Value>) -> Reading {
    let mut reading = Reading::default();
    for (key, value) in options.and_then(toml::Value::as_table).into_iter().flatten() {
        let words = || {
            let words = value.as_array().unwrap().iter();
            words.map(|word| word.as_str().unwrap().to_owned()).collect()
        };
        let mark = || value.as_str().unwrap().chars().next().unwrap();
        match key.as_str() {
            "trim" => reading.trim = value.as_bool().unwrap(),
            "plus" => reading.plus = value.as_bool().unwrap(),
            "thousands" => reading.thousands = Some(mark()),
            "decimal" => reading.decimal = mark(),
            "null" => reading.null = words(),
            "true" => reading.true_words = words(),
            "false" => reading.false_words = words(),
            "nan" => reading.nan_unknown = value.as_str() == Some("unknown"),
            other => panic!("no option `{other}`"),
        }
    }
    reading
}

#[test]
fn tables() {
    let file: toml::Table = match include_str!("data/bindings.toml").parse() {
        Ok(file) => file,
        Err(error) => panic!("{error}"),
    };
    let mut wrong = Vec::new();
    let mut rows = 0;
    for table in file["table"].as_array().unwrap() {
        let checker = checker(reading(table.get("reading")));
        for row in table["rows"].as_array().unwrap() {
            let [claim, json, expected] = row.as_array().unwrap().as_slice() else {
                panic!("a row of other than three: {row}");
            };
            let (claim, json) = (claim.as_str().unwrap(), json.as_str().unwrap());
            let (expected, found) = (expected.as_str().unwrap(), outcome_of_json(&checker, claim, json));
            rows += 1;
            if found != expected {
                wrong.push(format!(
                    "{}: {claim} = {json}\n  expected {expected}\n  found    {found}",
                    table["name"]
                ));
            }
        }
    }
    assert!(rows > 200, "only {rows} rows");
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What JSON cannot hold.
#[test]
fn values_of_typed_columns() {
    let strict = checker(Reading::default());
    let lenient = checker(Reading { nan_unknown: true, ..Reading::default() });
    let pair = |value: Raw<'static>| {
        Raw::Object(vec![("value".into(), value), ("unit".into(), Raw::Text("USD".into()))])
    };
    for name in ["NaN", "inf", "-inf"] {
        let nan = Raw::NotFinite(name);
        let refused = "! a number, or unknown (a NaN or an infinity is no number)";
        assert_eq!(outcome(&strict, "count", &nan), refused);
        assert_eq!(outcome(&lenient, "count", &nan), "unknown");
        assert_eq!(outcome(&lenient, "amount", &pair(nan.clone())), "unknown");
        assert!(outcome(&strict, "amount", &pair(nan.clone())).starts_with("! "));
        assert!(outcome(&lenient, "has_receipt", &nan).starts_with("! "));
        assert!(outcome(&lenient, "category", &nan).starts_with("! "));
    }
    let time = Raw::Other("2024-05-01T00:00:00Z".into());
    for (claim, expected) in
        [("count", "! a number, or unknown"), ("has_receipt", "! true or false, or unknown")]
    {
        assert_eq!(outcome(&strict, claim, &time), expected);
    }
    assert_eq!(outcome(&strict, "count", &Raw::Number("1e-7".into())), "0.0000001");
    assert_eq!(outcome(&strict, "count", &Raw::Number("12 USD".into())), "! a number, or unknown");
}

/// Texts of 1,000 characters, numbers of 1,000 digits and exponents of 400 are the last that are looked at.
#[test]
fn hostile_sizes() {
    let checker = checker(Reading::default());
    let check = |claim: &str, json: String, expected: &str| {
        let found = outcome_of_json(&checker, claim, &json);
        assert_eq!(found, expected, "{claim} = {json}");
    };
    let nines = |count: usize| "9".repeat(count);
    let digits = "! a number, or unknown (a number has at most 1000 digits)";
    let exponent = "! a number, or unknown (an exponent is at most 400 and at least -400)";
    let long = "(a text has at most 1000 characters)";
    check("count", nines(1000), &nines(1000));
    check("count", nines(1001), digits);
    check("count", nines(1_000_000), digits);
    check("count", format!("\"{}\"", nines(1000)), &nines(1000));
    check("count", format!("\"{}\"", nines(1001)), &format!("! a number, or unknown {long}"));
    check("count", format!("0.{}", nines(999)), &format!("0.{}", nines(999)));
    check("count", format!("0.{}", nines(1000)), digits);
    check("count", "1e400".into(), &format!("1{}", "0".repeat(400)));
    check("count", "1E-400".into(), &format!("0.{}1", "0".repeat(399)));
    check("count", "1e401".into(), exponent);
    check("count", "\"1e-401\"".into(), exponent);
    check("count", "0e401".into(), exponent);
    check("count", "1e99999999999999999999".into(), exponent);
    check("count", format!("1e{}1", "0".repeat(5000)), "10");
    for claim in ["has_receipt", "category", "count", "amount"] {
        // Characters are counted, not bytes.
        let found = |text: String| outcome_of_json(&checker, claim, &format!("\"{text}\""));
        assert!(found("é".repeat(1001)).ends_with(long));
        assert!(!found("é".repeat(1000)).ends_with(long));
        assert!(found("x".repeat(10_000_000)).ends_with(long));
    }
    let unit = format!("{{\"value\":1,\"unit\":\"{}\"}}", "m*".repeat(600));
    assert!(outcome_of_json(&checker, "amount", &unit).ends_with(long));
}

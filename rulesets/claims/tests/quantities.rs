//! What a check tells of each number.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::{Reading, parse_json};
use assay_units::{Bridge, number};
use support::{checker, claim};

/// `submitted | bound | measured in | conversion`, or `none`.
fn check(name: &str, json: &str, expected: &str) {
    let checker = checker(Reading::default());
    let raw = parse_json(json.as_bytes()).unwrap();
    let found = match checker.quantity(claim(&checker, name), &raw) {
        None => "none".to_owned(),
        Some(quantity) => {
            let unit = quantity.measured_in.map_or("no unit".to_owned(), |unit| unit.to_string());
            let mut text = format!("{} | {} | {unit}", quantity.submitted, quantity.bound);
            if let Some(conversion) = quantity.conversion {
                let word = conversion.bridge.word();
                text.push_str(&format!(" | {} to {} {word}", conversion.from, conversion.to));
                if let Bridge::Convertible { factor, offset } = conversion.bridge {
                    text.push_str(&format!(" {} {}", number::fraction(&factor), number::fraction(&offset)));
                }
            }
            text
        }
    };
    assert_eq!(found, expected, "{name} = {json}");
}

#[test]
fn quantities() {
    check("count", "3", "3 | 3 | no unit");
    check("count", "1.50", "1.50 | 1.5 | no unit");
    check("count", "\"1e3\"", "1e3 | 1000 | no unit");
    check("count", "-0", "-0 | 0 | no unit");
    check("amount", "120", "120 | 120 \"USD\" | USD");
    check("amount", "\"120USD\"", "120USD | 120 \"USD\" | USD");
    check("amount", "\"120 US$\"", "120 US$ | 120 \"USD\" | USD");
    check("amount", "\"100 €\"", "100 € | 100 \"EUR\" | USD | EUR to USD convertible 27/25 0");
    check("amount", "\"100 JPY\"", "100 JPY | 100 \"JPY\" | USD | JPY to USD no_path");
    check(
        "amount",
        "{\"unit\":\"EUR\",\"value\":\"1e2\"}",
        "1e2 EUR | 100 \"EUR\" | USD | EUR to USD convertible 27/25 0",
    );
    check("temperature", "\"41 degF\"", "41 degF | 41 \"degF\" | degC | degF to degC convertible 5/9 -160/9");
    check("temperature", "\"-18 degC\"", "-18 degC | -18 \"degC\" | degC");
    check("duration", "\"2 mo\"", "2 mo | 2 \"mo\" | d | mo to d ambiguous");
    check(
        "nightly",
        "\"100 JPY/night\"",
        "100 JPY/night | 100 \"JPY/night\" | USD/night | JPY/night to USD/night no_path",
    );
    check("stock", "\"3 crate\"", "3 crate | 3 \"crate\" | crate");
    check("count", "1e-3", "1e-3 | 0.001 | no unit");
}

#[test]
fn what_has_no_quantity() {
    check("amount", "null", "none");
    check("amount", "\"unknown\"", "none");
    check("amount", "{\"value\":null,\"unit\":\"USD\"}", "none");
    check("amount", "\"120 x\"", "none");
    check("amount", "-1", "none");
    check("has_receipt", "true", "none");
    check("category", "\"meals\"", "none");
}

//! The claim parser: any bytes are a dictionary, or every reason why not.

use std::sync::LazyLock;

use assay_claims::{MAX_DEPTH, parse_json};
use assay_compile::Options;
use assay_engine::Settings;
use assay_service::{Error, Prepared};
use assay_units::Library;
use serde_json::Value;

/// A claim of every kind: units with prefixes, a range, an offset, a vocabulary that has `unknown` and one with escapes.
const RULESET: &str = r#"version 1.3;
// @unit amount USD
// @range amount -5..5000
declare amount as numeric;
// @unit length km
declare length as numeric;
// @unit cold degC
declare cold as numeric;
// @unit span d
declare span as numeric;
declare n as numeric;
declare ok as boolean;
declare tier as enum ["low", "mid", "a \"high\" \\ one"];
declare kind as enum {"meal", "taxi", "unknown"};
assert cap { Implies(amount / 3 <= 100 "USD", And(ok, tier >= "mid")) };
assert far [pessimistic] { length % 7 "m" > 1 "ft" };
assert warm { cold > 32 "degF" };
assert long { span <= 2 "mo" };
assert odd { Or(n % 2 == 1, kind == "unknown", 1 / n > n * n) };
"#;

static PREPARED: LazyLock<Prepared> = LazyLock::new(|| {
    let settings = Settings { rlimit: 20_000, ..Settings::default() };
    match Prepared::new(RULESET.as_bytes(), &Options::default(), &Library::built_in(), settings) {
        Ok(prepared) => prepared,
        Err(error) => panic!("{}", error.message()),
    }
});

/// Checks bytes as the claims of a document.
pub fn claims(bytes: &[u8]) {
    as_another_reader_has_it(bytes);
    match PREPARED.check(bytes) {
        Ok(checked) => {
            assert_eq!(checked.answers.len(), 5);
            let again = PREPARED.check(bytes).expect("the same outcome");
            assert_eq!(again.payload, checked.payload);
            assert!(serde_json::from_str::<Value>(&checked.payload).unwrap()["ok"] == true);
        }
        Err(Error::Rejected(rejection)) => {
            assert!(rejection.failure_count >= 1);
            assert_eq!(rejection.failures.len(), rejection.failure_count.min(50));
            for failure in &rejection.failures {
                assert!(failure.received.chars().count() <= 100, "{failure:?}");
            }
        }
        Err(error @ Error::BadRequest(_)) => {
            serde_json::from_str::<Value>(&error.envelope()).unwrap();
        }
        Err(error) => panic!("{}", error.message()),
    }
}

/// `serde_json`'s own tree takes the same texts, but for those that nest deeper.
fn as_another_reader_has_it(bytes: &[u8]) {
    match (parse_json(bytes), serde_json::from_slice::<Value>(bytes)) {
        (Ok(_), Ok(_)) | (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => panic!("taken, and refused elsewhere: {error}"),
        (Err(error), Ok(value)) => {
            assert!(depth(&value) > MAX_DEPTH, "refused, and taken elsewhere: {error}")
        }
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

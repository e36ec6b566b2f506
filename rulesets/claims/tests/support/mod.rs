//! What the tests of this crate share: one ruleset, and bindings as short texts.
// Each test uses some of these, and fails by panicking.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use assay_claims::{Binding, Checker, ClaimId, Measure, Raw, Reading, parse_json};
use assay_compile::{ClaimKind, Options, Ruleset, compile};
use assay_units::{Converter, Library, Rational, Unit, number};

/// The ruleset of `data/claims.dsail`.
pub fn ruleset() -> Arc<Ruleset> {
    compile_text(include_bytes!("../data/claims.dsail"))
}

pub fn compile_text(source: &[u8]) -> Arc<Ruleset> {
    let options = Options { require_descriptions: false };
    match compile(source, &options) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(refusal) => panic!("{:?}", refusal.diagnostics),
    }
}

/// The built-in units and EUR to USD at 1.08.
pub fn library() -> Library {
    let converter = Converter {
        from: Unit::parse("EUR").unwrap(),
        to: Unit::parse("USD").unwrap(),
        factor: Rational::new(27.into(), 25.into()),
        offset: Rational::from_integer(0.into()),
        attribution: None,
    };
    Library::with(vec![converter]).unwrap()
}

pub fn checker(reading: Reading) -> Checker {
    Checker::mapped(ruleset(), library(), reading, |_| true).unwrap()
}

pub fn claim(checker: &Checker, name: &str) -> ClaimId {
    checker.claim(name).unwrap_or_else(|| panic!("no claim `{name}`"))
}

/// What a value becomes, in a line: `120`, `120 foreign JPY`, `2 interval mo`, `true`, `"meals"`, `unknown`, or
/// `! ` and what would have been accepted.
pub fn outcome(checker: &Checker, name: &str, raw: &Raw<'_>) -> String {
    let id = claim(checker, name);
    match checker.bind(id, raw) {
        Ok(binding) => show(checker, id, &binding),
        Err(failure) => {
            assert_eq!(failure.field, name);
            format!("! {}", failure.expected)
        }
    }
}

pub fn outcome_of_json(checker: &Checker, name: &str, json: &str) -> String {
    match parse_json(json.as_bytes()) {
        Ok(raw) => outcome(checker, name, &raw),
        Err(error) => format!("!! {error}"),
    }
}

pub fn show(checker: &Checker, claim: ClaimId, binding: &Binding) -> String {
    match binding {
        Binding::Unknown => "unknown".to_owned(),
        Binding::Bool(value) => value.to_string(),
        Binding::Number { value, measure } => {
            let value = number::plain(value);
            match measure {
                Measure::Declared => value,
                Measure::Foreign(unit) => format!("{value} foreign {unit}"),
                Measure::Interval(unit) => format!("{value} interval {unit}"),
            }
        }
        Binding::Member(member) => match &checker.ruleset().claim(claim).kind {
            ClaimKind::Enum(kind) => format!("{:?}", kind.vocabulary.members[*member as usize]),
            kind => panic!("a member for {kind:?}"),
        },
    }
}

//! From a source and claims to answers, through the public boundaries of the phases.

use std::borrow::Cow;
use std::sync::Arc;

use assay_claims::{Checker, Evidence, Raw, Reading, parse_json};
use assay_compile::{Options, Ruleset, compile};
use assay_engine::{Plan, Settings};
use assay_units::Library;

/// A compiled ruleset.
pub fn ruleset(source: &str) -> Arc<Ruleset> {
    match compile(source.as_bytes(), &Options::default()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(refusal) => panic!("{source:.2000}\n{:#?}", refusal.diagnostics),
    }
}

#[allow(dead_code)] // Not every test has claims as text.
/// Evidence from the JSON of a document's claims.
pub fn dictionary(ruleset: &Arc<Ruleset>, claims: &str) -> Evidence {
    let checker = Checker::new(Arc::clone(ruleset), Library::built_in(), Reading::default()).unwrap();
    let Ok(Raw::Object(fields)) = parse_json(claims.as_bytes()) else { panic!("no object: {claims}") };
    let fields: Vec<(Cow<'_, str>, Raw<'_>)> = fields;
    checker.dictionary(&fields).unwrap_or_else(|rejection| panic!("{claims}: {rejection:?}"))
}

/// A plan over the built-in units.
pub fn plan(ruleset: &Arc<Ruleset>, settings: Settings) -> Plan {
    Plan::new(Arc::clone(ruleset), Library::built_in(), settings).unwrap()
}

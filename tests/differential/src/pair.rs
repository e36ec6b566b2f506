//! Pairs of an assertion and a dictionary, with the answers of both routes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use assay_claims::{Checker, Dictionary, Evidence, Raw, Reading, parse_json};
use assay_compile::formula::Formula;
use assay_compile::{Options, Ruleset, compile, resolve};
use assay_engine::{Answer, Plan, Route, Settings};
use assay_units::Library;
use fastrand::Rng;

use crate::{claims, writer};

/// The solver's limit here: a question of ordinary size takes a hundredth of it.
pub(crate) const RLIMIT: u32 = 400_000;

/// How many assertions a ruleset has, and how many dictionaries it is asked about.
const ASSERTIONS: usize = 20;
const DICTIONARIES: usize = 10;

/// One assertion and one dictionary.
#[derive(Debug)]
pub struct Pair {
    /// The whole source.
    pub source: Arc<str>,
    /// The dictionary as JSON.
    pub claims: Arc<str>,
    /// The assertion's text.
    pub assertion: String,
    /// The forms in it and in the locals that it uses.
    pub forms: BTreeSet<&'static str>,
    /// Its policy.
    pub policy: &'static str,
    /// The assertion in the units of the evidence.
    pub formula: Formula,
    /// The dictionary as it was bound.
    pub evidence: Dictionary,
    /// What the solver answers alone.
    pub solver: Answer,
    /// What evaluation answers with the solver behind it.
    pub auto: Answer,
}

/// At least `count` pairs, the same ones for the same seed.
pub fn pairs(seed: u64, count: usize) -> impl Iterator<Item = Pair> {
    let mut rng = Rng::with_seed(seed);
    let rulesets = count.div_ceil(ASSERTIONS * DICTIONARIES);
    (0..rulesets).flat_map(move |number| of_one_ruleset(&mut rng, number * ASSERTIONS))
}

fn of_one_ruleset(rng: &mut Rng, turn: usize) -> Vec<Pair> {
    let (source, written) = writer::ruleset(rng, ASSERTIONS, turn);
    let ruleset = match compile(source.as_bytes(), &Options::default()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(refusal) => panic!("{source}\n{:#?}", refusal.diagnostics),
    };
    let source: Arc<str> = source.into();
    let library = Library::built_in();
    let checker = Checker::new(Arc::clone(&ruleset), library.clone(), Reading::default()).unwrap();
    let claims: Vec<Arc<str>> = (0..DICTIONARIES).map(|_| claims::dictionary(rng).into()).collect();
    let documents: Vec<Evidence> = claims.iter().map(|claims| bind(&checker, claims)).collect();
    let decide = |route| {
        let settings = Settings { rlimit: RLIMIT, route, ..Settings::default() };
        Plan::new(Arc::clone(&ruleset), library.clone(), settings).unwrap().decide_all(&documents).unwrap()
    };
    let (auto, solver) = (decide(Route::Auto), decide(Route::Z3));
    let mut pairs = Vec::new();
    for (at, evidence) in documents.iter().map(Evidence::first).enumerate() {
        for (assertion, written) in written.iter().enumerate() {
            pairs.push(Pair {
                source: Arc::clone(&source),
                claims: Arc::clone(&claims[at]),
                assertion: assertion_text(&ruleset, assertion),
                forms: written.forms.clone(),
                policy: written.policy,
                formula: resolve(&ruleset, assertion, &evidence.measures(), &library),
                evidence: evidence.clone(),
                solver: solver[at][assertion].clone(),
                auto: auto[at][assertion].clone(),
            });
        }
    }
    pairs
}

fn assertion_text(ruleset: &Ruleset, assertion: usize) -> String {
    let assertion = &ruleset.assertions[assertion];
    format!("{} {{ {} }}", assertion.name, assertion.source)
}

fn bind(checker: &Checker, claims: &str) -> Evidence {
    let Ok(Raw::Object(fields)) = parse_json(claims.as_bytes()) else { panic!("no object: {claims}") };
    let fields: Vec<(Cow<'_, str>, Raw<'_>)> = fields;
    checker.dictionary(&fields).unwrap_or_else(|rejection| panic!("{claims}: {rejection:?}"))
}

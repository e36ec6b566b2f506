//! Pairs of an assertion and a dictionary, with the answers of all three ways.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use assay_claims::{Checker, ClaimColumns, ClaimId, Dictionary, Evidence, Missing, Raw, Reading, parse_json};
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
    /// What columns answer, with both behind them, where the dictionary fits columns.
    pub columns: Option<Answer>,
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
    let plan = |route| {
        let settings = Settings { rlimit: RLIMIT, route, ..Settings::default() };
        Plan::new(Arc::clone(&ruleset), library.clone(), settings).unwrap()
    };
    let (auto, solver) = (plan(Route::Auto), plan(Route::Z3).decide_all(&documents).unwrap());
    let columns = columns(&checker, &claims);
    let (auto, by_column) = (auto.decide_all(&documents).unwrap(), auto.decide_columns(&columns).unwrap());
    let mut pairs = Vec::new();
    for (at, evidence) in documents.iter().map(Evidence::first).enumerate() {
        let in_columns = (!columns.set_aside.value(at)).then(|| by_column.row(at));
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
                columns: in_columns.as_ref().map(|answers| answers[assertion].clone()),
            });
        }
    }
    pairs
}

fn assertion_text(ruleset: &Ruleset, assertion: usize) -> String {
    let assertion = &ruleset.assertions[assertion];
    format!("{} {{ {} }}", assertion.name, assertion.source)
}

/// The dictionaries by column, each value put where a reader puts it. Rows that do not fit are set aside.
fn columns(checker: &Checker, claims: &[Arc<str>]) -> ClaimColumns {
    let mut columns = checker.columns(claims.len(), Missing::Unknown, |_| false);
    for (row, claims) in claims.iter().enumerate() {
        for (name, value) in fields(claims) {
            let declared = &checker.ruleset().claims;
            let claim = ClaimId(declared.iter().position(|claim| claim.name == name).unwrap());
            match value {
                Raw::Null => {}
                Raw::Bool(value) => drop(columns.boolean(claim, row, value)),
                Raw::Number(text) | Raw::Text(text) => drop(columns.text(claim, row, &text)),
                other => panic!("not written here: {other:?}"),
            }
        }
    }
    columns.finish()
}

fn fields(claims: &str) -> Vec<(Cow<'_, str>, Raw<'_>)> {
    match parse_json(claims.as_bytes()) {
        Ok(Raw::Object(fields)) => fields,
        _ => panic!("no object: {claims}"),
    }
}

fn bind(checker: &Checker, claims: &str) -> Evidence {
    let fields = fields(claims);
    checker.dictionary(&fields).unwrap_or_else(|rejection| panic!("{claims}: {rejection:?}"))
}

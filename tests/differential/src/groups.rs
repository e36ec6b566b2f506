//! Groups: documents of several pieces of evidence, decided by every way there is and by the definition.
//!
//! The definition is worked out here, from plain dictionaries alone: every choice of one value for each contradicted claim
//! that an assertion reads is decided as a dictionary of its own, and the answers are put together as
//! `docs/results.md` says.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_claims::{
    Binding, Checker, ClaimColumns, ClaimId, Dictionary, Evidence, Missing, Raw, Reading, decimal, parse_json,
};
use assay_compile::{Options, compile};
use assay_engine::{Answer, Before, ColumnAnswers, Plan, Route, Settings};
use assay_units::Library;
use fastrand::Rng;

use crate::claims::{Numbers, fields, json};
use crate::pair::RLIMIT;
use crate::writer;

/// The most choices here: so few that groups of more come up.
pub const MAX_CHOICES: u32 = 24;

/// How many assertions a ruleset has, and how many groups it is asked about.
const ASSERTIONS: usize = 2;
const GROUPS: usize = 100;

/// One document for one assertion.
#[derive(Debug)]
pub struct Group {
    /// The whole source.
    pub source: Arc<str>,
    /// The rows as JSON.
    pub rows: Arc<[String]>,
    /// The name of the assertion.
    pub assertion: String,
    /// What the definition makes of it.
    pub defined: Defined,
    /// The answer of evaluation with the solver behind it.
    pub auto: Answer,
    /// The answer of the solver alone.
    pub solver: Answer,
    /// The answer by column, where the document was not set aside.
    pub column: Option<Answer>,
}

/// An answer by the definition.
#[derive(Debug, PartialEq, Eq)]
pub struct Defined {
    /// The answer before the policy.
    pub before: Before,
    /// Its reason.
    pub reason: Option<String>,
    /// The contradicted claims that the assertion reads.
    pub contradicted: Vec<ClaimId>,
}

/// At least `count` documents, each for every assertion of its ruleset; the same ones for the same seed.
pub fn groups(seed: u64, count: usize) -> impl Iterator<Item = Group> {
    let mut rng = Rng::with_seed(seed);
    (0..count.div_ceil(GROUPS)).flat_map(move |number| of_one_ruleset(&mut rng, number * ASSERTIONS))
}

fn of_one_ruleset(rng: &mut Rng, turn: usize) -> Vec<Group> {
    let (source, _) = writer::ruleset(rng, ASSERTIONS, turn);
    let ruleset = Arc::new(compile(source.as_bytes(), &Options::default()).unwrap());
    let source: Arc<str> = source.into();
    let library = Library::built_in();
    let checker = Checker::new(Arc::clone(&ruleset), library.clone(), Reading::default()).unwrap();
    let documents: Vec<Arc<[String]>> = (0..GROUPS).map(|_| document(rng, &checker)).collect();
    let evidence: Vec<Evidence> = documents.iter().map(|rows| join(&checker, rows)).collect();
    let plan = |route| {
        let settings = Settings { rlimit: RLIMIT, route, max_choices: MAX_CHOICES, ..Settings::default() };
        Plan::new(Arc::clone(&ruleset), library.clone(), settings).unwrap()
    };
    let (auto, solver) = (plan(Route::Auto), plan(Route::Z3));
    let columns = by_column(&auto, &checker, &documents);
    let (auto_answers, solver_answers) =
        (auto.decide_all(&evidence).unwrap(), solver.decide_all(&evidence).unwrap());
    let mut groups = Vec::new();
    for (at, rows) in documents.iter().enumerate() {
        for (assertion, of) in ruleset.assertions.iter().enumerate() {
            groups.push(Group {
                source: Arc::clone(&source),
                rows: Arc::clone(rows),
                assertion: of.name.clone(),
                defined: define(&auto, &checker, rows, assertion),
                auto: auto_answers[at][assertion].clone(),
                solver: solver_answers[at][assertion].clone(),
                column: columns[at].as_ref().map(|answers| answers[assertion].clone()),
            });
        }
    }
    groups
}

/// Rows that agree for the most part. Half of the documents are of values that columns take; of the others, half come as
/// one row of lists.
fn document(rng: &mut Rng, checker: &Checker) -> Arc<[String]> {
    let regular = rng.bool();
    let numbers = if regular { Numbers::Small } else { Numbers::Any };
    let base = fields(rng, numbers);
    let differ = [0, 4, 12, 40][rng.usize(..4)];
    let rows: Vec<Vec<(&str, String)>> = (0..rng.usize(1..=4))
        .map(|_| {
            let fresh = fields(rng, numbers);
            let each = base.iter().zip(fresh).map(|((name, base), (_, fresh))| {
                let value = match rng.u32(..100) {
                    roll if roll < differ => fresh,
                    roll if roll >= 92 => "null".to_owned(),
                    _ => base.clone(),
                };
                (*name, value)
            });
            each.collect()
        })
        .collect();
    let by_row: Arc<[String]> = rows.iter().map(|row| json(row)).collect();
    // A list is the same evidence.
    let lists = base.iter().enumerate().map(|(at, (name, _))| {
        let pieces: Vec<&str> = rows.iter().map(|row| row[at].1.as_str()).collect();
        (*name, format!("[{}]", pieces.join(", ")))
    });
    let lists = json(&lists.collect::<Vec<_>>());
    assert_eq!(join(checker, &by_row), join(checker, std::slice::from_ref(&lists)), "{lists}");
    if regular || rng.bool() { by_row } else { [lists].into() }
}

/// The evidence of rows.
fn join(checker: &Checker, rows: &[String]) -> Evidence {
    let read = |row: &String| {
        let Ok(Raw::Object(fields)) = parse_json(row.as_bytes()) else { panic!("no object: {row}") };
        checker.dictionary(&fields).unwrap_or_else(|rejection| panic!("{row}: {rejection:?}"))
    };
    let mut all = rows.iter().map(read);
    let first = all.next().unwrap();
    all.fold(first, |mut joined, next| {
        joined.join(next, checker.library());
        joined
    })
}

/// The distinct values of every claim, piece by piece. No two units that are foreign to a claim convert here.
fn values(checker: &Checker, rows: &[String]) -> Vec<Vec<Binding>> {
    let mut values = vec![Vec::new(); checker.ruleset().claims.len()];
    for row in rows {
        let Ok(Raw::Object(fields)) = parse_json(row.as_bytes()) else { panic!("no object: {row}") };
        for (name, raw) in &fields {
            let claim = checker.claim(name).unwrap();
            let pieces = match raw {
                Raw::List(pieces) => pieces.as_slice(),
                one => std::slice::from_ref(one),
            };
            for piece in pieces {
                let binding = checker.bind(claim, piece).unwrap();
                if binding != Binding::Unknown && !values[claim.0].contains(&binding) {
                    values[claim.0].push(binding);
                }
            }
        }
    }
    values
}

/// What the definition makes of an assertion.
fn define(plan: &Plan, checker: &Checker, rows: &[String], assertion: usize) -> Defined {
    let values = values(checker, rows);
    let reads = &plan.ruleset().assertions[assertion].reads;
    let contradicted: Vec<ClaimId> =
        reads.iter().copied().filter(|claim| values[claim.0].len() > 1).collect();
    let first = |values: &Vec<Binding>| values.first().cloned().unwrap_or(Binding::Unknown);
    let mut choices = vec![Dictionary::new(values.iter().map(first).collect())];
    for claim in &contradicted {
        if choices.len() * values[claim.0].len() > MAX_CHOICES as usize {
            let reason = Some("too many choices".to_owned());
            return Defined { before: Before::Ambiguous, reason, contradicted };
        }
        let choose = |choice: &Dictionary, value: &Binding| {
            let mut choice = choice.clone();
            choice.set(*claim, value.clone());
            choice
        };
        let all =
            choices.iter().flat_map(|choice| values[claim.0].iter().map(move |value| choose(choice, value)));
        choices = all.collect();
    }
    let choices: Vec<Evidence> = choices.into_iter().map(Evidence::from).collect();
    let answers = plan.decide_all(&choices).unwrap();
    let answers: Vec<&Answer> = answers.iter().map(|answers| &answers[assertion]).collect();
    let settled: Vec<Before> =
        answers.iter().map(|answer| answer.before).filter(|before| *before != Before::GaveUp).collect();
    let before = match settled.as_slice() {
        [first, rest @ ..] if rest.iter().any(|before| before != first) => Before::Ambiguous,
        [first, ..] if settled.len() == answers.len() => *first,
        _ => Before::GaveUp,
    };
    let reason = matches!(before, Before::Unknown | Before::GaveUp).then(|| union(&answers));
    Defined { before, reason, contradicted }
}

/// Every part of the reasons, each thing once.
fn union(answers: &[&Answer]) -> String {
    const KINDS: [&str; 6] =
        ["unbound", "undefined local", "unbridged", "interval", "division by zero", "solver limit"];
    let mut parts: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for part in
        answers.iter().filter_map(|answer| answer.reason_unknown.as_deref()).flat_map(|r| r.split("; "))
    {
        let (kind, things) = part.split_once(": ").unwrap_or((part, ""));
        let kind = KINDS.iter().position(|known| *known == kind).unwrap();
        let known = parts.entry(kind).or_default();
        for thing in things.split(", ") {
            if !known.contains(&thing) {
                known.push(thing);
            }
        }
    }
    let text = |(kind, things): (usize, Vec<&str>)| match KINDS[kind] {
        alone @ ("division by zero" | "solver limit") => alone.to_owned(),
        kind => format!("{kind}: {}", things.join(", ")),
    };
    parts.into_iter().map(text).collect::<Vec<_>>().join("; ")
}

/// The answers of the documents by column, where they were not set aside.
fn by_column(plan: &Plan, checker: &Checker, documents: &[Arc<[String]>]) -> Vec<Option<Vec<Answer>>> {
    let starts: Vec<usize> = documents
        .iter()
        .scan(0, |next, rows| {
            let start = *next;
            *next += rows.len();
            Some(start)
        })
        .collect();
    let columns = checker.documents(columns(checker, documents), &starts, MAX_CHOICES);
    let answers: ColumnAnswers = plan.decide_documents(&columns).unwrap();
    assert_eq!(answers.rows, documents.len());
    let aside = |document: usize| columns.columns.set_aside.value(document);
    (0..documents.len()).map(|document| (!aside(document)).then(|| answers.row(document))).collect()
}

/// The rows by column; a row of lists, or of values that do not fit, is set aside.
fn columns(checker: &Checker, documents: &[Arc<[String]>]) -> ClaimColumns {
    let rows: Vec<&String> = documents.iter().flat_map(|rows| rows.iter()).collect();
    let mut columns = checker.columns(rows.len(), Missing::Reject, |_| false);
    for (row, text) in rows.iter().enumerate() {
        let Ok(Raw::Object(fields)) = parse_json(text.as_bytes()) else { panic!("no object: {text}") };
        for (name, raw) in &fields {
            let claim = checker.claim(name).unwrap();
            match raw {
                Raw::Null => {}
                Raw::Bool(value) => {
                    columns.boolean(claim, row, *value);
                }
                Raw::Text(text) => {
                    columns.text(claim, row, text);
                }
                Raw::Number(text) => match decimal(text.as_bytes()) {
                    Some(number) if number.length == text.len() => {
                        columns.number(claim, row, number.unscaled, number.scale);
                    }
                    _ => columns.set_aside(row),
                },
                _ => columns.set_aside(row),
            }
        }
    }
    columns.finish()
}

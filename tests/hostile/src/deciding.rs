//! Deciding: columns, single dictionaries and the solver have one answer.

use std::sync::Arc;

use assay_batch::input::{ClaimPlace, Column, FileFormat, Layout, Location, Open, TextOptions, Wanted};
use assay_claims::{Checker, Evidence, Missing, Reading};
use assay_compile::{Options, Ruleset, compile};
use assay_engine::{Answer, Before, Plan, Route, Settings};
use assay_tabular::Tabular;
use assay_units::Library;

/// What every source begins with.
const DECLARATIONS: &str = r#"version 1.3;
declare b as boolean; declare c as boolean; declare n as numeric; declare m as numeric;
// @unit u USD
declare u as numeric;
// @unit d d
declare d as numeric;
declare k as enum {"air", "rail", "road"}; declare o as enum ["low", "mid", "high"];
declare local x as numeric; declare local y as boolean;
"#;

/// Between the statements and the rows of claims, one JSON object a line.
const BETWEEN: &str = "\n---\n";

/// The solver's limit: so low that a hard question costs milliseconds.
const RLIMIT: u32 = 50_000;

/// Decides the statements that bytes begin with for the rows that follow. What is no ruleset with rows is nothing to
/// decide.
pub fn deciding(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((statements, rows)) = text.split_once(BETWEEN) else { return };
    let Ok(ruleset) = compile(format!("{DECLARATIONS}{statements}").as_bytes(), &Options::default()) else {
        return;
    };
    let ruleset = Arc::new(ruleset);
    let plan = |route| {
        let settings = Settings { rlimit: RLIMIT, route, ..Settings::default() };
        Plan::new(Arc::clone(&ruleset), Library::built_in(), settings).unwrap()
    };
    by_column(&ruleset, &plan(Route::Auto), &plan(Route::Z3), rows);
}

fn by_column(ruleset: &Arc<Ruleset>, auto: &Plan, solver: &Plan, rows: &str) {
    let checker = Checker::new(Arc::clone(ruleset), Library::built_in(), Reading::default()).unwrap();
    let columns = ruleset.claims.iter().map(|claim| Column { name: claim.name.clone(), in_claims: false });
    let wanted = Wanted { columns: columns.collect(), claims_field: None };
    let claims = (0..ruleset.claims.len()).map(|value| ClaimPlace { value, unit: None });
    let layout = Layout {
        checker: &checker,
        missing: Missing::Unknown,
        claims: claims.collect(),
        texts: Vec::new(),
        strict: false,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.jsonl");
    std::fs::write(&path, rows).unwrap();
    let (text, location) = (TextOptions::default(), Location::File(path));
    let mut source = Tabular.open(&location, "in", FileFormat::Jsonl, &text, &wanted).unwrap();
    while let Some(chunk) = source.next(100).unwrap() {
        let columns = chunk.columns(&layout).claims;
        let taken: Vec<usize> = (0..columns.rows).filter(|row| !columns.set_aside.value(*row)).collect();
        let dictionaries: Vec<_> = taken.iter().map(|row| Evidence::from(columns.dictionary(*row))).collect();
        let decided = auto.decide_columns(&columns).unwrap();
        let singly = auto.decide_all(&dictionaries).unwrap();
        let solved = solver.decide_all(&dictionaries).unwrap();
        for ((row, singly), solved) in taken.iter().zip(&singly).zip(&solved) {
            let column = decided.row(*row);
            assert_eq!(column.len(), ruleset.assertions.len());
            for ((column, singly), solved) in column.iter().zip(singly).zip(solved) {
                assert_eq!(shown(column), shown(singly), "by column, and by row");
                let given_up = [singly.before, solved.before].contains(&Before::GaveUp);
                assert!(
                    given_up || shown(singly) == shown(solved),
                    "{singly:?} by row, {solved:?} by the solver"
                );
            }
        }
    }
}

fn shown(answer: &Answer) -> (Before, assay_engine::Word, Option<&str>) {
    (answer.before, answer.word, answer.reason_unknown.as_deref())
}

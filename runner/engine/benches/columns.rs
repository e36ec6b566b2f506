//! How fast columns are decided: `cargo bench -p assay-engine --bench columns [-- ROWS [CHUNK]]`. Reading and writing are not in it.
//!
//! Then the same for rows of which three each are the evidence of one document, and 5 % of whose values are other ones. First
//! every row is decided by itself, then every document.

#![allow(clippy::unwrap_used)]

#[path = "../tests/support/expenses.rs"]
mod expenses;

use std::sync::Arc;
use std::time::Instant;

use assay_claims::{BooleanBuffer, Checker, ClaimColumn, ClaimColumns, Reading};
use assay_compile::{Options, compile};
use assay_engine::{Plan, Settings};
use assay_units::Library;
use fastrand::Rng;

fn main() {
    let mut sizes = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (rows, chunk) = (sizes.next().unwrap_or(1_000_000), sizes.next().unwrap_or(65_536));
    let ruleset = Arc::new(compile(expenses::POLICY.as_bytes(), &Options::default()).unwrap());
    let plan = Plan::new(ruleset, Library::built_in(), Settings::default()).unwrap();
    let sizes = (0..rows).step_by(chunk).map(|from| chunk.min(rows - from));
    let chunks: Vec<_> = sizes.enumerate().map(|(seed, rows)| expenses::columns(seed as u64, rows)).collect();
    let clock = Instant::now();
    groups(&plan, &chunks, &clock);
    for _ in 0..5 {
        let mut counts = vec![[0; 4]; 10];
        let (mut solver, start) = (0, seconds(&clock));
        for chunk in &chunks {
            let answers = plan.decide_columns(chunk).unwrap();
            for (counts, column) in counts.iter_mut().zip(&answers.assertions) {
                counts.iter_mut().zip(column.counts).for_each(|(count, more)| *count += more);
                solver += column.solver_decided;
            }
        }
        let seconds = seconds(&clock) - start;
        println!(
            "{rows} rows, {seconds:.3} CPU s, {:.1} million rows/s, solver {solver}; {counts:?}",
            rows as f64 / seconds / 1e6
        );
    }
}

fn groups(plan: &Plan, chunks: &[ClaimColumns], clock: &Instant) {
    let checker = Checker::new(Arc::clone(plan.ruleset()), Library::built_in(), Reading::default()).unwrap();
    let mut rng = Rng::with_seed(0);
    let chunks: Vec<ClaimColumns> = chunks.iter().map(|chunk| three_each(chunk, &mut rng)).collect();
    let rows: usize = chunks.iter().map(|chunk| chunk.rows).sum();
    let (mut single, mut grouped, mut further, mut ambiguous) = (0.0, 0.0, 0, 0);
    for chunk in &chunks {
        let start = seconds(clock);
        plan.decide_columns(chunk).unwrap();
        let between = seconds(clock);
        let starts: Vec<usize> = (0..chunk.rows).step_by(3).collect();
        let documents = checker.documents(chunk.clone(), &starts, 4_096);
        let answers = plan.decide_documents(&documents).unwrap();
        single += between - start;
        grouped += seconds(clock) - between;
        further += documents.columns.rows - documents.documents;
        ambiguous += answers.assertions.iter().map(|column| column.counts[3]).sum::<u64>();
    }
    println!(
        "{rows} rows, {single:.3} CPU s; three to a document {grouped:.3} CPU s, {:.2} times; {further} further rows, \
         {ambiguous} answers AMBIGUOUS",
        grouped / single
    );
}

/// Every row three times, with differences.
fn three_each(columns: &ClaimColumns, rng: &mut Rng) -> ClaimColumns {
    let rows = columns.rows * 3;
    let each = columns.columns.iter().map(|column| {
        let taken: Vec<usize> = (0..rows)
            .map(|row| if rng.u8(..20) == 0 { rng.usize(..columns.rows) } else { row / 3 })
            .collect();
        let known = |known: &BooleanBuffer| BooleanBuffer::collect_bool(rows, |row| known.value(taken[row]));
        match column {
            ClaimColumn::Unknown => ClaimColumn::Unknown,
            ClaimColumn::Bool { values, known: of } => ClaimColumn::Bool {
                values: BooleanBuffer::collect_bool(rows, |row| values.value(taken[row])),
                known: known(of),
            },
            ClaimColumn::Member { numbers, known: of } => ClaimColumn::Member {
                numbers: taken.iter().map(|row| numbers[*row]).collect(),
                known: known(of),
            },
            ClaimColumn::Number { unscaled, scale, known: of } => ClaimColumn::Number {
                unscaled: taken.iter().map(|row| unscaled[*row]).collect(),
                scale: *scale,
                known: known(of),
            },
        }
    });
    ClaimColumns { rows, columns: each.collect(), set_aside: BooleanBuffer::new_unset(rows) }
}

/// How long the processor has been at it, where the system tells; else how much time has passed.
fn seconds(clock: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

//! How fast columns are decided: `cargo bench -p assay-engine [-- ROWS]`. Reading and writing are not in it.

#![allow(clippy::unwrap_used)]

#[path = "../tests/support/expenses.rs"]
mod expenses;

use std::sync::Arc;
use std::time::Instant;

use assay_compile::{Options, compile};
use assay_engine::{Plan, Settings};
use assay_units::Library;

/// How many rows a chunk has.
const CHUNK: usize = 65_536;

fn main() {
    let rows = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let ruleset = Arc::new(compile(expenses::POLICY.as_bytes(), &Options::default()).unwrap());
    let plan = Plan::new(ruleset, Library::built_in(), Settings::default()).unwrap();
    let sizes = (0..rows).step_by(CHUNK).map(|from| CHUNK.min(rows - from));
    let chunks: Vec<_> = sizes.enumerate().map(|(seed, rows)| expenses::columns(seed as u64, rows)).collect();
    for _ in 0..5 {
        let mut counts = vec![[0; 4]; 10];
        let (mut solver, start) = (0, Instant::now());
        for chunk in &chunks {
            let answers = plan.decide_columns(chunk).unwrap();
            for (counts, column) in counts.iter_mut().zip(&answers.assertions) {
                counts.iter_mut().zip(column.counts).for_each(|(count, more)| *count += more);
                solver += column.solver_decided;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{rows} rows, {seconds:.3} s on one thread, {:.1} million rows/s, solver {solver}; {counts:?}",
            rows as f64 / seconds / 1e6
        );
    }
}

//! How fast columns are decided: `cargo bench -p assay-engine --bench columns [-- ROWS [CHUNK]]`. Reading and writing are not in it.

#![allow(clippy::unwrap_used)]

#[path = "../tests/support/expenses.rs"]
mod expenses;

use std::sync::Arc;
use std::time::Instant;

use assay_compile::{Options, compile};
use assay_engine::{Plan, Settings};
use assay_units::Library;

fn main() {
    let mut sizes = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (rows, chunk) = (sizes.next().unwrap_or(1_000_000), sizes.next().unwrap_or(65_536));
    let ruleset = Arc::new(compile(expenses::POLICY.as_bytes(), &Options::default()).unwrap());
    let plan = Plan::new(ruleset, Library::built_in(), Settings::default()).unwrap();
    let sizes = (0..rows).step_by(chunk).map(|from| chunk.min(rows - from));
    let chunks: Vec<_> = sizes.enumerate().map(|(seed, rows)| expenses::columns(seed as u64, rows)).collect();
    let clock = Instant::now();
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

/// How long the processor has been at it, where the system tells; else how much time has passed.
fn seconds(clock: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

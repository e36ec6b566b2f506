//! How long reading and decoding an input takes, by column and, with `--rows`, row by row:
//! `decode [--rows] RULESET FILE...`.
//!
//! Times are of the processor, in seconds, where the system tells them.

#![allow(clippy::expect_used, clippy::panic)] // an example stops where something is wrong

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use assay_batch::input::{
    Cell, Chunk, ClaimPlace, Column, FileFormat, Layout, Location, Open, TextOptions, Wanted,
};
use assay_claims::{Checker, Given, Missing, Reading};
use assay_compile::{Options, Ruleset, compile};
use assay_tabular::Tabular;
use assay_units::Library;

const ROWS: usize = 32 * 1024;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let by_row = arguments.first().is_some_and(|first| first == "--rows");
    if by_row {
        arguments.remove(0);
    }
    let (ruleset, files) = arguments.split_first().expect("a ruleset and files are named");
    let source = std::fs::read(ruleset).expect("the ruleset can be read");
    let ruleset = match compile(&source, &Options { require_descriptions: false }) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(refusal) => panic!("{:?}", refusal.diagnostics),
    };
    for file in files {
        measure(&ruleset, file, by_row);
    }
}

fn measure(ruleset: &Arc<Ruleset>, file: &str, by_row: bool) {
    let format = match PathBuf::from(file).extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => FileFormat::Parquet,
        Some("csv") => FileFormat::Csv,
        _ => FileFormat::Jsonl,
    };
    let null = if format == FileFormat::Csv { vec![String::new()] } else { Vec::new() };
    let checker =
        Checker::new(Arc::clone(ruleset), Library::built_in(), Reading { null, ..Reading::default() })
            .expect("the reading can be meant");
    let names = std::iter::once("doc_id").chain(ruleset.claims.iter().map(|claim| claim.name.as_str()));
    let columns = names.map(|name| Column { name: name.to_owned(), in_claims: false }).collect();
    let wanted = Wanted { columns, claims_field: None };
    let claims = (1..=ruleset.claims.len()).map(|value| ClaimPlace { value, unit: None }).collect();
    let layout =
        Layout { checker: &checker, missing: Missing::Reject, claims, texts: vec![0], strict: false };

    let location = Location::File(PathBuf::from(file));
    let (wall, start) = (Instant::now(), processor());
    let mut source =
        Tabular.open(&location, file, format, &TextOptions::default(), &wanted).expect("the file opens");
    let (mut rows, mut set_aside, mut decoding) = (0, 0, 0.0);
    while let Some(chunk) = source.next(ROWS).expect("the file can be read") {
        rows += chunk.len();
        let start = processor();
        set_aside += if by_row { refused(chunk.as_ref(), &checker) } else { left(chunk.as_ref(), &layout) };
        decoding += processor() - start;
    }
    let whole = processor() - start;
    let wall = wall.elapsed().as_secs_f64();
    println!(
        "{file}: {rows} rows, {set_aside} set aside; {whole:.3} s, of it decoding {decoding:.3} s ({wall:.3} s by the clock)"
    );
}

fn left(chunk: &dyn Chunk, layout: &Layout<'_>) -> usize {
    chunk.columns(layout).claims.set_aside.count_set_bits()
}

fn refused(chunk: &dyn Chunk, checker: &Checker) -> usize {
    let mut refused = 0;
    chunk.each(&mut |row| {
        let bound = row.cells.map(|cells| {
            let given = cells.values.iter().skip(1).map(|cell| match cell {
                Cell::Missing => Given::Missing,
                Cell::One(raw) => Given::One(raw),
                Cell::Repeated(raw) => Given::Repeated(raw),
            });
            checker.row(given, &[], Missing::Reject).is_ok()
        });
        refused += usize::from(bound != Ok(true));
    });
    refused
}

/// Seconds of the processor that this thread has used; of the clock where the system does not tell.
fn processor() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |nanoseconds| nanoseconds / 1e9,
    )
}

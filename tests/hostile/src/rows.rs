//! The framers of JSONL and CSV: any bytes are rows. How they are cut into chunks changes nothing, and decoding them by
//! column has what decoding them one by one has.

use std::fs;
use std::sync::{Arc, LazyLock};

use assay_batch::input::{
    Cell, Chunk, ClaimPlace, Column, FileFormat, Layout, Location, Open, Row, TextCell, TextOptions, Wanted,
};
use assay_claims::{Checker, Dictionary, Given, Missing, Raw, Reading};
use assay_compile::{Options, compile};
use assay_tabular::Tabular;
use assay_units::Library;

const RULESET: &str = r#"version 1.3;
// @unit amount USD
declare amount as numeric;
declare flag as boolean;
declare n as numeric;
declare kind as enum {"a", "b", "a longer text than eight"};
assert one { And(flag, amount > 1 "USD", n > 0, kind == "a") };
"#;

static CHECKER: LazyLock<Checker> = LazyLock::new(|| {
    let ruleset = compile(RULESET.as_bytes(), &Options::default()).expect("a ruleset");
    Checker::new(Arc::new(ruleset), Library::built_in(), Reading::default()).unwrap()
});

/// The marks that UTF-16 begins with.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Reads bytes as JSONL, flat and with the claims in a field `c`.
pub fn jsonl(bytes: &[u8]) {
    let lines = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).count();
    for nested in [false, true] {
        let rows = every_way(FileFormat::Jsonl, bytes, nested);
        // No line is lost, and none made up: each that is not blank is a row. UTF-16 has other bytes for its lines.
        if !UTF_16.iter().any(|mark| bytes.starts_with(mark)) {
            assert_eq!(rows, Some(lines));
        }
    }
}

/// Reads bytes as CSV.
pub fn csv(bytes: &[u8]) {
    every_way(FileFormat::Csv, bytes, false);
}

/// How many rows there are; `None` where the input cannot be read to its end.
fn every_way(format: FileFormat, bytes: &[u8], nested: bool) -> Option<usize> {
    let column = |name: &str, in_claims| Column { name: name.to_owned(), in_claims };
    let claims = CHECKER.ruleset().claims.iter().map(|claim| column(&claim.name, nested));
    let wanted = Wanted {
        columns: claims.chain([column("id", false)]).collect(),
        claims_field: nested.then(|| "c".to_owned()),
    };
    let layout = Layout {
        checker: &CHECKER,
        missing: Missing::Unknown,
        claims: (0..CHECKER.ruleset().claims.len()).map(|value| ClaimPlace { value, unit: None }).collect(),
        texts: vec![0, wanted.columns.len() - 1],
        strict: true,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    fs::write(&path, bytes).unwrap();
    let location = Location::File(path);
    let read = |max_rows| read(format, &location, &wanted, &layout, max_rows);
    let whole = read(10_000);
    for max_rows in [1, 3] {
        assert_eq!(read(max_rows), whole, "in chunks of {max_rows}");
    }
    whole.ok().map(|rows| rows.len())
}

/// The rows as texts, or what the input ended with.
fn read(
    format: FileFormat,
    location: &Location,
    wanted: &Wanted,
    layout: &Layout<'_>,
    max_rows: usize,
) -> Result<Vec<String>, String> {
    let text = TextOptions::default();
    let mut source = Tabular.open(location, "in", format, &text, wanted).map_err(|error| error.message)?;
    let mut rows = Vec::new();
    while let Some(chunk) = source.next(max_rows).map_err(|error| error.message)? {
        assert!((1..=max_rows).contains(&chunk.len()), "a chunk of {} rows", chunk.len());
        both_ways(&*chunk, layout, &mut rows);
    }
    Ok(rows)
}

fn both_ways(chunk: &dyn Chunk, layout: &Layout<'_>, rows: &mut Vec<String>) {
    let decoded = chunk.columns(layout);
    assert_eq!(decoded.claims.rows, chunk.len());
    let mut at = 0;
    chunk.each(&mut |row| {
        assert_eq!(decoded.numbers[at], row.number);
        match bound(layout, &row) {
            None => assert!(decoded.claims.set_aside.value(at), "a refused row was taken: {row:?}"),
            Some(_) if decoded.claims.set_aside.value(at) => {}
            Some(dictionary) => {
                assert_eq!(decoded.claims.dictionary(at), dictionary, "{row:?}");
                let cells = &row.cells.as_ref().unwrap().values;
                for (texts, place) in decoded.texts.iter().zip(&layout.texts) {
                    assert!(same(texts.get(at), &cells[*place]), "{row:?}");
                }
            }
        }
        rows.push(format!("{row:?}"));
        at += 1;
    });
    assert_eq!(at, chunk.len());
}

/// What a row is bound to; `None` where it is refused.
fn bound(layout: &Layout<'_>, row: &Row<'_>) -> Option<Dictionary> {
    let cells = row.cells.as_ref().ok()?;
    let given = layout.claims.iter().map(|place| match &cells.values[place.value] {
        Cell::Missing => Given::Missing,
        Cell::Repeated(raw) => Given::Repeated(raw),
        Cell::One(raw) => Given::One(raw),
    });
    layout.checker.row(given, &cells.extra, layout.missing).ok().map(|evidence| evidence.first().clone())
}

fn same(text: TextCell<'_>, cell: &Cell<'_>) -> bool {
    match (text, cell) {
        (TextCell::Missing, Cell::Missing) | (TextCell::Null, Cell::One(Raw::Null)) => true,
        (TextCell::Text(text), Cell::One(Raw::Text(value) | Raw::Other(value))) => text == value,
        (TextCell::Json(text), Cell::One(Raw::Number(value))) => text == value,
        (TextCell::Json(text), Cell::One(Raw::Bool(value))) => text == value.to_string(),
        _ => false,
    }
}

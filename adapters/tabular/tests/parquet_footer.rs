//! Parquet files whose footer lies: refused in words, or read as they were, and never a crash.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::collections::BTreeSet;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, Decimal256Array, Float32Array, Float64Array, Int8Array,
    Int64Array, ListArray, RecordBatch, StringArray, StructArray, UInt8Array, UInt64Array,
};
use arrow::datatypes::{Int32Type, i256};
use assay_batch::input::{FileFormat, InputError, Location};
use common::{Input, Read};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::file::properties::WriterProperties;

fn input(bytes: &[u8]) -> Input {
    // Beside the columns that there are: what a changed name may turn into.
    Input::of(FileFormat::Parquet, "in.parquet", bytes).columns(&["a", "b", "c", "d", "e", "f"])
}

/// Two row groups of some columns; with the Arrow schema beside Parquet's own, as Arrow's libraries write it, or without, as
/// others do.
fn file(columns: Vec<(&str, ArrayRef)>, arrow: bool) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(7)).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(!arrow);
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// Columns of every kind that a claim is read from.
fn kinds() -> Vec<Vec<(&'static str, ArrayRef)>> {
    let rows = || 0..10_i64;
    let odd = |row: i64| row % 3 > 0;
    let value: ArrayRef = Arc::new(Int64Array::from_iter(rows().map(|row| odd(row).then_some(row))));
    let unit: ArrayRef =
        Arc::new(StringArray::from_iter_values(rows().map(|row| if odd(row) { "USD" } else { "EUR" })));
    let wide = |row: i64| i256::from_i128(i128::from(row) * 101);
    vec![
        vec![
            ("a", Arc::new(Int64Array::from_iter_values(rows().map(|row| row - 5)))),
            ("b", Arc::new(StringArray::from_iter_values(rows().map(|row| format!("text {}", row % 4))))),
            ("c", Arc::new(Float64Array::from_iter(rows().map(|row| odd(row).then_some(row as f64))))),
            ("d", Arc::new(BooleanArray::from_iter(rows().map(|row| Some(odd(row)))))),
        ],
        vec![
            ("a", Arc::new(UInt64Array::from_iter_values(rows().map(|row| u64::MAX - row as u64)))),
            ("b", Arc::new(UInt8Array::from_iter_values(rows().map(|row| 255 - row as u8)))),
            ("c", Arc::new(Int8Array::from_iter_values(rows().map(|row| -(row as i8))))),
            ("d", Arc::new(Float32Array::from_iter(rows().map(|row| odd(row).then_some(row as f32))))),
        ],
        vec![
            ("a", decimal(7, 2)),
            ("b", decimal(18, 3)),
            ("c", decimal(30, 1)),
            (
                "d",
                Arc::new(
                    Decimal256Array::from_iter_values(rows().map(wide))
                        .with_precision_and_scale(50, 4)
                        .unwrap(),
                ),
            ),
        ],
        vec![
            ("a", Arc::new(StructArray::try_from(vec![("value", value), ("unit", unit)]).unwrap())),
            (
                "b",
                Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
                    (0..10).map(|row| (row != 4).then_some(vec![Some(row), None])),
                )),
            ),
        ],
    ]
}

fn decimal(precision: u8, scale: i8) -> ArrayRef {
    let values = Decimal128Array::from_iter_values((0..10).map(|row| row * 101));
    Arc::new(values.with_precision_and_scale(precision, scale).unwrap())
}

/// Where the footer of a file begins.
fn footer(bytes: &[u8]) -> usize {
    let tail = bytes.len() - 8;
    tail - u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap()) as usize
}

#[track_caller]
fn in_words(error: &InputError) {
    let InputError { file, message, help } = error;
    assert_eq!(file, "in.parquet");
    let ours = message.starts_with("the Parquet file is broken: ")
        || message.starts_with("the Parquet file needs what is not there: ")
        || message.starts_with("the Parquet file is encrypted")
        || message.starts_with("the file names a column twice: ");
    // What the library says of itself is not for the person who has the file.
    let raw = ["Arrow:", "External:", "EOF:", "Parquet error:", "Parser error", "error_trace", "panicked"];
    assert!(ours && !raw.iter().any(|raw| message.contains(raw)), "{message}");
    assert!(help.is_some(), "{message}");
}

/// Each bit of the footer, its length and its mark, one at a time: the file is refused, or it is read as it was.
#[test]
fn any_bit_of_a_footer() {
    let files = kinds().into_iter().map(|columns| file(columns, false));
    // Numbers and truth values as DuckDB 2.0.1 writes them: without counts of nulls, and with the older annotations alone.
    let other = include_bytes!("data/duckdb.parquet").to_vec();
    for (kind, bytes) in files.chain([other]).enumerate() {
        let whole = input(&bytes).rows();
        let (mut same, mut refused) = (0, 0);
        let stored = tempfile::NamedTempFile::new().unwrap();
        stored.as_file().write_all_at(&bytes, 0).unwrap();
        let location = Location::File(stored.path().to_owned());
        let put = |at: usize, byte: u8| stored.as_file().write_all_at(&[byte], at as u64).unwrap();
        for at in footer(&bytes)..bytes.len() {
            for bit in 0..8 {
                put(at, bytes[at] ^ 1 << bit);
                let read = match input(&[]).open(&location) {
                    Ok(source) => common::read(source, 1000),
                    Err(error) => Read { rows: Vec::new(), error: Some(error), sha256: None },
                };
                match read.error {
                    Some(error) => {
                        in_words(&error);
                        refused += 1;
                    }
                    None => {
                        assert_eq!(
                            read.rows,
                            whole,
                            "kind {kind}: bit {bit} of byte {at} of {}",
                            bytes.len()
                        );
                        same += 1;
                    }
                }
            }
            put(at, bytes[at]);
        }
        assert!(same > 500 && refused > 500, "kind {kind}: {same} read as they were, {refused} refused");
    }
}

/// Where an Arrow schema stands beside Parquet's own: a wide sample, for it is long.
#[test]
fn bits_of_a_footer_with_an_arrow_schema() {
    for (kind, columns) in kinds().into_iter().enumerate() {
        let bytes = file(columns, true);
        let whole = input(&bytes).rows();
        for at in (footer(&bytes)..bytes.len()).map(|at| (at, at * 5 % 8)) {
            let mut changed = bytes.clone();
            changed[at.0] ^= 1 << at.1;
            let read = input(&changed).read(1000);
            match read.error {
                Some(error) => in_words(&error),
                None => assert_eq!(read.rows, whole, "kind {kind}: {at:?} of {}", bytes.len()),
            }
        }
    }
}

/// Several bytes of the footer at once, as a disk or a network would do it.
#[test]
fn stretches_of_a_footer() {
    let mut random = common::Random(11);
    for columns in kinds() {
        let bytes = file(columns, true);
        let start = footer(&bytes);
        let mut messages = BTreeSet::new();
        for _ in 0..150 {
            let mut changed = bytes.clone();
            let at = start + random.below(bytes.len() - start);
            let end = (at + 1 + random.below(40)).min(bytes.len());
            changed[at..end].iter_mut().for_each(|byte| *byte = random.below(256) as u8);
            if let Some(error) = input(&changed).read(1000).error {
                in_words(&error);
                messages.insert(error.message);
            }
        }
        assert!(messages.len() > 10, "{messages:#?}");
    }
}

/// A file with this footer and no more.
fn described(footer: &[u8]) -> Vec<u8> {
    let length = u32::try_from(footer.len()).unwrap();
    [b"PAR1", footer, &length.to_le_bytes(), b"PAR1"].concat()
}

/// A number as Thrift writes it.
fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A footer whose schema has these elements: how many columns stand in each, if it is none itself.
fn schema(elements: &[u64]) -> Vec<u8> {
    let mut footer = [&[0x15, 0x02, 0x19, 0xfc][..], &number(elements.len() as u64)].concat();
    for children in elements {
        footer.extend([0x48, 1, b'x']);
        if *children > 0 {
            footer.push(0x15);
            // Zigzag: a positive number is twice itself.
            footer.extend(number(children * 2));
        }
        footer.push(0);
    }
    footer.push(0);
    footer
}

#[test]
fn footers_that_lie_are_told_what_is_wrong() {
    let whole = file(kinds().remove(0), false);
    let tail = |length: u32, mark: &[u8]| {
        let mut bytes = whole.clone();
        let at = bytes.len() - 8;
        bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
        bytes[at + 4..].copy_from_slice(mark);
        bytes
    };
    let room = whole.len() - 12;
    let broken = |what: &str| format!("the Parquet file is broken: {what}");
    let deep: Vec<u64> = vec![1; 100_000];
    for (bytes, expected) in [
        (b"PAR1".to_vec(), broken("it has 4 bytes, and the shortest has 12")),
        (tail(0, b"PARX"), broken("it does not end with the mark `PAR1`")),
        (tail(0, b"PARE"), "the Parquet file is encrypted, and there is no key to read it with".to_owned()),
        (
            tail(1_000_000, b"PAR1"),
            broken(&format!("its footer is said to have 1000000 bytes, and the file has room for {room}")),
        ),
        (
            tail(u32::MAX, b"PAR1"),
            broken(&format!("its footer is said to have 4294967295 bytes, and the file has room for {room}")),
        ),
        (described(&[]), broken("its footer makes no sense at byte 0 of 0")),
        (described(&[0xff; 100]), broken("its footer makes no sense at byte 1 of 100")),
        // A list of two thousand million elements in a few bytes.
        (
            described(&[0x15, 0x02, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0]),
            broken("its footer makes no sense at byte 9 of 10"),
        ),
        (described(&schema(&[2_000_000_000, 0])), broken("its schema has fewer columns than it says")),
        (described(&schema(&[1 << 40, 0])), broken("its schema gives the column `x` 1099511627776 columns")),
        (described(&schema(&deep)), broken("its columns stand in each other more than 64 deep")),
        (described(&schema(&[1, 0, 0])), broken("its schema has more columns than it says")),
        (described(&schema(&[])), broken("its schema has fewer columns than it says")),
        (described(&schema(&[1, 0])), broken("its footer does not describe columns that can be read")),
        // Lists in lists in lists.
        (described(&[0x19; 100_000]), broken("its footer makes no sense at byte 32 of 100000")),
    ] {
        let error = input(&bytes).error();
        in_words(&error);
        assert_eq!(error.message, expected);
        assert_eq!(input(&bytes).shape().unwrap_err().message, error.message);
    }
}

//! Parquet inputs that are cut short, changed, or lie: an error that names the file, and never a crash.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::io::Write;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, DictionaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow::datatypes::{Int8Type, Int32Type};
use assay_batch::input::{FileFormat, Location};
use common::{Input, Random};
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::properties::WriterProperties;

fn input(bytes: &[u8]) -> Input {
    Input::of(FileFormat::Parquet, "in.parquet", bytes)
}

/// A file of several row groups and kinds of columns.
fn file() -> Vec<u8> {
    let texts: Vec<String> = (0..300).map(|row| format!("text {}", row % 50)).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("a", Arc::new(Int64Array::from_iter_values(0..300))),
        ("b", Arc::new(StringArray::from(texts))),
        ("c", Arc::new((0..300).map(|row| ["x", "y"][row % 2]).collect::<DictionaryArray<Int8Type>>())),
        ("d", Arc::new(Float64Array::from_iter((0..300).map(|row| (row % 3 > 0).then_some(f64::from(row)))))),
        (
            "e",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
                (0..300).map(|row| Some(vec![Some(row), None])),
            )),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(100)).build();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn a_file_that_is_missing_or_none_at_all() {
    let missing = Location::File("/nowhere/in.parquet".into());
    let error = input(&[]).open(&missing).err().unwrap();
    assert_eq!((error.file.as_str(), error.message.as_str()), ("in.parquet", "there is no such file"));
    for bytes in [
        &b""[..],
        b"PAR1",
        b"PAR1PAR1",
        b"a,b\n1,2\n",
        b"PAR1\xff\xff\xff\x7fPAR1",
        b"{\"a\":1}\n{\"a\":2}\n",
    ] {
        let error = input(bytes).error();
        assert!(error.message.starts_with("the Parquet file is broken: "), "{}", error.message);
        assert!(error.help.is_some());
        assert!(input(bytes).shape().is_err());
    }
}

#[test]
fn a_file_that_was_cut_short_wherever() {
    let bytes = file();
    for end in (0..bytes.len()).step_by(37) {
        let read = input(&bytes[..end]).read(1000);
        assert!(read.rows.is_empty() && read.error.is_some(), "cut at {end}");
    }
}

/// What was decoded before the broken part is delivered before the error.
#[test]
fn rows_before_what_is_broken_are_delivered() {
    let mut bytes = file();
    let whole = input(&bytes).rows();
    assert_eq!(whole.len(), 300);
    let mut stored = tempfile::tempfile().unwrap();
    stored.write_all(&bytes).unwrap();
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&stored).unwrap();
    let (start, length) = metadata.row_group(2).column(1).byte_range();
    bytes[start as usize..(start + length) as usize].fill(0xff);
    for chunk in [10, 1000] {
        let read = input(&bytes).read(chunk);
        assert!(read.error.is_some());
        assert_eq!(read.rows, whole[..200]);
    }
}

/// The description of a file says how many rows and values there are, in several places. Whichever of them lies, no row
/// is lost without an error.
#[test]
fn counts_that_lie() {
    let bytes = file();
    let whole = input(&bytes).rows();
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
    let start = bytes.len() - 8 - footer;
    // 100, 200 and 300, as Thrift writes them.
    let counts = [[0xc8, 0x01], [0x90, 0x03], [0xd8, 0x04]];
    let mut lies = 0;
    for count in counts {
        for at in (start..bytes.len() - 9).filter(|at| bytes[*at..*at + 2] == count) {
            for lie in [[0xc6, 0x01], [0xca, 0x01], [0x80, 0x01], [0x90, 0x03], [0x80, 0x0f]] {
                let mut changed = bytes.clone();
                changed[at..at + 2].copy_from_slice(&lie);
                let read = input(&changed).read(1000);
                assert!(read.rows == whole || read.error.is_some(), "at {at}: {} rows", read.rows.len());
                lies += usize::from(read.error.is_some());
            }
        }
    }
    assert!(lies > 10, "{lies} found out");
}

#[test]
fn any_bytes_changed() {
    let bytes = file();
    let mut random = Random(7);
    let (mut read, mut failed) = (0, 0);
    for _ in 0..1500 {
        let mut changed = bytes.clone();
        let from = if random.below(2) == 0 { bytes.len().saturating_sub(3000) } else { 0 };
        for _ in 0..=random.below(4) {
            let at = from + random.below(bytes.len() - from);
            changed[at] = random.below(256) as u8;
        }
        match input(&changed).read(64).error {
            None => read += 1,
            Some(error) => {
                assert_eq!(error.file, "in.parquet");
                failed += 1;
            }
        }
    }
    assert!(read > 50 && failed > 50, "{read} read, {failed} failed");
}

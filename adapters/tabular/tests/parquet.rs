//! Parquet inputs: every kind of column, told apart and exact.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal32Array, Decimal64Array, Decimal128Array,
    Decimal256Array, DictionaryArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, LargeListArray, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    StringViewArray, StructArray, TimestampMicrosecondArray, UInt8Array, UInt16Array, UInt32Array,
    UInt64Array,
};
use arrow::datatypes::{Field, Float16Type, Int8Type, Int32Type, Schema, i256};
use assay_batch::input::FileFormat;
use common::{Input, lines};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;

/// A file of these columns.
fn file(columns: &[(&str, ArrayRef)], properties: WriterProperties) -> Vec<u8> {
    let fields: Vec<_> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.iter().map(|(_, array)| Arc::clone(array)).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn input(bytes: &[u8]) -> Input {
    Input::of(FileFormat::Parquet, "in.parquet", bytes)
}

/// The values of a column that are read back, in whatever chunks.
fn values(array: ArrayRef) -> Vec<String> {
    let rows = array.len();
    let input = input(&file(&[("a", array)], WriterProperties::default())).columns(&["a"]);
    let read: Vec<String> = input.rows().into_iter().map(|row| row.cells.unwrap()).collect();
    assert_eq!(read.len(), rows);
    for chunk in [1, 2, 3] {
        assert_eq!(input.read(chunk).rows, input.rows());
    }
    read
}

#[track_caller]
fn check(array: impl Array + 'static, expected: &[&str]) {
    assert_eq!(values(Arc::new(array)), expected);
}

/// Eight rows as fastparquet 2026.9 writes them with `has_nulls=False`: behind the values of each page are eight zeros.
#[test]
fn pages_with_zeros_behind() {
    let bytes = include_bytes!("data/fastparquet.parquet");
    let rows = input(bytes).columns(&["a", "b", "c", "d"]).rows();
    let cells: Vec<_> = rows.into_iter().map(|row| row.cells.unwrap()).collect();
    assert_eq!(cells.len(), 8);
    for (row, cells) in cells.iter().enumerate() {
        let (a, b, c, d) = (row + 1, row % 4, row as f64 / 4.0, row % 3 > 0);
        assert_eq!(*cells, format!("#{a} | \"text {b}\" | #{c} | {d}"));
    }
}

#[test]
fn integers_of_every_width() {
    check(Int8Array::from(vec![Some(i8::MIN), None, Some(i8::MAX)]), &["#-128", "null", "#127"]);
    check(Int16Array::from(vec![i16::MIN, 0, i16::MAX]), &["#-32768", "#0", "#32767"]);
    check(Int32Array::from(vec![i32::MIN, -1, i32::MAX]), &["#-2147483648", "#-1", "#2147483647"]);
    check(Int64Array::from(vec![i64::MIN, i64::MAX]), &["#-9223372036854775808", "#9223372036854775807"]);
    check(UInt8Array::from(vec![0, u8::MAX]), &["#0", "#255"]);
    check(UInt16Array::from(vec![0, u16::MAX]), &["#0", "#65535"]);
    check(UInt32Array::from(vec![0, u32::MAX]), &["#0", "#4294967295"]);
    check(UInt64Array::from(vec![0, u64::MAX]), &["#0", "#18446744073709551615"]);
}

#[test]
fn decimals_of_every_width() {
    let narrow =
        Decimal32Array::from(vec![Some(-5), None, Some(123_456_789)]).with_precision_and_scale(9, 3).unwrap();
    check(narrow, &["#-0.005", "null", "#123456.789"]);
    let double = Decimal64Array::from(vec![0, -100]).with_precision_and_scale(18, 2).unwrap();
    check(double, &["#0.00", "#-1.00"]);
    let digits = 12_345_678_901_234_567_890_123_456_789_012_345_678_i128;
    let wide = Decimal128Array::from(vec![digits, -digits]);
    check(
        wide.clone().with_precision_and_scale(38, 38).unwrap(),
        &["#0.12345678901234567890123456789012345678", "#-0.12345678901234567890123456789012345678"],
    );
    check(
        wide.with_precision_and_scale(38, 0).unwrap(),
        &["#12345678901234567890123456789012345678", "#-12345678901234567890123456789012345678"],
    );
    let widest = i256::from_string(&"9".repeat(76)).unwrap();
    let widest =
        Decimal256Array::from(vec![widest, i256::from_i128(-1)]).with_precision_and_scale(76, 2).unwrap();
    check(widest, &[&format!("#{}.99", "9".repeat(74)), "#-0.01"]);
}

#[test]
fn floats_are_the_shortest_decimal_of_their_own_width() {
    check(
        Float64Array::from(vec![
            0.1,
            -0.0,
            1e21,
            5e-324,
            f64::MAX,
            0.1 + 0.2,
            f64::NAN,
            f64::INFINITY,
            -f64::INFINITY,
        ]),
        &[
            "#0.1",
            "#-0",
            "#1000000000000000000000",
            &format!("#0.{}5", "0".repeat(323)),
            &format!("#17976931348623157{}", "0".repeat(292)),
            "#0.30000000000000004",
            "!NaN",
            "!inf",
            "!-inf",
        ],
    );
    check(
        Float32Array::from(vec![0.1, 16_777_216.0, 1e-3, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]),
        &["#0.1", "#16777216", "#0.001", "!NaN", "!inf", "!-inf"],
    );
}

#[test]
fn every_half_is_told_from_its_neighbours_by_its_shortest_decimal() {
    type Half = <Float16Type as arrow::array::ArrowPrimitiveType>::Native;
    let halves = || (0..=u16::MAX).map(Half::from_bits);
    let read = values(Arc::new(Float16Array::from_iter_values(halves())));
    for (half, read) in halves().zip(&read) {
        if half.is_finite() {
            let number = read.strip_prefix('#').unwrap();
            assert!(!number.contains('e'), "{number}");
            assert_eq!(Half::from_f64(number.parse().unwrap()).to_bits(), half.to_bits(), "{number}");
        } else {
            assert!(["!NaN", "!inf", "!-inf"].contains(&read.as_str()), "{read}");
        }
    }
    let some: Vec<f64> = vec![0.1, 65504.0, 6e-8, 1.0 / 3.0, -0.0];
    check(
        Float16Array::from_iter_values(some.into_iter().map(Half::from_f64)),
        &["#0.1", "#65500", "#0.00000006", "#0.3333", "#-0"],
    );
}

#[test]
fn booleans_and_nulls() {
    check(BooleanArray::from(vec![Some(true), Some(false), None]), &["true", "false", "null"]);
    check(NullArray::new(2), &["null", "null"]);
}

#[test]
fn texts_of_every_form() {
    let texts = [Some("12.50"), None, Some(""), Some("a\"\n\u{1f600}\0"), Some("12.50")];
    let expected = ["\"12.50\"", "null", "\"\"", "\"a\\\"\\n\u{1f600}\\0\"", "\"12.50\""];
    check(StringArray::from_iter(texts), &expected);
    check(LargeStringArray::from_iter(texts), &expected);
    check(StringViewArray::from_iter(texts), &expected);
    check(texts.into_iter().collect::<DictionaryArray<Int8Type>>(), &expected);
    check(texts.into_iter().collect::<DictionaryArray<Int32Type>>(), &expected);
    check([None, None].into_iter().collect::<DictionaryArray<Int8Type>>(), &["null", "null"]);
    let numbers = Int64Array::from(vec![Some(7), None]);
    let keys = Int8Array::from(vec![Some(0), Some(1), None]);
    check(DictionaryArray::<Int8Type>::try_new(keys, Arc::new(numbers)).unwrap(), &["#7", "null", "null"]);
}

#[test]
fn a_dictionary_may_have_more_values_than_its_keys_can_say() {
    let texts: Vec<String> = (0..300).map(|text| format!("t{text}")).collect();
    let parts: Vec<ArrayRef> = texts
        .chunks(100)
        .map(|part| {
            Arc::new(part.iter().map(|text| Some(text.as_str())).collect::<DictionaryArray<Int8Type>>())
                as ArrayRef
        })
        .collect();
    let schema = Arc::new(Schema::new(vec![Field::new("a", parts[0].data_type().clone(), true)]));
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, Arc::clone(&schema), None).unwrap();
    for part in parts {
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), vec![part]).unwrap()).unwrap();
    }
    writer.close().unwrap();
    let rows = input(&bytes).columns(&["a"]).rows();
    let expected: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    assert_eq!(rows.into_iter().map(|row| row.cells.unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn structs_and_lists() {
    let value: ArrayRef = Arc::new(Int64Array::from(vec![Some(120), None, Some(3)]));
    let unit: ArrayRef = Arc::new(["USD", "EUR", "USD"].into_iter().collect::<DictionaryArray<Int32Type>>());
    let fields = vec![
        Field::new("value", value.data_type().clone(), true),
        Field::new("unit", unit.data_type().clone(), true),
    ];
    let present = vec![true, true, false].into();
    let pairs = StructArray::try_new(fields.into(), vec![value, unit], Some(present)).unwrap();
    let shown = ["{value: #120, unit: \"USD\"}", "{value: null, unit: \"EUR\"}", "null"];
    check(pairs.clone(), &shown);

    let item = Arc::new(Field::new_list_field(pairs.data_type().clone(), true));
    let offsets = arrow::buffer::OffsetBuffer::from_lengths([2, 0, 1]);
    let list = ListArray::try_new(item, offsets, Arc::new(pairs), None).unwrap();
    check(list, &[&format!("[{}, {}]", shown[0], shown[1]), "[]", "[null]"]);

    let numbers = [Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(2)])];
    let expected = ["[#1, null]", "null", "[]", "[#2]"];
    check(ListArray::from_iter_primitive::<Int32Type, _, _>(numbers.clone()), &expected);
    check(LargeListArray::from_iter_primitive::<Int32Type, _, _>(numbers), &expected);
    let fixed = arrow::array::FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(
        [Some([Some(1), Some(2)]), None, Some([None, Some(3)])],
        2,
    );
    check(fixed, &["[#1, #2]", "null", "[null, #3]"]);
}

#[test]
fn kinds_that_no_claim_accepts() {
    check(TimestampMicrosecondArray::from(vec![Some(0), None]), &["<1970-01-01T00:00:00>", "null"]);
    check(Date32Array::from(vec![19_000]), &["<2022-01-08>"]);
    check(BinaryArray::from(vec![Some(&b"\x00\xff"[..]), None]), &["<00ff>", "null"]);
}

#[test]
fn rows_are_numbered_across_row_groups_whatever_the_chunks() {
    let numbers: Vec<i64> = (1..=10_000).collect();
    let texts: Vec<String> = numbers.iter().map(|number| format!("t{}", number % 7)).collect();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(999)).build();
    let columns: [(&str, ArrayRef); 3] = [
        ("b", Arc::new(StringArray::from(texts))),
        ("more", Arc::new(BooleanArray::from(vec![true; 10_000]))),
        ("a", Arc::new(Int64Array::from(numbers))),
    ];
    let bytes = file(&columns, properties);
    let whole = input(&bytes).read(100_000);
    assert_eq!(whole.rows.len(), 10_000);
    for (at, row) in whole.rows.iter().enumerate() {
        let number = at as u64 + 1;
        assert_eq!(row.number, number);
        assert_eq!(row.cells, Ok(format!("#{number} | \"t{}\"", number % 7)));
        assert_eq!(row.record, format!("fields b: \"t{}\", more: true, a: #{number}", number % 7));
    }
    for chunk in [1, 7, 998, 999, 1000, 4096, 5000] {
        let read = input(&bytes).read(chunk);
        assert_eq!(read.rows, whole.rows, "{chunk}");
        assert_eq!(read.sha256, whole.sha256);
    }
}

#[test]
fn the_hash_is_that_of_the_file() {
    use sha2::{Digest, Sha256};
    let bytes = file(&[("a", Arc::new(Int8Array::from(vec![1])))], WriterProperties::default());
    let expected: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(input(&bytes).read(10).sha256, Some(expected));
}

#[test]
fn files_of_every_compression() {
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for compression in compressions {
        let properties = WriterProperties::builder().set_compression(compression).build();
        let bytes = file(&[("a", Arc::new(StringArray::from(vec!["x".repeat(1000)])))], properties);
        let rows = input(&bytes).columns(&["a"]).rows();
        assert_eq!(rows[0].cells, Ok(format!("{:?}", "x".repeat(1000))), "{compression}");
    }
}

#[test]
fn the_shape_is_the_columns() {
    let columns: [(&str, ArrayRef); 2] =
        [("b", Arc::new(Int8Array::from(vec![1]))), ("a", Arc::new(Int8Array::from(vec![2])))];
    let input = input(&file(&columns, WriterProperties::default()));
    assert_eq!(input.shape().unwrap().unwrap().columns, ["b", "a"]);
    assert_eq!(lines(&input.clone().columns(&["c", "a"]).rows()), ["1: - | #2"]);
}

#[test]
fn a_file_without_rows_has_none() {
    let none: ArrayRef = Arc::new(Int8Array::from(Vec::<i8>::new()));
    let input = input(&file(&[("a", none)], WriterProperties::default()));
    assert_eq!(input.rows(), []);
    assert_eq!(input.shape().unwrap().unwrap().columns, ["a"]);
}

#[test]
fn a_column_named_twice_is_refused() {
    let one: ArrayRef = Arc::new(Int8Array::from(vec![1]));
    let bytes =
        file(&[("a", Arc::clone(&one)), ("b", Arc::clone(&one)), ("a", one)], WriterProperties::default());
    let error = input(&bytes).error();
    assert_eq!(error.message, "the file names a column twice: `a`");
    assert_eq!(input(&bytes).shape().unwrap_err().message, error.message);
}

/// Long texts that many rows share, and long texts that each row has of its own.
#[test]
fn chunks_end_early_where_rows_are_long() {
    let shared: StringArray = (0..2000).map(|_| Some("s".repeat(100_000))).collect();
    let shared = file(&[("a", Arc::new(shared))], WriterProperties::default());
    assert_eq!(input(&shared).columns(&["a"]).rows().len(), 2000);

    let own: StringArray = (0..100).map(|row| Some(format!("{row}-{}", "o".repeat(1_000_000)))).collect();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let (folder, path) = (tempfile::tempdir().unwrap(), "own.parquet");
    let path = folder.path().join(path);
    std::fs::write(&path, file(&[("a", Arc::new(own))], properties)).unwrap();
    let mut source = input(&[]).columns(&["a"]).open(&assay_batch::input::Location::File(path)).unwrap();
    let (mut rows, mut chunks) = (0, 0);
    while let Some(chunk) = source.next(16_384).unwrap() {
        assert!(chunk.len() <= 33, "{} rows of a megabyte each", chunk.len());
        rows += chunk.len();
        chunks += 1;
    }
    assert!(rows == 100 && chunks > 3, "{rows} rows in {chunks} chunks");
}

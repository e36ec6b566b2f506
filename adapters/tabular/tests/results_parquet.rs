//! Results as Parquet: read back, and the same bytes however the rows were cut into chunks.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod chunks;
mod common;

use std::io::Write;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Int64Type};
use assay_batch::input::FileFormat;
use assay_batch::output::{Carried, CarriedColumn, Layout, ResultChunk, ResultSchema};
use assay_engine::Word;
use chunks::{answers, every_kind, one_by_one, part, schema, written};
use common::Random;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;

fn read(bytes: &[u8]) -> (Arc<ParquetMetaData>, Vec<RecordBatch>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let metadata = Arc::clone(builder.metadata());
    (metadata, builder.build().unwrap().map(Result::unwrap).collect())
}

/// The texts of a column, dictionary or not; lists joined with `;`.
fn texts(array: &ArrayRef) -> Vec<Option<String>> {
    if let DataType::List(_) = array.data_type() {
        let lists = array.as_list::<i32>();
        let joined =
            |list: ArrayRef| texts(&list).into_iter().map(Option::unwrap).collect::<Vec<_>>().join(";");
        return lists.iter().map(|list| list.map(joined)).collect();
    }
    if let DataType::Int64 = array.data_type() {
        return array
            .as_primitive::<Int64Type>()
            .iter()
            .map(|value| value.map(|value| value.to_string()))
            .collect();
    }
    let plain = arrow::compute::cast(array, &DataType::Utf8).unwrap();
    plain.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// A file as lines, nulls as `-`.
fn lines(bytes: &[u8]) -> Vec<String> {
    let (_, batches) = read(bytes);
    let header = batches.first().map(|batch| {
        batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>().join("|")
    });
    let rows = batches.iter().flat_map(|batch| {
        let columns: Vec<_> = batch.columns().iter().map(texts).collect();
        (0..batch.num_rows())
            .map(move |row| {
                let cells = columns.iter().map(|column| column[row].clone().unwrap_or("-".to_owned()));
                cells.collect::<Vec<_>>().join("|")
            })
            .collect::<Vec<_>>()
    });
    header.into_iter().chain(rows).collect()
}

/// `every_kind` with rows that 64 bits with a sign hold.
fn kinds() -> ResultChunk {
    ResultChunk { rows: vec![7, i64::MAX as u64, 1], ..every_kind() }
}

#[test]
fn long() {
    let bytes = written(FileFormat::Parquet, &schema(Layout::Long, true), [kinds()]);
    let name = "say \"hi\", you\nand; \\ you \u{1f600}";
    let expected = [
        "id|rule|assertion|check|reason_unknown|contradicted|ruleset_hash|unit_library_hash|region|amount|file|row",
        "d1|first|first|TRUE|-|-|9f2c|77aa|north|12.50|in/a,b.jsonl|7",
        "d1|second|second|UNKNOWN|solver limit|-|9f2c|77aa|north|12.50|in/a,b.jsonl|7",
        &format!(
            "{name}|first|first|FALSE|-|-|9f2c|77aa|-|{{\"value\":1,\"unit\":\"USD\"}}|in/a,b.jsonl|{}",
            i64::MAX
        ),
        &format!(
            "{name}|second|second|AMBIGUOUS|-|amount;stay.nights|9f2c|77aa|-|{{\"value\":1,\"unit\":\"USD\"}}|in/a,b.jsonl|{}",
            i64::MAX
        ),
        "|first|first|TRUE|-|amount|9f2c|77aa||-|in/a,b.jsonl|1",
        "|second|second|UNKNOWN|a, \"b\"|-|9f2c|77aa||-|in/a,b.jsonl|1",
    ];
    assert_eq!(lines(&bytes), expected);
}

#[test]
fn wide() {
    let schema = ResultSchema { unit_library_hash: None, ..schema(Layout::Wide, false) };
    let bytes = written(FileFormat::Parquet, &schema, one_by_one(&kinds()));
    let expected = [
        "id|first|second|ruleset_hash|unit_library_hash|region|amount",
        "d1|TRUE|UNKNOWN|9f2c|-|north|12.50",
        "say \"hi\", you\nand; \\ you \u{1f600}|FALSE|AMBIGUOUS|9f2c|-|-|{\"value\":1,\"unit\":\"USD\"}",
        "|TRUE|UNKNOWN|9f2c|-||-",
    ];
    assert_eq!(lines(&bytes), expected);
}

/// What repeats is a dictionary to readers that know such, what does not is plain.
#[test]
fn the_types_that_readers_see() {
    let (_, batches) = read(&written(FileFormat::Parquet, &schema(Layout::Long, true), [kinds()]));
    let types = batches[0]
        .schema()
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::Dictionary(_, values) => format!("{}: {values} dictionary", field.name()),
            other => format!("{}: {other}", field.name()),
        })
        .collect::<Vec<_>>();
    let expected = [
        "id: Utf8",
        "rule: Utf8 dictionary",
        "assertion: Utf8 dictionary",
        "check: Utf8 dictionary",
        "reason_unknown: Utf8 dictionary",
        "contradicted: List(non-null Utf8)",
        "ruleset_hash: Utf8 dictionary",
        "unit_library_hash: Utf8 dictionary",
        "region: Utf8",
        "amount: Utf8",
        "file: Utf8 dictionary",
        "row: Int64",
    ];
    assert_eq!(types, expected);
}

#[test]
fn the_metadata_holds_the_pair() {
    for (hash, expected) in [(Some("77aa".to_owned()), Some("77aa")), (None, None)] {
        let schema = ResultSchema { unit_library_hash: hash, ..schema(Layout::Long, false) };
        let (metadata, _) = read(&written(FileFormat::Parquet, &schema, [kinds()]));
        let file = metadata.file_metadata();
        let value = |key: &str| {
            let pairs = file.key_value_metadata().unwrap();
            pairs.iter().find(|pair| pair.key == key).unwrap().value.as_deref()
        };
        assert_eq!(value("assay.ruleset_hash"), Some("9f2c"));
        assert_eq!(value("assay.unit_library_hash"), expected);
        assert_eq!(file.created_by(), Some(concat!("assay version ", env!("CARGO_PKG_VERSION"))));
    }
}

#[test]
fn a_file_without_documents_has_its_columns() {
    let bytes = written(FileFormat::Parquet, &schema(Layout::Wide, false), []);
    let (metadata, batches) = read(&bytes);
    assert_eq!(metadata.file_metadata().num_rows(), 0);
    assert!(batches.is_empty());
    let columns: Vec<_> = metadata
        .file_metadata()
        .schema_descr()
        .columns()
        .iter()
        .map(|column| column.name().to_owned())
        .collect();
    assert_eq!(columns, ["id", "first", "second", "ruleset_hash", "unit_library_hash", "region", "amount"]);
}

/// A number of a row that the column cannot hold is refused, not changed.
#[test]
fn a_row_number_beyond_the_column_is_refused() {
    use assay_batch::output::Create;
    let encoder = assay_tabular::Tabular.encoder(FileFormat::Parquet, &schema(Layout::Long, true)).unwrap();
    assert!(encoder.encode(&Arc::new(every_kind())).is_err());
}

/// Documents that look random: values that repeat, values that do not, long and short, nulls.
fn documents(random: &mut Random, assertions: usize, count: usize) -> ResultChunk {
    let column = |random: &mut Random, distinct: usize| {
        let mut column = CarriedColumn::default();
        for _ in 0..count {
            match random.below(5) {
                0 => column.push(Carried::Null),
                1 => column.push(Carried::Json(&random.below(distinct).to_string())),
                _ => column.push(Carried::Text(&format!("value {}", random.below(distinct)))),
            }
        }
        column
    };
    let mut chunk = ResultChunk {
        carried: vec![column(random, 3), column(random, 1_000_000)],
        reasons: (0..400).map(|reason| format!("reason {reason}").into()).collect(),
        contradicted: [&[][..], &["claim0"], &["claim0", "claim1"]]
            .map(|list: &[&str]| list.iter().map(|claim| Arc::from(*claim)).collect())
            .to_vec(),
        file: "a file".into(),
        rows: (1..=count as u64).collect(),
        ..Default::default()
    };
    for id in 0..count {
        chunk.ids.push(&format!("{id}{}", "x".repeat(random.below(30))));
    }
    for assertion in 0..assertions {
        let words: Vec<Word> = (0..count).map(|_| Word::ALL[random.below(4)]).collect();
        let reason = |random: &mut Random| (1 + random.below(400) as u32) * u32::from(random.below(3) == 0);
        let reasons: Vec<u32> = match assertion % 3 {
            1 => Vec::new(),
            _ => (0..count).map(|_| reason(random)).collect(),
        };
        let contradicted: Vec<(usize, u32)> = (0..count)
            .map(|document| (document, random.below(3) as u32))
            .filter(|(_, list)| *list > 0)
            .collect();
        chunk.answers.push(answers(&words, &reasons, &contradicted));
    }
    chunk
}

#[test]
fn the_same_bytes_however_rows_are_cut_into_chunks() {
    let mut random = Random(11);
    for (layout, assertions, count) in [(Layout::Long, 3, 12_000), (Layout::Wide, 2, 40_000)] {
        let names = (0..assertions).map(|name| format!("rule{name}")).collect();
        let schema = ResultSchema { assertions: names, ..schema(layout, true) };
        let all = documents(&mut random, assertions, count);
        let whole = written(FileFormat::Parquet, &schema, [part(&all, 0, count)]);
        for longest in [7000, 3000, 100] {
            let mut start = 0;
            let cuts = std::iter::from_fn(|| {
                let length = random.below(longest).min(count - start);
                start += length;
                (start < count || length > 0).then(|| part(&all, start - length, length))
            });
            let cut = written(FileFormat::Parquet, &schema, cuts);
            assert!(cut == whole, "{layout:?}, chunks of up to {longest}");
        }
        assert_eq!(lines(&whole).len() - 1, if layout == Layout::Long { count * assertions } else { count });
    }
}

#[test]
fn a_row_group_may_hold_documents_of_several_files() {
    let mut random = Random(5);
    for layout in [Layout::Long, Layout::Wide] {
        let schema = schema(layout, true);
        let files = ["b.jsonl", "a.jsonl", "b.jsonl", "c.jsonl"];
        let chunks = files.map(|file| ResultChunk { file: file.into(), ..documents(&mut random, 2, 300) });
        let bytes = written(FileFormat::Parquet, &schema, chunks);
        assert_eq!(read(&bytes).0.num_row_groups(), 1);
        let rows_each = if layout == Layout::Long { 2 } else { 1 };
        let places = files.iter().flat_map(|file| (1..=300).map(move |row| format!("|{file}|{row}")));
        let places: Vec<String> = places.flat_map(|place| vec![place; rows_each]).collect();
        let lines = lines(&bytes);
        assert_eq!(lines.len() - 1, places.len());
        for (line, place) in lines[1..].iter().zip(&places) {
            assert!(line.ends_with(place), "{line} is not of {place}");
        }
    }
}

/// Rows that weigh much are cut earlier, and by themselves just as well.
#[test]
fn the_same_bytes_where_values_are_long() {
    let count = 300;
    let mut all = documents(&mut Random(3), 1, count);
    let long: Vec<String> = (0..count).map(|at| format!("{at} {}", "long ".repeat(100_000))).collect();
    all.carried[0] = long.iter().map(|text| Carried::Text(text)).collect();
    let schema = ResultSchema { assertions: vec!["rule".to_owned()], ..schema(Layout::Wide, true) };
    let whole = written(FileFormat::Parquet, &schema, [part(&all, 0, count)]);
    let halves = [part(&all, 0, 130), part(&all, 130, 170)];
    assert!(written(FileFormat::Parquet, &schema, halves) == whole);
    assert!(written(FileFormat::Parquet, &schema, one_by_one(&all)) == whole);
}

/// A million rows and more: several row groups.
#[test]
fn row_groups_are_cut_by_rows_alone() {
    let (assertions, count) = (400, 2700);
    let names = (0..assertions).map(|name| format!("rule{name}")).collect();
    let schema = ResultSchema { assertions: names, ..schema(Layout::Long, false) };
    let all = documents(&mut Random(5), assertions, count);
    let chunks = |size: usize| {
        (0..count).step_by(size).map(|start| part(&all, start, size.min(count - start))).collect::<Vec<_>>()
    };
    let bytes = written(FileFormat::Parquet, &schema, chunks(900));
    let (metadata, _) = read(&bytes);
    let groups: Vec<_> = metadata.row_groups().iter().map(|group| group.num_rows()).collect();
    // As many documents as come to a million rows: a document is never cut.
    assert_eq!(groups, [2621 * 400, (2700 - 2621) * 400]);
    assert!(written(FileFormat::Parquet, &schema, chunks(411)) == bytes);
}

/// Sixteen million answers and more, each a column of its own: a row group is held in memory until it is whole.
#[test]
fn wide_row_groups_are_cut_by_answers_too() {
    let (assertions, count) = (20_000, 900);
    let names = (0..assertions).map(|name| format!("rule{name}")).collect();
    let schema = ResultSchema { assertions: names, ..schema(Layout::Wide, false) };
    let all = documents(&mut Random(5), assertions, count);
    let (metadata, _) =
        read(&written(FileFormat::Parquet, &schema, [part(&all, 0, 500), part(&all, 500, 400)]));
    let groups: Vec<_> = metadata.row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [838, 62]);
}

/// More than a dictionary of 16 bits can tell apart.
#[test]
fn forty_thousand_assertions() {
    let count = 40_000;
    let names = (0..count).map(|name| format!("rule{name}")).collect();
    let schema = ResultSchema { assertions: names, ..schema(Layout::Long, false) };
    let bytes = written(FileFormat::Parquet, &schema, [documents(&mut Random(9), count, 2)]);
    let lines = lines(&bytes);
    assert_eq!(lines.len(), 80_001);
    assert!(lines[40_000].contains("|rule39999|rule39999|"), "{}", lines[40_000]);
    assert!(lines[40_001].contains("|rule0|rule0|"), "{}", lines[40_001]);
}

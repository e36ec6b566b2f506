//! Every input format against every output format, and everything a text file may be wrapped in.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Decimal128Array, Float64Array, StringArray, StructArray};
use arrow::datatypes::{DataType, Field};
use assay_service::check;
use assay_tests_run::{Bench, POLICY};
use assay_units::Library;

const JSONL: &str = r#"{"id":"a","amount":"120 USD","has_receipt":false,"category":"travel","score":1}
{"id":"b","amount":50,"has_receipt":null,"category":"meals","score":"unknown"}

{"id":3,"amount":120.10,"has_receipt":true,"category":"meals","score":2.5}
"#;

const CSV: &str = "id,amount,has_receipt,category,score\r\na,120 USD,FALSE,travel,1\r\nb,50,,meals,unknown\r\n\
                   3,120.10,true,meals,2.5\r\n";

const WORDS: [&str; 12] = [
    "a within_cap TRUE",
    "a receipt_over_75 FALSE",
    "a meals_are_small TRUE",
    "a score_is_no_root TRUE",
    "b within_cap TRUE",
    "b receipt_over_75 TRUE",
    "b meals_are_small TRUE",
    "b score_is_no_root UNKNOWN",
    "3 within_cap TRUE",
    "3 receipt_over_75 TRUE",
    "3 meals_are_small FALSE",
    "3 score_is_no_root TRUE",
];

fn parquet(bench: &Bench) {
    let amounts =
        Decimal128Array::from(vec![12000, 5000, 12010]).with_precision_and_scale(12, 2).expect("a scale");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(StringArray::from(vec!["a", "b", "3"]))),
        ("amount", Arc::new(amounts)),
        ("has_receipt", Arc::new(BooleanArray::from(vec![Some(false), None, Some(true)]))),
        ("category", Arc::new(StringArray::from(vec!["travel", "meals", "meals"]))),
        ("score", Arc::new(Float64Array::from(vec![Some(1.0), None, Some(2.5)]))),
    ];
    bench.put_parquet("in.parquet", columns);
}

#[test]
fn every_input_gives_the_same_answers_in_every_output() {
    let bench = Bench::default();
    bench.put("in.jsonl", JSONL).put("in.csv", CSV);
    parquet(&bench);
    let mut results = Vec::new();
    for input in ["in.jsonl", "in.csv", "in.parquet"] {
        let keys = format!("input = '{input}'\nformat = ['jsonl', 'csv', 'parquet']");
        bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
        assert_eq!(bench.words(), WORDS, "{input}");
        assert_eq!(bench.refused(), [""; 0], "{input}");
        assert_eq!(bench.parquet("results.parquet"), bench.lines("results.jsonl"), "{input}");
        results.push((bench.text("results.jsonl"), bench.text("results.csv")));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "the inputs differ in their results");
    insta::assert_snapshot!(
        "long",
        format!("{}\n{}", results[0].0, results[0].1).replace(bench.hash(), "HASH")
    );
}

#[test]
fn a_wide_result_has_a_row_for_each_document() {
    let bench = Bench::default();
    bench.put("in.jsonl", JSONL);
    let keys = "input = 'in.jsonl'\nformat = ['jsonl', 'csv', 'parquet']\nlayout = 'wide'\nlocate = true\ncarry = ['category']";
    bench.completes(keys);
    assert_eq!(bench.parquet("results.parquet"), bench.lines("results.jsonl"));
    let shown = format!("{}\n{}", bench.text("results.jsonl"), bench.text("results.csv"));
    insta::assert_snapshot!("wide", shown.replace(bench.hash(), "HASH"));
}

#[test]
fn a_text_may_be_compressed_and_of_another_encoding() {
    let bench = Bench::default();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(JSONL.as_bytes()).expect("gzip");
    bench.put("in.jsonl.gz", gzip.finish().expect("gzip"));
    bench.put("in.csv.zst", zstd::encode_all(CSV.as_bytes(), 3).expect("zstd"));
    bench.put("marked.csv", format!("\u{feff}{CSV}"));
    let wide: Vec<u8> = format!("\u{feff}{CSV}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    bench.put("wide.csv", wide);
    for (input, more) in [
        ("in.jsonl.gz", ""),
        ("in.csv.zst", ""),
        ("marked.csv", ""),
        ("wide.csv", "[reading]\nencoding = 'utf-16'"),
    ] {
        let keys = format!("input = '{input}'\nformat = 'jsonl'\n{more}");
        bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
        assert_eq!(bench.words(), WORDS, "{input}");
    }
}

#[test]
fn reading_options_loosen_texts_only_where_they_are_declared() {
    let bench = Bench::default();
    let rows = "id;amount;has_receipt;category;score\nx; 1.200,50 ;Y;NA;+5\ny;17;n;meals;NA\n";
    bench.put("in.csv", rows);
    let keys = "input = 'in.csv'\nformat = 'jsonl'\n[reading]\ndelimiter = ';'\n";
    bench.completes(keys);
    assert_eq!(bench.refused(), ["in.csv:1 amount has_receipt category score", "in.csv:2 has_receipt score"]);

    let keys = format!(
        "{keys}null = ['', 'NA']\ntrue = ['Y']\nfalse = ['N']\ntrim = true\nthousands = '.'\ndecimal = ','\nplus = true"
    );
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.refused(), [""; 0]);
    assert_eq!(
        bench.words(),
        [
            "x within_cap FALSE",
            "x receipt_over_75 TRUE",
            "x meals_are_small FALSE",
            "x score_is_no_root TRUE",
            "y within_cap TRUE",
            "y receipt_over_75 TRUE",
            "y meals_are_small TRUE",
            "y score_is_no_root UNKNOWN",
        ]
    );
}

#[test]
fn a_unit_may_stand_in_a_column_of_its_own_or_in_a_struct() {
    let converters = "[[converters]]\nfrom = 'EUR'\nto = 'USD'\nfactor = '1.08'\n";
    let bench = Bench::default().converters(converters);
    let head = "id,total,currency,has_receipt,category,score\n";
    bench.put(
        "in.csv",
        format!("{head}a,240,EUR,true,travel,1\nb,240,USD,true,travel,1\nc,240,,true,travel,1\n"),
    );
    let pinned = "units = '32cbd7f1a37ac00ff981f011484ced2a26eda45c960bc1f1b4a812e6f3ac578a'\n";
    let mapped = "[claims.amount]\ncolumn = 'total'\nunit_column = 'currency'\n";
    bench.completes(&format!("{pinned}input = 'in.csv'\nformat = 'jsonl'\n{mapped}"));
    let within: Vec<String> = bench.words().into_iter().filter(|line| line.contains("within_cap")).collect();
    assert_eq!(within, ["a within_cap FALSE", "b within_cap TRUE"]);
    assert_eq!(bench.refused(), ["in.csv:3 amount"]);
    assert_eq!(bench.lines("rejected.jsonl")[0]["failures"][0]["column"], "total");
    assert_eq!(
        bench.text("converters.json"),
        r#"{"converters":[{"factor":"27/25","from":"EUR","offset":"0","to":"USD"}]}"#
    );

    let texts = |texts: [&'static str; 2]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let field = |name: &str, kind| Arc::new(Field::new(name, kind, true));
    let amounts = Decimal128Array::from(vec![24000, 24000]).with_precision_and_scale(12, 2).expect("a scale");
    let amount = StructArray::from(vec![
        (field("value", DataType::Decimal128(12, 2)), Arc::new(amounts) as ArrayRef),
        (field("unit", DataType::Utf8), texts(["EUR", "USD"])),
    ]);
    bench.put_parquet(
        "pairs.parquet",
        vec![
            ("id", texts(["a", "b"])),
            ("amount", Arc::new(amount)),
            ("has_receipt", Arc::new(BooleanArray::from(vec![true, true]))),
            ("category", texts(["travel", "travel"])),
            ("score", texts(["1", "1"])),
        ],
    );
    let keys = format!("{pinned}input = 'pairs.parquet'\nformat = 'jsonl'");
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    let within: Vec<String> = bench.words().into_iter().filter(|line| line.contains("within_cap")).collect();
    assert_eq!(within, ["a within_cap FALSE", "b within_cap TRUE"]);
}

#[test]
fn a_payload_has_the_bytes_of_the_one_shot_check() {
    let bench = Bench::default();
    bench.put("in.jsonl", JSONL);
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\npayloads = true");
    let rows = JSONL.lines().filter(|row| !row.is_empty());
    let lines = bench.text("payloads.jsonl");
    assert_eq!(lines.lines().count(), 3);
    for (row, line) in rows.zip(lines.lines()) {
        let (id, claims) = row.split_once(',').expect("an id");
        let id = id.split_once(':').expect("a value").1;
        let id = if id.starts_with('"') { id.to_owned() } else { format!("\"{id}\"") };
        let library = Library::built_in();
        let payload =
            check(POLICY.as_bytes(), &library, format!("{{{claims}").as_bytes()).expect("a payload");
        assert_eq!(line, format!("{{\"id\":{id},\"payload\":{payload}}}"));
    }
}

//! Lists in the place of values: pieces of evidence of one row.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, FixedSizeListArray, Float64Array, LargeListArray, ListArray, StringArray,
};
use arrow::datatypes::{Float64Type, Int32Type};
use assay_tests_run::Bench;
use serde_json::json;

#[test]
fn a_json_array_is_evidence() {
    let bench = Bench::default();
    bench.put(
        "in.jsonl",
        concat!(
            "{\"id\":\"same\",\"amount\":[120,\"120.00 USD\",null],\"has_receipt\":true,\"category\":[\"meals\"],\"score\":1}\n",
            "{\"id\":\"two\",\"amount\":[100,300],\"has_receipt\":[true,false],\"category\":\"travel\",\"score\":1}\n",
            "{\"id\":\"none\",\"amount\":[],\"has_receipt\":[],\"category\":[],\"score\":[null,\"unknown\"]}\n",
            "{\"id\":\"deep\",\"amount\":[1,[2]],\"has_receipt\":[true,\"maybe\"],\"category\":\"travel\",\"score\":[[]]}\n",
        ),
    );
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'");
    assert_eq!(bench.refused(), ["in.jsonl:4 amount has_receipt score"]);
    insta::assert_snapshot!("deep", bench.text("rejected.jsonl"));
    assert_eq!(
        bench.words(),
        [
            "same within_cap TRUE",
            "same receipt_over_75 TRUE",
            "same meals_are_small FALSE",
            "same score_is_no_root TRUE",
            "two within_cap AMBIGUOUS",
            "two receipt_over_75 AMBIGUOUS",
            "two meals_are_small TRUE",
            "two score_is_no_root TRUE",
            "none within_cap UNKNOWN",
            "none receipt_over_75 UNKNOWN",
            "none meals_are_small FALSE",
            "none score_is_no_root UNKNOWN",
        ]
    );
    let named = |at: usize| bench.lines("results.jsonl")[at]["contradicted"].clone();
    assert_eq!(
        (named(0), named(4), named(5)),
        (json!(null), json!(["amount"]), json!(["amount", "has_receipt"]))
    );
}

#[test]
fn a_declared_character_stands_between_the_values_of_a_text() {
    let bench = Bench::default();
    let rows = "id|x,amount,currency,has_receipt,category,score\n\
                a|b,100|300,USD,true|false,travel,1\n\
                c,120|120.00|,USD,true,meals|meals,1\n\
                d,100|x,USD,true,travel,1\n\
                e,100|90,USD|EUR,true,travel,1\n\
                f,1|2|3,USD|EUR,true,travel,1\n";
    bench.put("in.csv", rows);
    let keys =
        "format = 'jsonl'\nid = 'id|x'\n[reading]\nlist = '|'\n[claims.amount]\nunit_column = 'currency'";
    bench.completes(&format!("input = 'in.csv'\n{keys}"));
    let words = bench.words();
    assert_eq!(
        words[..3],
        ["a|b within_cap AMBIGUOUS", "a|b receipt_over_75 AMBIGUOUS", "a|b meals_are_small TRUE"]
    );
    assert_eq!(words[4..7], ["c within_cap TRUE", "c receipt_over_75 TRUE", "c meals_are_small FALSE"]);
    // 90 EUR do not convert, so what they are worth is not known.
    assert_eq!(words[8], "e within_cap AMBIGUOUS");
    assert_eq!(bench.refused(), ["in.csv:3 amount", "in.csv:5 amount"]);
    insta::assert_snapshot!("separated", bench.text("rejected.jsonl"));

    // A text of JSON is read as one of CSV is, so that repaired rows mean what they meant.
    bench.put(
        "repaired.jsonl",
        bench.text("rejected.jsonl").replace("100|x", "100|200").replace("1|2|3", "1|2"),
    );
    let keys = format!("input = 'repaired.jsonl'\nclaims_field = 'record'\n{keys}");
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.refused(), [""; 0]);
    assert_eq!(bench.words()[0], "d within_cap TRUE");
}

#[test]
fn a_separator_is_no_part_of_a_value() {
    let bench = Bench::new(
        "version 1.3;\ndeclare kind as enum { \"a|b\", \"c\" };\nassert is_c { kind == \"c\" };\n",
    );
    bench.put("in.csv", "id,kind\n1,c\n");
    let refusals: Vec<String> = [
        "list = '|'",
        "list = ','",
        "list = '.'",
        "list = 'x'",
        "list = ' '\nthousands = ' '",
        "list = 'ab'",
        "list = '/'\nnull = ['n/a']",
    ]
    .into_iter()
    .map(|keys| {
        let error = bench.run(&format!("input = 'in.csv'\n[reading]\n{keys}")).expect_err("a refusal");
        format!("{}\n{error}\n", keys.replace('\n', ", "))
    })
    .collect();
    insta::assert_snapshot!("separators", refusals.join("\n"));
}

#[test]
fn lists_of_parquet_are_evidence() {
    let bench = Bench::default();
    let amounts =
        vec![Some(vec![Some(100.0), Some(300.0)]), Some(vec![]), None, Some(vec![Some(120.0), Some(120.0)])];
    let list: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(amounts.clone()));
    let large: ArrayRef = Arc::new(LargeListArray::from_iter_primitive::<Float64Type, _, _>(amounts));
    let pairs = vec![
        Some(vec![Some(100), Some(300)]),
        Some(vec![None, None]),
        None,
        Some(vec![Some(120), Some(120)]),
    ];
    let fixed: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(pairs, 2));
    for (name, amount) in [("list", list), ("large", large), ("fixed", fixed)] {
        let columns: Vec<(&str, Arc<dyn Array>)> = vec![
            ("id", Arc::new(StringArray::from(vec!["a", "b", "c", "d"]))),
            ("amount", amount),
            ("has_receipt", Arc::new(BooleanArray::from(vec![true; 4]))),
            ("category", Arc::new(StringArray::from(vec!["travel"; 4]))),
            ("score", Arc::new(Float64Array::from(vec![1.0; 4]))),
        ];
        bench.put_parquet(&format!("{name}.parquet"), columns);
        let keys = format!("input = '{name}.parquet'\nformat = ['jsonl', 'parquet', 'csv']");
        bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
        let caps: Vec<String> = bench.words().into_iter().step_by(4).collect();
        assert_eq!(
            caps,
            ["a within_cap AMBIGUOUS", "b within_cap UNKNOWN", "c within_cap UNKNOWN", "d within_cap TRUE"],
            "{name}"
        );
        assert_eq!(bench.parquet("results.parquet")[0]["contradicted"], json!(["amount"]));
        assert!(bench.text("results.csv").contains("a,within_cap,within_cap,AMBIGUOUS,,amount,"));
    }
}

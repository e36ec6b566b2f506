//! Rows that are refused, nested rows, ids and carried columns.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use assay_batch::Exit;
use assay_tests_run::Bench;
use serde_json::json;

#[test]
fn a_bad_row_is_rejected_with_every_failure_and_the_run_goes_on() {
    let bench = Bench::default();
    bench.put(
        "in.jsonl",
        concat!(
            "{\"id\":\"a\",\"amount\":1e999,\"has_receipt\":\"maybe\",\"category\":\"meels\",\"score\":0.30000000000000001}\n",
            "{\"id\":\"b\",\"amount\":5}\n",
            "{\"id\":\"c\",\"amount\":1,\"amount\":2,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n",
            "{\"id\":\"d\",\n",
            "[1]\n",
            "{\"id\":null,\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n",
            "{\"id\":\"g\",\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n",
        ),
    );
    let outcome = bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\nid = 'id'");
    assert_eq!((outcome.exit, outcome.rows, outcome.rejected), (Exit::Completed, 7, 6));
    insta::assert_snapshot!("rejected", bench.text("rejected.jsonl"));
    assert_eq!(bench.words().len(), 4);
    assert_eq!(bench.manifest()["rows"], json!({ "read": 7, "checked": 1, "rejected": 6 }));
}

#[test]
fn what_is_no_row_of_a_csv_is_kept_as_it_came() {
    let bench = Bench::default();
    let mut rows = b"id,amount,has_receipt,category,score\na,5,true\n\"b\",x,true,,\n".to_vec();
    rows.extend_from_slice(b"\xff,5,true,meals,1\nc,5,true,meals,1\n");
    bench.put("in.csv", rows);
    bench.completes("input = 'in.csv'\nformat = 'jsonl'");
    insta::assert_snapshot!("rejected_csv", bench.text("rejected.jsonl"));
    assert_eq!(bench.words().len(), 4);
}

#[test]
fn repaired_rows_are_fed_back() {
    let bench = Bench::default();
    bench.put(
        "in.csv",
        "doc,amount,has_receipt,category,score,region,note\nx,12O,,meals,1,north,new\ny,5,true,meals,1,south,\n",
    );
    let keys = "format = 'jsonl'\nid = 'doc'\ncarry = ['region']\n";
    bench.completes(&format!("input = 'in.csv'\n{keys}"));
    assert_eq!(bench.refused(), ["in.csv:1 amount"]);

    let repaired = bench.text("rejected.jsonl").replace("12O", "120");
    bench.put("repaired.jsonl", repaired);
    let keys = format!("input = 'repaired.jsonl'\nclaims_field = 'record'\n{keys}");
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.refused(), [""; 0]);
    let row = &bench.lines("results.jsonl")[1];
    assert_eq!((&row["id"], &row["region"]), (&json!("x"), &json!("north")));
    // 120 USD with the receipt unknown.
    assert_eq!((&row["assertion"], &row["check"]), (&json!("receipt_over_75"), &json!("UNKNOWN")));
    assert_eq!(
        bench.manifest()["inputs"][0]["ignored_columns"].as_array().map(|list| list.contains(&json!("note"))),
        Some(true)
    );
}

#[test]
fn repaired_nested_rows_are_fed_back() {
    let bench = Bench::default();
    let row = r#"{"id":"n","region":"east","claims":{"amount":"x","has_receipt":true,"category":"meals","score":1}}"#;
    bench.put("in.jsonl", row);
    let keys = "format = 'jsonl'\ncarry = ['region']\n";
    bench.completes(&format!("input = 'in.jsonl'\nclaims_field = 'claims'\n{keys}"));
    assert_eq!(bench.refused(), ["in.jsonl:1 amount"]);
    bench.put("repaired.jsonl", bench.text("rejected.jsonl").replace(r#""amount":"x""#, r#""amount":"70""#));
    let keys = format!("input = 'repaired.jsonl'\nclaims_field = 'record.claims'\n{keys}");
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.refused(), [""; 0]);
    let row = &bench.lines("results.jsonl")[0];
    assert_eq!((&row["id"], &row["region"]), (&json!("n"), &json!("east")));
}

#[test]
fn a_nested_row_holds_claims_and_nothing_else() {
    let bench = Bench::default();
    let claims = r#""amount":5,"has_receipt":true,"category":"meals","score":1"#;
    bench.put(
        "in.jsonl",
        format!(
            "{{\"id\":\"a\",\"more\":1,\"claims\":{{{claims}}}}}\n{{\"id\":\"b\",\"claims\":{{{claims},\"extra\":1}}}}\n{{\"id\":\"c\"}}\n"
        ),
    );
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\nclaims_field = 'claims'");
    assert_eq!(bench.refused(), ["in.jsonl:2 extra", "in.jsonl:3 "]);
    assert_eq!(bench.words().len(), 4);
    assert_eq!(bench.manifest()["inputs"][0]["ignored_columns"], json!(["more"]));
}

#[test]
fn carried_columns_and_places_follow_their_document() {
    let bench = Bench::default();
    let row = r#"{"n":1.50,"amount":5,"has_receipt":true,"category":"meals","score":1,"tags":["a",{"b":null}],"on":true}"#;
    bench.put("in.jsonl", format!("{row}\n"));
    bench.completes(
        "input = 'in.jsonl'\nformat = ['jsonl', 'csv']\nlocate = true\ncarry = ['n', 'tags', 'on']",
    );
    let shown = format!("{}\n{}", bench.text("results.jsonl"), bench.text("results.csv"));
    insta::assert_snapshot!("carried", shown.replace(bench.hash(), "HASH"));
}

#[test]
fn no_rows_are_a_run_too() {
    let bench = Bench::default();
    bench.put("none.csv", "id,amount,has_receipt,category,score\n").put("none.jsonl", "\n");
    let outcome = bench.completes(
        "input = ['none.csv', 'none.jsonl']\nformat = ['jsonl', 'csv', 'parquet']\nmax_rejected = '0%'",
    );
    assert_eq!((outcome.exit, outcome.rows), (Exit::Completed, 0));
    assert_eq!((bench.parquet("results.parquet").len(), bench.text("results.jsonl").as_str()), (0, ""));
    assert_eq!(bench.text("results.csv").lines().count(), 1);
    assert_eq!(bench.manifest()["rows"], json!({ "read": 0, "checked": 0, "rejected": 0 }));
}

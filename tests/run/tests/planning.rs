//! What is refused before a row is read: pins, columns, inputs, words.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use assay_batch::Exit;
use assay_tests_run::Bench;

const ROW: &str = "{\"id\":\"a\",\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n";
const EUR: &str = "[[converters]]\nfrom = 'EUR'\nto = 'USD'\nfactor = '1.08'\n";

/// The refusal of each job, one below the other.
fn refusals(bench: &Bench, jobs: &[&str]) -> String {
    let mut shown = String::new();
    for job in jobs {
        let error = bench.run(job).expect_err(job);
        assert!(bench.files("out").is_empty(), "{job} wrote something");
        shown.push_str(&format!("{job}\n=> {} {error}\n\n", error.exit().code()));
    }
    shown.replace(bench.hash(), "HASH").replace(&bench.path("").display().to_string(), "FOLDER/")
}

#[test]
fn pins_that_do_not_hold() {
    let bench = Bench::default();
    bench.put("in.jsonl", ROW);
    let shown = refusals(
        &bench,
        &["input = 'in.jsonl'\nunits = '32cbd7f1a37ac00ff981f011484ced2a26eda45c960bc1f1b4a812e6f3ac578a'"],
    );
    let with = Bench::default().converters(EUR);
    with.put("in.jsonl", ROW);
    let other =
        "input = 'in.jsonl'\nunits = '0000000000000000000000000000000000000000000000000000000000000000'";
    let more = refusals(&with, &["input = 'in.jsonl'", "input = 'in.jsonl'\nunits = 'none'", other]);
    with.put("policy.dsail", "version 1.3;\ndeclare a as boolean;\nassert b { a };\n");
    let changed = refusals(&with, &["input = 'in.jsonl'\nunits = 'none'"]);
    insta::assert_snapshot!("pins", format!("{shown}{more}{changed}"));
}

#[test]
fn a_pin_holds_whatever_the_line_endings() {
    let bench = Bench::default();
    bench.put("in.jsonl", ROW).put("policy.dsail", assay_tests_run::POLICY.replace('\n', "\r\n"));
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'");
    assert_eq!(bench.text("ruleset.dsail"), assay_tests_run::POLICY);
}

#[test]
fn a_ruleset_that_does_not_compile() {
    let bench = Bench::new("version 1.3;\ndeclare a as boolean;\nassert b { c };\n");
    bench.put("in.jsonl", "{\"a\":true}");
    let error = bench.run("input = 'in.jsonl'").expect_err("a refusal");
    assert_eq!(error.exit(), Exit::Refused);
    assert!(error.to_string().contains("line 3"), "{error}");
}

#[test]
fn columns_that_do_not_fit() {
    let bench = Bench::default();
    bench
        .put("typo.csv", "id,amuont,has_receipt,category,score\na,5,true,meals,1\n")
        .put("less.csv", "id,amount,category,score\na,5,meals,1\n")
        .put("nested.jsonl", "{\"id\":1,\"claims\":{\"amount\":5}}\n")
        .put("in.jsonl", ROW)
        .put("in.csv", "id,amount,has_receipt,category,score\na,5,true,meals,1\n");
    insta::assert_snapshot!(
        "columns",
        refusals(
            &bench,
            &[
                "input = 'typo.csv'",
                "input = 'typo.csv'\nmissing_claims = 'unknown'",
                "input = 'less.csv'",
                "input = 'nested.jsonl'",
                "input = 'in.csv'\nclaims_field = 'claims'",
                "input = 'in.jsonl'\nclaims_field = 'claims'",
                "input = 'in.csv'\nid = 'doc_id'\ncarry = ['regoin']",
                "input = 'in.csv'\ncarry = ['id']",
                "input = 'in.csv'\ncarry = ['category']\nlocate = true\nlayout = 'wide'\n[claims.has_reciept]\ncolumn = 'x'\n\
                 [claims.score]\nunit_column = 'id'",
                "input = 'in.csv'\n[claims.amount]\ncolumn = 'amount'\nunit_column = 'currency'",
                "input = 'in.csv'\n[reading]\nnull = ['meals']\nthousands = '.'",
            ],
        )
    );
}

#[test]
fn missing_claims_are_unknown_where_that_is_said() {
    let bench = Bench::default();
    bench.put("less.csv", "id,amount,category\na,90,meals\n");
    bench.completes("input = 'less.csv'\nformat = 'jsonl'\nmissing_claims = 'unknown'");
    let words = [
        "a within_cap TRUE",
        "a receipt_over_75 UNKNOWN",
        "a meals_are_small TRUE",
        "a score_is_no_root UNKNOWN",
    ];
    assert_eq!(bench.words(), words);
}

#[test]
fn inputs_that_are_not_there_or_not_told_apart() {
    let bench = Bench::default();
    bench.put("in.jsonl", ROW).put("in.txt", ROW).put("mixed/a.jsonl", ROW).put("mixed/readme.md", "hello");
    let jobs = [
        "input = 'none.jsonl'",
        "input = '*.parquet'",
        "input = 'in.txt'",
        "input = '-'",
        "input = ['in.jsonl', '*.jsonl']",
        "input = 'mixed'",
        "input = 'in[.jsonl'",
    ];
    insta::assert_snapshot!("inputs", refusals(&bench, &jobs));
}

#[test]
fn folders_and_globs_are_read_in_sorted_order() {
    let bench = Bench::default();
    let row = |id: &str| ROW.replace("\"a\"", &format!("\"{id}\""));
    bench
        .put("in/b.jsonl", row("b"))
        .put("in/a/z.jsonl", row("az"))
        .put("in/_SUCCESS", "")
        .put("in/.b.crc", "x")
        .put("odd[1].jsonl", row("odd"))
        .put("in/c.txt.jsonl", row("c"));
    bench.completes("input = ['odd[1].jsonl', 'in']\nformat = 'jsonl'");
    let ids: Vec<String> = bench
        .words()
        .iter()
        .step_by(4)
        .map(|line| line.split(' ').next().expect("an id").to_owned())
        .collect();
    assert_eq!(ids, ["odd", "az", "b", "c"]);
    let names: Vec<_> = bench.manifest()["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|input| input["file"].clone())
        .collect();
    assert_eq!(names, ["odd[1].jsonl", "in/a/z.jsonl", "in/b.jsonl", "in/c.txt.jsonl"]);
}

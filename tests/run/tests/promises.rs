//! What a run keeps: order and bytes whatever the threads, final names only for what is whole, and its exit codes.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use assay_batch::events::Event;
use assay_batch::{Before, Cancel, Exit, RunError};
use assay_tests_run::{Bench, sha256};
use serde_json::json;

/// Rows of which every seventh is refused and some need the solver.
fn many(rows: u32) -> String {
    let mut text = String::new();
    for row in 0..rows {
        let amount = if row % 7 == 3 { "\"12x\"".to_owned() } else { (row * 13 % 400).to_string() };
        let category = ["\"meals\"", "\"travel\"", "null"][(row % 3) as usize];
        let score = if row % 5 == 0 { "null".to_owned() } else { format!("{}.{}", row % 4, row % 10) };
        let receipt = ["true", "false", "null", "\"unknown\""][(row % 4) as usize];
        let _ = writeln!(
            text,
            r#"{{"doc":"d{row}","amount":{amount},"has_receipt":{receipt},"category":{category},"score":{score}}}"#
        );
    }
    text
}

const EVERYTHING: &str = "format = ['parquet', 'jsonl', 'csv']\nid = 'doc'\npayloads = true\nlocate = true\n";

#[test]
fn threads_and_batches_change_no_byte_of_any_file() {
    let bench = Bench::default();
    bench.put("in/a.jsonl", many(500)).put("in/b.jsonl", many(3)).put("in/c.jsonl", many(200));
    let mut seen: Option<BTreeMap<String, Vec<u8>>> = None;
    for (at, (threads, batch)) in
        [("1", "16384"), ("2", "16384"), ("2", "7"), ("1", "64")].into_iter().enumerate()
    {
        let output = format!("out{at}");
        let keys = format!("input = 'in/*.jsonl'\noutput = '{output}'\n{EVERYTHING}");
        let flags = [("threads", threads), ("batch_rows", batch)];
        bench.run_with(&keys, &flags, false, &mut |_| ()).expect("a run");
        let files = bench.files(&output);
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "converters.json",
                "payloads.jsonl",
                "rejected.jsonl",
                "results.csv",
                "results.jsonl",
                "results.parquet",
                "ruleset.dsail",
                "run.json"
            ]
        );
        match &seen {
            None => seen = Some(files),
            Some(first) => {
                for (name, bytes) in &files {
                    assert!(
                        first.get(name) == Some(bytes),
                        "`{name}` depends on {threads} threads or {batch} rows"
                    );
                }
            }
        }
        assert_eq!(
            fs::read_dir(bench.path(&output)).expect("a folder").count(),
            8,
            "something unfinished is left"
        );
    }
}

#[test]
fn the_solver_alone_gives_the_same_answers() {
    let bench = Bench::default();
    bench.put("in.jsonl", many(40));
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\ncross_check = 1");
    let auto = bench.words();
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nengine = 'z3'\ncross_check = 0.25";
    bench.run_with(keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.words(), auto);
}

#[test]
fn the_manifest_says_what_was_run_and_what_came_of_it() {
    let bench = Bench::default();
    let rows =
        "id,amount,has_receipt,category,score,spare\na,5,,meals,1,x\nb,300,true,,,y\nc,zz,true,meals,1,z\n";
    bench.put("in.csv", rows);
    bench.completes("input = 'in.csv'\nformat = 'jsonl'\nmax_rejected = '50%'\n[reading]\nnull = ['', 'NA']");
    let mut manifest = bench.manifest();
    for (name, bytes) in bench.files("out") {
        let listed =
            manifest["outputs"].as_array().expect("a list").iter().find(|file| file["file"] == *name);
        match listed {
            Some(file) => {
                assert_eq!((&file["sha256"], &file["bytes"]), (&json!(sha256(&bytes)), &json!(bytes.len())))
            }
            None => assert_eq!(name, "run.json"),
        }
    }
    assert_eq!(manifest["inputs"][0]["sha256"], json!(sha256(rows.as_bytes())));
    assert_eq!(bench.text("ruleset.dsail"), assay_tests_run::POLICY);
    let solver = manifest["versions"]["solver_version"].take();
    assert!(solver.as_str().is_some_and(|version| version.contains('.')), "{solver}");
    manifest["outputs"] = json!("checked above");
    manifest["inputs"][0]["sha256"] = json!("checked above");
    let text = serde_json::to_string_pretty(&manifest).expect("JSON");
    insta::assert_snapshot!("manifest", text.replace(bench.hash(), "HASH"));
}

#[test]
fn an_output_folder_is_replaced_only_where_that_is_said() {
    let bench = Bench::default();
    bench.put("in.jsonl", many(5)).put("out/notes.txt", "mine");
    bench.completes("input = 'in.jsonl'\nformat = ['jsonl', 'csv']\nid = 'doc'");
    let before = bench.files("out");
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nlayout = 'wide'";
    let error = bench.run(keys).expect_err("a refusal");
    assert_eq!(error.exit(), Exit::Failed);
    assert!(error.to_string().contains("holds another run"), "{error}");
    assert_eq!(bench.files("out"), before);

    // A run that fails on the way leaves the one before it alone.
    bench.put("bad.jsonl.gz", b"\x1f\x8b\x08 this is no gzip");
    let broken = keys.replace("'in.jsonl'", "['in.jsonl', 'bad.jsonl.gz']");
    let error = bench.run_with(&broken, &[], true, &mut |_| ()).expect_err("a broken input");
    assert_eq!(error.exit(), Exit::Failed);
    assert_eq!(bench.files("out"), before);

    bench.run_with(keys, &[], true, &mut |_| ()).expect("a run");
    let names: Vec<String> = bench.files("out").into_keys().collect();
    let ours =
        ["converters.json", "notes.txt", "rejected.jsonl", "results.jsonl", "ruleset.dsail", "run.json"];
    assert_eq!(names, ours);
}

#[test]
fn an_input_is_never_replaced_by_its_own_run() {
    let bench = Bench::default();
    bench.put("in.jsonl", many(5));
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'");
    let before = bench.files("out");
    let keys = "input = 'out/rejected.jsonl'\nclaims_field = 'record'\nformat = 'jsonl'\nid = 'doc'";
    let error = bench.run_with(keys, &[], true, &mut |_| ()).expect_err("a refusal");
    assert!(error.to_string().contains("would be replaced"), "{error}");
    assert_eq!(bench.files("out"), before);
}

#[test]
fn a_broken_input_stops_the_run_and_is_named() {
    let bench = Bench::default();
    bench.put("a.jsonl", many(20));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    std::io::Write::write_all(&mut gzip, many(2000).as_bytes()).expect("gzip");
    let gzip = gzip.finish().expect("gzip");
    bench.put("b.jsonl.gz", &gzip[..gzip.len() / 2]);
    bench.put("c.parquet", "PAR1 and no more");
    for broken in ["b.jsonl.gz", "c.parquet", "none.jsonl", "none/*.csv"] {
        let keys = format!("input = ['a.jsonl', '{broken}']\nformat = 'jsonl'\nid = 'doc'");
        let error = bench.run_with(&keys, &[], true, &mut |_| ()).expect_err(broken);
        assert_eq!(error.exit(), Exit::Failed, "{broken}: {error}");
        assert!(error.to_string().contains(broken), "{broken}: {error}");
        assert!(bench.files("out").is_empty(), "{broken} left a final name");
    }
    // What was finished before the break is kept where it stood.
    let keys = "input = ['a.jsonl', 'b.jsonl.gz']\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 8";
    bench.run_with(keys, &[], true, &mut |_| ()).expect_err("a broken input");
    assert!(fs::metadata(bench.path("out/.assay-unfinished/results.jsonl")).expect("a part").len() > 0);
    // Nothing of it is thrown away unasked.
    let error = bench.run("input = 'a.jsonl'\nformat = 'jsonl'\nid = 'doc'").expect_err("a refusal");
    assert!(error.to_string().contains("holds an unfinished run, "), "{error}");
    bench.run_with("input = 'a.jsonl'\nformat = 'jsonl'\nid = 'doc'", &[], true, &mut |_| ()).expect("a run");
    assert!(!bench.path("out/.assay-unfinished").exists());
}

#[test]
fn max_rejected_stops_before_final_names() {
    let bench = Bench::default();
    // 700 rows, 100 of them refused.
    bench.put("in.jsonl", many(700));
    let keys = |most: &str| {
        format!("input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 70\nmax_rejected = {most}")
    };
    for (most, seen) in [
        ("9", Some((10, 70))),
        ("99", Some((100, 700))),
        ("'14%'", Some((100, 700))),
        ("100", None),
        ("'15%'", None),
    ] {
        match (bench.run_with(&keys(most), &[], true, &mut |_| ()), seen) {
            (Ok(outcome), None) => assert_eq!(outcome.rejected, 100),
            (Err(RunError::TooManyRejected { rejected, rows, kept, .. }), Some(seen)) => {
                assert_eq!((rejected, rows), seen, "{most}");
                assert!(bench.files("out").is_empty(), "{most}");
                let lines = fs::read_to_string(kept).expect("the rejected rows");
                assert_eq!(lines.lines().count() as u64, rejected);
            }
            (result, _) => panic!("{most}: {result:?}"),
        }
    }
}

#[test]
fn fail_on_completes_and_says_so() {
    let bench = Bench::default();
    bench.put("in.jsonl", "{\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":null}\n{}\n");
    for (words, exit) in [
        ("[]", Exit::Completed),
        ("['FALSE', 'AMBIGUOUS']", Exit::Completed),
        ("['UNKNOWN']", Exit::FailOn),
        ("['REJECTED']", Exit::FailOn),
    ] {
        let keys = format!("input = 'in.jsonl'\nformat = 'jsonl'\nfail_on = {words}");
        let outcome = bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
        assert_eq!(outcome.exit, exit, "{words}");
        assert!(bench.path("out/run.json").exists());
    }
}

#[test]
fn a_run_that_is_told_to_stop_finishes_what_is_in_hand() {
    let bench = Bench::default();
    bench.put("in.jsonl", many(2000));
    let cancel = Cancel::new();
    let mut rows = 0;
    let mut stop = |event: &Event| {
        if let Event::Decided(decided) = event {
            rows += decided.rows.iter().map(|rows| rows.read).sum::<u64>();
            cancel.cancel();
        }
    };
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 10\nthreads = 2";
    let error = bench
        .run_until(keys, &[], Before::default(), cancel.clone(), &mut stop)
        .expect_err("an interruption");
    assert_eq!(error.exit().code(), 130);
    let RunError::Interrupted { rows: told, .. } = error else { panic!("{error}") };
    assert_eq!(told, rows);
    assert!((10..2000).contains(&rows), "{rows}");
    assert!(bench.files("out").is_empty());
}

#[test]
fn events_come_in_the_order_of_the_input() {
    let bench = Bench::default();
    bench.put("a.jsonl", many(30)).put("b.jsonl", many(10));
    let mut seen = Vec::new();
    let keys = "input = ['b.jsonl', 'a.jsonl']\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 10\nthreads = 2";
    bench
        .run_with(keys, &[], false, &mut |event| {
            seen.push(match event {
                Event::Started { inputs, .. } => {
                    inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>().join(" ")
                }
                Event::Decided(decided) => {
                    let rows = decided.rows.iter();
                    let rows = rows.map(|rows| {
                        format!("{} rows of {}, {} rejected", rows.read, rows.input, rows.rejected)
                    });
                    rows.collect::<Vec<_>>().join(", ")
                }
                Event::InputDone { input, .. } => format!("{input} done"),
                Event::Written(file) => file.name.clone(),
                Event::Finished { .. } => "finished".to_owned(),
                Event::Resumed(_) | Event::Kept { .. } => "ended early".to_owned(),
                Event::Putting { output } => output.clone(),
            });
        })
        .expect("a run");
    assert_eq!(
        seen,
        [
            "b.jsonl a.jsonl",
            "10 rows of 0, 1 rejected",
            "0 done",
            "10 rows of 1, 1 rejected",
            "10 rows of 1, 2 rejected",
            "10 rows of 1, 1 rejected",
            "1 done",
            "results.jsonl",
            "rejected.jsonl",
            "ruleset.dsail",
            "converters.json",
            "finished",
        ]
    );
}

//! Runs that are continued where they ended, and those that are not.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::fs;

use assay_batch::events::Event;
use assay_batch::{Before, Cancel, Exit, Outcome, RunError};
use assay_tests_run::{Bench, POLICY};

const RESUME: Before = Before { overwrite: false, resume: true };

/// Rows from `first` on, of `each` a document, some without one and some refused.
fn rows(first: usize, count: usize, each: usize) -> String {
    let mut text = String::new();
    for row in first..first + count {
        let id = if row % 41 == 40 { "null".to_owned() } else { format!("\"d{}\"", row / each) };
        let amount = if row % 29 == 3 { "\"12x\"".to_owned() } else { (row * 13 % 400).to_string() };
        let score =
            if row.is_multiple_of(5) { "null".to_owned() } else { format!("{}.{}", row % 4, row % 10) };
        let _ = writeln!(
            text,
            r#"{{"doc":{id},"amount":{amount},"has_receipt":true,"category":"meals","score":{score}}}"#
        );
    }
    text
}

/// Runs a job until so many units are written, and interrupts it there.
fn interrupt(bench: &Bench, keys: &str, flags: &[(&str, &str)], units: usize) {
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let mut seen = 0;
    let mut observe = |event: &Event| {
        seen += usize::from(matches!(event, Event::Decided(_)));
        if seen == units {
            stop.cancel();
        }
    };
    let ended = bench.run_until(keys, flags, RESUME, cancel, &mut observe);
    let resumable = matches!(ended, Err(RunError::Interrupted { rows, resumable: true }) if rows > 0);
    assert!(resumable, "{ended:?}");
}

fn resume(bench: &Bench, keys: &str, flags: &[(&str, &str)]) -> Result<Outcome, RunError> {
    bench.run_until(keys, flags, RESUME, Cancel::new(), &mut |_| ())
}

#[test]
fn a_resumed_run_ends_with_the_same_bytes_whatever_its_threads_and_batches() {
    let plain = (rows(0, 200, 1), rows(200, 150, 1), "id = 'doc'");
    let grouped = (rows(0, 200, 3), rows(200, 150, 3), "group_by = 'doc'");
    let scattered = (rows(0, 200, 3), rows(100, 150, 3), "group_by = 'doc'\nscattered = true");
    // Between documents that are not, one of 12,000 rows, which are too many: it is handed over in pieces.
    let large = (rows(0, 100, 3), rows(0, 12_000, 12_000) + &rows(300, 60, 3), "group_by = 'doc'");
    for (at, (first, second, by)) in [plain, grouped, scattered, large].into_iter().enumerate() {
        let bench = Bench::default();
        let second = second.replace("\"d0\"", "\"large\"");
        bench.put("a.jsonl", first).put("b.jsonl", second);
        let keys = format!(
            "input = ['a.jsonl', 'b.jsonl']\nformat = ['parquet', 'jsonl', 'csv']\n{by}\nlocate = true\npayloads = true"
        );
        bench.run(&format!("{keys}\noutput = 'whole'")).expect("a run");
        let whole = bench.files("whole");
        let batch = if at == 3 { ["100", "70", "512"] } else { ["16", "23", "7"] };
        for units in [1, 4, 9] {
            interrupt(&bench, &keys, &[("threads", "2"), ("batch_rows", batch[0])], units);
            // Once more on the way.
            interrupt(&bench, &keys, &[("threads", "1"), ("batch_rows", batch[1])], 1);
            let outcome = resume(&bench, &keys, &[("batch_rows", batch[2])]).expect("a run");
            assert!(0 < outcome.kept && outcome.kept < outcome.rows, "{by}: {} rows kept", outcome.kept);
            let files = bench.files("out");
            assert_eq!(files.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
            for (name, bytes) in &files {
                assert!(whole.get(name) == Some(bytes), "{by}: `{name}` after {units} units");
            }
            fs::remove_dir_all(bench.path("out")).expect("a folder");
        }
    }
}

#[test]
fn a_run_that_is_whole_is_not_run_again() {
    let bench = Bench::default();
    bench.put("in.jsonl", rows(0, 40, 1));
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'";
    let first = resume(&bench, keys, &[]).expect("nothing to resume is no error");
    let files = bench.files("out");
    let again = resume(&bench, keys, &[]).expect("a run");
    assert_eq!((first.kept, again.kept), (0, 40));
    assert_eq!(Outcome { kept: 0, ..again }, first);
    assert_eq!(bench.files("out"), files);
    // Where the names were being given, they are given, and a checkpoint that a kill left behind is of no use any more.
    fs::create_dir(bench.path("out/.assay-unfinished")).expect("a folder");
    for name in ["run.json", "results.jsonl"] {
        fs::rename(bench.path("out").join(name), bench.path("out/.assay-unfinished").join(name))
            .expect("a name");
    }
    bench.put("out/.assay-unfinished/checkpoint", "the last one");
    resume(&bench, keys, &[]).expect("a run");
    assert_eq!(bench.files("out"), files);
    assert!(!bench.path("out/.assay-unfinished").exists());
}

/// Something done to a run that ended early.
type Change = (&'static str, fn(&Bench), fn(&str) -> String);

#[test]
fn what_is_another_run_is_not_resumed() {
    let nothing: fn(&Bench) = |_| ();
    let same: fn(&str) -> String = str::to_owned;
    let changes: [Change; 8] = [
        ("another key", nothing, |keys| keys.replace("id = 'doc'", "id = 'doc'\nrlimit = 5000")),
        ("other formats", nothing, |keys| keys.replace("'jsonl'\nid", "['jsonl', 'csv']\nid")),
        (
            "a further input",
            |bench| {
                bench.put("in/c.jsonl", rows(0, 1, 1));
            },
            same,
        ),
        (
            "a row changed that was read",
            |bench| {
                bench.put("in/a.jsonl", rows(0, 100, 1).replacen("score", "sc0re", 1));
            },
            same,
        ),
        (
            "a shorter input",
            |bench| {
                bench.put("in/a.jsonl", rows(0, 2, 1));
            },
            same,
        ),
        (
            "a part changed",
            |bench| {
                let part = bench.path("out/.assay-unfinished/results.jsonl");
                let text = fs::read_to_string(&part).expect("a part");
                fs::write(&part, text.replacen("TRUE", "FALSE", 1)).expect("a part");
            },
            same,
        ),
        (
            "a checkpoint changed",
            |bench| {
                let path = bench.path("out/.assay-unfinished/checkpoint");
                let mut bytes = fs::read(&path).expect("a checkpoint");
                *bytes.last_mut().expect("a byte") ^= 1;
                fs::write(&path, bytes).expect("a checkpoint");
            },
            same,
        ),
        (
            "a checkpoint of another version",
            |bench| {
                bench.put("out/.assay-unfinished/checkpoint", "assay checkpoint 0\n");
            },
            same,
        ),
    ];
    let mut said = String::new();
    for (what, change, keys) in changes {
        let bench = Bench::default();
        bench.put("in/a.jsonl", rows(0, 100, 1)).put("in/b.jsonl", rows(100, 100, 1));
        let job = "input = 'in/*.jsonl'\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 8";
        interrupt(&bench, job, &[], 3);
        change(&bench);
        let error = resume(&bench, &keys(job), &[]).expect_err(what);
        assert_eq!(error.exit(), Exit::Failed, "{what}");
        assert!(bench.files("out").is_empty(), "{what}: a final name");
        let error = error.to_string().replace(&bench.path("").display().to_string(), "");
        let _ = writeln!(said, "# {what}\n{error}\n");
    }
    insta::assert_snapshot!("refused", said);
}

#[test]
fn another_ruleset_is_named() {
    let bench = Bench::default();
    bench.put("in.jsonl", rows(0, 100, 1));
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 8";
    interrupt(&bench, keys, &[], 3);
    let other = POLICY.replace("250", "300");
    bench.put("policy.dsail", &other);
    let hash = assay_tests_run::sha256(other.as_bytes());
    let error = resume(&bench, keys, &[("pin", &hash)]).expect_err("a refusal").to_string();
    let named = format!("`ruleset_hash` was `\"{}\"` and is `\"{hash}\"`", bench.hash());
    assert!(error.contains(&named), "{error}");
}

#[test]
fn what_was_not_read_yet_may_change() {
    let bench = Bench::default();
    bench.put("in.jsonl", rows(0, 100, 1));
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nid = 'doc'\nbatch_rows = 8";
    interrupt(&bench, keys, &[("threads", "1")], 2);
    bench.put("in.jsonl", rows(0, 120, 1));
    let outcome = resume(&bench, keys, &[]).expect("a run");
    assert_eq!(outcome.rows, 120);
    let resumed = bench.files("out");
    bench.run_with(keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.files("out"), resumed);
}

#[test]
fn standard_input_cannot_be_resumed() {
    let bench = Bench::default();
    let keys = "input = '-'\ninput_format = 'jsonl'\nformat = 'jsonl'\nid = 'doc'";
    let error = resume(&bench, keys, &[]).expect_err("a refusal");
    assert_eq!(error.exit(), Exit::Failed);
    assert!(error.to_string().contains("standard input cannot be read twice"), "{error}");
}

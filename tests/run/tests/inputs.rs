//! One bad thing in an input, and a run over it: what is bad is rejected or named, and every other row is answered.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::io::Write;

use assay_batch::Exit;
use assay_tests_run::Bench;

const HEAD: &str = "id,amount,has_receipt,category,score\n";

/// A row of a CSV, and of JSONL.
fn row(csv: bool, id: &str) -> String {
    match csv {
        true => format!("{id},5,true,meals,1\n"),
        false => {
            format!(
                "{{\"id\":\"{id}\",\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}}\n"
            )
        }
    }
}

/// A run over a good row, `bad`, and a good row: which documents are answered, and what of those that are not is told.
#[track_caller]
fn check(csv: bool, bad: &[u8], answered: &[&str], told: &[&str]) {
    let bench = Bench::default();
    let (head, name) = if csv { (HEAD, "in.csv") } else { ("", "in.jsonl") };
    let bytes = [head.as_bytes(), row(csv, "first").as_bytes(), bad, row(csv, "last").as_bytes()].concat();
    bench.put(name, bytes);
    let outcome = bench.completes(&format!("input = '{name}'\nformat = 'jsonl'\nid = 'id'\nlayout = 'wide'"));
    assert_eq!(outcome.exit, Exit::Completed);
    let ids: Vec<String> = bench
        .lines("results.jsonl")
        .iter()
        .map(|line| {
            assert_eq!(line["within_cap"], "TRUE");
            line["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    assert_eq!(ids, answered);
    let rejected: Vec<String> =
        bench.lines("rejected.jsonl").iter().map(|line| line["failures"][0].to_string()).collect();
    assert_eq!(rejected.len(), told.len(), "{rejected:?}");
    for (rejected, told) in rejected.iter().zip(told) {
        assert!(rejected.contains(told), "{rejected}");
    }
}

const BOTH: [&str; 2] = ["first", "last"];

#[test]
fn a_quote_that_is_never_closed_takes_what_follows_it_and_no_more() {
    check(
        true,
        b"bad,\"5,true,meals,1\n",
        &["first"],
        &["a quote in the row that begins at line 3 is never closed"],
    );
    check(false, b"{\"id\":\"bad,\"amount\":5}\n", &BOTH, &["line"]);
}

#[test]
fn a_row_of_a_hundred_megabytes_is_rejected_and_shown_by_its_beginning() {
    let long = "x".repeat(100 * 1024 * 1024);
    check(true, format!("bad,5,true,{long},1\n").as_bytes(), &BOTH, &["a row of at most 16777216 bytes"]);
    check(false, format!("{{\"id\":\"{long}\"}}\n").as_bytes(), &BOTH, &["a line of 104857"]);
}

#[test]
fn a_line_that_is_not_utf_8_is_rejected() {
    check(true, b"bad,5,true,m\xffals,1\n", &BOTH, &["UTF-8"]);
    check(false, b"{\"id\":\"b\xc3\x28\"}\n", &BOTH, &["UTF-8"]);
}

#[test]
fn a_nul_is_a_character_like_others_in_a_csv_and_none_of_json() {
    check(true, b"bad,5,true,me\0als,1\n", &BOTH, &["category"]);
    check(true, b"b\0d,5,true,meals,1\n", &["first", "b\0d", "last"], &[]);
    check(false, b"\0\n", &BOTH, &["expected value"]);
    check(false, b"{\"id\":\"b\0d\"}\n", &BOTH, &["control character"]);
}

#[test]
fn line_ends_of_any_kind_end_lines() {
    for csv in [true, false] {
        let bad = row(csv, "bad").replace('\n', "\r\n");
        check(csv, bad.as_bytes(), &["first", "bad", "last"], &[]);
        // Blank lines are no rows.
        check(csv, b"\r\n\n\r\n", &BOTH, &[]);
    }
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_beginning_and_nowhere_else() {
    for csv in [true, false] {
        let bench = Bench::default();
        let text = [if csv { HEAD } else { "" }, &row(csv, "first"), &row(csv, "last")].concat();
        let name = if csv { "in.csv" } else { "in.jsonl" };
        bench.put(name, format!("\u{feff}{text}"));
        let outcome = bench.completes(&format!("input = '{name}'\nformat = 'jsonl'\nid = 'id'"));
        assert_eq!((outcome.rows, outcome.rejected), (2, 0));
    }
    check(true, "\u{feff}bad,5,true,meals,1\n".as_bytes(), &["first", "\u{feff}bad", "last"], &[]);
    check(false, format!("\u{feff}{}", row(false, "bad")).as_bytes(), &BOTH, &["expected value"]);
}

#[test]
fn columns_of_one_name_are_refused_before_the_first_row() {
    let bench = Bench::default();
    bench.put("in.csv", "id,amount,amount,has_receipt,category,score\na,5,6,true,meals,1\n");
    let error = bench.run("input = 'in.csv'\nformat = 'jsonl'").expect_err("a refusal");
    assert_eq!(error.exit(), Exit::Failed, "{error}");
    assert!(error.to_string().contains("in.csv: ") && error.to_string().contains("`amount`"), "{error}");
    assert!(bench.files("out").is_empty());
    // A key that comes twice spoils its row.
    let twice = b"{\"id\":\"bad\",\"amount\":5,\"amount\":6,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n";
    check(false, twice, &BOTH, &["amount"]);
}

#[test]
fn a_gzip_that_is_cut_or_changed_stops_the_run_and_keeps_what_came_before() {
    let bench = Bench::default();
    // Each row is another, so that there is something to be decompressed at the end.
    let rows: String = (0..20_000).map(|id| row(false, &format!("{}", id * 7919 % 20_011))).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(rows.as_bytes()).expect("gzip");
    let whole = gzip.finish().expect("gzip");
    let mut changed = whole.clone();
    let middle = whole.len() / 2;
    changed[middle..middle + 4].iter_mut().for_each(|byte| *byte ^= 0xff);
    for (bytes, told) in [
        (&whole[..middle], "in.jsonl.gz: the compressed data stops in the middle\n  help: "),
        (&whole[..whole.len() - 1], "in.jsonl.gz: the compressed data stops in the middle\n  help: "),
        (&changed, "in.jsonl.gz: "),
    ] {
        bench.put("in.jsonl.gz", bytes);
        let keys = "input = 'in.jsonl.gz'\nformat = 'jsonl'\nid = 'id'\nbatch_rows = 100\nthreads = 2";
        let error = bench.run_with(keys, &[], true, &mut |_| ()).expect_err("a failure");
        assert_eq!(error.exit(), Exit::Failed, "{error}");
        assert!(error.to_string().starts_with(told), "{error}");
        assert!(bench.files("out").is_empty());
        let part =
            std::fs::read_to_string(bench.path("out/.assay-unfinished/results.jsonl")).expect("a part");
        assert!(part.lines().count() > 4000, "{} answers", part.lines().count());
    }
}

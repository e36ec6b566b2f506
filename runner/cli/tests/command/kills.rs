//! Runs that are killed (`kill -9`) at any moment and resumed: they end with the bytes that an uninterrupted run gives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use flate2::write::GzEncoder;

use crate::folder::{Folder, Ran};

/// How often a run is killed,
const KILLS: usize = 50;

/// of these so often at least between its first checkpoint and its end.
const AMIDST: usize = 40;

/// Rows of an input, of which there are three.
const ROWS: usize = 3_000;

/// Rows of a part.
const PART: usize = 1_000;

/// Rows that are decided at a time.
const BATCH: usize = 100;

const POLICY: &str = r#"version 1.3;
declare amount as numeric;
declare has_receipt as boolean;
declare score as numeric;
assert within_cap { amount <= 250 };
assert receipt_over_75 { Implies(amount > 75, has_receipt) };
assert score_is_no_root { score * score != 2 };
"#;

/// A row's amount, receipt and score: some are refused, and some leave something open.
fn values(row: usize) -> (String, &'static str, String) {
    let amount = if row % 7 == 3 { "12x".to_owned() } else { (row * 13 % 400).to_string() };
    let score = if row.is_multiple_of(50) { String::new() } else { format!("{}.{}", row % 4, row % 10) };
    (amount, ["true", "false", ""][row % 3], score)
}

/// A folder with a ruleset, a job, and inputs of several formats.
fn folder() -> Folder {
    let folder = Folder::new();
    let (mut csv, mut jsonl) = ("doc,amount,has_receipt,score,region\n".to_owned(), String::new());
    for row in 0..ROWS {
        let (amount, receipt, score) = values(row);
        let _ = writeln!(csv, "c{row},{amount},{receipt},{score},r{}", row % 9);
        let null = |text: &str| if text.is_empty() { "null".to_owned() } else { text.to_owned() };
        let amount = if amount.ends_with('x') { format!("\"{amount}\"") } else { amount };
        let (receipt, score) = (null(receipt), null(&score));
        let _ = writeln!(
            jsonl,
            r#"{{"doc":"j{row}","amount":{amount},"has_receipt":{receipt},"score":{score},"region":"r"}}"#
        );
    }
    let mut gzip =
        GzEncoder::new(File::create(folder.path("b.jsonl.gz")).expect("a file"), Default::default());
    gzip.write_all(jsonl.as_bytes()).expect("gzip");
    gzip.finish().expect("gzip");
    folder.put("policy.dsail", POLICY).put("a.csv", &csv).put("c.csv", csv.replace("\nc", "\nd"));
    let compiled = folder.sh("assay compile policy.dsail");
    let hash = compiled.stdout.split("\"ruleset_hash\":\"").nth(1).and_then(|rest| rest.get(..64));
    folder.put(
        "job.toml",
        format!(
            "ruleset_file = 'policy.dsail'\npin = '{}'\ninput = ['a.csv', 'b.jsonl.gz', 'c.csv']\nid = 'doc'\n\
             output = 'out'\nlocate = true\ncarry = ['region']\nbatch_rows = {BATCH}\ncheckpoint_rows = {PART}\n",
            hash.expect("a hash")
        ),
    );
    folder
}

/// Every file of the output folder.
fn files(folder: &Folder, output: &str) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names(output).into_iter();
    names
        .map(|name| {
            let bytes = fs::read(folder.path(output).join(&name));
            (name.clone(), bytes.unwrap_or_else(|error| panic!("`{name}` is left: {error}")))
        })
        .collect()
}

fn start(folder: &Folder, flags: &str) -> Child {
    let line = format!("exec assay run job.toml --resume {flags}");
    folder.command("sh").args(["-c", &line]).stderr(Stdio::null()).spawn().expect("a run")
}

/// How many rows a run that was killed had put into its files, as far as they say.
fn written(folder: &Folder) -> usize {
    let lines = |name: &str| {
        let bytes = fs::read(folder.path("out/.assay-unfinished").join(name)).unwrap_or_default();
        bytes.iter().filter(|byte| **byte == b'\n').count()
    };
    lines("results.jsonl") / 3 + lines("rejected.jsonl")
}

/// How many rows a run that was resumed says it kept.
fn kept(ran: &Ran) -> usize {
    let said = ran.stderr.lines().find_map(|line| line.split("kept_rows=").nth(1));
    said.map_or(0, |said| said.trim().parse().expect("a number"))
}

#[test]
fn a_run_that_is_killed_at_any_moment_ends_with_the_same_bytes() {
    let folder = folder();
    let kinds = ["jsonl", "parquet", "csv", "jsonl,parquet,csv"];
    let mut whole = Vec::new();
    let mut takes = Duration::ZERO;
    for format in kinds {
        let started = Instant::now();
        let ran = folder.sh(&format!("assay run job.toml --format {format} --output whole --overwrite"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        takes = started.elapsed();
        whole.push(files(&folder, "whole"));
    }
    let mut random = fastrand::Rng::with_seed(5);
    let (mut amidst, mut before_first, mut at_end) = (0, 0, 0);
    let checkpoint = folder.path("out/.assay-unfinished/checkpoint");
    let mut kills = 0;
    while kills < KILLS || amidst < AMIDST {
        assert!(kills < 3 * KILLS, "{amidst} of {kills} kills came amidst");
        let kind = kills % kinds.len();
        let (format, threads) = (kinds[kind], 1 + kills / kinds.len() % 2);
        let flags = format!("--format {format} --threads {threads}");
        let mut child = start(&folder, &flags);
        // Mostly once there is a checkpoint, so that there is something to lose.
        let begun = Instant::now();
        while kills % 8 != 7 && !checkpoint.exists() && child.try_wait().expect("a status").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "there is no checkpoint");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(takes.mul_f64(random.f64() * 0.45));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        kills += 1;
        match (folder.path("out/run.json").exists(), checkpoint.exists()) {
            (true, _) => at_end += 1,
            (false, true) => amidst += 1,
            (false, false) => before_first += 1,
        }
        let had = written(&folder);
        let ran = folder.sh(&format!("assay run job.toml --resume {flags}"));
        assert_eq!(ran.code, Some(0), "kill {kills}: {}", ran.stderr);
        let lost = had.saturating_sub(kept(&ran));
        assert!(
            !ran.stderr.contains("resumed") || lost <= PART + 2 * BATCH,
            "kill {kills}: {lost} rows were decided again"
        );
        let now = files(&folder, "out");
        assert_eq!(now.keys().collect::<Vec<_>>(), whole[kind].keys().collect::<Vec<_>>(), "kill {kills}");
        for (name, bytes) in &now {
            assert!(whole[kind].get(name) == Some(bytes), "kill {kills}: `{name}` is not what it was");
        }
        fs::remove_dir_all(folder.path("out")).expect("a folder");
    }
    println!(
        "{kills} kills: {before_first} before the first checkpoint, {amidst} amidst, {at_end} at the end"
    );
}

//! Runs whose results go to an object store.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assay_batch::events::Event;
use assay_batch::{Before, Cancel, Outcome, RunError};
use assay_objects::ObjectStores;
use assay_tests_objects::{ACCESS_KEY, Answer, SECRET_KEY, Server};
use assay_tests_run::Bench;

const KEYS: &str = "input = 'in.jsonl'\nformat = ['jsonl', 'csv']\nwork = 'work'";

/// Of these stores none takes long.
const PAUSE: Duration = Duration::from_millis(1);

const ANEW: Before = Before { overwrite: false, resume: false };
const RESUME: Before = Before { overwrite: false, resume: true };
const OVERWRITE: Before = Before { overwrite: true, resume: false };

fn bench(server: &Server, rows: usize) -> Bench {
    let bench = Bench::default().stores(ObjectStores::new(server.environment()).pausing(PAUSE));
    let mut text = String::new();
    for row in 0..rows {
        let amount = if row % 29 == 3 { "\"12x\"".to_owned() } else { (row * 13 % 400).to_string() };
        let _ = writeln!(
            text,
            r#"{{"id":"d{row}","amount":{amount},"has_receipt":true,"category":"meals","score":1}}"#
        );
    }
    bench.put("in.jsonl", text);
    bench
}

/// Runs a job whose results go below `s3://archive/out`.
fn run(bench: &Bench, keys: &str, before: Before) -> Result<Outcome, RunError> {
    let keys = format!("{keys}\noutput = 's3://archive/out'");
    bench.run_until(&keys, &[], before, Cancel::new(), &mut |_| ())
}

/// The files of a run in a folder.
fn whole(bench: &Bench, keys: &str) -> BTreeMap<String, Vec<u8>> {
    bench.completes(&format!("{keys}\noutput = 'whole'"));
    bench.files("whole")
}

/// The same in place of a run that is there.
fn whole_anew(bench: &Bench, keys: &str) -> BTreeMap<String, Vec<u8>> {
    fs::remove_dir_all(bench.path("whole")).expect("a folder");
    whole(bench, keys)
}

/// The objects that there are below `out`, with their bytes.
fn objects(server: &Server) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(server.path("out")).into_iter().flatten();
    entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("bytes"))
        })
        .collect()
}

/// What is left in the folder that runs worked in.
fn left(bench: &Bench) -> usize {
    fs::read_dir(bench.path("work")).map_or(0, Iterator::count)
}

#[test]
fn results_in_a_store_are_those_in_a_folder() {
    let server = Server::start();
    let bench = bench(&server, 200);
    let keys = format!("{KEYS}\npayloads = true\nlocate = true").replace("'csv'", "'csv', 'parquet'");
    let outcome = run(&bench, &keys, ANEW).expect("a run");
    assert_eq!((outcome.rows, outcome.output.to_string().as_str()), (200, "s3://archive/out"));
    assert_eq!(objects(&server), whole(&bench, &keys));
    assert_eq!(left(&bench), 0);
    // The manifest comes last.
    let asked = server.asked();
    let put: Vec<_> = asked.iter().filter(|asked| asked.starts_with("PUT ")).collect();
    assert!(put.last().is_some_and(|put| put.contains("/out/run.json")), "{put:?}");
    let shown = objects(&server).into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(shown.into_iter().all(|text| !text.contains(ACCESS_KEY) && !text.contains(SECRET_KEY)));
}

#[test]
fn large_results_are_put_in_pieces() {
    let server = Server::start();
    let bench = bench(&server, 30_000);
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nwork = 'work'";
    run(&bench, keys, ANEW).expect("a run");
    let pieces = server.asked().iter().filter(|asked| asked.contains("partNumber=")).count();
    let objects = objects(&server);
    let large = objects.get("results.jsonl").expect("results").len();
    assert!(pieces > 1 && pieces == large.div_ceil(8 << 20), "{pieces} pieces of {large} bytes");
    assert!(objects == whole(&bench, keys));
}

#[test]
fn a_place_that_holds_a_run_is_refused_and_replaced_if_that_is_said() {
    let server = Server::start();
    let bench = bench(&server, 20);
    run(&bench, KEYS, ANEW).expect("a run");
    let before = objects(&server);
    let error = run(&bench, KEYS, ANEW).expect_err("a run is there").to_string();
    assert!(
        error.contains("s3://archive/out: the output folder holds another run: `run.json` is there"),
        "{error}"
    );
    assert_eq!(objects(&server), before);
    // Nothing is done again for a run that is whole.
    assert_eq!(run(&bench, KEYS, RESUME).expect("a run").kept, 20);
    let other = "input = 'in.jsonl'\nformat = 'parquet'\nwork = 'work'";
    let error = run(&bench, other, RESUME).expect_err("another run").to_string();
    assert!(error.contains("this is not the run that is there"), "{error}");
    run(&bench, other, OVERWRITE).expect("a run");
    assert_eq!(objects(&server), whole(&bench, other));
    assert_eq!(left(&bench), 0);
    // What is read may not be what is replaced.
    let over = "input = 's3://archive/out/rejected.jsonl'\nclaims_field = 'record'\nwork = 'work'";
    let error = run(&bench, over, OVERWRITE).expect_err("an input that is an output").to_string();
    assert!(error.contains("the input `rejected.jsonl` is in the output folder"), "{error}");
}

/// A server that refuses the put of a given number, counted from 0, and how many there were.
fn refusing(at: usize, code: u16) -> (Server, Arc<AtomicUsize>) {
    let puts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&puts);
    let server = Server::with(move |asked, _| {
        let put = asked.starts_with("PUT ") && !asked.contains("trial");
        (put && counted.fetch_add(1, Ordering::SeqCst) == at).then_some(Answer::Status(code))
    });
    (server, puts)
}

#[test]
fn a_put_that_fails_leaves_no_manifest_and_the_run_is_gone_on_with() {
    for at in 0.. {
        let (server, puts) = refusing(at, 403);
        let bench = bench(&server, 50);
        let Err(error) = run(&bench, KEYS, ANEW) else {
            assert_eq!(at, puts.load(Ordering::SeqCst), "every put was refused once");
            assert_eq!(at, 6, "results in two formats, rejected rows, ruleset, converters and manifest");
            break;
        };
        let (code, error) = (error.exit().code(), error.to_string());
        assert_eq!(code, 3);
        assert!(error.contains("cannot write: the store denies access"), "{error}");
        assert!(error.contains("`--resume`, which puts there what is missing"), "{error}");
        let objects_then = objects(&server);
        assert_eq!(objects_then.len(), at);
        assert!(!objects_then.contains_key("run.json"));
        let put_then = puts.load(Ordering::SeqCst);
        assert_eq!(run(&bench, KEYS, RESUME).expect("a run").kept, 50);
        assert_eq!(objects(&server), whole(&bench, KEYS));
        assert_eq!(puts.load(Ordering::SeqCst) - put_then, 6 - at, "what was put is not put again");
        assert_eq!(left(&bench), 0);
    }
}

/// Runs a job whose results go to a web server.
fn run_to_web(bench: &Bench, server: &Server, keys: &str, before: Before) -> Result<Outcome, RunError> {
    let keys = format!("{keys}\noutput = '{}'", server.url("/archive/out"));
    bench.run_until(&keys, &[], before, Cancel::new(), &mut |_| ())
}

#[test]
fn a_web_server_gets_results_as_a_store_does() {
    let server = Server::web(|_, _| None);
    let bench = bench(&server, 30_000);
    let keys = "input = 'in.jsonl'\nformat = ['jsonl', 'parquet']\nwork = 'work'";
    run_to_web(&bench, &server, keys, ANEW).expect("a run");
    assert!(objects(&server) == whole(&bench, keys));
    assert_eq!(left(&bench), 0);
    let asked = server.asked();
    let last = asked.iter().rfind(|asked| asked.starts_with("MOVE ")).expect("a move");
    assert_eq!(last, "MOVE /archive/out/.run.json.unfinished");
    let error = run_to_web(&bench, &server, keys, ANEW).expect_err("a run is there").to_string();
    assert!(error.contains("the output folder holds another run: `run.json` is there"), "{error}");
    run_to_web(&bench, &server, KEYS, OVERWRITE).expect("a run");
    assert!(objects(&server) == whole_anew(&bench, KEYS));
}

#[test]
fn a_web_server_that_fails_has_no_manifest_and_is_gone_on_with() {
    for at in 0.. {
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let server = Server::web(move |asked, _| {
            let counts = ["PUT ", "MOVE "].iter().any(|method| asked.starts_with(method));
            let counts = counts && !asked.contains("trial");
            (counts && counted.fetch_add(1, Ordering::SeqCst) == at).then_some(Answer::Status(403))
        });
        let bench = bench(&server, 50);
        let Err(error) = run_to_web(&bench, &server, KEYS, ANEW) else {
            assert_eq!(
                (at, requests.load(Ordering::SeqCst)),
                (12, 12),
                "each of six files goes and is moved"
            );
            break;
        };
        let error = error.to_string();
        assert!(error.contains("cannot write: the store denies access"), "{error}");
        // A file that has its final name is whole.
        let whole = whole(&bench, KEYS);
        let names: Vec<_> = objects(&server).into_keys().filter(|name| !name.starts_with('.')).collect();
        assert_eq!(names.len(), at / 2);
        assert!(names.iter().all(|name| name != "run.json" && objects(&server)[name] == whole[name]));
        assert_eq!(run_to_web(&bench, &server, KEYS, RESUME).expect("a run").kept, 50);
        assert_eq!(objects(&server), whole);
    }
}

#[test]
fn a_web_server_that_fails_for_a_while_is_asked_again() {
    let failed: [AtomicUsize; 2] = Default::default();
    let server = Server::web(move |asked, _| {
        let at = ["PUT ", "MOVE "].iter().position(|method| asked.starts_with(method))?;
        (failed.get(at)?.fetch_add(1, Ordering::SeqCst) < 3).then_some(Answer::Status(503))
    });
    let bench = bench(&server, 50);
    run_to_web(&bench, &server, KEYS, ANEW).expect("a run");
    assert_eq!(objects(&server), whole(&bench, KEYS));
}

#[test]
fn the_other_stores_get_results_in_the_same_order() {
    // What there is of them: nothing is there, and everything is taken.
    let server = Server::with(|asked, _| match asked {
        asked if asked.starts_with("PUT ") => Some(Answer::File(Vec::new())),
        asked if asked.starts_with("DELETE ") => Some(Answer::Status(204)),
        _ => Some(Answer::Status(404)),
    });
    let url = server.url("");
    let account = format!(
        r#"{{"gcs_base_url":"{url}","disable_oauth":true,"client_email":"","private_key":"","private_key_id":""}}"#
    );
    let google = [("GOOGLE_SERVICE_ACCOUNT_KEY", account.as_str()), ("GOOGLE_ALLOW_HTTP", "true")];
    let azure = [
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_STORAGE_ACCOUNT_KEY", "bWFya2Vy"),
        ("AZURE_STORAGE_ENDPOINT", url.as_str()),
        ("AZURE_ALLOW_HTTP", "true"),
    ];
    let stores: [(&str, &[(&str, &str)]); 2] = [("gs://bucket/out", &google), ("az://container/out", &azure)];
    for (output, environment) in stores {
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let bench = bench(&server, 20).stores(ObjectStores::new(environment).pausing(PAUSE));
        let before = server.asked().len();
        bench.completes(&format!("{KEYS}\noutput = '{output}'"));
        let asked = server.asked().split_off(before);
        let put = asked.iter().filter_map(|asked| asked.strip_prefix("PUT "));
        // One of them escapes what need not be.
        let put: Vec<String> =
            put.map(|path| path.replace("%2F", "/").replace("%2E", ".").replace("%2D", "-")).collect();
        let names: Vec<&str> = put.iter().filter_map(|path| path.split("/out/").nth(1)).collect();
        assert_eq!(names.first(), Some(&".assay-trial"), "{put:?}");
        assert_eq!((names.len(), names.last()), (7, Some(&"run.json")), "{put:?}");
        assert_eq!(left(&bench), 0);
    }
}

#[test]
fn a_put_that_fails_for_a_while_is_made_again() {
    let (server, puts) = refusing(2, 503);
    let bench = bench(&server, 50);
    run(&bench, KEYS, ANEW).expect("a run");
    assert_eq!(puts.load(Ordering::SeqCst), 7);
    assert_eq!(objects(&server), whole(&bench, KEYS));
}

#[test]
fn of_a_large_file_that_does_not_come_through_nothing_is_seen() {
    let server = Server::with(|asked, _| asked.contains("partNumber=2").then_some(Answer::Status(403)));
    let bench = bench(&server, 30_000);
    let keys = "input = 'in.jsonl'\nformat = 'jsonl'\nwork = 'work'";
    let error = run(&bench, keys, ANEW).expect_err("a refused piece").to_string();
    assert!(
        error.contains("s3://archive/out/results.jsonl: cannot write: the store denies access"),
        "{error}"
    );
    assert!(objects(&server).is_empty(), "{:?}", objects(&server).keys());
    let aborted = |asked: &String| asked.starts_with("DELETE /archive/out/results.jsonl?uploadId=");
    assert!(server.asked().iter().any(aborted));
}

#[test]
fn a_run_that_is_interrupted_is_gone_on_with() {
    let server = Server::start();
    let bench = bench(&server, 3000);
    let keys = format!("{KEYS}\nbatch_rows = 100\ncheckpoint_rows = 200");
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let mut observe = |event: &Event| {
        if matches!(event, Event::Decided(_)) {
            stop.cancel();
        }
    };
    let there = format!("{keys}\noutput = 's3://archive/out/'");
    let ended = bench.run_until(&there, &[], ANEW, cancel, &mut observe);
    assert!(matches!(ended, Err(RunError::Interrupted { resumable: true, .. })), "{ended:?}");
    assert!(objects(&server).is_empty());
    let error = run(&bench, &keys, ANEW).expect_err("an unfinished run").to_string();
    assert!(error.contains("s3://archive/out: the output folder holds an unfinished run"), "{error}");
    let outcome = run(&bench, &keys, RESUME).expect("a run");
    assert!(0 < outcome.kept && outcome.kept < 3000, "{}", outcome.kept);
    assert_eq!(objects(&server), whole(&bench, &keys));
}

#[test]
fn a_place_that_takes_nothing_is_told_before_a_row_is_read() {
    let server = Server::with(|asked, _| match asked {
        asked if asked.contains("/closed/") && asked.starts_with("PUT") => Some(Answer::Status(403)),
        asked if asked.contains("/hidden/") => Some(Answer::Status(403)),
        // This store would make the bucket.
        asked if asked.contains("/nowhere/") => Some(Answer::Status(404)),
        _ => None,
    });
    server.put("in.jsonl", "{}\n");
    let bench = bench(&server, 5);
    let web = Server::web(|asked, _| asked.starts_with("MOVE ").then_some(Answer::Status(405)));
    let mut shown = String::new();
    for output in [
        web.url("/archive/out").as_str(),
        "s3://archive/closed",
        "s3://archive/hidden",
        "s3://nowhere/out",
        "s3://archive/a//b",
        "s3://",
        "https://localhost/out?key=word",
        "s3://key:word@archive/out",
        "ftp://archive/out",
    ] {
        let run = bench.run_until(
            &format!("{KEYS}\noutput = '{output}'"),
            &[],
            ANEW,
            Cancel::new(),
            &mut |event| panic!("{output}: {event:?}"),
        );
        let error = run.expect_err("a place for nothing");
        let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
        let _ = writeln!(shown, "# {output}\n{} (exit code {})\n", problems.join("\n"), error.exit().code());
        assert_eq!(left(&bench), 0, "{output}");
    }
    assert!(!Path::new(".assay").exists());
    insta::assert_snapshot!("no_place", shown.replace(&web.url(""), "http://SERVER"));
}

//! Runs over inputs in object stores.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arrow::array::{Array, BooleanArray, Int64Array, StringArray};
use assay_batch::events::Event;
use assay_batch::{Before, Cancel, Outcome, RunError};
use assay_objects::ObjectStores;
use assay_tests_objects::{ACCESS_KEY, Answer, SECRET_KEY, Server};
use assay_tests_run::Bench;
use serde_json::Value;

/// Of these stores none takes long.
const PAUSE: Duration = Duration::from_millis(1);

/// A bench that reaches a server.
fn bench(server: &Server) -> Bench {
    with(server.environment())
}

fn with(environment: Vec<(String, String)>) -> Bench {
    Bench::default().stores(ObjectStores::new(environment).pausing(PAUSE))
}

fn variables(variables: &[(&str, &str)]) -> Vec<(String, String)> {
    variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn rows(first: usize, count: usize) -> String {
    (first..first + count).fold(String::new(), |mut text, row| {
        let amount = if row % 29 == 3 { "\"12x\"".to_owned() } else { (row * 13 % 400).to_string() };
        let _ = writeln!(
            text,
            r#"{{"id":"d{row}","amount":{amount},"has_receipt":true,"category":"meals","score":{}}}"#,
            row % 4
        );
        text
    })
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("bytes");
    encoder.finish().expect("gzip")
}

/// Puts the same inputs of every format into the bench's folder `in` and below `in/` of the bucket.
fn put_inputs(bench: &Bench, server: &Server) {
    let csv = gzip("id,amount,has_receipt,category,score\nc1,10,true,meals,1\nc2,100,false,travel,\n");
    let parquet: Vec<(&str, Arc<dyn Array>)> = vec![
        ("id", Arc::new(StringArray::from(vec!["p1", "p2", "p3"]))),
        ("amount", Arc::new(Int64Array::from(vec![Some(80), None, Some(300)]))),
        ("has_receipt", Arc::new(BooleanArray::from(vec![false, true, true]))),
        ("category", Arc::new(StringArray::from(vec!["meals", "travel", "meals"]))),
        ("score", Arc::new(Int64Array::from(vec![1, 2, 3]))),
    ];
    bench.put("in/a.jsonl", rows(0, 3000)).put("in/b.csv.gz", csv).put("in/deep/d.jsonl", rows(9000, 5));
    bench.put_parquet("in/c.parquet", parquet).put("e.jsonl", rows(9, 1));
    for name in ["in/a.jsonl", "in/b.csv.gz", "in/c.parquet", "in/deep/d.jsonl", "e.jsonl"] {
        server.put(name, std::fs::read(bench.path(name)).expect("bytes"));
    }
    // A writer's own, as in folders.
    server.put("in/_SUCCESS", "").put("in/.part/x.jsonl", "{");
}

#[test]
fn objects_give_the_results_of_the_same_files() {
    let server = Server::start();
    let bench = bench(&server);
    put_inputs(&bench, &server);
    let keys = "format = ['jsonl', 'parquet']\nlayout = 'long'\ncarry = ['category']";
    let inputs = [
        ("['in']", "['s3://archive/in/']"),
        ("['in/*.jsonl', 'in/b*']", "['s3://archive/in/*.jsonl', 's3://archive/in/b*']"),
        ("['in/c.parquet']", "['s3://archive/in/c.parquet']"),
        ("['in/b.csv.gz']", "['s3://archive/in/b.csv.gz']"),
        ("['e.jsonl']", "['s3://archive/*.jsonl']"),
    ];
    for (files, objects) in inputs {
        let run = |input: &str, output: &str| {
            bench.completes(&format!("input = {input}\noutput = '{output}'\n{keys}"));
            bench.files(output)
        };
        let (mut local, mut remote) = (run(files, "local"), run(objects, "remote"));
        let manifest = |files: &mut std::collections::BTreeMap<String, Vec<u8>>| {
            let bytes = files.remove("run.json").expect("a manifest");
            let mut manifest: Value = serde_json::from_slice(&bytes).expect("JSON");
            let inputs = manifest["inputs"].as_array_mut().expect("inputs");
            let names = inputs.iter_mut().map(|input| input["file"].take());
            let names: Vec<String> = names.map(|name| name.as_str().expect("a name").to_owned()).collect();
            manifest["job"].as_object_mut().expect("a job").remove("input");
            // The rejected rows name their file.
            manifest["outputs"]
                .as_array_mut()
                .expect("outputs")
                .retain(|file| file["file"] != "rejected.jsonl");
            (names, manifest)
        };
        let (names, same) = manifest(&mut local);
        let (urls, also) = manifest(&mut remote);
        assert_eq!(same, also, "{objects}");
        let named: Vec<String> = names.iter().map(|name| format!("s3://archive/{name}")).collect();
        assert_eq!(urls, named);
        for files in [&mut local, &mut remote] {
            let refused = String::from_utf8(files.remove("rejected.jsonl").expect("a file")).expect("UTF-8");
            files.insert("rejected".to_owned(), refused.replace("\"s3://archive/", "\"").into_bytes());
        }
        assert!(local == remote, "{objects}");
        for output in ["local", "remote"] {
            std::fs::remove_dir_all(bench.path(output)).expect("a folder");
        }
    }
}

/// Runs over an input that has to fail, and tells why.
fn refused(bench: &Bench, input: &str) -> String {
    let run = bench.run(&format!("input = {input}\nformat = 'jsonl'"));
    let error = run.expect_err("a run over what cannot be read");
    assert!(!bench.path("out/run.json").exists());
    let code = error.exit().code();
    let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
    format!("{} (exit code {code})\n", problems.join("\n"))
}

#[test]
fn what_cannot_be_read_is_told_in_words_and_without_secrets() {
    let server = Server::with(|asked, _| match asked {
        asked if asked.contains("denied.jsonl") => Some(Answer::Status(403)),
        asked if asked.contains("elsewhere.jsonl") => Some(Answer::Status(301)),
        asked if asked.contains("odd.jsonl") => Some(Answer::Status(418)),
        asked if asked.contains("whole.parquet") => Some(Answer::File("PAR1....PAR1".into())),
        asked if asked.contains("broken.jsonl") => Some(Answer::Status(503)),
        _ => None,
    });
    server.put("in/a.txt", "").put("in/cut.parquet", "PAR1 PAR1");
    let there = bench(&server);
    let mut shown = String::new();
    let mut show = |bench: &Bench, input: &str| {
        let _ = writeln!(shown, "# {input}\n{}", refused(bench, &format!("'{input}'")));
    };
    for input in [
        "s3://archive/none.jsonl",
        "s3://nowhere/none.jsonl",
        "s3://nowhere/in/",
        "s3://archive/in/*.csv",
        "s3://archive/none/",
        "s3://archive/in/[.csv",
        "s3://archive//a.jsonl",
        "s3:///a.jsonl",
        "s3://archive/in/a.txt",
        "s3://archive/in/cut.parquet",
        "s3://archive/denied.jsonl",
        "s3://archive/elsewhere.jsonl",
        "s3://archive/odd.jsonl",
        "s3://archive/broken.jsonl",
        "s3://key:word@archive/a.jsonl",
        "s3://key:wo/rd@archive/a.jsonl",
        "https://key:wo/rd@archive/a.jsonl",
        "https://localhost/a.jsonl?X-Amz-Signature=0",
        "https://localhost/",
        "ftp://archive/a.jsonl",
    ] {
        show(&there, input);
    }
    // A web server that sends all of a file whatever part of it is asked for.
    show(&there, &server.url("/files/whole.parquet"));
    let of = |changes: &[(&str, &str)]| {
        let mut environment = server.environment();
        environment.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        environment.extend(variables(changes).into_iter().filter(|(_, value)| !value.is_empty()));
        with(environment)
    };
    show(&of(&[("AWS_SECRET_ACCESS_KEY", "marker-of-another-secret")]), "s3://archive/in/a.jsonl");
    show(&of(&[("AWS_ACCESS_KEY_ID", "AKIA0MARKER0OTHER")]), "s3://archive/in/b.jsonl");
    show(&of(&[("AWS_ACCESS_KEY_ID", "")]), "s3://archive/in/c.jsonl");
    // Nothing is there that gives credentials to this machine.
    let without = [
        ("AWS_ACCESS_KEY_ID", ""),
        ("AWS_SECRET_ACCESS_KEY", ""),
        ("AWS_METADATA_ENDPOINT", "http://169.254.0.0:1"),
    ];
    show(&of(&without), "s3://archive/in/d.jsonl");
    show(&of(&[("AWS_ENDPOINT_URL", "http://127.0.0.1:1")]), "s3://archive/in/e.jsonl");
    show(&of(&[("AWS_ALLOW_HTTP", "")]), "s3://archive/in/f.jsonl");
    show(&with(Vec::new()), "az://container/a.jsonl");
    show(&with(variables(&[("GOOGLE_SERVICE_ACCOUNT_KEY", "marker of no JSON")])), "gs://bucket/a.jsonl");
    let lower = shown.to_ascii_lowercase();
    assert!(!lower.contains("marker"), "{shown}");
    insta::assert_snapshot!("refused", shown.replace(&server.url(""), "http://SERVER"));
}

#[test]
fn a_store_that_fails_for_a_while_is_asked_again() {
    // Each kind of request fails twice: what finds, what lists, and what reads.
    let failed: [AtomicUsize; 3] = Default::default();
    let server = Server::with(move |asked, _| {
        let kind =
            [asked.starts_with("HEAD"), asked.contains("list-type"), asked.starts_with("GET /archive/in/")];
        let at = kind.into_iter().position(|is| is)?;
        let before = failed.get(at)?.fetch_add(1, Ordering::SeqCst);
        (before < 2).then_some(Answer::Status(503))
    });
    let bench = bench(&server);
    server.put("in/a.jsonl", rows(0, 20)).put("in/b.jsonl", rows(20, 20));
    let outcome =
        bench.completes("input = ['s3://archive/in/a.jsonl', 's3://archive/in/b*']\nformat = 'jsonl'");
    assert_eq!(outcome.rows, 40);
    let count = |what: &str| server.asked().iter().filter(|asked| asked.contains(what)).count();
    assert!(count("HEAD ") >= 3 && count("list-type") >= 3, "{:?}", server.asked());
}

#[test]
fn an_answer_that_breaks_off_is_gone_on_with() {
    // Each time half of what is still to come.
    let server = Server::with(|asked, _| asked.starts_with("GET /archive/in/").then_some(Answer::Half));
    let bench = bench(&server);
    put_inputs(&bench, &server);
    let keys = "format = 'jsonl'\nid = 'id'";
    bench.completes(&format!("input = 'in'\noutput = 'local'\n{keys}"));
    bench.completes(&format!("input = 's3://archive/in/'\n{keys}"));
    assert_eq!(bench.text("results.jsonl").as_bytes(), bench.files("local")["results.jsonl"]);
    let answers = server.asked().iter().filter(|asked| *asked == "GET /archive/in/a.jsonl").count();
    assert!(answers > 12, "more than the library makes again: {answers}");
    // One that breaks off before its first byte, however often.
    let empty = Server::with(|asked, _| asked.starts_with("GET /archive/").then_some(Answer::Cut));
    empty.put("a.jsonl", rows(0, 20));
    let told = refused(&self::bench(&empty), "'s3://archive/a.jsonl'");
    assert!(told.contains("s3://archive/a.jsonl: the store cannot be reached"), "{told}");
}

#[test]
fn an_object_that_changes_while_it_is_read_stops_the_run() {
    for (name, keys) in [("a.jsonl", ""), ("c.parquet", "")] {
        let reads = AtomicUsize::new(0);
        let server = Server::with(move |asked, bucket| {
            if asked == format!("GET /archive/in/{name}") && reads.fetch_add(1, Ordering::SeqCst) > 0 {
                // Before what is read here: the columns were looked at.
                std::fs::write(bucket.join("in").join(name), rows(1, 3000)).expect("an object");
            }
            None
        });
        let bench = bench(&server);
        put_inputs(&bench, &server);
        // The description of Parquet is read first, by ranges.
        let told = refused(&bench, &format!("'s3://archive/in/{name}'\n{keys}"));
        assert!(told.contains("the object changed while it was read"), "{told}");
        assert!(told.contains(name), "{told}");
    }
}

const RESUME: Before = Before { overwrite: false, resume: true };

fn resumed(bench: &Bench, keys: &str) -> Result<Outcome, RunError> {
    bench.run_until(keys, &[], RESUME, Cancel::new(), &mut |_| ())
}

/// Runs a job, in place of one that is there, until some rows are decided.
fn interrupt(bench: &Bench, keys: &str) {
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let mut observe = |event: &Event| {
        if matches!(event, Event::Decided(_)) {
            stop.cancel();
        }
    };
    let ended = bench.run_until(keys, &[], Before { overwrite: true, resume: false }, cancel, &mut observe);
    assert!(matches!(ended, Err(RunError::Interrupted { resumable: true, .. })), "{ended:?}");
}

#[test]
fn a_run_over_objects_is_resumed_if_they_are_what_they_were() {
    let server = Server::start();
    let bench = bench(&server);
    put_inputs(&bench, &server);
    let keys = "input = 's3://archive/in/'\nformat = 'jsonl'\nbatch_rows = 100\ncheckpoint_rows = 200";
    bench.completes(&format!("{keys}\noutput = 'whole'"));
    interrupt(&bench, keys);
    let outcome = resumed(&bench, keys).expect("a run");
    assert!(0 < outcome.kept && outcome.kept < outcome.rows, "{}", outcome.kept);
    assert_eq!(bench.files("out"), bench.files("whole"));
    // A run that is whole is not run again, and an object that is another one is told.
    assert_eq!(resumed(&bench, keys).expect("a run").kept, outcome.rows);
    server.put("in/a.jsonl", rows(1, 3000));
    for whole in [true, false] {
        let error = resumed(&bench, keys).expect_err("an object that changed").to_string();
        assert!(
            error.contains("s3://archive/in/a.jsonl: this input is not what the run"),
            "{whole}: {error}"
        );
        server.put("in/a.jsonl", rows(0, 3000));
        interrupt(&bench, keys);
        server.put("in/a.jsonl", rows(1, 3000));
    }
}

#[test]
fn a_parquet_object_that_is_another_one_is_not_gone_on_with() {
    let server = Server::start();
    let bench = bench(&server);
    let put = |first: i64| {
        let numbers =
            |count: i64| Arc::new(Int64Array::from_iter_values(first..first + count)) as Arc<dyn Array>;
        bench.put_parquet("p.parquet", vec![("amount", numbers(3000)), ("score", numbers(3000))]);
        server.put("p.parquet", std::fs::read(bench.path("p.parquet")).expect("bytes"))
    };
    put(0);
    let keys = "input = 's3://archive/p.parquet'\nformat = 'jsonl'\nbatch_rows = 100\ncheckpoint_rows = 200\n\
                missing_claims = 'unknown'";
    interrupt(&bench, keys);
    let size = std::fs::metadata(server.path("p.parquet")).expect("an object").len();
    put(1);
    assert_eq!(std::fs::metadata(server.path("p.parquet")).expect("an object").len(), size);
    let error = resumed(&bench, keys).expect_err("another object").to_string();
    assert!(error.contains("s3://archive/p.parquet: this input is not what the run"), "{error}");
    interrupt(&bench, keys);
    assert!(resumed(&bench, keys).expect("a run").kept < 3000);
}

#[test]
fn web_servers_and_other_stores_are_read_too() {
    let body = rows(0, 5);
    let server = Server::with(move |asked, _| {
        let answered = ["/files/a%20b.jsonl", "/bucket/in%2Fa%2Ejsonl", "/container/in/a.jsonl"];
        if !answered.iter().any(|path| asked.ends_with(path)) {
            return Some(Answer::Status(404));
        }
        Some(Answer::File(body.clone().into()))
    });
    let account = format!(
        r#"{{"gcs_base_url":"{}","disable_oauth":true,"client_email":"","private_key":"","private_key_id":""}}"#,
        server.url("")
    );
    let account = [("GOOGLE_SERVICE_ACCOUNT_KEY", account.as_str())];
    let endpoint = server.url("");
    let azure = [
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_STORAGE_ACCOUNT_KEY", "bWFya2Vy"),
        ("AZURE_STORAGE_ENDPOINT", endpoint.as_str()),
        ("AZURE_ALLOW_HTTP", "true"),
    ];
    let google = [account[0], ("GOOGLE_ALLOW_HTTP", "true")];
    let web = server.url("/files/a%20b.jsonl");
    let stores: [(&str, &[(&str, &str)]); 3] =
        [(web.as_str(), &[]), ("gs://bucket/in/a.jsonl", &google), ("az://container/in/a.jsonl", &azure)];
    for (input, environment) in stores {
        let bench = with(variables(environment));
        let outcome = bench.completes(&format!("input = '{input}'\nformat = 'jsonl'"));
        assert_eq!(outcome.rows, 5, "{input}");
        assert_eq!(bench.manifest()["inputs"][0]["file"], input);
        for bytes in bench.files("out").values() {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains("bWFya2Vy") && !text.contains("gcs_base_url"), "{input}");
        }
    }
}

#[test]
fn nothing_that_a_run_shows_or_writes_holds_a_credential() {
    let server = Server::start();
    let bench = bench(&server);
    put_inputs(&bench, &server);
    let mut shown = String::new();
    let keys =
        "input = 's3://archive/in/'\nformat = ['jsonl', 'csv', 'parquet']\nlocate = true\npayloads = true";
    let job = bench.job(keys, &[]).expect("a job");
    let outcome = bench.run_with(keys, &[], false, &mut |event| {
        let _ = write!(shown, "{event:?}");
    });
    let stores = ObjectStores::new(server.environment());
    let _ = write!(shown, "{job:?}{:?}{stores:?}", outcome.expect("a run"));
    for (name, bytes) in bench.files("out") {
        shown += &name;
        shown += &String::from_utf8_lossy(&bytes);
    }
    assert!(shown.contains("s3://archive/in/a.jsonl"));
    assert!(!shown.contains(SECRET_KEY) && !shown.contains(ACCESS_KEY));
}

//! What is not easy is asked in a process of its own: the same answers, and a process that fails takes one document with it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_batch::job::{Job, Settings as JobSettings};
use assay_batch::remote::NoStores;
use assay_batch::{Around, Before, Cancel, Exit, Outcome, Rulesets, run};
use assay_compile::Options;
use assay_engine::{Apart, Settings};
use assay_service::Prepared;
use assay_tabular::Tabular;
use assay_tests_differential::pairs;
use assay_units::Library;
use serde_json::Value;

use crate::folder::Folder;

/// One question for each amount, which no candidate answers: the root of most numbers is no fraction.
const POLICY: &str = "declare amount as numeric; declare score as numeric;\n\
                      assert small { amount <= 5 };\n\
                      assert no_root { score * score != amount };\n";

/// Five documents; `d0` is easy, and each of the others comes to a question of its own.
const ROWS: &str = concat!(
    "{\"id\": \"d0\", \"amount\": 1, \"score\": 3}\n",
    "{\"id\": \"d1\", \"amount\": 2, \"score\": null}\n",
    "{\"id\": \"d2\", \"amount\": 3, \"score\": null}\n",
    "{\"id\": \"d3\", \"amount\": 5, \"score\": null}\n",
    "{\"id\": \"d4\", \"amount\": 7, \"score\": null}\n",
);

struct NoStore;

impl Rulesets for NoStore {
    fn source(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

/// The command, as the program that is asked.
fn itself() -> Apart {
    Apart::new(env!("CARGO_BIN_EXE_assay").into(), vec!["solve".into()])
}

/// A program that does `first` when it is started for the first time, and is the command from then on.
fn failing(folder: &Folder, first: &str) -> Apart {
    let (marker, path) = (folder.path("started"), folder.path("program"));
    let _ = fs::remove_dir(&marker);
    let assay = env!("CARGO_BIN_EXE_assay");
    let script =
        format!("#!/bin/sh\nif mkdir '{}'; then {first}; fi\nexec '{assay}' solve\n", marker.display());
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    Apart { patience: Duration::from_secs(2), ..Apart::new(path, Vec::new()) }
}

/// Runs over [`ROWS`] on one thread, with more keys.
fn run_with(folder: &Folder, solver: Option<Apart>, keys: &str) -> Outcome {
    folder.put("policy.dsail", POLICY).put("rows.jsonl", ROWS);
    let pin = pin(folder, "policy.dsail");
    let text = format!(
        "ruleset_file = \"policy.dsail\"\npin = \"{pin}\"\nunits = \"none\"\ninput = [\"rows.jsonl\"]\n\
         output = \"out\"\nformat = [\"jsonl\"]\nthreads = 1\n{keys}"
    );
    let root = folder.path("");
    let file = JobSettings::from_toml(&text, "job.toml", &root);
    let job = Job::resolve(file, JobSettings::new()).expect("a job");
    let around = Around {
        rulesets: &NoStore,
        library: Library::built_in(),
        open: Arc::new(Tabular),
        stores: &NoStores,
        create: Arc::new(Tabular),
        before: Before { overwrite: true, resume: false },
        cancel: Cancel::new(),
        solver,
    };
    run(job, &around, &mut |_| ()).expect("a run that completes")
}

/// The hash of a source.
pub fn pin(folder: &Folder, file: &str) -> String {
    let compiled = folder.sh(&format!("assay compile {file}"));
    let payload: Value = serde_json::from_str(&compiled.stdout).expect("JSON");
    payload["ruleset_hash"].as_str().expect("a hash").to_owned()
}

fn lines(folder: &Folder, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.path("out").join(name)).expect("an output");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The lines of all documents but one.
fn but(lines: &[Value], id: &str) -> Vec<Value> {
    lines.iter().filter(|line| line["id"] != id).cloned().collect()
}

#[test]
fn a_process_gives_the_bytes_of_this_one() {
    let folder = Folder::new();
    for keys in ["", "group_by = \"id\"", "engine = \"z3\"", "payloads = true", "cross_check = 1"] {
        let names = ["results.jsonl", "rejected.jsonl", "run.json"];
        let files = || names.map(|name| fs::read(folder.path("out").join(name)).expect("an output"));
        let here = run_with(&folder, None, keys);
        let expected = files();
        let there = run_with(&folder, Some(itself()), keys);
        assert_eq!((here.exit, here.engine_errors), (Exit::Completed, 0));
        assert_eq!(here, there, "{keys}");
        assert!(expected == files(), "{keys}");
    }
}

#[test]
fn random_checks_have_the_same_payloads() {
    let (mut seen, mut solved) = (BTreeSet::new(), 0);
    let mut prepared: Option<(Arc<str>, [Prepared; 2])> = None;
    for pair in pairs(5, 1_600) {
        if prepared.as_ref().is_none_or(|(source, _)| *source != pair.source) {
            let with = |apart| {
                let settings = Settings { rlimit: 400_000, apart, ..Settings::default() };
                Prepared::new(pair.source.as_bytes(), &Options::default(), &Library::built_in(), settings)
            };
            let both = [None, Some(itself())].map(|apart| with(apart).expect("a ruleset"));
            prepared = Some((Arc::clone(&pair.source), both));
        }
        let Some((source, [here, there])) = &prepared else { continue };
        if !seen.insert((Arc::clone(source), Arc::clone(&pair.claims))) {
            continue;
        }
        let payload = |prepared: &Prepared| prepared.check(pair.claims.as_bytes()).expect("a check").payload;
        assert_eq!(payload(here), payload(there), "{source}\n{}", pair.claims);
        solved += usize::from(pair.formula.nodes().len() > 1);
    }
    assert!(solved >= 60, "{solved} checks were compared");
}

#[test]
fn a_process_that_fails_costs_one_document() {
    let folder = Folder::new();
    run_with(&folder, None, "");
    let expected = lines(&folder, "results.jsonl");
    for (first, problem) in [
        ("exec sleep 600", "the solver did not answer within 2 seconds and was ended"),
        ("exit 3", "the solver broke down"),
        ("kill -9 $$", "the solver broke down"),
        ("echo rubbish; exec sleep 600", "the solver broke down"),
        ("printf '\\001\\000\\000\\000!'; exec sleep 600", "the solver answered what is no answer"),
    ] {
        for keys in ["", "group_by = \"id\"", "payloads = true", "engine = \"z3\"", "fail_on = [\"FALSE\"]"] {
            let outcome = run_with(&folder, Some(failing(&folder, first)), keys);
            assert_eq!((outcome.exit, outcome.engine_errors, outcome.rejected), (Exit::Engine, 1, 1));
            let rejected = lines(&folder, "rejected.jsonl");
            let [rejected] = rejected.as_slice() else { panic!("{first}, {keys}: {rejected:?}") };
            assert_eq!(rejected["id"], "d1", "{first}, {keys}");
            assert_eq!(rejected["record"]["amount"], 2);
            assert_eq!(
                rejected["failures"][0]["received"],
                format!("ENGINE_ERROR: assertion `no_root` has no answer: {problem}")
            );
            // The others are answered as ever, the next hard question by a fresh process.
            assert_eq!(lines(&folder, "results.jsonl"), but(&expected, "d1"), "{first}, {keys}");
            let manifest = fs::read_to_string(folder.path("out").join("run.json")).expect("a manifest");
            let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
            assert_eq!(manifest["engine_errors"], 1);
            assert_eq!(manifest["rows"]["rejected"], 1);
            assert_eq!(manifest["assertions"][1]["checks"]["UNKNOWN"], 3);
        }
    }
}

#[test]
fn a_program_that_is_not_there_answers_nothing_that_is_hard() {
    let folder = Folder::new();
    let outcome = run_with(&folder, Some(Apart::new(folder.path("nothing"), Vec::<OsString>::new())), "");
    assert_eq!((outcome.exit, outcome.engine_errors), (Exit::Engine, 4));
    let ids: Vec<Value> = lines(&folder, "rejected.jsonl").iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, ["d1", "d2", "d3", "d4"]);
}

/// The processes whose parent is `parent`.
pub fn children(parent: u32) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").expect("/proc").filter_map(|entry| Some(entry.ok()?.path()));
    let is_child = |path: &PathBuf| {
        let status = fs::read_to_string(path.join("status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    processes.filter(is_child).collect()
}

/// Whether a process is there and has not ended.
pub fn is_at_work(process: &Path) -> bool {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_goes_on_after_a_killed_run() {
    let folder = Folder::new();
    folder.put(
        "hard.dsail",
        "declare a as numeric; declare b as numeric; declare c as numeric;\n\
         assert cubes { Not(And(a % 1 == 0, b % 1 == 0, c % 1 == 0, a*a*a + b*b*b + c*c*c == 42)) };\n",
    );
    folder.put("hard.jsonl", "{\"id\": \"x\", \"a\": null, \"b\": null, \"c\": null}\n");
    let pin = pin(&folder, "hard.dsail");
    let mut command = folder.command("assay");
    command.args(["run", "--ruleset-file", "hard.dsail", "--pin", &pin, "--units", "none"]);
    command.args(["--input", "hard.jsonl", "--output", "out", "--rlimit", "4294967295"]);
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    let started = Instant::now();
    let asked = loop {
        match children(running.id()).pop() {
            Some(child) => break child,
            None if started.elapsed() > Duration::from_secs(60) => panic!("nothing was asked"),
            None => sleep(Duration::from_millis(20)),
        }
    };
    // It is at work, and for long.
    sleep(Duration::from_millis(500));
    assert!(asked.exists() && running.try_wait().expect("a status").is_none());
    running.kill().expect("a kill");
    running.wait().expect("an end");
    let killed = Instant::now();
    while is_at_work(&asked) {
        assert!(killed.elapsed() < Duration::from_secs(10), "it goes on");
        sleep(Duration::from_millis(50));
    }
}

//! A run that is told to stop: it exits 130 soon, says so, and gives no result its final name.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::solver::{children, is_at_work, pin};

/// How long a run may take to stop; far more than it needs, since tests run side by side.
const SOON: Duration = Duration::from_secs(30);

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    assert!(sent.expect("a shell").success(), "SIG{name} was not sent");
}

fn end(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    while started.elapsed() < SOON {
        if let Some(status) = child.try_wait().expect("a status") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("an end");
    panic!("the run did not stop within {SOON:?}");
}

/// Starts a run whose standard input stays open, and waits until it reads.
fn reading(folder: &Folder, flags: &str) -> (Child, BufReader<impl Read + use<>>) {
    let line = format!(
        "exec assay run job.toml --input - --input-format csv --output out --format csv,jsonl --batch-rows 1 {flags}"
    );
    let mut child = folder.command("sh").args(["-c", &line]).stdin(Stdio::piped()).spawn().expect("a run");
    let rows = "number,total,currency,receipt,nights,department\n1,80,USD,Y,1,sales\n2,80,USD,Y,1,sales\n";
    child.stdin.as_mut().expect("its input").write_all(rows.as_bytes()).expect("rows");
    let mut errors = BufReader::new(child.stderr.take().expect("its errors"));
    let mut first = String::new();
    errors.read_line(&mut first).expect("a line");
    assert!(first.contains("started"), "{first}");
    (child, errors)
}

#[test]
fn a_run_that_is_told_to_stop_stops() {
    for (name, flags, says) in [
        ("INT", "", "stopping: "),
        ("TERM", "", "stopping: "),
        ("INT", "--log-format json", "{\"event\":\"stopping\"}"),
    ] {
        let folder = Folder::new();
        let (mut child, mut errors) = reading(&folder, flags);
        signal(&child, name);
        assert_eq!(end(&mut child), Some(130), "SIG{name} {flags}");
        let mut said = String::new();
        errors.read_to_string(&mut said).expect("errors");
        assert!(said.contains(says) && said.contains("interrupted after"), "SIG{name} {flags}: {said}");
        let names = folder.names("out");
        let done =
            |name: &String| name.starts_with("results.") || name == "run.json" || name == "rejected.jsonl";
        assert!(!names.iter().any(done), "a final name after SIG{name}: {names:?}");
        // The same job runs to its end afterwards, with nothing to clear away.
        let again = folder.sh("assay run job.toml --output out --format csv,jsonl --quiet");
        assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
        assert!(folder.names("out").iter().any(|name| name == "run.json"));
    }
}

/// Whether a process handles SIGINT, as Linux tells: `assay`, and not the shell that it was.
fn listens(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("its signals").trim();
    status.starts_with("Name:\tassay\n") && u64::from_str_radix(caught, 16).expect("a mask") & 0b10 != 0
}

#[test]
fn a_run_that_waits_for_its_input_to_open_stops_at_once() {
    let folder = Folder::new();
    assert_eq!(folder.sh("mkfifo rows.csv").code, Some(0));
    let mut run = folder.command("sh");
    let mut child =
        run.args(["-c", "exec assay run job.toml --input rows.csv --output out"]).spawn().expect("a run");
    let started = Instant::now();
    while !listens(&child) {
        assert!(started.elapsed() < SOON, "the run does not listen for SIGINT");
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(&child, "INT");
    assert_eq!(end(&mut child), Some(130));
    let mut said = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut said).expect("errors");
    assert_eq!(said, "error: interrupted before the first row was read\n");
}

/// What is in hand is a question that takes the solver long.
#[test]
fn a_run_that_is_told_twice_ends_at_once() {
    let folder = Folder::new();
    folder.put(
        "hard.dsail",
        "declare a as numeric; declare b as numeric; declare c as numeric;\n\
         assert cubes { Not(And(a % 1 == 0, b % 1 == 0, c % 1 == 0, a*a*a + b*b*b + c*c*c == 42)) };\n",
    );
    let hard = "{\"id\": \"x\", \"a\": null, \"b\": null, \"c\": null}\n";
    folder.put("hard.jsonl", hard.repeat(50));
    let pin = pin(&folder, "hard.dsail");
    let line = format!(
        "exec assay run --ruleset-file hard.dsail --pin {pin} --units none --input hard.jsonl --output out \
         --rlimit 4294967295 --threads 1 --batch-rows 1"
    );
    for name in ["INT", "TERM"] {
        let mut child = folder.command("sh").args(["-c", &line]).spawn().expect("a run");
        let started = Instant::now();
        let asked = loop {
            match children(child.id()).pop() {
                Some(asked) => break asked,
                None => assert!(started.elapsed() < SOON, "nothing was asked"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        signal(&child, name);
        let mut errors = BufReader::new(child.stderr.take().expect("its errors"));
        let mut said = String::new();
        while !said.contains("stopping: ") {
            assert!(errors.read_line(&mut said).expect("a line") > 0, "{said}");
        }
        // It finishes what is in hand, which takes its time.
        std::thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().expect("a status").is_none(), "SIG{name}: it did not wait");
        signal(&child, name);
        let again = Instant::now();
        assert_eq!(end(&mut child), Some(130), "SIG{name}");
        assert!(again.elapsed() < Duration::from_secs(5), "SIG{name}: {:?}", again.elapsed());
        assert_eq!(folder.names("out"), [".assay-unfinished"], "SIG{name}");
        while is_at_work(&asked) {
            assert!(again.elapsed() < Duration::from_secs(20), "the solver goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::fs::remove_dir_all(folder.path("out")).expect("a folder");
    }
}

#[test]
fn an_end_of_input_ends_the_run_as_it_should() {
    let folder = Folder::new();
    let (mut child, mut errors) = reading(&folder, "");
    drop(child.stdin.take());
    assert_eq!(end(&mut child), Some(0));
    let mut said = String::new();
    errors.read_to_string(&mut said).expect("errors");
    assert!(said.contains("2 rows read, 2 checked, none rejected"), "{said}");
}

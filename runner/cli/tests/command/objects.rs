//! Runs over an object store.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use assay_tests_objects::{ACCESS_KEY, Answer, SECRET_KEY, Server};

use crate::folder::{Folder, Ran};

#[test]
fn a_run_over_objects_shows_and_writes_no_credential() {
    let folder = Folder::new();
    let server = Server::start();
    server.put("expenses.csv", fs::read(folder.path("expenses.csv")).expect("a file"));
    let assay = |arguments: &[&str]| -> Ran {
        let mut command = folder.command("assay");
        command.envs(server.environment()).args(arguments).output().expect("a command").into()
    };
    let local = assay(&["run", "job.toml", "--output", "local"]);
    let input = ["--input", "s3://archive/expenses.csv"];
    let remote = assay(&[&["run", "job.toml", "--output", "remote"], &input[..]].concat());
    assert_eq!((local.code, remote.code), (Some(0), Some(0)), "{}", remote.stderr);
    assert_eq!(
        fs::read(folder.path("local/results.csv")).expect("results"),
        fs::read(folder.path("remote/results.csv")).expect("results"),
    );
    let again = assay(&[&["run", "job.toml", "--output", "remote", "--resume"], &input[..]].concat());
    let logged =
        assay(&[&["run", "job.toml", "--output", "logged", "--log-format", "json"], &input[..]].concat());
    let missing = assay(&["run", "job.toml", "--output", "none", "--input", "s3://archive/none.csv"]);
    let secret = format!("s3://{ACCESS_KEY}:{SECRET_KEY}@archive/expenses.csv");
    let refused = assay(&["run", "job.toml", "--output", "none", "--input", &secret]);
    let counted = assay(&["agreement", "remote"]);
    let codes = [&again, &logged, &missing, &refused, &counted].map(|ran| ran.code);
    assert_eq!(codes, [Some(0), Some(0), Some(3), Some(1), Some(0)]);
    assert!(missing.stderr.contains("s3://archive/none.csv"), "{}", missing.stderr);
    let mut shown: String =
        [remote, again, logged, missing, refused, counted].map(|ran| ran.stdout + &ran.stderr).concat();
    for name in folder.names("remote") {
        shown += &String::from_utf8_lossy(&fs::read(folder.path("remote").join(name)).expect("a file"));
    }
    assert!(shown.contains("s3://archive/expenses.csv"));
    assert!(!shown.contains(ACCESS_KEY) && !shown.contains(SECRET_KEY));
}

#[test]
fn results_go_to_a_store_once_they_are_whole() {
    let folder = Folder::new();
    let server = Server::start();
    let assay = |line: &str| -> Ran {
        let mut command = folder.command("assay");
        command.envs(server.environment()).args(line.split(' ')).output().expect("a command").into()
    };
    let local = assay("run job.toml --output local");
    let ran = assay("run job.toml --output s3://archive/out/");
    assert_eq!((local.code, ran.code), (Some(0), Some(0)), "{}", ran.stderr);
    assert!(ran.stderr.contains("putting results output=s3://archive/out\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("results in s3://archive/out\n"), "{}", ran.stderr);
    for name in folder.names("local") {
        let object = fs::read(server.path("out").join(&name)).expect("an object");
        assert_eq!(fs::read(folder.path("local").join(&name)).expect("a file"), object, "{name}");
    }
    // Nothing is left where it worked.
    assert_eq!(folder.names(".assay/work"), Vec::<String>::new());
    let again = assay("run job.toml --output s3://archive/out");
    assert_eq!(again.code, Some(3), "{}", again.stderr);
    let place = "error: s3://archive/out: the output folder holds another run";
    assert!(again.stderr.contains(place), "{}", again.stderr);
    let shown = [ran, again].map(|ran| ran.stdout + &ran.stderr).concat();
    assert!(!shown.contains(ACCESS_KEY) && !shown.contains(SECRET_KEY));
}

#[test]
fn a_run_that_is_killed_while_it_puts_its_results_is_gone_on_with() {
    let (putting, reached) = channel();
    let puts = AtomicUsize::new(0);
    let server = Server::with(move |asked, _| {
        let put = asked.starts_with("PUT ") && !asked.contains(".assay-trial");
        let third = put && puts.fetch_add(1, Ordering::SeqCst) == 2;
        third.then(|| {
            let _ = putting.send(());
            std::thread::sleep(Duration::from_secs(1));
            Answer::Status(503)
        })
    });
    let folder = Folder::new();
    let assay = |output: &str| {
        let mut command = folder.command("assay");
        command.envs(server.environment()).args(["run", "job.toml", "--resume", "--output", output]);
        command
    };
    let output = "s3://archive/out";
    let mut child = assay(output).spawn().expect("a command");
    reached.recv_timeout(Duration::from_secs(60)).expect("a third object");
    child.kill().expect("a kill");
    child.wait().expect("an end");
    let objects = || {
        let entries = fs::read_dir(server.path("out")).expect("objects");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    };
    assert_eq!(objects().len(), 2);
    let resumed: Ran = assay(output).output().expect("a command").into();
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert!(resumed.stderr.contains("nothing was decided"), "{}", resumed.stderr);
    let local: Ran = assay("local").output().expect("a command").into();
    assert_eq!(local.code, Some(0));
    assert_eq!(objects(), folder.names("local"));
    for name in folder.names("local") {
        let object = fs::read(server.path("out").join(&name)).expect("an object");
        assert_eq!(fs::read(folder.path("local").join(&name)).expect("a file"), object, "{name}");
    }
    assert_eq!(folder.names(".assay/work"), Vec::<String>::new());
}

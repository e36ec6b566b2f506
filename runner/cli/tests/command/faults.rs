//! Runs from which something is taken that they need: standard output, memory, room on the disk, the right to write.

use std::fmt::Write;
use std::fs;

use crate::folder::{Folder, Ran};

#[test]
fn a_closed_standard_output_costs_no_results() {
    let folder = Folder::new();
    let run = "assay run job.toml --output";
    let script = format!("{{ {run} whole; echo $? >code; }} | true; {run} closed >&-; echo $? >>code");
    folder.sh(&script);
    assert_eq!(fs::read_to_string(folder.path("code")).expect("codes"), "0\n0\n");
    assert!(folder.names("whole").contains(&"run.json".to_owned()));
    assert_eq!(folder.names("whole"), folder.names("closed"));
}

/// What a run ends with that has too little memory: words of its own, those of the allocator or those of the loader.
#[test]
fn a_run_without_memory_ends_soon_and_is_run_again() {
    let folder = Folder::new();
    let mut ended = Vec::new();
    // KiB of address space: from too little to load the solver to enough.
    for limit in [
        40_000, 56_000, 60_000, 65_000, 70_000, 80_000, 90_000, 100_000, 120_000, 160_000, 250_000, 4_000_000,
    ] {
        // A trace of the stack takes memory too, and a process that makes one for want of memory may hang in it.
        let ran = folder.sh(&format!(
            "ulimit -c 0; ulimit -v {limit}; export RUST_BACKTRACE=1; \
             timeout 60 assay run job.toml --threads 2 --resume --output out"
        ));
        let whole = folder.names("out").contains(&"run.json".to_owned());
        let told = format!("{limit} KiB: {:?} {}", ran.code, ran.stderr);
        assert_eq!(whole, ran.code == Some(0), "{told}");
        // The loader's code, and that of an allocator which aborts; 124 would be `timeout`'s.
        assert!([0, 3, 5, 127, 134].map(Some).contains(&ran.code), "{told}");
        assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("os error"), "{told}");
        if ran.code == Some(5) {
            assert!(ran.stderr.contains("help: "), "{told}");
        }
        ended.push(whole);
        if whole {
            fs::remove_dir_all(folder.path("out")).expect("a folder");
        }
    }
    assert_eq!((ended.first(), ended.last()), (Some(&false), Some(&true)), "{ended:?}");
}

#[test]
fn a_job_file_has_a_limit() {
    let folder = Folder::new();
    let job = fs::read_to_string(folder.path("job.toml")).expect("a job");
    folder.put("long.toml", format!("# {}\n{job}", "x".repeat(1_000_000)));
    assert_eq!(folder.sh("assay run long.toml --quiet").code, Some(0));
    folder.put("longer.toml", format!("# {}\n{job}", "ü".repeat(2_500_000)));
    let ran = folder.sh("assay run longer.toml");
    let expected =
        "error: longer.toml: the job file has more than 1048576 bytes, and that is the limit\n  help: ";
    assert!(ran.code == Some(1) && ran.stderr.starts_with(expected), "{}", ran.stderr);
    // What never ends is read no further either.
    let ran = folder.sh("timeout 60 assay run /dev/zero");
    assert!(ran.code == Some(1) && ran.stderr.contains("1048576 bytes"), "{}", ran.stderr);
}

/// Some thousand claims, whose results take half a megabyte.
fn many(folder: &Folder) {
    let mut rows = "number,total,currency,receipt,nights,department\n".to_owned();
    for row in 0..6000 {
        writeln!(rows, "{row},{},USD,{},1,sales", row * 7 % 900, ["Y", "N"][row % 2]).expect("a row");
    }
    folder.put("many.csv", rows);
}

/// A run whose results are `out`, and which keeps what is finished often.
const MANY: &str = "assay run job.toml --input many.csv --checkpoint-rows 500 --batch-rows 100 --threads 2 --format csv,jsonl";

/// Runs a line of shell in which the folder `disk` is a disk of its own, once it was mounted by `mount`. Nothing where the
/// system does not let people do that.
fn mounted(folder: &Folder, mount: &str, line: &str) -> Option<Ran> {
    fs::create_dir_all(folder.path("disk")).expect("a folder");
    let may = folder.sh("unshare --mount --map-root-user sh -c 'mount -t tmpfs none disk'");
    if may.code != Some(0) {
        eprintln!("skipped, since nothing can be mounted here: {}", may.stderr);
        return None;
    }
    folder.put("line.sh", format!("{mount} || exit 99\n{line}\n"));
    let ran = folder.sh("unshare --mount --map-root-user sh line.sh");
    assert_ne!(ran.code, Some(99), "{}", ran.stderr);
    Some(ran)
}

#[test]
fn a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    let folder = Folder::new();
    many(&folder);
    let line = format!(
        "{MANY} --output disk/out; echo $? >code; ls disk/out >names\n\
         mount -o remount,size=64m disk\n\
         {MANY} --output disk/out --resume --quiet; echo $? >>code\n\
         mv disk/out resumed && {MANY} --output disk/out --quiet; echo $? >>code\n\
         diff -r resumed disk/out"
    );
    let Some(ran) = mounted(&folder, "mount -t tmpfs -o size=256k none disk", &line) else { return };
    assert_eq!(fs::read_to_string(folder.path("code")).expect("codes"), "3\n0\n0\n", "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    // Nothing has its final name.
    assert_eq!(fs::read_to_string(folder.path("names")).expect("names"), "");
    let said =
        ["disk/out/.assay-unfinished/results.", ": the disk is full\n  help: make room on it", "--resume"];
    assert!(said.iter().all(|said| ran.stderr.contains(said)), "{}", ran.stderr);
}

/// The same by a limit on the size of files, which needs no right to mount.
#[test]
fn a_limit_on_files_stops_the_run_and_a_higher_one_lets_it_go_on() {
    let folder = Folder::new();
    many(&folder);
    // In blocks of 512 bytes. The signal for it would end the process.
    let ran = folder.sh(&format!("trap '' XFSZ; ulimit -f 256; {MANY} --output out"));
    assert_eq!(
        (ran.code, folder.names("out")),
        (Some(3), vec![".assay-unfinished".to_owned()]),
        "{}",
        ran.stderr
    );
    let said = [
        "out/.assay-unfinished/results.",
        ": the file would be larger than is allowed\n  help: raise the limit (`ulimit -f`)",
        "--resume",
    ];
    assert!(said.iter().all(|said| ran.stderr.contains(said)), "{}", ran.stderr);
    let ran = folder.sh(&format!(
        "{MANY} --output out --resume --quiet && mv out resumed && {MANY} --output out --quiet && diff -r resumed out"
    ));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn an_output_that_may_only_be_read_is_told_before_anything_is_decided() {
    let folder = Folder::new();
    let line = "assay run job.toml --output disk/out; echo $? >code; assay run job.toml --output disk; echo $? >>code\n\
                assay compile policy.dsail --store disk/store.db; echo $? >>code";
    let Some(ran) = mounted(&folder, "mount -t tmpfs -o ro none disk", line) else { return };
    assert_eq!(fs::read_to_string(folder.path("code")).expect("codes"), "3\n3\n2\n", "{}", ran.stderr);
    let help = "  help: choose a folder on another disk, or have this one mounted for writing\n";
    let says = format!("error: disk/out: cannot make the output folder: the disk may only be read\n{help}");
    assert!(ran.stderr.starts_with(&says), "{}", ran.stderr);
    assert!(!ran.stderr.contains("started") && !ran.stderr.contains("os error"), "{}", ran.stderr);
}

/// As somebody who may not write there; whoever may do everything is not stopped by permissions.
#[test]
fn an_output_without_permission_is_told_before_anything_is_decided() {
    let folder = Folder::new();
    let ran = folder.sh(
        "mkdir closed; chmod 555 closed; touch closed/x 2>/dev/null && echo may >&2; assay run job.toml --output closed/out",
    );
    if ran.stderr.starts_with("may\n") {
        eprintln!("skipped: permissions do not bind whoever runs this");
        return;
    }
    let says = "error: closed/out: cannot make the output folder: permission is denied\n  help: see who may ";
    assert!(ran.code == Some(3) && ran.stderr.starts_with(says), "{:?} {}", ran.code, ran.stderr);
}

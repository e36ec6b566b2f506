//! Runs from which something is taken that they need: standard output, or memory.

use crate::folder::Folder;

#[test]
fn a_closed_standard_output_costs_no_results() {
    let folder = Folder::new();
    let run = "assay run job.toml --output";
    let script = format!("{{ {run} whole; echo $? >code; }} | true; {run} closed >&-; echo $? >>code");
    folder.sh(&script);
    assert_eq!(std::fs::read_to_string(folder.path("code")).expect("codes"), "0\n0\n");
    assert!(folder.names("whole").contains(&"run.json".to_owned()));
    assert_eq!(folder.names("whole"), folder.names("closed"));
}

#[test]
fn a_run_without_memory_gives_nothing_a_final_name_and_is_run_again() {
    let folder = Folder::new();
    let mut ended = Vec::new();
    // KiB of address space: from too little for the solver to enough.
    for limit in [60_000, 120_000, 250_000, 4_000_000] {
        let ran = folder.sh(&format!(
            "ulimit -c 0; ulimit -v {limit}; assay run job.toml --threads 2 --resume --output out"
        ));
        let whole = folder.names("out").contains(&"run.json".to_owned());
        assert_eq!(whole, ran.code == Some(0), "{limit} KiB: {:?} {}", ran.code, ran.stderr);
        ended.push(whole);
        if whole {
            std::fs::remove_dir_all(folder.path("out")).expect("a folder");
        }
    }
    assert_eq!((ended.first(), ended.last()), (Some(&false), Some(&true)), "{ended:?}");
}

//! `assay agreement`: reports that are counted by hand, and what is refused.

use crate::folder::Folder;
use crate::session::session;

/// Seven documents. By hand, document by document:
///
/// | document | amount | has_receipt | nights |
/// | --- | --- | --- | --- |
/// | 1 | contradicted: 180, 1800 | agreed | partly missing |
/// | 2 | agreed | contradicted: N, Y | agreed |
/// | 3 | contradicted: 180, 1800 | agreed | no value |
/// | 4 | one piece | no value | no value |
/// | 5 | contradicted: 10, 20, 30 | no value | contradicted: 1, 2 |
/// | 6 | its second row is rejected, and the document with it | | |
/// | 7 | one piece | one piece | one piece |
///
/// amount: 1 agreed, 0 partly missing, 3 contradicted, 2 one piece, 0 no value; the pair 180, 1800 in two documents, and the
/// three pairs of document 5 in one. has_receipt: 2, 0, 1, 1, 2. nights: 1, 1, 1, 1, 2.
const READINGS: &str = "\
number,total,currency,receipt,nights,department
1,180,USD,Y,1,sales
1,180.00,USD,Y,,sales
1,\"1,800\",USD,Y,1,sales
2,60,USD,Y,1,research
2,60,USD,N,1,research
3,\"1,800\",USD,Y,,sales
3,180,USD,Y,,sales
4,90,USD,,,sales
5,10,USD,,1,sales
5,20,USD,,2,sales
5,30,USD,,,sales
6,5,USD,Y,1,sales
6,12O,USD,Y,1,sales
7,5,USD,Y,3,sales
";

#[test]
fn of_claims_and_of_results() {
    let folder = Folder::new();
    folder.put("readings.csv", READINGS);
    session(
        &folder,
        "agreement",
        &[
            "assay agreement job.toml --input readings.csv --group-by number --format text",
            "assay run job.toml --input readings.csv --group-by number --quiet",
            "assay agreement results --format text",
            "assay agreement results",
            "mkdir elsewhere; mv results readings.csv elsewhere; assay agreement elsewhere/results --format text | head -2",
            "mv elsewhere/readings.csv kept.csv; assay agreement elsewhere/results --format text",
            "assay agreement elsewhere/results --input kept.csv --format text | head -2",
            "mv elsewhere/results .; mv kept.csv readings.csv; assay agreement job.toml --format text",
            "sed -i 's/^7,5,/7,6,/' readings.csv; assay agreement results --format text",
            "rm readings.csv; assay agreement results --format text",
            "assay agreement . --format text",
            "assay agreement none --format text",
            "assay agreement --format text",
            "assay agreement job.toml --layout long",
            "ls",
        ],
    );
}

#[test]
fn the_report_does_not_depend_on_threads_on_chunks_or_on_where_rows_stand() {
    let folder = Folder::new();
    folder.put("readings.csv", READINGS);
    let report = |line: &str| {
        let ran =
            folder.sh(&format!("assay agreement job.toml --input readings.csv --group-by number {line}"));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        ran.stdout
    };
    let whole = report("");
    for line in ["--threads 1 --batch-rows 1", "--threads 3 --batch-rows 2", "--scattered"] {
        assert_eq!(report(line), whole, "{line}");
    }
    let (head, rows) = READINGS.split_once('\n').expect("a head");
    let rows: Vec<&str> = rows.lines().collect();
    let (even, odd): (Vec<_>, Vec<_>) = rows.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let mixed: Vec<&str> = odd.into_iter().chain(even).map(|(_, row)| *row).collect();
    folder.put("readings.csv", format!("{head}\n{}\n", mixed.join("\n")));
    let without_inputs = |report: &str| {
        let mut report: serde_json::Value = serde_json::from_str(report).expect("JSON");
        report["inputs"].take();
        report
    };
    assert_eq!(without_inputs(&report("--scattered")), without_inputs(&whole));
    let refused = folder.sh("assay agreement job.toml --input readings.csv --group-by number");
    assert_ne!(refused.code, Some(0));
    assert!(refused.stderr.contains("stands in two places"), "{}", refused.stderr);
}

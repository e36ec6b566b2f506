//! Jobs, from their text: what they come to, and what is wrong with them.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::path::Path;

use assay_batch::Problem;
use assay_batch::job::{Job, KEYS, Settings};

const HASH: &str = "9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c";

/// The least that a job must say.
const LEAST: &str = "ruleset = \"HASH\"\ninput = \"in.csv\"\noutput = \"out\"\n";

fn resolve(text: &str, flags: &[(&str, &str)]) -> Result<Job, Vec<Problem>> {
    let file = Settings::from_toml(&text.replace("HASH", HASH), "jobs/job.toml", Path::new("jobs"));
    let mut given = Settings::new();
    for (name, value) in flags {
        given.flag(KEYS.iter().find(|key| key.name == *name).expect("a key"), value);
    }
    Job::resolve(file, given)
}

/// Every problem of a job, one below the other.
fn problems(text: &str, flags: &[(&str, &str)]) -> String {
    match resolve(text, flags) {
        Ok(job) => panic!("this is a job: {job:#?}"),
        Err(problems) => problems.iter().fold(String::new(), |mut shown, problem| {
            let _ = writeln!(shown, "{problem}");
            shown.replace(HASH, "HASH")
        }),
    }
}

#[test]
fn a_job_that_says_everything() {
    let text = r#"
ruleset_file = "policy.dsail"
pin = "HASH"
units = "HASH"
store = ".assay/store.db"
converters = "rates.toml"
input = ["archive/2024/*.parquet", "-"]
input_format = "parquet"
output = "results"
format = ["csv", "parquet", "csv"]
layout = "wide"
payloads = true
locate = true
id = "doc_id"
carry = ["region"]
group_by = "doc_id"
scattered = true
source = "reader"
threads = 8
batch_rows = 1_000
rlimit = 1000
max_choices = 64
engine = "z3"
cross_check = 0.001
missing_claims = "unknown"
max_rejected = "0.5%"
fail_on = ["REJECTED", "FALSE"]

[reading]
null = ["", "NA"]
true = ["true", "Y"]
false = "N"
trim = true
thousands = ","
decimal = "."
plus = true
list = "|"
delimiter = ";"
quote = "'"
encoding = "windows-1252"
nan = "unknown"

[claims.amount]
column = "total_amount"
unit_column = "currency"
"#;
    insta::assert_debug_snapshot!("everything", resolve(text, &[]).expect("a job"));
}

#[test]
fn a_job_that_says_the_least_has_defaults() {
    insta::assert_debug_snapshot!("least", resolve(LEAST, &[]).expect("a job"));
}

#[test]
fn a_flag_outweighs_the_file() {
    let text = format!(
        "{LEAST}carry = [\"a\", \"b\"]\nlocate = true\n[claims.x]\ncolumn = \"y\"\n[reading]\ntrim = true\n"
    );
    let flags = [
        ("ruleset_file", "other.dsail"),
        ("pin", HASH),
        ("input", "one.csv"),
        ("input", "two.csv"),
        ("output", "elsewhere"),
        ("carry", "c"),
        ("locate", "false"),
        ("format", "jsonl,csv"),
        ("max_rejected", "10"),
        ("column", "x=z"),
        ("unit_column", "x=u=v"),
        ("trim", "false"),
        ("delimiter", "\\t"),
    ];
    let job = resolve(&text, &flags).expect("a job");
    // Paths of flags are relative to where the command runs, those of the file to the file.
    assert_eq!(job.ruleset.file.as_deref(), Some(Path::new("other.dsail")));
    assert_eq!(job.output.folder(), Path::new("elsewhere"));
    assert_eq!(
        job.input.iter().map(|spec| (spec.text.as_str(), spec.folder.to_str())).collect::<Vec<_>>(),
        [("one.csv", Some("")), ("two.csv", Some("")),]
    );
    assert_eq!(
        (job.carry, job.locate, job.reading.trim, job.text.delimiter),
        (vec!["c".to_owned()], false, false, b'\t')
    );
    let columns = &job.claims["x"];
    assert_eq!((columns.column.as_deref(), columns.unit_column.as_deref()), (Some("z"), Some("u=v")));
    assert_eq!(resolve(LEAST, &[]).expect("a job").output.folder(), Path::new("jobs/out"));
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text = r#"
ruleset = "9F2C"
pin = "HASH"
units = "nothing"
inptu = ["a.csv"]
output = ""
format = ["parquet", "excel"]
layout = "tall"
payloads = "yes"
id = 3
carry = ["a", "b", "a"]
scattered = true
source = ""
threads = 0
batch_rows = -5
rlimit = 1.5
engine = "z4"
cross_check = 1.5
missing_claims = "ignore"
max_rejected = "101%"
fail_on = ["FALSE", "reject", "true"]
nulls = [""]
resume = true

[reading]
thousand = ","
decimal = ""
delimiter = "::"
encoding = "utf8"
nan = true
layout = "long"

[claims.amount]
columns = "x"
unit = "USD"
column = ""

[claim.x]
column = "y"
"#;
    insta::assert_snapshot!(
        "wrong",
        problems(text, &[("cross_check", "often"), ("column", "amount"), ("trim", "maybe")])
    );
}

#[test]
fn what_is_missing_is_named() {
    let mut shown = problems("", &[]);
    let pinned =
        "ruleset = \"HASH\"\nruleset_file = \"p.dsail\"\npin = \"HASH\"\ninput = \"a\"\noutput = \"o\"";
    shown.push_str(&problems(pinned, &[]));
    shown.push_str(&problems("ruleset_file = \"p.dsail\"\ninput = []\noutput = \"o\"", &[]));
    shown.push_str(&problems(&format!("{LEAST}max_rejected = 1.5\nreading = 3\nclaims = {{ x = 1 }}"), &[]));
    shown.push_str(&problems(
        &format!("{LEAST}input_format = \"xlsx\""),
        &[("input", "ftp://bucket/a.parquet")],
    ));
    shown.push_str(&problems(&format!("{LEAST}id = \"id\"\ngroup_by = \"doc_id\""), &[]));
    shown.push_str(&problems(&format!("{LEAST}[reading]\ndelimiter = \"|\"\nlist = \"|\""), &[]));
    insta::assert_snapshot!("missing", shown);
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    insta::assert_snapshot!("no_toml", problems("ruleset = \"HASH\"\ninput = [\"a\"\noutput = 'o'\n", &[]));
}

#[test]
fn every_key_is_in_the_reference() {
    let reference = include_str!("../../../docs/runs.md");
    for key in KEYS {
        let row = format!("| `{}` | `{}` |", key.name, key.flag());
        assert!(reference.contains(&row), "docs/runs.md has no row that begins with {row}");
    }
}

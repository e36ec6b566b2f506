//! The columns of the results: no two may have one name.

use std::collections::BTreeSet;

use assay_compile::Ruleset;

use crate::error::Problem;
use crate::job::Job;
use crate::output::Layout;

/// The columns of long results before those of the job.
const LONG: [&str; 8] = [
    "id",
    "rule",
    "assertion",
    "check",
    "reason_unknown",
    "contradicted",
    "ruleset_hash",
    "unit_library_hash",
];

/// The columns of wide results before the assertions' and those of the job.
const WIDE: [&str; 3] = ["id", "ruleset_hash", "unit_library_hash"];

/// The columns that say where a result comes from.
const LOCATED: [&str; 2] = ["file", "row"];

/// The column of grouped results that names the carried columns in which the rows of a document differ.
const CARRIED_DIFFER: &str = "carried_differ";

/// The carried columns of the results.
pub(super) fn carried(job: &Job) -> Vec<String> {
    let mut columns = job.carry.clone();
    if job.grouping.is_some() && !columns.is_empty() {
        columns.push(CARRIED_DIFFER.to_owned());
    }
    columns
}

/// Columns that would have the name of another.
pub(super) fn problems(job: &Job, ruleset: &Ruleset) -> Vec<Problem> {
    let mut problems = Vec::new();
    let fixed: &[&str] = match job.layout {
        Layout::Long => &LONG,
        Layout::Wide => &WIDE,
    };
    let mut taken: BTreeSet<&str> = fixed.iter().copied().collect();
    if job.locate {
        taken.extend(LOCATED);
    }
    if job.layout == Layout::Wide {
        for assertion in &ruleset.assertions {
            if !taken.insert(&assertion.name) {
                let name = &assertion.name;
                let message = format!("assertion `{name}` has the name of a column of wide results");
                problems.push(Problem::new(message).help("use `layout = \"long\"`"));
            }
        }
    }
    if job.grouping.is_some() && !job.carry.is_empty() {
        taken.insert(CARRIED_DIFFER);
    }
    for column in &job.carry {
        if !taken.insert(column) {
            problems.push(
                Problem::new(format!(
                    "the carried column `{column}` has the name of a column of the results"
                ))
                .help("rename it in the input, or leave it out of `carry`"),
            );
        }
    }
    problems
}

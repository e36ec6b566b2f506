//! The language is what its cases say: every case of `fixtures/cases` turns out as it claims, and every row of every
//! table of the reference has its cases.

// What is wrong with the suite itself stops it.
#![allow(clippy::expect_used, clippy::panic)]

mod suite {
    pub mod case;
    pub mod decide;
    pub mod rows;
    pub mod run;
}

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use suite::case::{Expect, File, files};
use suite::rows::{Needs, rows};
use suite::run::check;

/// The fewest cases there are to be.
const CASES: usize = 300;

#[test]
fn every_case_turns_out_as_it_says() {
    let mut failures = String::new();
    for File { name: file, cases } in files() {
        let mut names = BTreeSet::new();
        let mut messages = String::new();
        for case in &cases {
            let (wrong, said) = check(case);
            if let Some(said) = said {
                let _ = write!(messages, "━━ {}: {}\n\n{}\n", case.row, case.name, readable(&said));
            }
            for wrong in wrong {
                let _ = writeln!(failures, "{file}, {}, `{}`: {wrong}", case.row, case.name);
            }
            if !names.insert((&case.row, &case.name)) {
                let _ = writeln!(failures, "{file}: a second case `{}`", case.name);
            }
        }
        if messages.is_empty() {
            continue;
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("refused_{file}"), messages);
        });
    }
    assert!(failures.is_empty(), "{failures}");
}

/// What was said, cut where nobody would read on.
fn readable(said: &str) -> String {
    const LINES: usize = 80;
    let count = said.lines().count();
    if count <= LINES {
        return said.to_owned();
    }
    let shown: String = said.split_inclusive('\n').take(LINES).collect();
    format!("{shown}… and {} lines more\n", count - LINES)
}

#[test]
fn every_row_has_its_cases() {
    let (rows, mut wrong) = rows();
    let mut have: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for File { name: file, cases } in files() {
        for case in cases {
            if !rows.contains_key(&case.row) {
                wrong.push(format!("{file}, `{}`: there is no row `{}`", case.name, case.row));
            }
            let (accepted, refused) = have.entry(case.row).or_default();
            match case.expect {
                Expect::Accepted => *accepted += 1,
                Expect::Refused => *refused += 1,
            }
        }
    }
    for (row, needs) in rows {
        let (accepted, refused) = have.get(&row).copied().unwrap_or_default();
        let met = match needs {
            Needs::Both => accepted > 0 && refused > 0,
            Needs::Accepted => accepted > 0,
            Needs::Refused => refused > 0,
            Needs::Either => accepted + refused > 0,
        };
        if !met {
            wrong.push(format!("the row `{row}` has {accepted} accepted and {refused} refused cases"));
        }
    }
    let cases: usize = have.values().map(|(accepted, refused)| accepted + refused).sum();
    if cases < CASES {
        wrong.push(format!("{cases} cases, and {CASES} are the fewest there are to be"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! A whole run as its manifest tells of it.

use assay_engine::Word;
use serde_json::Value;

use crate::events::{Documents, Tally};
use crate::folder::MANIFEST;
use crate::job::Job;
use crate::run::{Outcome, exit};

/// A run of which there is a manifest.
pub(crate) struct Whole<'m> {
    manifest: &'m Value,
}

impl<'m> Whole<'m> {
    /// The run of a manifest.
    pub fn new(manifest: &'m Value) -> Whole<'m> {
        Whole { manifest }
    }

    /// The names of its files, the manifest's last.
    pub fn names(&self) -> Vec<&'m str> {
        let outputs = self.manifest["outputs"].as_array().into_iter().flatten();
        outputs.filter_map(|file| file["file"].as_str()).chain([MANIFEST]).collect()
    }

    /// What it came to.
    pub fn outcome(&self, job: &Job) -> Outcome {
        let count = |value: &Value| value.as_u64().unwrap_or_default();
        let assertions = self.manifest["assertions"].as_array().into_iter().flatten();
        let assertions: Vec<(String, Tally)> = assertions
            .map(|assertion| {
                let tally = Tally {
                    words: Word::ALL.map(|word| count(&assertion["checks"][word.as_str()])),
                    by_policy: count(&assertion["made_by_policy"]),
                    solver_decided: count(&assertion["solver_decided"]),
                    solver_gave_up: count(&assertion["solver_gave_up"]),
                };
                (assertion["name"].as_str().unwrap_or_default().to_owned(), tally)
            })
            .collect();
        let [rows, rejected] = ["read", "rejected"].map(|key| count(&self.manifest["rows"][key]));
        let engine_errors = count(&self.manifest["engine_errors"]);
        let documents = self.manifest.get("documents").map(|documents| Documents {
            checked: count(&documents["checked"]),
            rejected: count(&documents["rejected"]),
            engine_errors,
        });
        Outcome {
            exit: exit(job, engine_errors, rejected, assertions.iter().map(|(_, tally)| tally)),
            rows,
            rejected,
            engine_errors,
            documents,
            assertions,
            output: job.output.clone(),
            kept: rows,
        }
    }
}

//! The files that a run writes as it goes.

use crate::error::RunError;
use crate::folder::{Folder, Part};
use crate::input::FileFormat;
use crate::output::{Create, WriteResults};
use crate::work::{Ready, Work};

/// Lines of refused rows.
pub(crate) const REJECTED: &str = "rejected.jsonl";

/// The outputs of a run that are written as it goes.
pub(crate) struct Outputs {
    /// One for each format.
    results: Vec<(Part, Box<dyn WriteResults>)>,
    payloads: Option<Part>,
    rejected: Part,
    ruleset: Part,
    converters: Part,
}

impl Outputs {
    /// Opens them all, unfinished.
    pub fn open(work: &Work, folder: &Folder, create: &dyn Create) -> Result<Outputs, RunError> {
        let Work { job, plan, .. } = work;
        let mut results = Vec::new();
        for format in &job.formats {
            let mut part = folder.create(match format {
                FileFormat::Parquet => "results.parquet",
                FileFormat::Jsonl => "results.jsonl",
                FileFormat::Csv => "results.csv",
            })?;
            let writer = create.writer(*format, &plan.schema, part.writer());
            let writer = writer.map_err(|error| part.failed(error.message))?;
            results.push((part, writer));
        }
        let mut ruleset = folder.create("ruleset.dsail")?;
        ruleset.write(plan.ruleset.source.text().as_bytes())?;
        let mut converters = folder.create("converters.json")?;
        let none = "{\"converters\":[]}".to_owned();
        converters.write(plan.library.canonical_json().unwrap_or(none).as_bytes())?;
        let payloads = match job.payloads {
            true => Some(folder.create("payloads.jsonl")?),
            false => None,
        };
        Ok(Outputs { results, payloads, rejected: folder.create(REJECTED)?, ruleset, converters })
    }

    /// Appends a chunk.
    pub fn write(&mut self, ready: Ready) -> Result<(), RunError> {
        for ((part, writer), encoded) in self.results.iter_mut().zip(ready.encoded) {
            writer.write(encoded).map_err(|error| part.failed(error.message))?;
        }
        if let Some(payloads) = &mut self.payloads {
            payloads.write(ready.payloads.as_bytes())?;
        }
        self.rejected.write(ready.rejected.as_bytes())
    }

    /// Ends the adapters' files; the parts in the order in which the manifest lists them.
    pub fn end(self) -> Result<Vec<Part>, RunError> {
        let mut parts = Vec::new();
        for (part, writer) in self.results {
            writer.finish().map_err(|error| part.failed(error.message))?;
            parts.push(part);
        }
        parts.extend(self.payloads);
        parts.extend([self.rejected, self.ruleset, self.converters]);
        Ok(parts)
    }
}

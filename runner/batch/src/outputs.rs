//! The files that a run writes as it goes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::ThreadPool;

use crate::error::RunError;
use crate::folder::{Folder, Part};
use crate::input::FileFormat;
use crate::output::{Block, Create, Encoded, OutputError, WriteResults};
use crate::work::{Ready, Work};

/// Lines of refused rows.
pub(crate) const REJECTED: &str = "rejected.jsonl";

/// The outputs of a run that are written as it goes.
pub(crate) struct Outputs {
    /// One for each format.
    results: Vec<Results>,
    payloads: Option<Part>,
    rejected: Part,
    ruleset: Part,
    converters: Part,
}

impl Outputs {
    /// Opens them all, unfinished.
    pub fn open(
        work: &Work,
        folder: &Folder,
        create: &dyn Create,
        pool: &Arc<ThreadPool>,
    ) -> Result<Outputs, RunError> {
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
            results.push(Results { part, writer, pool: Arc::clone(pool), making: VecDeque::new() });
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
        for (results, encoded) in self.results.iter_mut().zip(ready.encoded) {
            results.take(encoded)?;
        }
        if let Some(payloads) = &mut self.payloads {
            payloads.write(ready.payloads.as_bytes())?;
        }
        self.rejected.write(ready.rejected.as_bytes())
    }

    /// Ends the adapters' files; the parts in the order in which the manifest lists them.
    pub fn end(self) -> Result<Vec<Part>, RunError> {
        let mut parts = Vec::new();
        for results in self.results {
            parts.push(results.end()?);
        }
        parts.extend(self.payloads);
        parts.extend([self.rejected, self.ruleset, self.converters]);
        Ok(parts)
    }
}

/// The results in one format.
struct Results {
    part: Part,
    writer: Box<dyn WriteResults>,
    pool: Arc<ThreadPool>,
    /// Blocks that are being made, in their order.
    making: VecDeque<Receiver<Result<Encoded, OutputError>>>,
}

impl Results {
    fn take(&mut self, encoded: Encoded) -> Result<(), RunError> {
        for block in self.writer.take(encoded).map_err(|error| self.failed(error))? {
            self.block(block)?;
        }
        Ok(())
    }

    /// Has a block made, and writes the oldest ones where every thread has one: what is in hand stays bounded.
    fn block(&mut self, block: Block) -> Result<(), RunError> {
        match block {
            Block::Ready(ready) if self.making.is_empty() => {
                return self.writer.write(ready).map_err(|error| self.failed(error));
            }
            Block::Ready(ready) => self.make(move || Ok(ready)),
            Block::Open(make) => self.make(make),
        }
        while self.making.len() > self.pool.current_num_threads() {
            self.write_next()?;
        }
        Ok(())
    }

    fn make(&mut self, make: impl FnOnce() -> Result<Encoded, OutputError> + Send + 'static) {
        let (promise, made) = sync_channel(1);
        self.pool.spawn(move || {
            let _ = promise.send(make());
        });
        self.making.push_back(made);
    }

    fn write_next(&mut self) -> Result<(), RunError> {
        let Some(made) = self.making.pop_front() else { return Ok(()) };
        let broken = |_| RunError::Engine("a thread that encodes results broke down".to_owned());
        let ready = made.recv().map_err(broken)?;
        ready.and_then(|ready| self.writer.write(ready)).map_err(|error| self.failed(error))
    }

    fn end(mut self) -> Result<Part, RunError> {
        if let Some(block) = self.writer.rest() {
            self.block(block)?;
        }
        while !self.making.is_empty() {
            self.write_next()?;
        }
        let Results { part, writer, .. } = self;
        writer.finish().map_err(|error| part.failed(error.message))?;
        Ok(part)
    }

    fn failed(&self, error: OutputError) -> RunError {
        self.part.failed(error.message)
    }
}

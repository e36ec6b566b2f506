//! The files that a run writes as it goes.

use std::collections::VecDeque;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::ThreadPool;

use crate::error::RunError;
use crate::folder::{Folder, Kept, Part};
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
    /// Opens them all, unfinished: empty, or where a checkpoint kept them.
    pub fn open(
        work: &Work,
        folder: &Folder,
        create: &dyn Create,
        pool: &Arc<ThreadPool>,
        kept: Option<&[Kept]>,
    ) -> Result<Outputs, RunError> {
        let Work { job, plan, .. } = work;
        let open = |name: &'static str| match kept.map(|kept| kept.iter().find(|each| each.name == name)) {
            None => Ok((folder.create(name)?, None)),
            Some(Some(kept)) => Ok((folder.reopen(name, kept)?, Some(kept.state.as_slice()))),
            Some(None) => Err(RunError::engine(format!("the checkpoint knows nothing of `{name}`"))),
        };
        let mut results = Vec::new();
        for format in &job.formats {
            let (mut part, state) = open(match format {
                FileFormat::Parquet => "results.parquet",
                FileFormat::Jsonl => "results.jsonl",
                FileFormat::Csv => "results.csv",
            })?;
            let writer = create.writer(*format, &plan.schema, part.writer(), state);
            let writer = writer.map_err(|error| part.failed(error.message))?;
            results.push(Results { part, writer, pool: Arc::clone(pool), making: VecDeque::new() });
        }
        let payloads = match job.payloads {
            true => Some(open("payloads.jsonl")?.0),
            false => None,
        };
        let (rejected, _) = open(REJECTED)?;
        // These two are written anew: all that they say is known.
        let mut ruleset = folder.create("ruleset.dsail")?;
        ruleset.write(plan.ruleset.source.text().as_bytes())?;
        let mut converters = folder.create("converters.json")?;
        let none = "{\"converters\":[]}".to_owned();
        converters.write(plan.library.canonical_json().unwrap_or(none).as_bytes())?;
        Ok(Outputs { results, payloads, rejected, ruleset, converters })
    }

    /// What is kept of those that grow, and their files.
    pub fn kept(&mut self) -> Result<Saved, RunError> {
        let mut saved = Saved::default();
        for results in &mut self.results {
            // What is being made belongs to rows before the checkpoint.
            results.write_made(0)?;
            let state = results.writer.checkpoint().map_err(|error| results.part.failed(error.message))?;
            saved.add(&mut results.part, state)?;
        }
        for part in self.payloads.iter_mut().chain([&mut self.rejected]) {
            saved.add(part, Vec::new())?;
        }
        Ok(saved)
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
        self.write_made(self.pool.current_num_threads())
    }

    fn make(&mut self, make: impl FnOnce() -> Result<Encoded, OutputError> + Send + 'static) {
        let (promise, made) = sync_channel(1);
        self.pool.spawn(move || {
            let _ = promise.send(make());
        });
        self.making.push_back(made);
    }

    /// Waits for the oldest blocks that are being made, and writes them, until so many are left.
    fn write_made(&mut self, left: usize) -> Result<(), RunError> {
        while self.making.len() > left
            && let Some(made) = self.making.pop_front()
        {
            let broken = |_| RunError::engine("a thread that encodes results broke down".to_owned());
            let ready = made.recv().map_err(broken)?;
            ready.and_then(|ready| self.writer.write(ready)).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<Part, RunError> {
        if let Some(block) = self.writer.rest() {
            self.block(block)?;
        }
        self.write_made(0)?;
        let Results { part, writer, .. } = self;
        writer.finish().map_err(|error| part.failed(error.message))?;
        Ok(part)
    }

    fn failed(&self, error: OutputError) -> RunError {
        self.part.failed(error.message)
    }
}

/// What a checkpoint keeps of the outputs, and their files, which have to be on the disk first.
#[derive(Default)]
pub(crate) struct Saved {
    pub kept: Vec<Kept>,
    pub files: Vec<(PathBuf, File)>,
}

impl Saved {
    fn add(&mut self, part: &mut Part, state: Vec<u8>) -> Result<(), RunError> {
        self.kept.push(part.kept(state)?);
        self.files.push(part.file()?);
        Ok(())
    }
}

//! A run from its job to its outcome.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_units::{Library, Rational};
use rayon::ThreadPool;
use tokio::sync::mpsc;

use crate::cancel::Cancel;
use crate::error::{Problem, RunError};
use crate::events::{Documents, Event, InputFound, Tally};
use crate::exit::Exit;
use crate::folder::{Folder, MANIFEST};
use crate::input::{Location, Open};
use crate::job::{Job, Limit};
use crate::manifest::Manifest;
use crate::output::Create;
use crate::outputs::{Outputs, REJECTED};
use crate::pipeline::{Next, Reading, Step, Steps, workers};
use crate::places::{Place, Places, Twice};
use crate::plan::{Plan, Rulesets};
use crate::sample::Sample;
use crate::work::Work;

/// What a run needs beside its job.
pub struct Around<'a> {
    /// Where stored rulesets are.
    pub rulesets: &'a dyn Rulesets,
    /// The unit library in use: what the store and the converters file give together.
    pub library: Library,
    /// Opens inputs.
    pub open: Arc<dyn Open>,
    /// Makes outputs.
    pub create: Arc<dyn Create>,
    /// Whether another run in the output folder is replaced.
    pub overwrite: bool,
    /// Tells the run to stop.
    pub cancel: Cancel,
}

/// What a completed run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// [`Exit::Completed`] or [`Exit::FailOn`].
    pub exit: Exit,
    /// How many rows were read.
    pub rows: u64,
    /// How many of them were rejected.
    pub rejected: u64,
    /// The documents that they are, where rows are grouped.
    pub documents: Option<Documents>,
    /// What was answered: each assertion's name and counts, in source order.
    pub assertions: Vec<(String, Tally)>,
    /// The output folder.
    pub output: PathBuf,
}

/// Runs a job. Blocks until it ends; `observe` is called on this thread as things happen.
///
/// # Errors
/// Why the run did not complete. Nothing then has its final name.
pub fn run(job: Job, around: &Around<'_>, observe: &mut dyn FnMut(&Event)) -> Result<Outcome, RunError> {
    let plan = Plan::new(&job, around.rulesets, &around.library, around.open.as_ref())?;
    let files: Vec<&Path> = plan
        .inputs
        .iter()
        .filter_map(|input| match &input.location {
            Location::File(path) => Some(path.as_path()),
            Location::Stdin => None,
        })
        .collect();
    let folder = Folder::take(&job.output, around.overwrite, &files)?;
    let encoders = job.formats.iter().map(|format| around.create.encoder(*format, &plan.schema));
    let encoders = encoders.collect::<Result<_, _>>();
    let work = Arc::new(Work {
        sample: Sample::new(&job.cross_check),
        encoders: encoders.map_err(|error| RunError::Output(Problem::new(error.message)))?,
        claims: plan.ruleset.claims.iter().map(|claim| Arc::from(claim.name.as_str())).collect(),
        files: plan.inputs.iter().map(|input| Arc::from(input.name.as_str())).collect(),
        counts_only: false,
        plan,
        job,
    });
    let threads = work.job.threads.or_else(|| std::thread::available_parallelism().ok());
    let pool = Arc::new(workers(threads.map_or(1, usize::from))?);
    let outputs = Outputs::open(&work, &folder, around.create.as_ref(), &pool)?;
    let manifest = Manifest::new(&work.job, &work.plan);
    let places = Places::new(folder.parts());
    let mut run = Run { manifest, places, work, folder, observe };
    run.emit(Event::Started {
        inputs: run.inputs(),
        assertions: run.work.plan.schema.assertions.clone(),
        threads: pool.current_num_threads(),
    });
    let outputs = run.read_and_write(around, pool, outputs)?;
    run.complete(outputs)
}

/// A run that has started.
struct Run<'a> {
    work: Arc<Work>,
    folder: Folder,
    manifest: Manifest,
    /// Where documents stand, if that has to be told.
    places: Places,
    observe: &'a mut dyn FnMut(&Event),
}

impl Run<'_> {
    fn emit(&mut self, event: Event) {
        self.manifest.fold(&event);
        (self.observe)(&event);
    }

    fn inputs(&self) -> Vec<InputFound> {
        let inputs = self.work.plan.inputs.iter();
        inputs.map(|input| InputFound { name: input.name.clone(), bytes: input.bytes }).collect()
    }

    /// Reads, decides and writes everything.
    fn read_and_write(
        &mut self,
        around: &Around<'_>,
        pool: Arc<ThreadPool>,
        outputs: Outputs,
    ) -> Result<Outputs, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime =
            runtime.map_err(|error| RunError::Engine(format!("the run cannot be started: {error}")))?;
        let (sender, queue) = mpsc::channel::<Step>(pool.current_num_threads());
        let reading = Reading {
            work: Arc::clone(&self.work),
            open: Arc::clone(&around.open),
            pool,
            cancel: around.cancel.clone(),
            spill: self.folder.parts().to_owned(),
        };
        runtime.spawn_blocking(move || reading.run(&sender));
        let steps = Steps { queue, cancel: around.cancel.clone() };
        let written = runtime.block_on(self.write(steps, outputs));
        // A reader that waits for input that never comes is not waited for.
        runtime.shutdown_background();
        written
    }

    async fn write(&mut self, mut steps: Steps, mut outputs: Outputs) -> Result<Outputs, RunError> {
        loop {
            match steps.next().await? {
                Next::Ready(ready) => {
                    let decided = ready.decided.clone();
                    self.places.add(&ready.places).map_err(|error| self.folder.spill_failed(&error))?;
                    let writing = tokio::task::spawn_blocking(move || {
                        let written = outputs.write(*ready);
                        (outputs, written)
                    });
                    let broken = |_| RunError::Engine("the writing thread broke down".to_owned());
                    let (back, written) = writing.await.map_err(broken)?;
                    outputs = back;
                    written?;
                    self.emit(Event::Decided(decided));
                    self.check_count()?;
                }
                Next::InputDone { input, sha256 } => self.emit(Event::InputDone { input, sha256 }),
                Next::End if steps.cancel.is_cancelled() => {
                    let (rows, _) = self.manifest.rows();
                    return Err(RunError::Interrupted { rows, kept: self.folder.unfinished() });
                }
                Next::End => return Ok(outputs),
            }
        }
    }

    /// Holds the rows rejected so far against a count.
    fn check_count(&self) -> Result<(), RunError> {
        self.check_rejected(|limit, rejected, _| matches!(limit, Limit::Count(most) if rejected > *most))
    }

    /// Holds all rejected rows against a share.
    fn check_share(&self) -> Result<(), RunError> {
        self.check_rejected(|limit, rejected, rows| match limit {
            Limit::Share(share) => {
                Rational::from_integer(rejected.into()) > share * Rational::from_integer(rows.into())
            }
            Limit::Count(_) => false,
        })
    }

    fn check_rejected(&self, passed: impl Fn(&Limit, u64, u64) -> bool) -> Result<(), RunError> {
        let Some(allowed) = &self.work.job.max_rejected else { return Ok(()) };
        let (rows, rejected) = self.manifest.rows();
        if !passed(&allowed.limit, rejected, rows) {
            return Ok(());
        }
        let kept = self.folder.part(REJECTED);
        Err(RunError::TooManyRejected { rejected, rows, allowed: allowed.text.clone(), kept })
    }

    /// Ends every output and gives it its final name.
    fn complete(mut self, outputs: Outputs) -> Result<Outcome, RunError> {
        let mut names = Vec::new();
        for part in outputs.end()? {
            names.push(part.name);
            let file = part.finish()?;
            self.emit(Event::Written(file));
        }
        // Everything is on the disk, the rejected rows too, so that they can be looked at.
        self.check_share()?;
        let places = std::mem::replace(&mut self.places, Places::new(self.folder.parts()));
        stands_in_one_place(&self.work.plan, places, |error| self.folder.spill_failed(error))?;
        let mut manifest = self.folder.create(MANIFEST)?;
        manifest.write(self.manifest.text().as_bytes())?;
        manifest.finish()?;
        names.push(MANIFEST);
        let Run { work, folder, manifest, observe, .. } = self;
        folder.publish(&names)?;
        observe(&Event::Finished { output: work.job.output.display().to_string() });
        let (rows, rejected) = manifest.rows();
        let tallies = manifest.tallies();
        let fail_on = &work.job.fail_on;
        let answered = |tally: &Tally| fail_on.words.iter().any(|word| tally.of(*word) > 0);
        let failed = (fail_on.rejected && rejected > 0) || tallies.iter().any(answered);
        Ok(Outcome {
            exit: if failed { Exit::FailOn } else { Exit::Completed },
            rows,
            rejected,
            documents: manifest.documents(),
            assertions: work.plan.schema.assertions.iter().cloned().zip(tallies).collect(),
            output: work.job.output.clone(),
        })
    }
}

/// Holds that no document stands in two places.
pub(crate) fn stands_in_one_place(
    plan: &Plan,
    places: Places,
    failed: impl Fn(&std::io::Error) -> RunError,
) -> Result<(), RunError> {
    let twice = places.twice().map_err(|error| failed(&error))?;
    let Some(Twice { id, first, second, others }) = twice else { return Ok(()) };
    let place = |place: Place| {
        let input = plan.inputs.get(place.input);
        input.map_or_else(String::new, |input| input.place(place.row))
    };
    let others = match others {
        0 => String::new(),
        1 => "; so does 1 other document".to_owned(),
        others => format!("; so do {others} other documents"),
    };
    let message = format!("document `{id}` stands in two places, here and at {}{others}", place(first));
    let help = "its rows are the evidence of one document: add `scattered = true`, which gathers them, or sort the \
                input by its ids";
    Err(RunError::Scattered(Problem::new(message).at(place(second)).help(help)))
}

//! A run from its job to its outcome.

use std::sync::Arc;

use assay_engine::Apart;
use assay_units::Library;

use crate::cancel::Cancel;
use crate::checkpoint::Checkpoint;
use crate::error::{Problem, RunError};
use crate::events::{Documents, Event, InputFound, Tally};
use crate::exit::Exit;
use crate::folder::{Folder, MANIFEST};
use crate::input::Open;
use crate::job::{Job, Output};
use crate::manifest::Manifest;
use crate::output::Create;
use crate::outputs::Outputs;
use crate::pipeline::workers;
use crate::places::{Place, Places, Twice};
use crate::plan::{Plan, Rulesets};
use crate::remote::Stores;
use crate::resume::{self, Before, Start};
use crate::sample::Sample;
use crate::whole::Whole;
use crate::work::Work;

/// What a run needs beside its job.
pub struct Around<'a> {
    /// Where stored rulesets are.
    pub rulesets: &'a dyn Rulesets,
    /// The unit library in use: what the store and the converters file give together.
    pub library: Library,
    /// Opens inputs.
    pub open: Arc<dyn Open>,
    /// Where inputs and results may be that are in no file system.
    pub stores: &'a dyn Stores,
    /// Makes outputs.
    pub create: Arc<dyn Create>,
    /// What is done about a run that is in the output folder already.
    pub before: Before,
    /// Tells the run to stop.
    pub cancel: Cancel,
    /// The program that the solver is asked in where a question is not easy; without one it is asked in this process.
    pub solver: Option<Apart>,
}

/// What a completed run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// [`Exit::Completed`], [`Exit::FailOn`], or [`Exit::Engine`] where the engine had no answer for some documents.
    pub exit: Exit,
    /// How many rows were read.
    pub rows: u64,
    /// How many of them were rejected.
    pub rejected: u64,
    /// How many documents were rejected because the engine had no answer for them.
    pub engine_errors: u64,
    /// The documents that they are, where rows are grouped.
    pub documents: Option<Documents>,
    /// What was answered: each assertion's name and counts, in source order.
    pub assertions: Vec<(String, Tally)>,
    /// Where its results are.
    pub output: Output,
    /// How many of the rows were finished before this run began: all of them where it was complete already.
    pub kept: u64,
}

/// Runs a job. Blocks until it ends; `observe` is called on this thread as things happen.
///
/// # Errors
/// Why the run did not complete. Nothing then has its final name.
pub fn run(job: Job, around: &Around<'_>, observe: &mut dyn FnMut(&Event)) -> Result<Outcome, RunError> {
    let plan = Plan::new(&job, around)?;
    let folder = Folder::take(&job.output, around.stores)?;
    folder.holds_no_input(plan.inputs.iter().map(|input| &input.location))?;
    let manifest = Manifest::new(&job, &plan);
    let start = match resume::start(&folder, around.before, &manifest, &plan, around.open.as_ref())? {
        Start::Whole { manifest, unpublished } => {
            let whole = Whole::new(&manifest);
            if unpublished {
                publish(folder, &whole.names(), &job.output, observe)?;
            }
            return Ok(whole.outcome(&job));
        }
        Start::At(checkpoint) => Some(*checkpoint),
        Start::Anew => {
            folder.clear()?;
            None
        }
    };
    folder.check()?;
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
    let pool = workers(&work.job)?;
    let kept = start.as_ref().map(|start| start.outputs.as_slice());
    let outputs = Outputs::open(&work, &folder, around.create.as_ref(), &pool, kept)?;
    let places = Places::new(folder.parts());
    let kept = start.as_ref().map_or(0, Checkpoint::rows);
    let mut run = Run { manifest, places, kept, work, folder, observe };
    run.emit(Event::Started {
        inputs: run.inputs(),
        assertions: run.work.plan.schema.assertions.clone(),
        threads: pool.current_num_threads(),
    });
    let before = start.map(|start| start.counted).unwrap_or_default();
    if kept > 0 {
        run.emit(Event::Resumed(before.clone()));
    }
    let outputs = run.read_and_write(around, pool, outputs, before.inputs)?;
    run.complete(outputs)
}

/// A run that has started.
pub(crate) struct Run<'a> {
    pub work: Arc<Work>,
    pub folder: Folder,
    pub manifest: Manifest,
    /// Where documents stand, if that has to be told.
    pub places: Places,
    /// How many rows were finished before.
    kept: u64,
    observe: &'a mut dyn FnMut(&Event),
}

impl Run<'_> {
    pub fn emit(&mut self, event: Event) {
        self.manifest.fold(&event);
        (self.observe)(&event);
    }

    fn inputs(&self) -> Vec<InputFound> {
        let inputs = self.work.plan.inputs.iter();
        inputs.map(|input| InputFound { name: input.name.clone(), bytes: input.bytes }).collect()
    }

    /// Ends every output and gives it its final name.
    fn complete(mut self, outputs: Outputs) -> Result<Outcome, RunError> {
        let mut names = Vec::new();
        for part in outputs.end()? {
            names.push(part.name);
            let file = part.finish()?;
            self.emit(Event::Written(file));
        }
        let places = std::mem::replace(&mut self.places, Places::new(self.folder.parts()));
        stands_in_one_place(&self.work.plan, places, |error| self.folder.spill_failed(error))?;
        self.folder.finish(self.manifest.text().as_bytes())?;
        names.push(MANIFEST);
        let Run { work, folder, manifest, observe, kept, .. } = self;
        publish(folder, &names, &work.job.output, observe)?;
        observe(&Event::Finished { output: work.job.output.to_string() });
        let (rows, rejected) = manifest.rows();
        let tallies = manifest.tallies();
        Ok(Outcome {
            exit: exit(&work.job, manifest.engine_errors(), rejected, tallies.iter()),
            rows,
            rejected,
            engine_errors: manifest.engine_errors(),
            documents: manifest.documents(),
            assertions: work.plan.schema.assertions.iter().cloned().zip(tallies.iter().copied()).collect(),
            output: work.job.output.clone(),
            kept,
        })
    }
}

/// Gives the files of a whole run their final names.
fn publish(
    folder: Folder,
    names: &[&str],
    output: &Output,
    observe: &mut dyn FnMut(&Event),
) -> Result<(), RunError> {
    if let Output::Store { url, .. } = output {
        observe(&Event::Putting { output: url.clone() });
    }
    folder.publish(names)
}

/// How a completed run ends.
pub(crate) fn exit<'t>(
    job: &Job,
    engine_errors: u64,
    rejected: u64,
    mut tallies: impl Iterator<Item = &'t Tally>,
) -> Exit {
    if engine_errors > 0 {
        return Exit::Engine;
    }
    let fail_on = &job.fail_on;
    let answered = |tally: &Tally| fail_on.words.iter().any(|word| tally.of(*word) > 0);
    match (fail_on.rejected && rejected > 0) || tallies.any(answered) {
        true => Exit::FailOn,
        false => Exit::Completed,
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

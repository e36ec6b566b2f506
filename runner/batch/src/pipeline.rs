//! One thread reads, rayon's threads decide side by side, and results come out in the order of the input.
//!
//! Each [`Unit`] of what is read starts its own work and puts the *promise* of its result into a queue. The queue is in input
//! order and bounded, so order and memory hold whatever the threads do: when the oldest unit is slow, reading waits.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use assay_faults::caught;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{mpsc, oneshot};

use crate::cancel::Cancel;
use crate::checkpoint::Seen;
use crate::error::{Problem, RunError};
use crate::events::InputSoFar;
use crate::input::{InputError, Open};
use crate::job::Job;
use crate::places::FirstPlaces;
use crate::scattered::Scattered;
use crate::units::{Cutter, Slice, Unit};
use crate::work::{Ready, Work};

/// The stack of a deciding thread: the solver recurses on deep formulas.
const STACK: usize = 64 * 1024 * 1024;

/// What comes out of the reading side, in input order.
pub(crate) enum Step {
    /// A unit, once it is decided.
    Unit(oneshot::Receiver<Result<Ready, RunError>>),
    /// A unit that was decided before the run was resumed, once it is known where its documents begin.
    Passed(oneshot::Receiver<Result<FirstPlaces, RunError>>),
    /// An input came to its end.
    InputDone { input: usize, sha256: String },
    /// Reading cannot go on.
    Failed(RunError),
}

/// Makes the deciding threads. The engine proves itself on each of them before anything is read.
///
/// There are as many as the job says, else one for each processor.
pub(crate) fn workers(job: &Job) -> Result<Arc<ThreadPool>, RunError> {
    let threads = job.threads.or_else(|| std::thread::available_parallelism().ok());
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.map_or(1, usize::from))
        .stack_size(STACK)
        .thread_name(|at| format!("assay-decide-{at}"))
        // A thread that panics breaks the promise of its unit, and that ends the run.
        .panic_handler(|_| ())
        .build()
        .map_err(|_| {
            let message = "the deciding threads cannot be started: there is too little memory, or there are too many processes";
            RunError::Engine(Problem::new(message).help(
                "run with fewer threads (`--threads 1`), or raise the limits (`ulimit -v`, `ulimit -u`); each thread takes \
                 64 MiB of address space",
            ))
        })?;
    // One after the other: a proof takes some fifty megabytes while it lasts.
    let turn = Mutex::new(());
    let proofs = pool.broadcast(|_| {
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        caught(assay_engine::prove)
    });
    for proof in proofs {
        match proof {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(RunError::of_engine(&error)),
            Err(broke) => {
                return Err(RunError::engine(format!("the engine does not prove itself: {broke}")));
            }
        }
    }
    Ok(Arc::new(pool))
}

/// The reading side of a run.
pub(crate) struct Reading {
    pub work: Arc<Work>,
    pub open: Arc<dyn Open>,
    pub pool: Arc<ThreadPool>,
    pub cancel: Cancel,
    /// The folder to which scattered rows are spilled.
    pub spill: PathBuf,
    /// What was read of each input before the run was resumed.
    pub before: Vec<InputSoFar>,
    /// What is seen of each input.
    pub seen: Arc<Sightings>,
}

/// What was seen of each input so far, no less than the rows that were handed over.
#[derive(Debug, Default)]
pub(crate) struct Sightings(Mutex<Vec<Option<Seen>>>);

impl Sightings {
    /// Of so many inputs nothing.
    pub fn new(inputs: usize) -> Sightings {
        Sightings(Mutex::new(vec![None; inputs]))
    }

    fn put(&self, input: usize, seen: Option<Seen>) {
        if let Some(place) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(input) {
            *place = seen;
        }
    }

    /// What was seen by now.
    pub fn all(&self) -> Vec<Option<Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Reading {
    /// Reads every input to its end, until the run is told to stop or nobody takes the steps any more.
    pub fn run(&self, steps: &mpsc::Sender<Step>) {
        let read = match &self.work.job.grouping {
            None => self.inputs(steps, true, &mut |chunk| self.decide(Unit::of(vec![chunk]), steps)),
            Some(grouping) if grouping.scattered => self.scattered(steps),
            Some(_) => self.grouped(steps),
        };
        if let Err(Stop::Failed(error)) = read {
            let _ = steps.blocking_send(Step::Failed(error));
        }
    }

    /// Reads documents whose rows stand one after the other.
    fn grouped(&self, steps: &mpsc::Sender<Step>) -> Result<(), Stop> {
        let mut cutter = Cutter::default();
        let mut before = self.rows_before();
        self.inputs(steps, false, &mut |chunk| {
            let mut units = cutter.take(&self.work.plan.mapping, &chunk).into_iter();
            units.try_for_each(|unit| self.decide_after(&mut before, unit, steps))
        })?;
        cutter.end().map_or(Ok(()), |unit| self.decide_after(&mut before, unit, steps))
    }

    /// Reads documents whose rows stand anywhere: all rows first, then the documents by their first rows.
    fn scattered(&self, steps: &mpsc::Sender<Step>) -> Result<(), Stop> {
        let Work { job, plan, .. } = &*self.work;
        let mut scattered = Scattered::new(&self.spill);
        self.inputs(steps, false, &mut |chunk| Ok(scattered.take(&plan.mapping, &chunk)?))?;
        let mut gathered = scattered.gather(|| self.cancel.is_cancelled())?;
        let mut before = self.rows_before();
        while !self.cancel.is_cancelled()
            && let Some(unit) = gathered.next(job.batch_rows.get())?
        {
            self.decide_after(&mut before, unit, steps)?;
        }
        Ok(())
    }

    /// How many rows were decided before the run was resumed.
    fn rows_before(&self) -> u64 {
        self.before.iter().map(|input| input.rows).sum()
    }

    /// Has a unit decided, but for the documents in it that were decided before the run was resumed.
    fn decide_after(&self, before: &mut u64, unit: Unit, steps: &mpsc::Sender<Step>) -> Result<(), Stop> {
        if *before == 0 {
            return self.decide(unit, steps);
        }
        let (passed, rest) = unit.split(*before);
        *before -= passed.rows();
        let (promise, places) = oneshot::channel();
        let work = Arc::clone(&self.work);
        self.pool.spawn(move || {
            let _ = promise.send(work.passed(&passed));
        });
        steps.blocking_send(Step::Passed(places)).map_err(|_| Stop::Told)?;
        rest.map_or(Ok(()), |unit| self.decide(unit, steps))
    }

    /// Has a unit decided: its result is promised.
    fn decide(&self, unit: Unit, steps: &mpsc::Sender<Step>) -> Result<(), Stop> {
        let (promise, result) = oneshot::channel();
        let work = Arc::clone(&self.work);
        self.pool.spawn(move || {
            let _ = promise.send(work.decide(&unit));
        });
        steps.blocking_send(Step::Unit(result)).map_err(|_| Stop::Told)
    }

    /// Reads all inputs; where rows may be `skipped`, none that was decided before the run was resumed is handed over.
    fn inputs(
        &self,
        steps: &mpsc::Sender<Step>,
        skipped: bool,
        take: &mut dyn FnMut(Slice) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        (0..self.work.plan.inputs.len()).try_for_each(|input| match self.before.get(input) {
            Some(InputSoFar { sha256: Some(_), .. }) if skipped => Ok(()),
            Some(before) if skipped => self.input(input, before.rows, steps, take),
            _ => self.input(input, 0, steps, take),
        })
    }

    /// Reads an input to its end, but for its first rows.
    fn input(
        &self,
        at: usize,
        skipped: u64,
        steps: &mpsc::Sender<Step>,
        take: &mut dyn FnMut(Slice) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Work { job, plan, .. } = &*self.work;
        let Some(input) = plan.inputs.get(at) else { return Ok(()) };
        let wanted = &plan.mapping.wanted;
        let stamp = input.location.stamp();
        // What changes is mostly also broken, and that it changed says more.
        let failed = |error: InputError| {
            let changed = input.location.stamp() != stamp;
            Stop::Failed(RunError::Input(if changed { input.changed() } else { error }))
        };
        let source = self.open.open(&input.location, &input.name, input.format, &job.text, wanted);
        let mut source = source.map_err(failed)?;
        source.share(&self.pool);
        if let Some(shape) = source.shape().filter(|_| !input.shape_known) {
            let problems = plan.late_shape(job, input, &shape);
            if !problems.is_empty() {
                return Err(Stop::Failed(RunError::Job(problems)));
            }
        }
        if source.skip(skipped).map_err(failed)? < skipped {
            return Err(Stop::Failed(RunError::Input(input.changed())));
        }
        loop {
            if self.cancel.is_cancelled() {
                return Err(Stop::Told);
            }
            let Some(chunk) = source.next(job.batch_rows.get()).map_err(failed)? else { break };
            let rows = 0..chunk.len();
            let prefix = source.prefix().map(Seen::Prefix);
            self.seen.put(at, prefix.or_else(|| stamp.clone().map(Seen::Stamp)));
            take(Slice { input: at, chunk: chunk.into(), rows, bytes_read: source.bytes_read() })?;
        }
        let sha256 = source.sha256().map_err(failed)?;
        if input.location.stamp() != stamp {
            return Err(Stop::Failed(RunError::Input(input.changed())));
        }
        steps.blocking_send(Step::InputDone { input: at, sha256 }).map_err(|_| Stop::Told)
    }
}

/// Why reading does not go on.
enum Stop {
    /// The run was told to stop, or nobody takes the steps any more.
    Told,
    Failed(RunError),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Stop {
        Stop::Failed(error)
    }
}

/// Takes steps in order.
pub(crate) struct Steps {
    pub queue: mpsc::Receiver<Step>,
    pub cancel: Cancel,
}

/// What the next step came to.
pub(crate) enum Next {
    Ready(Box<Ready>),
    Passed(FirstPlaces),
    InputDone { input: usize, sha256: String },
    End,
}

impl Steps {
    /// The next step. When the run is told to stop, what is in hand still comes out.
    pub async fn next(&mut self) -> Result<Next, RunError> {
        let step = tokio::select! {
            biased;
            step = self.queue.recv() => step,
            () = self.cancel.cancelled() => {
                // Reading may be waiting for input that never comes: no more than what is there is waited for.
                self.queue.close();
                self.queue.try_recv().ok()
            }
        };
        match step {
            None => Ok(Next::End),
            Some(Step::InputDone { input, sha256 }) => Ok(Next::InputDone { input, sha256 }),
            Some(Step::Failed(error)) => Err(error),
            Some(Step::Unit(result)) => kept(result).await.map(|ready| Next::Ready(Box::new(ready))),
            Some(Step::Passed(places)) => kept(places).await.map(Next::Passed),
        }
    }
}

/// What a deciding thread promised.
async fn kept<T>(promise: oneshot::Receiver<Result<T, RunError>>) -> Result<T, RunError> {
    let broken = |_| RunError::engine("a deciding thread broke down; no answer is given".to_owned());
    promise.await.map_err(broken)?
}

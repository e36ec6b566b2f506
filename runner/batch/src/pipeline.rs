//! One thread reads, rayon's threads decide side by side, and results come out in the order of the input.
//!
//! Each chunk that is read starts its own work and puts the *promise* of its result into a queue. The queue is in input
//! order and bounded, so order and memory hold whatever the threads do: when the oldest chunk is slow, reading waits.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{mpsc, oneshot};

use crate::cancel::Cancel;
use crate::error::RunError;
use crate::input::{InputError, Open};
use crate::work::{Ready, Work};

/// The stack of a deciding thread: the solver recurses on deep formulas.
const STACK: usize = 64 * 1024 * 1024;

/// What comes out of the reading side, in input order.
pub(crate) enum Step {
    /// A chunk, once it is decided.
    Chunk(oneshot::Receiver<Result<Ready, RunError>>),
    /// An input came to its end.
    InputDone { input: usize, sha256: String },
    /// Reading cannot go on.
    Failed(RunError),
}

/// Makes the deciding threads. The engine proves itself on each of them before anything is read.
pub(crate) fn workers(threads: usize) -> Result<ThreadPool, RunError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|at| format!("assay-decide-{at}"))
        // A thread that panics breaks the promise of its chunk, and that ends the run.
        .panic_handler(|_| ())
        .build()
        .map_err(|error| RunError::Engine(format!("the deciding threads cannot be started: {error}")))?;
    let proofs = pool.broadcast(|_| std::panic::catch_unwind(assay_engine::prove));
    for proof in proofs {
        match proof {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(RunError::Engine(error.to_string())),
            Err(_) => {
                return Err(RunError::Engine("the engine broke down while it proved itself".to_owned()));
            }
        }
    }
    Ok(pool)
}

/// The reading side of a run.
pub(crate) struct Reading {
    pub work: Arc<Work>,
    pub open: Arc<dyn Open>,
    pub pool: Arc<ThreadPool>,
    pub cancel: Cancel,
}

impl Reading {
    /// Reads every input to its end, until the run is told to stop or nobody takes the steps any more.
    pub fn run(&self, steps: &mpsc::Sender<Step>) {
        for input in 0..self.work.plan.inputs.len() {
            match self.input(input, steps) {
                Ok(Flow::On) => {}
                Ok(Flow::Stop) => return,
                Err(error) => {
                    let _ = steps.blocking_send(Step::Failed(error));
                    return;
                }
            }
        }
    }

    fn input(&self, at: usize, steps: &mpsc::Sender<Step>) -> Result<Flow, RunError> {
        let Work { job, plan, .. } = &*self.work;
        let Some(input) = plan.inputs.get(at) else { return Ok(Flow::On) };
        let wanted = &plan.mapping.wanted;
        let failed = |error: InputError| RunError::Input(error);
        let source = self.open.open(&input.location, &input.name, input.format, &job.text, wanted);
        let mut source = source.map_err(failed)?;
        if let Some(shape) = source.shape().filter(|_| !input.shape_known) {
            let problems = plan.late_shape(job, input, &shape);
            if !problems.is_empty() {
                return Err(RunError::Job(problems));
            }
        }
        loop {
            if self.cancel.is_cancelled() {
                return Ok(Flow::Stop);
            }
            let Some(chunk) = source.next(job.batch_rows.get()).map_err(failed)? else { break };
            let bytes_read = source.bytes_read();
            let (promise, result) = oneshot::channel();
            let work = Arc::clone(&self.work);
            self.pool.spawn(move || {
                let _ = promise.send(work.decide(at, bytes_read, chunk.as_ref()));
            });
            if steps.blocking_send(Step::Chunk(result)).is_err() {
                return Ok(Flow::Stop);
            }
        }
        let sha256 = source.sha256().map_err(failed)?;
        match steps.blocking_send(Step::InputDone { input: at, sha256 }) {
            Ok(()) => Ok(Flow::On),
            Err(_) => Ok(Flow::Stop),
        }
    }
}

enum Flow {
    On,
    Stop,
}

/// Takes steps in order.
pub(crate) struct Steps {
    pub queue: mpsc::Receiver<Step>,
    pub cancel: Cancel,
}

/// What the next step came to.
pub(crate) enum Next {
    Ready(Box<Ready>),
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
            Some(Step::Chunk(result)) => match result.await {
                Ok(ready) => ready.map(|ready| Next::Ready(Box::new(ready))),
                Err(_) => {
                    Err(RunError::Engine("a deciding thread broke down; no answer is given".to_owned()))
                }
            },
        }
    }
}

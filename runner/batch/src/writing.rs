//! The writing side of a run: results in input order, checkpoints on the way, and what is kept where the run ends early.

use std::sync::Arc;

use assay_units::Rational;
use rayon::ThreadPool;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::error::RunError;
use crate::events::{Event, InputSoFar};
use crate::job::Limit;
use crate::outputs::{Outputs, REJECTED};
use crate::pipeline::{Next, Reading, Sightings, Step, Steps};
use crate::places::{FirstPlaces, Places};
use crate::run::{Around, Run};

/// What the writing side works with.
struct Writing {
    steps: Steps,
    /// None once one of them could not be written: then nobody knows how much of it is there.
    outputs: Option<Outputs>,
    /// None where the run could not be resumed.
    checkpoints: Option<Checkpoints>,
    seen: Arc<Sightings>,
}

impl Run<'_> {
    /// Reads, decides and writes everything that was not written `before`.
    pub fn read_and_write(
        &mut self,
        around: &Around<'_>,
        pool: Arc<ThreadPool>,
        outputs: Outputs,
        before: Vec<InputSoFar>,
    ) -> Result<Outputs, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| RunError::not_started("the run cannot be started", &error))?;
        let (sender, queue) = mpsc::channel::<Step>(pool.current_num_threads());
        let inputs = &self.work.plan.inputs;
        let seen = Arc::new(Sightings::new(inputs.len()));
        let (rows_before, _) = self.manifest.rows();
        let part_rows = self.work.job.checkpoint_rows.get();
        let checkpoints = inputs.iter().all(|input| input.location.can_be_read_again());
        let checkpoints = checkpoints.then(|| Checkpoints::new(self.folder.parts(), part_rows, rows_before));
        let reading = Reading {
            work: Arc::clone(&self.work),
            open: Arc::clone(&around.open),
            pool,
            cancel: around.cancel.clone(),
            spill: self.folder.parts().to_owned(),
            before,
            seen: Arc::clone(&seen),
        };
        runtime.spawn_blocking(move || reading.run(&sender));
        let steps = Steps { queue, cancel: around.cancel.clone() };
        let writing = Writing { steps, outputs: Some(outputs), checkpoints, seen };
        let written = runtime.block_on(self.write(writing));
        // A reader that waits for input that never comes is not waited for.
        runtime.shutdown_background();
        written
    }

    /// Writes everything. Where that is not to be, what was finished is kept so that the run can be resumed.
    async fn write(&mut self, mut writing: Writing) -> Result<Outputs, RunError> {
        let ended = self.write_all(&mut writing).await;
        let Writing { outputs, checkpoints, .. } = &mut writing;
        match (ended, checkpoints) {
            (Ok(()), checkpoints) => {
                if let Some(checkpoints) = checkpoints {
                    checkpoints.settled().await?;
                }
                let none = || RunError::engine("the outputs were lost".to_owned());
                outputs.take().ok_or_else(none)
            }
            (Err(error), None) => Err(error),
            (Err(error), Some(_)) => {
                // What went wrong is told in any case; where this goes wrong too there is the checkpoint before.
                if self.manifest.rows().0 > 0 {
                    let _ = self.keep(&mut writing).await;
                }
                if let Some(checkpoints) = &mut writing.checkpoints {
                    let _ = checkpoints.settled().await;
                    match checkpoints.kept() {
                        0 => {}
                        rows => self.emit(Event::Kept { rows }),
                    }
                }
                Err(error)
            }
        }
    }

    async fn write_all(&mut self, writing: &mut Writing) -> Result<(), RunError> {
        loop {
            match writing.steps.next().await? {
                Next::Ready(mut ready) => {
                    let decided = ready.decided.clone();
                    self.place(std::mem::take(&mut ready.places)).await?;
                    writing.with_outputs(move |outputs| outputs.write(*ready)).await?;
                    let rows = decided.rows.iter().map(|rows| rows.read).sum();
                    self.emit(Event::Decided(decided));
                    self.check_count()?;
                    if writing.checkpoints.as_mut().is_some_and(|checkpoints| checkpoints.due(rows)) {
                        self.keep(writing).await?;
                    }
                }
                Next::Passed(places) => self.place(places).await?,
                Next::InputDone { input, sha256 } => self.emit(Event::InputDone { input, sha256 }),
                Next::End if writing.steps.cancel.is_cancelled() => {
                    let (rows, _) = self.manifest.rows();
                    return Err(RunError::Interrupted { rows, resumable: writing.checkpoints.is_some() });
                }
                Next::End => return self.check_share(),
            }
        }
    }

    /// Takes in where documents begin, which may have to be spilled.
    async fn place(&mut self, first: FirstPlaces) -> Result<(), RunError> {
        let mut places = std::mem::replace(&mut self.places, Places::new(self.folder.parts()));
        let adding = spawn_blocking(move || {
            let added = places.add(&first);
            (places, added)
        });
        let broken =
            |_| RunError::engine("the thread that notes where documents begin broke down".to_owned());
        let (places, added) = adding.await.map_err(broken)?;
        self.places = places;
        added.map_err(|error| self.folder.spill_failed(&error))
    }

    /// Begins a checkpoint, once the one before is on the disk.
    async fn keep(&mut self, writing: &mut Writing) -> Result<(), RunError> {
        let Some(checkpoints) = &mut writing.checkpoints else { return Ok(()) };
        checkpoints.settled().await?;
        let saved = writing.with_outputs(Outputs::kept).await?;
        let checkpoint = Checkpoint {
            identity: self.manifest.identity().to_string(),
            counted: self.manifest.so_far().clone(),
            seen: writing.seen.all(),
            outputs: saved.kept,
        };
        if let Some(checkpoints) = &mut writing.checkpoints {
            checkpoints.begin(checkpoint, saved.files);
        }
        Ok(())
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
}

impl Writing {
    /// Does something with the outputs, on a thread that may wait for the disk.
    async fn with_outputs<T: Send + 'static>(
        &mut self,
        act: impl FnOnce(&mut Outputs) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let broken = || RunError::engine("the writing thread broke down".to_owned());
        let mut outputs = self.outputs.take().ok_or_else(broken)?;
        let acting = spawn_blocking(move || act(&mut outputs).map(|result| (outputs, result)));
        let (outputs, result) = acting.await.map_err(|_| broken())??;
        self.outputs = Some(outputs);
        Ok(result)
    }
}

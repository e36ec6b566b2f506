//! Checkpoints: what another process must know to go on with a run that ended early.
//!
//! A checkpoint says up to which row everything is written, how long each output was then, and what had been counted. It
//! stands in the unfinished folder beside the outputs and is replaced as a whole, after the outputs are on the disk:
//! whenever the machine stops, there is a checkpoint whose outputs are there, or none.
//!
//! Saving takes the time of the disk, so it goes on beside the run. A run begins a checkpoint when half a part is written,
//! and waits for the one before: what a kill costs is one part at most, and what was in hand.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::error::{Problem, RunError};
use crate::events::SoFar;
use crate::folder::{Kept, failed, save};
use crate::input::{Prefix, Stamp};

/// The name of a checkpoint in the unfinished folder.
pub(crate) const CHECKPOINT: &str = "checkpoint";

/// What a checkpoint begins with. The number changes with what follows.
const MAGIC: &[u8] = b"assay checkpoint 3\n";

/// How long a checkpoint is put off at most, where rows are slow. It has no influence on any result.
const PATIENCE: Duration = Duration::from_secs(5);

/// A run so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// What was run over what, as canonical JSON: see [`crate::manifest::Manifest::identity`].
    pub identity: String,
    /// What was counted.
    pub counted: SoFar,
    /// By input: how one is known again of which some rows were read.
    pub seen: Vec<Option<Seen>>,
    pub outputs: Vec<Kept>,
}

/// How an input is known again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Seen {
    /// By what it begins with: no less than the rows that are written.
    Prefix(Prefix),
    /// By its size and the time of its last change, where it is not read from its beginning to its end.
    Stamp(Stamp),
}

impl Checkpoint {
    /// How many rows were finished.
    pub fn rows(&self) -> u64 {
        self.counted.inputs.iter().map(|input| input.rows).sum()
    }

    fn bytes(&self) -> Result<Vec<u8>, postcard::Error> {
        let body = postcard::to_allocvec(self)?;
        Ok([MAGIC, Sha256::digest(&body).as_slice(), &body].concat())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(bytes: &[u8]) -> Result<Checkpoint, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it was written by another version of assay")?;
        let (hash, body) = rest.split_at_checked(32).ok_or("it is cut short")?;
        if Sha256::digest(body).as_slice() != hash {
            return Err("it was changed");
        }
        postcard::from_bytes(body).map_err(|_| "it was written by another version of assay")
    }
}

/// Makes checkpoints as a run goes on.
pub(crate) struct Checkpoints {
    parts: PathBuf,
    /// After how many rows one is due.
    every: u64,
    since: u64,
    last: Instant,
    /// How many rows the last checkpoint on the disk tells of, and the one that is being saved.
    kept: u64,
    begun: u64,
    saving: Option<JoinHandle<Result<(), RunError>>>,
}

impl Checkpoints {
    /// For a run that writes into `parts`, with parts of so many rows, of which a checkpoint has told `kept` before.
    pub fn new(parts: &Path, part_rows: u64, kept: u64) -> Checkpoints {
        Checkpoints {
            parts: parts.to_owned(),
            every: (part_rows / 2).max(1),
            since: 0,
            last: Instant::now(),
            kept,
            begun: kept,
            saving: None,
        }
    }

    /// Whether a checkpoint is due now that so many more rows are written.
    pub fn due(&mut self, rows: u64) -> bool {
        self.since += rows;
        self.since >= self.every || self.last.elapsed() >= PATIENCE
    }

    /// Waits until the last checkpoint is on the disk.
    pub async fn settled(&mut self) -> Result<(), RunError> {
        let Some(saving) = self.saving.take() else { return Ok(()) };
        let broken = |_| Err(RunError::engine("the thread that saves checkpoints broke down"));
        saving.await.unwrap_or_else(broken)?;
        self.kept = self.begun;
        Ok(())
    }

    /// How many rows a run that is resumed need not decide again.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Begins to save a checkpoint, once `outputs` are on the disk. The one before must be settled.
    pub fn begin(&mut self, checkpoint: Checkpoint, outputs: Vec<(PathBuf, File)>) {
        self.since = 0;
        self.last = Instant::now();
        self.begun = checkpoint.rows();
        let parts = self.parts.clone();
        self.saving = Some(spawn_blocking(move || {
            for (path, file) in &outputs {
                file.sync_data().map_err(|error| failed("cannot write", path, &error))?;
            }
            let bytes = checkpoint.bytes().map_err(|error| {
                RunError::Output(Problem::new(format!("a checkpoint cannot be written: {error}")))
            })?;
            save(&parts, CHECKPOINT, &bytes)
        }));
    }
}

//! The output folder: parts stand in an unfinished folder inside it until all are whole, then get their final names.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::error::{Problem, RunError};
use crate::events::OutputFile;

/// The manifest: the last to get its final name.
pub(crate) const MANIFEST: &str = "run.json";

/// Everything a run may leave in its folder. What another run left is replaced by these names and no others.
const NAMES: [&str; 8] = [
    MANIFEST,
    "results.parquet",
    "results.jsonl",
    "results.csv",
    "payloads.jsonl",
    "rejected.jsonl",
    "ruleset.dsail",
    "converters.json",
];

/// Where parts stand while a run is unfinished.
const UNFINISHED: &str = ".assay-unfinished";

/// In [`UNFINISHED`]: locked by the run that writes there.
const LOCK: &str = "lock";

/// How much is written at a time.
const BUFFER: usize = 256 * 1024;

/// An output folder that one run writes to.
pub(crate) struct Folder {
    path: PathBuf,
    parts: PathBuf,
    /// Held until the run ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Takes a folder for a run: makes it, refuses what is another run's, and clears what an unfinished run left.
    pub fn take(path: &Path, overwrite: bool, inputs: &[&Path]) -> Result<Folder, RunError> {
        fs::create_dir_all(path).map_err(|error| failed("cannot make the output folder", path, &error))?;
        let there: Vec<&str> = NAMES.into_iter().filter(|name| path.join(name).exists()).collect();
        if let (Some(first), false) = (there.first(), overwrite) {
            let problem = Problem::new(format!("the output folder holds another run: `{first}` is there"))
                .at(path.display().to_string())
                .help(
                    "choose another folder, or add `--overwrite` to replace that run once this one is whole",
                );
            return Err(RunError::Output(problem));
        }
        for name in there {
            let old = fs::canonicalize(path.join(name)).ok();
            if inputs.iter().any(|input| fs::canonicalize(input).ok() == old) {
                let problem =
                    Problem::new(format!("the input `{name}` is in the output folder and would be replaced"))
                        .at(path.display().to_string())
                        .help("choose another output folder");
                return Err(RunError::Output(problem));
            }
        }
        let parts = path.join(UNFINISHED);
        fs::create_dir_all(&parts).map_err(|error| failed("cannot make a folder", &parts, &error))?;
        let lock_path = parts.join(LOCK);
        let lock = File::create(&lock_path).map_err(|error| failed("cannot write", &lock_path, &error))?;
        if let Err(error) = lock.try_lock() {
            let message = match error {
                fs::TryLockError::WouldBlock => "another run is writing to this output folder".to_owned(),
                fs::TryLockError::Error(error) => format!("the output folder cannot be locked: {error}"),
            };
            return Err(RunError::Output(Problem::new(message).at(path.display().to_string())));
        }
        for name in NAMES {
            remove(&parts.join(name))?;
        }
        Ok(Folder { path: path.to_owned(), parts, _lock: lock })
    }

    /// What the unfinished part of a file is called, for messages.
    pub fn part(&self, name: &str) -> String {
        self.parts.join(name).display().to_string()
    }

    /// What the unfinished parts are called together, for messages.
    pub fn unfinished(&self) -> String {
        self.parts.display().to_string()
    }

    /// The folder of the unfinished parts.
    pub fn parts(&self) -> &Path {
        &self.parts
    }

    /// An error of what is spilled there.
    pub fn spill_failed(&self, error: &io::Error) -> RunError {
        spill_failed(&self.parts, error)
    }

    /// Opens the part of a file.
    pub fn create(&self, name: &'static str) -> Result<Part, RunError> {
        let path = self.parts.join(name);
        let file = File::create(&path).map_err(|error| failed("cannot write", &path, &error))?;
        let seen = Arc::new(Mutex::new(Seen::default()));
        let writer = Hashed { file: BufWriter::with_capacity(BUFFER, file), seen: Arc::clone(&seen) };
        Ok(Part { name, path, seen, writer: Some(writer) })
    }

    /// Gives every part its final name, the manifest last, and leaves nothing unfinished behind.
    pub fn publish(self, names: &[&str]) -> Result<(), RunError> {
        // Without its manifest what is there is no run any more, so a mixture of two runs is never taken for one.
        remove(&self.path.join(MANIFEST))?;
        for name in NAMES.into_iter().filter(|name| !names.contains(name)) {
            remove(&self.path.join(name))?;
        }
        for name in names.iter().filter(|name| **name != MANIFEST).chain([&MANIFEST]) {
            let path = self.path.join(name);
            fs::rename(self.parts.join(name), &path)
                .map_err(|error| failed("cannot write", &path, &error))?;
        }
        remove(&self.parts.join(LOCK))?;
        // Whatever else somebody put there keeps the folder, and does no harm.
        let _ = fs::remove_dir(&self.parts);
        Ok(())
    }
}

/// An output that is being written.
pub(crate) struct Part {
    pub name: &'static str,
    path: PathBuf,
    seen: Arc<Mutex<Seen>>,
    writer: Option<Hashed>,
}

#[derive(Default)]
struct Seen {
    hash: Sha256,
    bytes: u64,
}

impl Part {
    /// Hands over the part's writer, for an adapter that keeps it.
    pub fn writer(&mut self) -> Box<dyn Write + Send> {
        match self.writer.take() {
            Some(writer) => Box::new(writer),
            None => Box::new(io::sink()),
        }
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.write_all(bytes).map_err(|error| failed("cannot write", &self.path, &error))
    }

    /// An error of this output, as an adapter words it.
    pub fn failed(&self, message: String) -> RunError {
        RunError::Output(Problem::new(message).at(self.path.display().to_string()))
    }

    /// Ends the part: its bytes are on the disk.
    pub fn finish(mut self) -> Result<OutputFile, RunError> {
        let failed = |error: io::Error| failed("cannot write", &self.path, &error);
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(failed)?;
        }
        File::options().write(true).open(&self.path).and_then(|file| file.sync_all()).map_err(failed)?;
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let sha256 = seen.hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(OutputFile { name: self.name.to_owned(), sha256, bytes: seen.bytes })
    }
}

/// A file that hashes and counts what goes into it.
struct Hashed {
    file: BufWriter<File>,
    seen: Arc<Mutex<Seen>>,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Piece by piece, and hashed first: the copy to the system then reads what is in the processor's cache, which
        // takes a quarter of the time.
        let piece = bytes.get(..BUFFER).unwrap_or(bytes);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.hash.update(piece);
        self.file.write_all(piece)?;
        seen.bytes += piece.len() as u64;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("cannot replace", path, &error)),
        _ => Ok(()),
    }
}

/// An error of what is spilled to a folder.
pub(crate) fn spill_failed(folder: &Path, error: &io::Error) -> RunError {
    failed("cannot spill rows", folder, error)
}

fn failed(what: &str, path: &Path, error: &io::Error) -> RunError {
    let path = path.display().to_string();
    RunError::Output(Problem::new(format!("{what}: {error}")).at(path))
}

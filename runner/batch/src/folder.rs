//! The folder that a run works in: parts stand in an unfinished folder inside it until all are whole, then get their final
//! names. That is the output folder, or one for results that go to an object store.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use assay_faults::{help, reason};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::CHECKPOINT;
use crate::error::{Problem, RunError};
use crate::events::OutputFile;
use crate::finals::Finals;
use crate::input::Location;
use crate::job::Output;
use crate::remote::Stores;

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

/// A folder that one run works in.
pub(crate) struct Folder {
    /// The folder itself, where it is not that of the results.
    work: Option<PathBuf>,
    parts: PathBuf,
    /// Where what is whole goes.
    finals: Finals,
    /// Held until the run ends, however it ends: the system releases it with the process.
    lock: Option<File>,
}

impl Folder {
    /// Takes a folder for a run: makes it, and refuses one in which another run is at work. What is there is left alone.
    pub fn take(output: &Output, stores: &dyn Stores) -> Result<Folder, RunError> {
        let finals = Finals::of(output, stores)?;
        let path = output.folder();
        let parts = path.join(UNFINISHED);
        fs::create_dir_all(&parts).map_err(|error| failed("cannot make the output folder", path, &error))?;
        let lock_path = parts.join(LOCK);
        let lock = File::create(&lock_path).map_err(|error| failed("cannot write", &lock_path, &error))?;
        match lock.try_lock() {
            // A run that has just ended may have removed the file that was opened.
            Ok(()) if !lock_path.exists() => Folder::take(output, stores),
            Ok(()) => {
                let work = matches!(finals, Finals::Store { .. }).then(|| path.to_owned());
                let folder = Folder { work, parts, finals, lock: Some(lock) };
                // What a kill left half saved is nothing.
                for name in [CHECKPOINT, MANIFEST] {
                    remove(&folder.parts.join(half_saved(name)))?;
                }
                Ok(folder)
            }
            Err(fs::TryLockError::WouldBlock) => {
                let problem = Problem::new("another run is writing to this output folder")
                    .at(output.to_string())
                    .help("wait for its end, or choose another folder");
                Err(RunError::Output(problem))
            }
            Err(fs::TryLockError::Error(error)) => Err(failed("cannot lock the output folder", path, &error)),
        }
    }

    /// Refuses a folder of which an input would be replaced.
    pub fn holds_no_input<'i>(&self, inputs: impl Iterator<Item = &'i Location>) -> Result<(), RunError> {
        let inputs: Vec<String> = inputs.map(real).collect();
        for name in NAMES {
            let old = match &self.finals {
                Finals::Folder(path) => real(&Location::File(path.join(name))),
                Finals::Store { .. } => self.finals.name_of(name),
            };
            if inputs.contains(&old) {
                let problem =
                    Problem::new(format!("the input `{name}` is in the output folder and would be replaced"))
                        .at(self.name())
                        .help("choose another output folder");
                return Err(RunError::Output(problem));
            }
        }
        Ok(())
    }

    /// What the folder is called, for messages.
    pub fn name(&self) -> String {
        self.finals.name()
    }

    /// The first of the files with final names that are there.
    pub fn first_final(&self) -> Result<Option<&'static str>, RunError> {
        for name in NAMES {
            if self.finals.has(name)? {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// The manifest of the whole run that is there.
    pub fn manifest(&self) -> Result<Option<Vec<u8>>, RunError> {
        self.finals.read(MANIFEST)
    }

    /// Finds out whether what is going to be made can be put where it belongs.
    pub fn check(&self) -> Result<(), RunError> {
        self.finals.check()
    }

    /// The manifest of a run whose files were getting their final names.
    pub fn unpublished(&self) -> Result<Option<Vec<u8>>, RunError> {
        read(&self.parts.join(MANIFEST))
    }

    /// The last checkpoint of an unfinished run.
    pub fn checkpoint(&self) -> Result<Option<Vec<u8>>, RunError> {
        read(&self.parts.join(CHECKPOINT))
    }

    /// Removes what an unfinished run left.
    pub fn clear(&self) -> Result<(), RunError> {
        remove(&self.parts.join(CHECKPOINT))?;
        NAMES.into_iter().try_for_each(|name| remove(&self.parts.join(name)))
    }

    /// What the unfinished part of a file is called, for messages.
    pub fn part(&self, name: &str) -> String {
        self.parts.join(name).display().to_string()
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
        Part::new(name, path, file, Seen::default())
    }

    /// Opens the part of a file to go on after what a checkpoint kept of it.
    pub fn reopen(&self, name: &'static str, kept: &Kept) -> Result<Part, RunError> {
        let path = self.parts.join(name);
        let unreadable = |error: io::Error| failed("cannot go on with", &path, &error);
        let mut file = File::options().read(true).write(true).open(&path).map_err(unreadable)?;
        let mut seen = Seen::default();
        let mut buffer = vec![0; BUFFER];
        let mut rest = (&mut file).take(kept.bytes);
        loop {
            let count = rest.read(&mut buffer).map_err(unreadable)?;
            if count == 0 {
                break;
            }
            seen.hash.update(buffer.get(..count).unwrap_or_default());
            seen.bytes += count as u64;
        }
        if (seen.bytes, &seen.sha256()) != (kept.bytes, &kept.sha256) {
            let problem =
                Problem::new("the unfinished run cannot be resumed: this file is not what it wrote")
                    .at(path.display().to_string())
                    .help("start anew: `--overwrite` without `--resume`");
            return Err(RunError::Resume(vec![problem]));
        }
        file.set_len(kept.bytes).map_err(unreadable)?;
        file.seek(io::SeekFrom::End(0)).map_err(unreadable)?;
        Part::new(name, path, file, seen)
    }

    /// Writes the manifest. From then on the run is whole, and only the names of its files are to be changed.
    pub fn finish(&self, manifest: &[u8]) -> Result<(), RunError> {
        save(&self.parts, MANIFEST, manifest)
    }

    /// Gives every part its final name, the manifest last, and leaves nothing unfinished behind. Where this was begun
    /// before it goes on: `names` are the files of the run, and those that are no parts any more have their names.
    pub fn publish(self, names: &[&str]) -> Result<(), RunError> {
        // Here and not where the manifest is written: a kill may come between the two.
        remove(&self.parts.join(CHECKPOINT))?;
        // Without its manifest what is there is no run any more, so a mixture of two runs is never taken for one.
        self.finals.remove(MANIFEST)?;
        for name in NAMES.into_iter().filter(|name| !names.contains(name)) {
            self.finals.remove(name)?;
        }
        for name in names.iter().filter(|name| **name != MANIFEST).chain([&MANIFEST]) {
            self.finals.give(&self.parts.join(name), name)?;
        }
        self.finals.settle();
        Ok(())
    }
}

/// What an input really is: the same for two that are one.
fn real(input: &Location) -> String {
    match input {
        Location::File(path) => fs::canonicalize(path).unwrap_or_else(|_| path.clone()).display().to_string(),
        Location::Object(object) => object.url.clone(),
        Location::Stdin => String::new(),
    }
}

impl Drop for Folder {
    /// Leaves no trace where nothing unfinished is there. Whatever else stands in the folder keeps it.
    fn drop(&mut self) {
        let mut entries = fs::read_dir(&self.parts).into_iter().flatten().flatten();
        if entries.all(|entry| entry.file_name() == LOCK) {
            let _ = fs::remove_file(self.parts.join(LOCK));
            let _ = fs::remove_dir(&self.parts);
            if let Some(work) = &self.work {
                let _ = fs::remove_dir(work);
            }
        }
        drop(self.lock.take());
    }
}

/// What a checkpoint keeps of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub name: String,
    pub bytes: u64,
    /// Lowercase hex SHA-256 of so many bytes.
    pub sha256: String,
    /// What its writer must know to go on.
    pub state: Vec<u8>,
}

/// Writes a file as a whole: at any moment it is there with its old content or with the new.
pub(crate) fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), RunError> {
    let (path, new) = (folder.join(name), folder.join(half_saved(name)));
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&new, &path)).map_err(|error| failed("cannot write", &path, &error))?;
    sync_folder(folder);
    Ok(())
}

/// What a file is called until all of it is on the disk.
fn half_saved(name: &str) -> String {
    format!("{name}.new")
}

/// Puts names of a folder on the disk, where the system can do that.
pub(crate) fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// A file, if it is there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("cannot read", path, &error)),
    }
}

/// An output that is being written.
pub(crate) struct Part {
    pub name: &'static str,
    path: PathBuf,
    /// For putting it on the disk, while the writer has it.
    file: File,
    seen: Arc<Mutex<Seen>>,
    writer: Option<Hashed>,
}

#[derive(Default)]
struct Seen {
    hash: Sha256,
    bytes: u64,
    /// What the disk said when it took no more.
    failed: Option<io::Error>,
}

impl Seen {
    /// Keeps an error, and gives one to hand on.
    fn fails(&mut self, error: io::Error) -> io::Error {
        let again = error.kind().into();
        self.failed = Some(error);
        again
    }

    fn sha256(&self) -> String {
        self.hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Part {
    fn new(name: &'static str, path: PathBuf, file: File, seen: Seen) -> Result<Part, RunError> {
        let seen = Arc::new(Mutex::new(seen));
        let copy = file.try_clone().map_err(|error| failed("cannot write", &path, &error))?;
        let writer = Hashed { file: BufWriter::with_capacity(BUFFER, file), seen: Arc::clone(&seen) };
        Ok(Part { name, path, file: copy, seen, writer: Some(writer) })
    }

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

    /// An error of this output, as an adapter words it, or as the disk does if that is what failed.
    pub fn failed(&self, message: String) -> RunError {
        let disk = self.seen.lock().unwrap_or_else(PoisonError::into_inner).failed.take();
        if let Some(error) = disk {
            return failed("cannot write", &self.path, &error);
        }
        RunError::Output(Problem::new(message).at(self.path.display().to_string()))
    }

    /// What is kept of the part, once an adapter has flushed what it has of it and given its state.
    pub fn kept(&mut self, state: Vec<u8>) -> Result<Kept, RunError> {
        if let Some(writer) = &mut self.writer {
            writer.flush().map_err(|error| failed("cannot write", &self.path, &error))?;
        }
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Kept { name: self.name.to_owned(), bytes: seen.bytes, sha256: seen.sha256(), state })
    }

    /// The part's file, to be put on the disk by somebody else.
    pub fn file(&self) -> Result<(PathBuf, File), RunError> {
        let file = self.file.try_clone().map_err(|error| failed("cannot write", &self.path, &error))?;
        Ok((self.path.clone(), file))
    }

    /// Ends the part: its bytes are on the disk.
    pub fn finish(mut self) -> Result<OutputFile, RunError> {
        let Kept { name, bytes, sha256, .. } = self.kept(Vec::new())?;
        self.file.sync_all().map_err(|error| failed("cannot write", &self.path, &error))?;
        Ok(OutputFile { name, sha256, bytes })
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
        seen.bytes += piece.len() as u64;
        self.file.write_all(piece).map_err(|error| seen.fails(error))?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        flushed.map_err(|error| self.seen.lock().unwrap_or_else(PoisonError::into_inner).fails(error))
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("cannot replace", path, &error)),
        _ => Ok(()),
    }
}

/// An error of what is spilled to a folder.
pub(crate) fn spill_failed(folder: &Path, error: &io::Error) -> RunError {
    failed("cannot spill rows", folder, error)
}

/// An error of a file or folder, in words.
pub(crate) fn failed(what: &str, path: &Path, error: &io::Error) -> RunError {
    let problem = Problem::new(format!("{what}: {}", reason(error))).at(path.display().to_string());
    RunError::Output(Problem { help: help(error).map(str::to_owned), ..problem })
}

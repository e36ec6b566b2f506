//! Finds the inputs: files, folders, globs, objects of stores and standard input, in the order in which they are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay_faults::{help, reason};

use crate::error::{Problem, RunError};
use crate::input::{FileFormat, InputError, Location};
use crate::job::{InputSpec, Job};
use crate::remote::{self, Stores};

/// What `-` is called in results.
const STDIN: &str = "-";

/// How deep folders are searched: deeper is taken for a circle of links.
const MAX_DEPTH: usize = 64;

/// One input.
#[derive(Debug)]
pub(crate) struct Input {
    /// What messages and results call it: its path as the job gives it.
    pub name: String,
    pub location: Location,
    pub format: FileFormat,
    /// Its size as stored.
    pub bytes: Option<u64>,
    /// Columns that nothing reads.
    pub ignored: Vec<String>,
    /// For each claim, whether it has no column; empty where that is not known.
    pub absent: Vec<bool>,
    /// Whether its columns were looked at.
    pub shape_known: bool,
}

impl Input {
    /// What a row is called that has no id.
    pub fn place(&self, row: u64) -> String {
        format!("{}:{row}", self.name)
    }

    /// That it is not what it was when the run began.
    pub fn changed(&self) -> InputError {
        let (message, help) = match self.location.stamp() {
            Some(_) => (
                "the file changed while it was read",
                "let nothing write to an input of a run; run the job again",
            ),
            None => {
                ("the file is gone, and was there when the run began", "put it back, and run the job again")
            }
        };
        InputError { file: self.name.clone(), message: message.to_owned(), help: Some(help.to_owned()) }
    }
}

/// Finds the inputs of a job.
pub(super) fn expand(job: &Job, stores: &dyn Stores) -> Result<Vec<Input>, RunError> {
    let mut problems = Vec::new();
    let mut inputs = Vec::new();
    let mut seen = BTreeMap::new();
    for spec in &job.input {
        if spec.text == STDIN {
            match job.input_format {
                Some(format) => inputs.push(Input {
                    name: STDIN.to_owned(),
                    location: Location::Stdin,
                    format,
                    bytes: None,
                    ignored: Vec::new(),
                    absent: Vec::new(),
                    shape_known: false,
                }),
                None => problems.push(
                    Problem::new("standard input has no name that tells its format")
                        .help("add `input_format`: `jsonl`, `csv` or `parquet`"),
                ),
            }
            continue;
        }
        for (name, location) in located(spec, stores, &mut problems)? {
            let Some(format) = job.input_format.or_else(|| format_of(&name)) else {
                problems.push(
                    Problem::new("the name of this input does not tell its format").at(&name).help(
                        "names end in `.jsonl`, `.ndjson`, `.csv` or `.parquet`; else add `input_format`",
                    ),
                );
                continue;
            };
            let (bytes, real) = match &location {
                Location::File(path) => {
                    let failed = |error: std::io::Error| unreadable(&name, &error);
                    let bytes = fs::metadata(path).map_err(failed)?.len();
                    (Some(bytes), fs::canonicalize(path).map_err(failed)?)
                }
                Location::Object(object) => (Some(object.bytes), PathBuf::from(&object.url)),
                Location::Stdin => (None, PathBuf::from(STDIN)),
            };
            if let Some(earlier) = seen.insert(real, name.clone()) {
                let message = format!("this input is given twice, first as `{earlier}`");
                problems.push(Problem::new(message).at(&name));
                continue;
            }
            inputs.push(Input {
                name,
                location,
                format,
                bytes,
                ignored: Vec::new(),
                absent: Vec::new(),
                shape_known: false,
            });
        }
    }
    if inputs.iter().filter(|input| input.location == Location::Stdin).count() > 1 {
        problems.push(Problem::new("standard input is given twice"));
    }
    if problems.is_empty() { Ok(inputs) } else { Err(RunError::Job(problems)) }
}

/// What one `input` names: each as results call it, and where it is.
fn located(
    spec: &InputSpec,
    stores: &dyn Stores,
    problems: &mut Vec<Problem>,
) -> Result<Vec<(String, Location)>, RunError> {
    if remote::is_remote(&spec.text) {
        let objects =
            stores.find(&spec.text).map_err(|failure| RunError::Input(failure.input(&spec.text)))?;
        return Ok(objects
            .into_iter()
            .map(|object| (object.url.clone(), Location::Object(object)))
            .collect());
    }
    Ok(files(spec, problems)?.into_iter().map(|(name, path)| (name, Location::File(path))).collect())
}

/// The files that one `input` names: each as the job calls it, and where it is.
fn files(spec: &InputSpec, problems: &mut Vec<Problem>) -> Result<Vec<(String, PathBuf)>, RunError> {
    let path = spec.folder.join(&spec.text);
    // A file may be called `a[1].csv`: what is there by this very name is no glob.
    if path.is_dir() {
        return folder(&spec.text, &path);
    }
    if path.exists() || !spec.text.contains(['*', '?', '[']) {
        return Ok(vec![(spec.text.clone(), path)]);
    }
    let absolute = Path::new(&spec.text).is_absolute() || spec.folder.as_os_str().is_empty();
    let pattern = if absolute {
        spec.text.clone()
    } else {
        format!("{}/{}", glob::Pattern::escape(&spec.folder.to_string_lossy()), spec.text)
    };
    let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
    let matches = match glob::glob_with(&pattern, options) {
        Ok(matches) => matches,
        Err(error) => {
            problems.push(Problem::new(format!("this is no glob: {}", error.msg)).at(&spec.text));
            return Ok(Vec::new());
        }
    };
    let mut found = Vec::new();
    for path in matches {
        let path = path.map_err(|error| unreadable(&error.path().display().to_string(), error.error()))?;
        let name = match path.strip_prefix(&spec.folder) {
            Ok(name) if !absolute => shown(name),
            _ => shown(&path),
        };
        if path.is_dir() {
            found.extend(folder(&name, &path)?);
        } else {
            found.push((name, path));
        }
    }
    if found.is_empty() {
        return Err(RunError::Input(InputError {
            file: spec.text.clone(),
            message: "no file matches this input".to_owned(),
            help: None,
        }));
    }
    found.sort();
    Ok(found)
}

/// The files of a folder and of the folders in it, sorted by name; names that begin with `.` or `_` are no inputs.
fn folder(name: &str, path: &Path) -> Result<Vec<(String, PathBuf)>, RunError> {
    let mut found = Vec::new();
    let mut open = vec![(name.trim_end_matches('/').to_owned(), path.to_owned(), 0)];
    while let Some((name, path, depth)) = open.pop() {
        let failed = |error: std::io::Error| unreadable(&name, &error);
        if depth > MAX_DEPTH {
            return Err(RunError::Input(InputError {
                file: name,
                message: format!("folders stand in each other more than {MAX_DEPTH} deep"),
                help: Some("look for a link that leads in a circle, or name the files".to_owned()),
            }));
        }
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let own = entry.file_name().to_string_lossy().into_owned();
            if own.starts_with(['.', '_']) {
                continue;
            }
            let inner = format!("{name}/{own}");
            if entry.path().is_dir() {
                open.push((inner, entry.path(), depth + 1));
            } else {
                found.push((inner, entry.path()));
            }
        }
    }
    if found.is_empty() {
        return Err(RunError::Input(InputError {
            file: name.to_owned(),
            message: "this folder holds no file".to_owned(),
            help: None,
        }));
    }
    found.sort();
    Ok(found)
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn unreadable(name: &str, error: &std::io::Error) -> RunError {
    let help = help(error).map(str::to_owned);
    RunError::Input(InputError { file: name.to_owned(), message: reason(error), help })
}

/// The format that a name tells, below what it is compressed with.
fn format_of(name: &str) -> Option<FileFormat> {
    let name = name.to_ascii_lowercase();
    if name.ends_with(".parquet") {
        return Some(FileFormat::Parquet);
    }
    let text = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match text.rsplit_once('.')?.1 {
        "jsonl" | "ndjson" => Some(FileFormat::Jsonl),
        "csv" => Some(FileFormat::Csv),
        _ => None,
    }
}

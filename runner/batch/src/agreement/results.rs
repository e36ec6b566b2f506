//! The results of a run as the source of a report: its job again, from `run.json` and the ruleset beside it.

use std::path::{Path, PathBuf};

use assay_faults::reason;
use serde_json::Value;

use super::Agreement;
use crate::error::{Problem, RunError};
use crate::folder::MANIFEST;
use crate::job::{KEYS, Key, Section, Settings};
use crate::remote::is_remote;

/// What a run read, and how.
#[derive(Debug)]
pub struct Results {
    /// The keys of its job that say what is read.
    pub settings: Settings,
    /// The inputs with the hashes of their bytes.
    inputs: Vec<(String, String)>,
    folder: String,
}

/// The keys that say what is read and how.
const READ: [&str; 8] =
    ["input", "input_format", "id", "claims_field", "group_by", "scattered", "source", "missing_claims"];

/// Reads the folder of a run's results.
///
/// # Errors
/// Where it is not one.
pub fn results(folder: &Path) -> Result<Results, RunError> {
    let path = folder.join(MANIFEST);
    let wrong = |message: String| {
        let help = "a folder is the results of a run that completed; a job file or flags are read as `assay run` does";
        RunError::Job(vec![Problem::new(message).at(path.display().to_string()).help(help)])
    };
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(reason(&error)))?;
    let manifest: Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("this is no JSON: {error}")))?;
    let mut settings = Settings::new();
    let base = base(folder, &manifest);
    for key in KEYS {
        let value = match key.section {
            Section::Top if READ.contains(&key.name) => &manifest["job"][key.name],
            Section::Reading => &manifest["job"]["reading"][key.name],
            _ => continue,
        };
        match key.name {
            "input" => {
                let inputs = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                inputs.for_each(|input| settings.flag(key, &from(&base, input)));
            }
            _ => give(&mut settings, key, value),
        }
    }
    for key in KEYS.iter().filter(|key| key.section == Section::Claims) {
        for (claim, columns) in manifest["job"]["claims"].as_object().into_iter().flatten() {
            if let Some(column) = columns[key.name].as_str() {
                settings.flag(key, &format!("{claim}={column}"));
            }
        }
    }
    let mut pin = |name: &str, value: &str| {
        if let Some(key) = Key::find(Section::Top, name) {
            settings.flag(key, value);
        }
    };
    let hash = manifest["ruleset_hash"].as_str();
    pin("pin", hash.ok_or_else(|| wrong("there is no `ruleset_hash`".to_owned()))?);
    pin("ruleset_file", &folder.join("ruleset.dsail").display().to_string());
    pin("units", manifest["unit_library_hash"].as_str().unwrap_or("none"));
    let inputs = manifest["inputs"].as_array().into_iter().flatten();
    let inputs = inputs.map(|input| {
        let text = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
        (text("file"), text("sha256"))
    });
    Ok(Results { inputs: inputs.collect(), folder: folder.display().to_string(), settings })
}

/// Where the run's relative paths begin: beside its results, as those of a job file do, or else here.
fn base(folder: &Path, manifest: &Value) -> PathBuf {
    let beside = folder.parent().unwrap_or(Path::new(""));
    let inputs = manifest["inputs"].as_array().into_iter().flatten();
    match inputs.filter_map(|input| input["file"].as_str()).find(|file| !is_remote(file)) {
        Some(file) if beside.join(file).exists() => beside.to_owned(),
        _ => PathBuf::new(),
    }
}

/// An input as it is found now; `-` is standard input, and an address is one from everywhere.
fn from(base: &Path, input: &str) -> String {
    if input == "-" || is_remote(input) { input.to_owned() } else { base.join(input).display().to_string() }
}

/// Gives a key the value that a manifest has for it; nothing where it has none.
fn give(settings: &mut Settings, key: &'static Key, value: &Value) {
    match value {
        Value::Null => {}
        Value::String(text) => settings.flag(key, text),
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).for_each(|item| settings.flag(key, item))
        }
        value => settings.flag(key, &value.to_string()),
    }
}

impl Results {
    /// Holds that a report was made of the very bytes that the run read.
    ///
    /// # Errors
    /// Each input that is not as it was.
    pub fn verify(&self, agreement: &Agreement) -> Result<(), RunError> {
        let (then, now) = (&self.inputs, &agreement.inputs);
        let mut problems: Vec<Problem> = Vec::new();
        for ((_, then), (file, now)) in then.iter().zip(now).filter(|((_, then), (_, now))| then != now) {
            let message =
                format!("it is not what the run read: its bytes have the hash {now}, and had {then}");
            problems.push(Problem::new(message).at(file));
        }
        if then.len() != now.len() {
            let files = |all: &[(String, String)]| {
                all.iter().map(|(file, _)| format!("`{file}`")).collect::<Vec<_>>().join(", ")
            };
            let message = format!("the run read {}, and here are {}", files(then), files(now));
            problems.push(Problem::new(message));
        }
        let help = format!("run the job again, or bring back what `{}` was made of", self.folder);
        match problems.is_empty() {
            true => Ok(()),
            false => Err(RunError::Pin(problems.into_iter().map(|each| each.help(help.clone())).collect())),
        }
    }
}

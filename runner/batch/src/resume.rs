//! Where a run starts: anew, where one before it ended, or not at all because it is complete.
//!
//! The output folder says what was there before. What is going to be resumed has to be the same run over the same inputs:
//! the job with its defaults, the ruleset, the unit library, the versions, and the bytes of what was read.

use serde_json::Value;

use crate::checkpoint::{Checkpoint, Seen};
use crate::error::{Problem, RunError};
use crate::events::InputSoFar;
use crate::folder::{Folder, MANIFEST};
use crate::input::Open;
use crate::manifest::Manifest;
use crate::plan::Plan;

/// What is done about a run that is in the output folder already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Before {
    /// It is replaced, once this one is whole.
    pub overwrite: bool,
    /// It is continued where it ended.
    pub resume: bool,
}

/// Where a run starts.
pub(crate) enum Start {
    /// At the first row.
    Anew,
    /// Where the checkpoint was.
    At(Box<Checkpoint>),
    /// Nowhere: it is whole, but for names where `unpublished`.
    Whole { manifest: Value, unpublished: bool },
}

/// Keys of a job that say how a run ends and not what is in its results: they may differ.
const MAY_DIFFER: [&str; 2] = ["job.fail_on", "job.max_rejected"];

/// Finds where a run starts.
///
/// # Errors
/// The folder holds another run, or one that this could not go on with.
pub(crate) fn start(
    folder: &Folder,
    before: Before,
    manifest: &Manifest,
    plan: &Plan,
    open: &dyn Open,
) -> Result<Start, RunError> {
    let now = Now { folder, identity: manifest.identity(), plan, open };
    if before.resume && !plan.inputs.iter().all(|input| input.location.can_be_read_again()) {
        let problem = Problem::new("standard input cannot be read twice, so a run over it cannot be resumed")
            .help("leave `--resume` out, or put the input into a file");
        return Err(RunError::Resume(vec![problem]));
    }
    // A run whose files were just getting their names is whole.
    if let Some(bytes) = folder.unpublished()?.filter(|_| before.resume) {
        return now.whole(&bytes, true);
    }
    if !before.overwrite
        && let Some(first) = folder.first_final()?
    {
        return match folder.manifest()?.filter(|_| before.resume) {
            Some(bytes) => now.whole(&bytes, false),
            None => Err(now.another_run(first)),
        };
    }
    match (folder.checkpoint()?, before) {
        (Some(bytes), Before { resume: true, .. }) => now.at(&bytes),
        (Some(bytes), Before { overwrite: false, .. }) => Err(now.unfinished(&bytes)),
        _ if !before.overwrite && folder.unpublished()?.is_some() => Err(now.unfinished(&[])),
        _ => Ok(Start::Anew),
    }
}

/// The run that starts.
struct Now<'a> {
    folder: &'a Folder,
    identity: Value,
    plan: &'a Plan,
    open: &'a dyn Open,
}

impl Now<'_> {
    fn problem(&self, message: String) -> Problem {
        Problem::new(message).at(self.folder.name())
    }

    fn another_run(&self, first: &str) -> RunError {
        RunError::Output(
            self.problem(format!("the output folder holds another run: `{first}` is there")).help(
                "choose another folder, or add `--overwrite` to replace that run once this one is whole",
            ),
        )
    }

    fn unfinished(&self, checkpoint: &[u8]) -> RunError {
        let rows = Checkpoint::read(checkpoint).map(|checkpoint| checkpoint.rows());
        let rows = rows.map_or_else(|_| String::new(), |rows| format!(", {rows} rows of which are finished"));
        RunError::Output(
            self.problem(format!("the output folder holds an unfinished run{rows}"))
                .help("add `--resume` to go on with it, or `--overwrite` to start anew and replace it"),
        )
    }

    /// A run that is whole.
    fn whole(&self, manifest: &[u8], unpublished: bool) -> Result<Start, RunError> {
        let Ok(manifest) = serde_json::from_slice::<Value>(manifest) else {
            return Err(self.another_run(MANIFEST));
        };
        self.holds(&identity_of(&manifest))?;
        let inputs = manifest["inputs"].as_array().into_iter().flatten();
        let read: Vec<InputSoFar> = inputs
            .map(|input| InputSoFar {
                sha256: input["sha256"].as_str().map(str::to_owned),
                ..Default::default()
            })
            .collect();
        self.inputs(&read, &[])?;
        Ok(Start::Whole { manifest, unpublished })
    }

    /// A run that ended at a checkpoint.
    fn at(&self, bytes: &[u8]) -> Result<Start, RunError> {
        let read = Checkpoint::read(bytes);
        let checkpoint = read.map_err(|why| {
            let message =
                format!("the unfinished run cannot be resumed: its checkpoint is not usable, {why}");
            RunError::Resume(vec![self.problem(message).help("start anew: `--overwrite` without `--resume`")])
        })?;
        let then = serde_json::from_str(&checkpoint.identity).unwrap_or_default();
        self.holds(&then)?;
        self.inputs(&checkpoint.counted.inputs, &checkpoint.seen)?;
        Ok(Start::At(Box::new(checkpoint)))
    }

    /// Holds what was run against what is to be run.
    fn holds(&self, then: &Value) -> Result<(), RunError> {
        let mut found = Vec::new();
        differences("", then, &self.identity, &mut found);
        if found.is_empty() {
            return Ok(());
        }
        let last = found.len() - 1;
        let problems = found.into_iter().enumerate().map(|(at, difference)| {
            let problem = self.problem(format!("this is not the run that is there: {difference}"));
            match at == last {
                true => problem.help(
                    "run the job as it was, or choose another folder, or start anew: `--overwrite` without `--resume`",
                ),
                false => problem,
            }
        });
        Err(RunError::Resume(problems.collect()))
    }

    /// Holds the inputs against what was read of them.
    fn inputs(&self, read: &[InputSoFar], seen: &[Option<Seen>]) -> Result<(), RunError> {
        let mut problems = Vec::new();
        for (at, (input, read)) in self.plan.inputs.iter().zip(read).enumerate() {
            let prefix = |bytes: Option<u64>| {
                self.open.prefix(&input.location, &input.name, bytes).map_err(RunError::Input)
            };
            let same = match (&read.sha256, seen.get(at).and_then(Option::as_ref)) {
                (Some(sha256), _) => prefix(None)?.sha256 == *sha256,
                (None, Some(Seen::Prefix(seen))) => prefix(Some(seen.bytes))? == *seen,
                (None, Some(Seen::Stamp(seen))) => input.location.stamp().as_ref() == Some(seen),
                (None, None) => true,
            };
            if !same {
                problems.push(
                    Problem::new("this input is not what the run that is there read")
                        .at(&input.name)
                        .help("put it back as it was, or start anew: `--overwrite` without `--resume`"),
                );
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(RunError::Resume(problems)) }
    }
}

/// What a manifest says of the run as far as it has to be the same.
fn identity_of(manifest: &Value) -> Value {
    let mut identity = serde_json::Map::new();
    for key in ["job", "ruleset_hash", "unit_library_hash", "versions"] {
        identity.insert(key.to_owned(), manifest[key].clone());
    }
    let inputs = manifest["inputs"].as_array().into_iter().flatten();
    let inputs = inputs.map(|input| serde_json::json!({ "file": input["file"], "format": input["format"] }));
    identity.insert("inputs".to_owned(), inputs.collect());
    Value::Object(identity)
}

/// How long a value may be in a message.
const SHOWN: usize = 100;

/// Names what differs.
fn differences(path: &str, then: &Value, now: &Value, found: &mut Vec<String>) {
    if then == now || MAY_DIFFER.contains(&path) {
        return;
    }
    if let (Value::Object(then), Value::Object(now)) = (then, now) {
        let none = Value::Null;
        let keys = then.keys().chain(now.keys().filter(|key| !then.contains_key(*key)));
        for key in keys {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let of = |map: &serde_json::Map<String, Value>| map.get(key).unwrap_or(&none).clone();
            differences(&path, &of(then), &of(now), found);
        }
        return;
    }
    if let (Value::Array(then), Value::Array(now)) = (then, now)
        && then.iter().chain(now).all(Value::is_object)
    {
        // Of a list the first difference: one more at its beginning is no difference of all that follows.
        let of = |list: &[Value], at: usize| list.get(at).cloned().unwrap_or_default();
        let first = (0..then.len().max(now.len())).find(|at| then.get(*at) != now.get(*at));
        if let Some(at) = first {
            differences(&format!("{path}[{at}]"), &of(then, at), &of(now, at), found);
        }
        return;
    }
    let (then, now) = (then.to_string(), now.to_string());
    found.push(match then.len() <= SHOWN && now.len() <= SHOWN {
        true => format!("`{path}` was `{then}` and is `{now}`"),
        false => format!("`{path}` is another"),
    });
}

//! Holds the ruleset and the unit library against the hashes that the job pins.

use assay_faults::{help, reason};
use assay_syntax::Source;
use assay_units::Library;

use crate::error::{Problem, RunError};
use crate::job::{Job, UnitsPin};

/// Where stored rulesets are. A store implements it.
pub trait Rulesets {
    /// The source that is stored under a hash; `None` where there is none.
    ///
    /// # Errors
    /// Why the store could not be asked, in words.
    fn source(&self, hash: &str) -> Result<Option<Vec<u8>>, String>;
}

/// The bytes of the pinned ruleset, once both pins hold.
pub(super) fn source(job: &Job, rulesets: &dyn Rulesets, library: &Library) -> Result<Vec<u8>, RunError> {
    let mut problems: Vec<Problem> = units(job.units.as_ref(), library).into_iter().collect();
    let pinned = match ruleset(job, rulesets) {
        Ok(bytes) => Some(bytes),
        Err(problem) => {
            problems.insert(0, problem);
            None
        }
    };
    pinned.filter(|_| problems.is_empty()).ok_or(RunError::Pin(problems))
}

fn ruleset(job: &Job, rulesets: &dyn Rulesets) -> Result<Vec<u8>, Problem> {
    let pin = &job.ruleset.hash;
    let (bytes, place) = match &job.ruleset.file {
        Some(file) => {
            let place = file.display().to_string();
            match std::fs::read(file) {
                Ok(bytes) => (bytes, place),
                Err(error) => {
                    let problem = Problem::new(format!("the ruleset cannot be read: {}", reason(&error)));
                    return Err(Problem { help: help(&error).map(str::to_owned), ..problem }.at(place));
                }
            }
        }
        None => match rulesets.source(pin) {
            Ok(Some(bytes)) => (bytes, "the store".to_owned()),
            Ok(None) => {
                return Err(Problem::new(format!("no ruleset with the hash `{pin}` is stored")).help(
                    "`assay compile FILE` stores a ruleset; or name the file with `ruleset_file` and `pin`",
                ));
            }
            Err(message) => return Err(Problem::new(message).at("the store")),
        },
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return Err(Problem::new("the ruleset is not UTF-8, so it cannot have the pinned hash").at(place));
    };
    let found = Source::new(text).hash();
    if found != *pin {
        return Err(Problem::new(format!("the ruleset has the hash `{found}`, and `{pin}` is pinned"))
            .at(place)
            .help("read what changed before you pin another hash: answers may change with it"));
    }
    Ok(bytes)
}

fn units(pin: Option<&UnitsPin>, library: &Library) -> Option<Problem> {
    match (pin, library.hash()) {
        (None | Some(UnitsPin::None), None) => None,
        (Some(UnitsPin::Hash(pin)), Some(found)) if pin == found => None,
        (None, Some(found)) => Some(
            Problem::new("project converters would be in use, and the job does not pin them")
                .help(format!("pin them with `units = \"{found}\"`, or leave the converters out")),
        ),
        (Some(UnitsPin::None), Some(found)) => Some(
            Problem::new(format!(
                "`units` is `none`, and converters would be in use: the unit library with the hash `{found}`"
            ))
            .help(format!("leave the converters out, or pin `units = \"{found}\"`")),
        ),
        (Some(UnitsPin::Hash(pin)), Some(found)) => Some(
            Problem::new(format!("the unit library has the hash `{found}`, and `{pin}` is pinned"))
                .help("see what changed with `assay units`: answers may change with it"),
        ),
        (Some(UnitsPin::Hash(pin)), None) => Some(
            Problem::new(format!("no converter is in use, and the unit library `{pin}` is pinned"))
                .help("name the store or the file that holds the converters"),
        ),
    }
}

//! Where results get their final names: in the output folder, or below an address in an object store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Problem, RunError};
use crate::folder::{failed, read, remove, sync_folder};
use crate::job::Output;
use crate::remote::{Destination, Failure, Stores};

/// What to do where a store does not take what is whole already.
const GO_ON: &str =
    "the results are whole: run the job again with `--resume`, which puts there what is missing";

/// Where results get their final names.
pub(crate) enum Finals {
    Folder(PathBuf),
    Store { url: String, destination: Box<dyn Destination> },
}

impl Finals {
    /// Where those of an output do.
    pub fn of(output: &Output, stores: &dyn Stores) -> Result<Finals, RunError> {
        Ok(match output {
            Output::Folder(path) => Finals::Folder(path.clone()),
            Output::Store { url, .. } => {
                let destination = stores.destination(url);
                let destination = destination.map_err(|failure| RunError::Output(failure.at(url)))?;
                Finals::Store { url: url.clone(), destination }
            }
        })
    }

    /// What the place is called, for messages.
    pub fn name(&self) -> String {
        match self {
            Finals::Folder(path) => path.display().to_string(),
            Finals::Store { url, .. } => url.clone(),
        }
    }

    /// What a file there is called, for messages. In a store it is its address.
    pub fn name_of(&self, name: &str) -> String {
        match self {
            Finals::Folder(path) => path.join(name).display().to_string(),
            Finals::Store { url, .. } => format!("{url}/{name}"),
        }
    }

    /// Finds out whether results can be put there before anything is done for them.
    pub fn check(&self) -> Result<(), RunError> {
        match self {
            Finals::Folder(_) => Ok(()),
            Finals::Store { url, destination } => {
                destination.check().map_err(|failure| cannot("cannot write there", failure, url))
            }
        }
    }

    /// Whether there is a file of a name.
    pub fn has(&self, name: &str) -> Result<bool, RunError> {
        match self {
            Finals::Folder(path) => Ok(path.join(name).exists()),
            Finals::Store { destination, .. } => {
                destination.has(name).map_err(|failure| cannot("cannot look", failure, &self.name_of(name)))
            }
        }
    }

    /// A file, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        match self {
            Finals::Folder(path) => read(&path.join(name)),
            Finals::Store { destination, .. } => {
                destination.read(name).map_err(|failure| cannot("cannot read", failure, &self.name_of(name)))
            }
        }
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), RunError> {
        match self {
            Finals::Folder(path) => remove(&path.join(name)),
            // Not everybody who may write may remove, and mostly there is nothing.
            Finals::Store { .. } if !self.has(name)? => Ok(()),
            Finals::Store { destination, .. } => destination
                .remove(name)
                .map_err(|failure| going_on(cannot("cannot replace", failure, &self.name_of(name)))),
        }
    }

    /// Gives a part its final name, and leaves no part behind. Where that was done before, nothing is left to do.
    pub fn give(&self, part: &Path, name: &str) -> Result<(), RunError> {
        match self {
            Finals::Folder(path) => {
                let path = path.join(name);
                match fs::rename(part, &path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound && path.exists() => Ok(()),
                    renamed => renamed.map_err(|error| failed("cannot write", &path, &error)),
                }
            }
            Finals::Store { .. } if !part.exists() && self.has(name)? => Ok(()),
            Finals::Store { destination, .. } => {
                let put = destination.put(name, part);
                put.map_err(|failure| going_on(cannot("cannot write", failure, &self.name_of(name))))?;
                remove(part)
            }
        }
    }

    /// Sees to it that what was done stays done.
    pub fn settle(&self) {
        if let Finals::Folder(path) = self {
            sync_folder(path);
        }
    }
}

fn cannot(what: &str, failure: Failure, place: &str) -> RunError {
    RunError::Output(Failure { message: format!("{what}: {}", failure.message), ..failure }.at(place))
}

/// An error after which only names are left to be given.
fn going_on(error: RunError) -> RunError {
    match error {
        RunError::Output(problem) => {
            let help = problem.help.iter().map(String::as_str).chain([GO_ON]).collect::<Vec<_>>().join("\n");
            RunError::Output(Problem { help: Some(help), ..problem })
        }
        error => error,
    }
}

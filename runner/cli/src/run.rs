//! `assay run`: from arguments to a job, and what a run shows of itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_batch::events::Event;
use assay_batch::job::{Job, Settings};
use assay_batch::{Around, Before, Cancel, Exit, Outcome, Problem, Rulesets, RunError};
use assay_faults::{help, reason};
use assay_objects::ObjectStores;
use assay_tabular::Tabular;

use crate::args::{DEFAULT_STORE, Form, RunArgs};
use crate::printing::{colors, complain};
use crate::project::Opened;
use crate::report::{self, Report};
use crate::solving::apart;

/// Runs a job, shows how it goes, and says how it ended.
pub fn run(arguments: &RunArgs) -> Exit {
    match attempt(arguments) {
        Ok(outcome) => outcome.exit,
        Err(Failed { error: RunError::Ruleset(refusal), source, .. })
            if arguments.log_format == Form::Text =>
        {
            let colors = colors(&io::stderr());
            complain(&assay_syntax::render(refusal.source.as_ref(), &source, &refusal.diagnostics, colors));
            Exit::Refused
        }
        Err(Failed { error, source, kept }) => {
            for mut problem in error.problems() {
                if let (RunError::Ruleset(_), Some(place)) = (&error, &mut problem.place) {
                    *place = format!("{source}, {place}");
                }
                report::problem(&problem, arguments.log_format);
            }
            // An interruption says itself how to go on.
            if let Some(rows) = kept.filter(|_| error.exit() != Exit::Interrupted) {
                report::kept(rows, arguments.log_format);
            }
            error.exit()
        }
    }
}

/// Why a run did not complete, and what its ruleset is called.
struct Failed {
    error: RunError,
    source: String,
    /// How many rows were finished and can be gone on from, where there are any.
    kept: Option<u64>,
}

fn attempt(arguments: &RunArgs) -> Result<Outcome, Failed> {
    let failed = |error| Failed { error, source: String::new(), kept: None };
    let file = match &arguments.job {
        Some(path) => job_file(path).map_err(failed)?,
        None => Settings::new(),
    };
    let job =
        Job::resolve(file, arguments.flags.settings()).map_err(|problems| failed(RunError::Job(problems)))?;
    let source =
        job.ruleset.file.as_ref().map_or(job.ruleset.hash.clone(), |file| file.display().to_string());
    let failed = |error| Failed { error, source: source.clone(), kept: None };

    let opened = Opened::at(job.store.as_deref().unwrap_or(Path::new(DEFAULT_STORE)));
    let opened = opened.map_err(|error| failed(unusable(error.message())))?;
    let library = opened.library_with(job.converters.as_deref());
    let library = library.map_err(|error| failed(unusable(error.message())))?;
    let cancel = Cancel::new();
    let reading = Arc::new(AtomicBool::new(false));
    listen(&cancel, &reading, arguments.log_format).map_err(failed)?;
    let around = Around {
        rulesets: &Stored(&opened),
        library,
        open: Arc::new(Tabular),
        stores: &ObjectStores::here(),
        create: Arc::new(Tabular),
        before: Before { overwrite: arguments.overwrite, resume: arguments.resume },
        cancel,
        solver: apart(),
    };
    let mut report = Report::new(arguments.quiet, arguments.log_format);
    let fail_on = job.fail_on.clone();
    let mut kept = None;
    let outcome = assay_batch::run(job, &around, &mut |event| {
        reading.store(true, Ordering::SeqCst);
        if let Event::Kept { rows } = event {
            kept = Some(*rows);
        }
        report.event(event);
    });
    report.end(outcome.as_ref().ok());
    let outcome = outcome.map_err(|error| Failed { kept, ..failed(error) })?;
    if let Some(problem) = report::engine_errors(&outcome) {
        report::problem(&problem, arguments.log_format);
    }
    if let Some(problem) = report::fail_on(&outcome, &fail_on) {
        report::problem(&problem, arguments.log_format);
    }
    Ok(outcome)
}

/// The most bytes of a job file. What is written by hand has a few thousand.
const LONGEST_JOB: u64 = 1024 * 1024;

/// The keys of a job file.
pub fn job_file(path: &Path) -> Result<Settings, RunError> {
    let name = path.display().to_string();
    let wrong = |problem: Problem| RunError::Job(vec![problem.at(&name)]);
    let read = File::open(path).and_then(|file| {
        let mut bytes = Vec::new();
        file.take(LONGEST_JOB + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let unreadable = |error: io::Error| {
        let problem = Problem::new(format!("the job file cannot be read: {}", reason(&error)));
        wrong(Problem { help: help(&error).map(str::to_owned), ..problem })
    };
    let bytes = read.map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST_JOB {
        let problem =
            Problem::new(format!("the job file has more than {LONGEST_JOB} bytes, and that is the limit"));
        return Err(wrong(
            problem.help("a job lists many inputs by their folder, or by a glob like `in/*.parquet`"),
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable(io::ErrorKind::InvalidData.into()))?;
    Ok(Settings::from_toml(&text, &name, path.parent().unwrap_or(Path::new(""))))
}

/// That what lies around a run cannot be used.
pub fn unusable(message: String) -> RunError {
    RunError::Job(vec![Problem::new(message)])
}

/// The store as a run asks it.
pub struct Stored<'a>(pub &'a Opened);

impl Rulesets for Stored<'_> {
    fn source(&self, hash: &str) -> Result<Option<Vec<u8>>, String> {
        self.0.find(hash).map_err(|error| error.message())
    }
}

/// Lets the first Ctrl-C (or SIGTERM) end the run in good order, and the second one end it at once. Until the run
/// reads there is nothing to put in order, and the first one ends it at once too: opening an input may take for ever.
pub fn listen(cancel: &Cancel, reading: &Arc<AtomicBool>, form: Form) -> Result<(), RunError> {
    let (cancel, reading) = (cancel.clone(), Arc::clone(reading));
    let asked = AtomicBool::new(false);
    let handler = move || {
        let again = asked.swap(true, Ordering::SeqCst);
        let waiting = !reading.load(Ordering::SeqCst);
        if waiting {
            report::problem(&Problem::new("interrupted before the first row was read"), form);
        }
        if again || waiting {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        report::stopping(form);
        cancel.cancel();
    };
    ctrlc::set_handler(handler).map_err(|error| {
        let error = match error {
            ctrlc::Error::System(error) => error,
            error => io::Error::other(error.to_string()),
        };
        RunError::not_started("the run cannot listen for Ctrl-C", &error)
    })
}

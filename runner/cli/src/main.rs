//! The `assay` command: arguments in, payloads and results out.
//!
//! It is a thin door. What an operation does and says is in `assay_service`, what a run does in `assay_batch`; here are the
//! arguments, the files they name, text for a person, and exit codes.

mod agreement;
mod args;
mod explanation;
mod job_flags;
mod printing;
mod project;
mod report;
mod run;
mod solving;
mod text;

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use assay_batch::Problem;
use assay_batch::exit::Exit;
use assay_compile::Options;
use assay_faults::{help, reason};
use assay_service::{Error, Prepared, rulesets};

use crate::args::{
    Cli, Command, ConverterArgs, Form, FormArg, Project, RulesetArg, RulesetCommand, StoreArg, UnitsCommand,
};
use crate::printing::{SOURCE_OF_STDIN, colors, complain, explain, form, print};
use crate::project::{Opened, read_whole};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Where even this cannot be printed there is nobody left to tell.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Completed }.code().into();
        }
    };
    let exit = match cli.command {
        Command::Compile { file, require_descriptions, project, form } => {
            let options = Options { require_descriptions };
            answer(form, &source_name(&file), || compile(&file, &options, &project))
        }
        Command::Check { ruleset, claims, decisive, project, form } => {
            answer(form, &name_of(&ruleset), || check(&ruleset, &claims, decisive, &project))
        }
        Command::Explain { ruleset, claims, assertion, project, form } => {
            answer(form, &name_of(&ruleset), || explained(&ruleset, &claims, assertion.as_deref(), &project))
        }
        Command::PromptPack { ruleset, project, form } => {
            answer(form, &name_of(&ruleset), || prompt_pack(&ruleset, &project))
        }
        Command::Units { command: None, project, form } => answer(form, "", || units(&project)),
        Command::Units { command: Some(UnitsCommand::Bridge { from, to, project, form }), .. } => {
            answer(form, "", || bridge(&from, &to, &project))
        }
        Command::Units { command: Some(UnitsCommand::Add { converter, store, form }), .. } => {
            answer(form, "", || add(&converter, &store))
        }
        Command::Ruleset { command } => ruleset(command),
        Command::Agreement(arguments) => agreement::report(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Solve => solving::solve(),
        Command::Completions { shell } => {
            // Not straight to standard output: there it would panic where the reader has gone away.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "assay", &mut script);
            written(print(&String::from_utf8_lossy(&script)), Exit::Completed)
        }
    };
    exit.code().into()
}

/// What an operation gives: its payload, and the same for a person.
struct Output {
    payload: String,
    text: String,
}

/// Prints what an operation gives in the form that is wanted, or why it gives nothing.
fn answer(asked: FormArg, name: &str, operation: impl FnOnce() -> Result<Output, Error>) -> Exit {
    let form = form(asked);
    let (exit, printed) = match (operation(), form) {
        (Ok(output), Form::Json) => (Exit::Completed, print(&output.payload)),
        (Ok(output), Form::Text) => (Exit::Completed, print(&output.text)),
        (Err(error), Form::Json) => (Exit::Refused, print(&error.envelope())),
        (Err(error), Form::Text) => {
            complain(&explain(&error, name));
            (Exit::Refused, Ok(()))
        }
    };
    written(printed, exit)
}

/// How a command ends once its output was printed, or could not be.
fn written(printed: std::io::Result<()>, exit: Exit) -> Exit {
    match printed {
        Ok(()) => exit,
        Err(error) => {
            let problem = Problem::new(format!("standard output cannot be written: {}", reason(&error)));
            report::problem(&Problem { help: help(&error).map(str::to_owned), ..problem }, Form::Text);
            Exit::Failed
        }
    }
}

/// What messages call a source.
fn source_name(file: &Path) -> String {
    if file == Path::new("-") { SOURCE_OF_STDIN.to_owned() } else { file.to_string_lossy().into_owned() }
}

fn name_of(ruleset: &RulesetArg) -> String {
    match (&ruleset.file, &ruleset.hash) {
        (Some(file), _) => source_name(file),
        (None, hash) => hash.clone().unwrap_or_default(),
    }
}

/// A ruleset, from a file or the store, ready to answer.
fn prepared(ruleset: &RulesetArg, project: &Project) -> Result<Prepared, Error> {
    let opened = Opened::existing(&project.store)?;
    let source = match (&ruleset.file, &ruleset.hash) {
        (Some(file), _) => read_whole(file)?,
        (None, hash) => opened.stored(hash.as_deref().unwrap_or_default())?,
    };
    Prepared::new(&source, &Options::default(), &opened.library(project)?, solving::settings())
}

fn compile(file: &Path, options: &Options, project: &Project) -> Result<Output, Error> {
    let source = read_whole(file)?;
    let library = Opened::existing(&project.store)?.library(project)?;
    let prepared = Prepared::new(&source, options, &library, Default::default())?;
    Opened::creating(&project.store)?.keep(&prepared)?;
    let text = text::compiled(&prepared, &source_name(file));
    Ok(Output { payload: prepared.compile_payload(), text })
}

fn check(ruleset: &RulesetArg, claims: &Path, decisive: bool, project: &Project) -> Result<Output, Error> {
    let (prepared, claims) = both(ruleset, claims, project)?;
    let checked = if decisive { prepared.check_decisive(&claims)? } else { prepared.check(&claims)? };
    let text = text::checked(&prepared, &checked);
    Ok(Output { payload: checked.payload, text })
}

fn explained(
    ruleset: &RulesetArg,
    claims: &Path,
    assertion: Option<&str>,
    project: &Project,
) -> Result<Output, Error> {
    let (prepared, claims) = both(ruleset, claims, project)?;
    let explained = prepared.explain(&claims, assertion)?;
    let text = explanation::text(prepared.ruleset(), &explained, colors(&std::io::stdout()));
    Ok(Output { payload: explained.payload, text })
}

/// A ruleset and a claim dictionary.
fn both(ruleset: &RulesetArg, claims: &Path, project: &Project) -> Result<(Prepared, Vec<u8>), Error> {
    let stdin = Path::new("-");
    if ruleset.file.as_deref() == Some(stdin) && claims == stdin {
        let message = "the ruleset and the claims cannot both be standard input: name a file for one of them";
        return Err(Error::BadRequest(message.to_owned()));
    }
    Ok((prepared(ruleset, project)?, read_whole(claims)?))
}

fn prompt_pack(ruleset: &RulesetArg, project: &Project) -> Result<Output, Error> {
    let prepared = prepared(ruleset, project)?;
    Ok(Output { payload: prepared.prompt_pack(), text: text::prompts_of(&prepared) })
}

fn units(project: &Project) -> Result<Output, Error> {
    let library = Opened::existing(&project.store)?.library(project)?;
    Ok(Output { payload: assay_service::units(&library), text: text::units(&library) })
}

fn bridge(from: &str, to: &str, project: &Project) -> Result<Output, Error> {
    let library = Opened::existing(&project.store)?.library(project)?;
    let payload = assay_service::bridge(&library, from, to)?;
    Ok(Output { text: text::bridge(&library, from, to), payload })
}

fn add(asked: &ConverterArgs, store: &StoreArg) -> Result<Output, Error> {
    let converter = project::converter(asked)?;
    let changed = Opened::creating(store)?.change(converter, asked.replace)?;
    let payload = assay_service::converter_added(&changed.library, changed.previous_hash.as_deref(), &[]);
    Ok(Output { payload, text: text::added(&changed) })
}

fn ruleset(command: RulesetCommand) -> Exit {
    match command {
        RulesetCommand::Save { name, file, project, form } => answer(form, &file.to_string_lossy(), || {
            let source = read_whole(&file)?;
            let library = Opened::existing(&project.store)?.library(&project)?;
            let prepared = Prepared::new(&source, &Options::default(), &library, Default::default())?;
            let saved = Opened::creating(&project.store)?.save(&name, &prepared)?;
            let payload = rulesets::saved(&rulesets::Saved {
                name: &saved.revision.name,
                ruleset_hash: &saved.revision.ruleset_hash,
                parent_hash: saved.revision.parent_hash.as_deref(),
                created: saved.created,
            });
            Ok(Output { payload, text: text::saved(&saved) })
        }),
        RulesetCommand::List { store, form } => answer(form, "", || {
            let listed = Opened::existing(&store)?.list()?;
            let rows: Vec<_> = listed.iter().map(project::Row::as_payload).collect();
            Ok(Output { payload: rulesets::list(&rows), text: text::list(&listed) })
        }),
        RulesetCommand::Show { name, project, form } => answer(form, &name, || {
            let opened = Opened::existing(&project.store)?;
            let shown = opened.show(&name)?;
            let library = opened.library(&project)?;
            let prepared = Prepared::new(&shown.source, &Options::default(), &library, Default::default())?;
            let stored = rulesets::Stored { name: &shown.name, revision_chain: &shown.chain, approvals: &[] };
            let payload = rulesets::show(&prepared, &stored);
            Ok(Output { payload, text: text::shown(&prepared, &shown) })
        }),
    }
}

//! `assay agreement`: how far the evidence of documents agrees, claim by claim.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_batch::agreement::{Agreement, ClaimAgreement, agreement, results};
use assay_batch::input::InputError;
use assay_batch::job::{Job, Key, Section, Settings};
use assay_batch::{Around, Before, Cancel, Exit, RunError};
use assay_objects::ObjectStores;
use assay_tabular::Tabular;

use crate::args::{AgreementArgs, DEFAULT_STORE, Form};
use crate::printing::{colors, complain, form, print, visible};
use crate::project::Opened;
use crate::report;
use crate::run::{Stored, job_file, listen, unusable};

/// Makes the report and prints it.
pub fn report(arguments: &AgreementArgs) -> Exit {
    match attempt(arguments) {
        Ok(agreement) => {
            let printed = match form(arguments.form) {
                Form::Json => print(&agreement.payload()),
                Form::Text => print(&text(&agreement)),
            };
            crate::written(printed, Exit::Completed)
        }
        Err(RunError::Ruleset(refusal)) => {
            let colors = colors(&io::stderr());
            complain(&assay_syntax::render(refusal.source.as_ref(), "ruleset", &refusal.diagnostics, colors));
            Exit::Refused
        }
        Err(error) => {
            error.problems().iter().for_each(|problem| report::problem(problem, Form::Text));
            error.exit()
        }
    }
}

fn attempt(arguments: &AgreementArgs) -> Result<Agreement, RunError> {
    let (mut settings, results) = match &arguments.from {
        Some(folder) if folder.is_dir() => {
            let results = results(folder)?;
            (results.settings.clone(), Some(results))
        }
        Some(file) => (job_file(file)?, None),
        None => (Settings::new(), None),
    };
    // A job has an output; a report has none.
    if let Some(output) = Key::find(Section::Top, "output") {
        settings.flag(output, ".");
    }
    let job = Job::resolve(settings, arguments.flags.settings()).map_err(RunError::Job)?;
    let opened = Opened::at(job.store.as_deref().unwrap_or(Path::new(DEFAULT_STORE)));
    let opened = opened.map_err(|error| unusable(error.message()))?;
    let library = opened.library_with(job.converters.as_deref());
    let library = library.map_err(|error| unusable(error.message()))?;
    let cancel = Cancel::new();
    listen(&cancel, &Arc::new(AtomicBool::new(false)), Form::Text)?;
    let around = Around {
        rulesets: &Stored(&opened),
        library,
        open: Arc::new(Tabular),
        stores: &ObjectStores::here(),
        create: Arc::new(Tabular),
        before: Before::default(),
        cancel,
        solver: None,
    };
    let found = agreement(job, &around, &mut |_| ());
    let found = found.map_err(|error| if results.is_some() { looked_for(error) } else { error })?;
    if let Some(results) = results {
        results.verify(&found)?;
    }
    Ok(found)
}

/// An error that says where the inputs of results are looked for.
fn looked_for(error: RunError) -> RunError {
    match error {
        RunError::Input(of) if of.help.is_none() => RunError::Input(InputError {
            help: Some("where the run's inputs are elsewhere now, say so with `--input`".to_owned()),
            ..of
        }),
        error => error,
    }
}

/// The report for a person: a table of the claims, then the pairs of values of those that are contradicted.
fn text(agreement: &Agreement) -> String {
    let name = |(name, _): &(String, ClaimAgreement)| name.chars().count();
    let width = agreement.claims.iter().map(name).max().unwrap_or(0).max("claim".len());
    let heads = ["agreed", "partly missing", "contradicted", "one piece", "no value"];
    let mut text = format!("{:<width$}", "claim");
    heads.iter().for_each(|head| text.push_str(&format!("  {head:>14}")));
    for (name, of) in &agreement.claims {
        text.push_str(&format!("\n{name:<width$}"));
        for count in [of.agreed, of.partly_missing, of.contradicted, of.single, of.nothing] {
            text.push_str(&format!("  {count:>14}"));
        }
    }
    text.push('\n');
    for (name, of) in agreement.claims.iter().filter(|(_, of)| of.contradicted > 0) {
        text.push_str(&format!("\n{name}: values that stood against each other\n"));
        for (a, b, documents) in &of.pairs {
            text.push_str(&format!("  {documents:>9}  {} | {}\n", visible(a), visible(b)));
        }
        if of.other_pairs > 0 {
            text.push_str(&format!("  {:>9}  other pairs\n", of.other_pairs));
        }
    }
    let counted = agreement.documents.checked;
    let documents = if counted == 1 { "1 document".to_owned() } else { format!("{counted} documents") };
    let rejected = match agreement.rows.1 {
        0 => "no row rejected".to_owned(),
        1 => "1 row rejected".to_owned(),
        rows => format!("{rows} rows rejected"),
    };
    let library = agreement.unit_library_hash.as_deref().unwrap_or("none");
    text.push_str(&format!(
        "\n{documents}, {rejected}\nruleset  {}\nunits    {library}\n",
        agreement.ruleset_hash
    ));
    text
}

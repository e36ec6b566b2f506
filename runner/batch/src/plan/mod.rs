//! The plan: everything that can be known, and refused, before the first row is read.

mod columns;
mod inputs;
mod look;
mod mapping;
mod pins;

use std::sync::Arc;

use assay_claims::{Checker, ClaimId};
use assay_compile::Ruleset;
use assay_engine::Settings;
use assay_service::CheckWriter;
use assay_units::Library;

pub(crate) use inputs::Input;
pub(crate) use mapping::{Mapping, is_id};
pub use pins::Rulesets;

use crate::error::{Problem, RunError};
use crate::input::{FileFormat, Open, Shape};
use crate::job::Job;
use crate::output::ResultSchema;
use crate::run::Around;

/// What a run will do.
#[derive(Debug)]
pub(crate) struct Plan {
    pub ruleset: Arc<Ruleset>,
    pub library: Library,
    pub engine: assay_engine::Plan,
    pub inputs: Vec<Input>,
    pub mapping: Mapping,
    /// How the values of each format among the inputs are read.
    checkers: Vec<(FileFormat, Checker)>,
    pub schema: ResultSchema,
    pub payloads: Option<CheckWriter>,
}

impl Plan {
    /// Plans a job.
    ///
    /// # Errors
    /// What does not hold: the pins first, then the ruleset, then everything about inputs and columns.
    pub fn new(job: &Job, around: &Around<'_>) -> Result<Plan, RunError> {
        let (library, open) = (&around.library, around.open.as_ref());
        let source = pins::source(job, around.rulesets, library)?;
        let ruleset = assay_compile::compile(&source, &assay_compile::Options::default());
        let ruleset = Arc::new(ruleset.map_err(RunError::Ruleset)?);
        let mapping = Mapping::new(job, &ruleset);
        let result_columns = columns::problems(job, &ruleset);
        let (mapping, mut problems) = match mapping {
            Ok(mapping) => (Some(mapping), result_columns),
            Err(problems) => (None, problems.into_iter().chain(result_columns).collect()),
        };
        let mut inputs = inputs::expand(job, around.stores)?;
        if let Some(mapping) = &mapping {
            problems.extend(shapes(job, mapping, &ruleset, open, &mut inputs)?);
        }
        let checkers = checkers(job, &ruleset, library, &inputs, &mut problems);
        let Some(mapping) = mapping.filter(|_| problems.is_empty()) else {
            return Err(RunError::Job(problems));
        };
        let settings = Settings {
            rlimit: job.rlimit,
            route: job.engine,
            max_choices: job.max_choices,
            apart: around.solver.clone(),
            ..Settings::default()
        };
        let engine = assay_engine::Plan::new(Arc::clone(&ruleset), library.clone(), settings)
            .map_err(|error| RunError::of_engine(&error))?;
        Ok(Plan {
            schema: ResultSchema {
                layout: job.layout,
                assertions: ruleset.assertions.iter().map(|assertion| assertion.name.clone()).collect(),
                carry: columns::carried(job),
                locate: job.locate,
                ruleset_hash: ruleset.hash.clone(),
                unit_library_hash: library.hash().map(str::to_owned),
            },
            payloads: job.payloads.then(|| CheckWriter::new(Arc::clone(&ruleset), library.clone())),
            library: library.clone(),
            engine,
            inputs,
            mapping,
            checkers,
            ruleset,
        })
    }

    /// How the values of an input are read.
    pub fn checker(&self, input: &Input) -> Option<&Checker> {
        self.checkers.iter().find(|(format, _)| *format == input.format).map(|(_, checker)| checker)
    }

    /// Whether an empty cell of an input is a null.
    pub fn empty_is_null(&self, input: &Input) -> bool {
        input.format == FileFormat::Csv
            && self.checker(input).is_some_and(|checker| checker.reading().null.iter().any(String::is_empty))
    }

    /// What is wrong with the columns that an input turned out to have once it was opened.
    pub fn late_shape(&self, job: &Job, input: &Input, shape: &Shape) -> Vec<Problem> {
        self.mapping.problems(job, &self.ruleset, input, shape)
    }
}

/// Looks at every input's columns. What could not be looked at yet is looked at when it is opened.
fn shapes(
    job: &Job,
    mapping: &Mapping,
    ruleset: &Ruleset,
    open: &dyn Open,
    inputs: &mut [Input],
) -> Result<Vec<Problem>, RunError> {
    let mut problems = Vec::new();
    let field = mapping.wanted.claims_field.as_deref();
    for input in inputs {
        if field.is_some() && input.format != FileFormat::Jsonl {
            problems.push(Problem::new("`claims_field` is for JSONL, and this is not").at(&input.name));
            continue;
        }
        let shape = open.shape(&input.location, &input.name, input.format, &job.text, field);
        if let Some(shape) = shape.map_err(RunError::Input)? {
            problems.extend(mapping.problems(job, ruleset, input, &shape));
            input.ignored = mapping.ignored(&shape);
            input.absent = mapping.absent(input, &shape);
            input.shape_known = true;
        }
    }
    Ok(problems)
}

fn checkers(
    job: &Job,
    ruleset: &Arc<Ruleset>,
    library: &Library,
    inputs: &[Input],
    problems: &mut Vec<Problem>,
) -> Vec<(FileFormat, Checker)> {
    let mut checkers: Vec<(FileFormat, Checker)> = Vec::new();
    for format in inputs.iter().map(|input| input.format) {
        if checkers.iter().any(|(known, _)| *known == format) {
            continue;
        }
        let read = || inputs.iter().filter(|input| input.format == format);
        let mapped = |claim: ClaimId| read().any(|input| input.absent.get(claim.0) != Some(&true));
        match Checker::mapped(Arc::clone(ruleset), library.clone(), job.reading.of(format), mapped) {
            Ok(checker) => checkers.push((format, checker)),
            Err(error) => {
                let place = format!("reading.{}", error.option);
                let problem = Problem { place: Some(place), message: error.message, help: error.help };
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    checkers
}

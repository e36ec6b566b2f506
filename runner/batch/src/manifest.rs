//! `run.json`: what was run, over what, and what came of it. A fold over the run's events, and pure: no clock, no host, and
//! nothing that only says how fast or where the run went (threads, size of batches, folders).

use assay_engine::{Word, solver_version};
use assay_service::{canonical, versions};
use assay_units::number;
use serde_json::{Map, Value, json};

use crate::events::{Documents, Event, InputSoFar, OutputFile, SoFar, Tally};
use crate::input::FileFormat;
use crate::job::Job;
use crate::output::Layout;
use crate::plan::Plan;

/// The manifest of a run, so far.
pub(crate) struct Manifest {
    /// What is known before the first event.
    fixed: Map<String, Value>,
    inputs: Vec<Value>,
    /// Where rows are grouped.
    grouped: bool,
    so_far: SoFar,
    assertions: Vec<Value>,
    outputs: Vec<OutputFile>,
}

impl Manifest {
    /// The manifest of a job before anything happened.
    pub fn new(job: &Job, plan: &Plan) -> Manifest {
        let mut versions = versions();
        if let Some(versions) = versions.as_object_mut() {
            versions.insert("solver_version".to_owned(), json!(solver_version()));
        }
        let mut fixed = Map::new();
        fixed.insert("job".to_owned(), resolved(job, plan));
        fixed.insert("ruleset_hash".to_owned(), json!(plan.ruleset.hash));
        fixed.insert("unit_library_hash".to_owned(), json!(plan.library.hash()));
        fixed.insert("versions".to_owned(), versions);
        let inputs = plan.inputs.iter().map(|input| {
            json!({ "file": input.name, "format": word(input.format), "ignored_columns": input.ignored })
        });
        let assertions =
            plan.ruleset.assertions.iter().map(
                |assertion| json!({ "name": assertion.name, "unknown_policy": assertion.policy.as_str() }),
            );
        Manifest {
            fixed,
            inputs: inputs.collect(),
            grouped: job.grouping.is_some(),
            so_far: SoFar {
                inputs: vec![InputSoFar::default(); plan.inputs.len()],
                documents: Documents::default(),
                tallies: vec![Tally::default(); plan.ruleset.assertions.len()],
            },
            assertions: assertions.collect(),
            outputs: Vec::new(),
        }
    }

    /// What is run over what, as far as answers and files depend on it: a run is resumed only where this is the same.
    pub fn identity(&self) -> Value {
        let mut identity = self.fixed.clone();
        let inputs =
            self.inputs.iter().map(|input| json!({ "file": input["file"], "format": input["format"] }));
        identity.insert("inputs".to_owned(), inputs.collect());
        Value::Object(identity)
    }

    /// Takes in an event.
    pub fn fold(&mut self, event: &Event) {
        let so_far = &mut self.so_far;
        match event {
            Event::Resumed(from) => *so_far = from.clone(),
            Event::Decided(decided) => {
                for rows in &decided.rows {
                    if let Some(input) = so_far.inputs.get_mut(rows.input) {
                        input.rows += rows.read;
                        input.rejected += rows.rejected;
                    }
                }
                so_far.documents.checked += decided.documents.checked;
                so_far.documents.rejected += decided.documents.rejected;
                so_far.documents.engine_errors += decided.documents.engine_errors;
                for (tally, more) in so_far.tallies.iter_mut().zip(&decided.tallies) {
                    tally.add(more);
                }
            }
            Event::InputDone { input, sha256 } => {
                if let Some(input) = so_far.inputs.get_mut(*input) {
                    input.sha256 = Some(sha256.clone());
                }
            }
            Event::Written(file) => self.outputs.push(file.clone()),
            Event::Started { .. } | Event::Kept { .. } | Event::Putting { .. } | Event::Finished { .. } => {}
        }
    }

    /// What was counted so far.
    pub fn so_far(&self) -> &SoFar {
        &self.so_far
    }

    /// Rows read and rejected.
    pub fn rows(&self) -> (u64, u64) {
        let inputs = self.so_far.inputs.iter();
        inputs.fold((0, 0), |(rows, rejected), input| (rows + input.rows, rejected + input.rejected))
    }

    /// Documents checked and rejected, where rows are grouped.
    pub fn documents(&self) -> Option<Documents> {
        self.grouped.then_some(self.so_far.documents)
    }

    /// How many documents were rejected because the engine had no answer for them.
    pub fn engine_errors(&self) -> u64 {
        self.so_far.documents.engine_errors
    }

    /// What was answered, for each assertion in source order.
    pub fn tallies(&self) -> &[Tally] {
        &self.so_far.tallies
    }

    /// The manifest as canonical JSON.
    pub fn text(&self) -> String {
        let mut fields = self.fixed.clone();
        let (read, rejected) = self.rows();
        fields.insert(
            "rows".to_owned(),
            json!({ "read": read, "checked": read - rejected, "rejected": rejected }),
        );
        if let Some(Documents { checked, rejected, .. }) = self.documents() {
            let documents = json!({ "checked": checked, "rejected": rejected });
            fields.insert("documents".to_owned(), documents);
        }
        fields.insert("engine_errors".to_owned(), json!(self.engine_errors()));
        let inputs = self.inputs.iter().zip(&self.so_far.inputs).map(|(input, read)| {
            let mut input = input.clone();
            if let Some(fields) = input.as_object_mut() {
                fields.insert("rows".to_owned(), json!(read.rows));
                fields.insert("rejected".to_owned(), json!(read.rejected));
                if let Some(sha256) = &read.sha256 {
                    fields.insert("sha256".to_owned(), json!(sha256));
                }
            }
            input
        });
        fields.insert("inputs".to_owned(), inputs.collect());
        let assertions = self.assertions.iter().zip(&self.so_far.tallies).map(|(named, tally)| {
            let mut assertion = named.clone();
            if let Some(fields) = assertion.as_object_mut() {
                let words: Map<String, Value> =
                    Word::ALL.iter().map(|word| (word.as_str().to_owned(), json!(tally.of(*word)))).collect();
                fields.insert("checks".to_owned(), Value::Object(words));
                fields.insert("made_by_policy".to_owned(), json!(tally.by_policy));
                fields.insert("solver_decided".to_owned(), json!(tally.solver_decided));
                fields.insert("solver_gave_up".to_owned(), json!(tally.solver_gave_up));
            }
            assertion
        });
        fields.insert("assertions".to_owned(), assertions.collect());
        let outputs = self
            .outputs
            .iter()
            .map(|file| json!({ "file": file.name, "sha256": file.sha256, "bytes": file.bytes }));
        fields.insert("outputs".to_owned(), outputs.collect());
        canonical::to_string(&Value::Object(fields))
    }
}

/// The job with its defaults, as far as answers and files depend on it.
fn resolved(job: &Job, plan: &Plan) -> Value {
    let reading = &job.reading;
    let claims = plan.ruleset.claims.iter().zip(&plan.mapping.claims).map(|(claim, places)| {
        let name = |place: usize| plan.mapping.name(place);
        let columns = json!({ "column": name(places.value), "unit_column": places.unit.and_then(name) });
        (claim.name.clone(), columns)
    });
    let mut fail_on: Vec<&str> = job.fail_on.words.iter().map(|word| word.as_str()).collect();
    fail_on.extend(job.fail_on.rejected.then_some("REJECTED"));
    let formats: Vec<&str> = job.formats.iter().map(|format| word(*format)).collect();
    json!({
        "input": job.input.iter().map(|spec| spec.text.as_str()).collect::<Vec<_>>(),
        "input_format": job.input_format.map(word),
        "format": formats,
        "layout": match job.layout { Layout::Long => "long", Layout::Wide => "wide" },
        "payloads": job.payloads,
        "locate": job.locate,
        "id": job.id,
        "claims_field": job.claims_field,
        "carry": job.carry,
        "group_by": job.grouping.as_ref().map(|grouping| grouping.by.as_str()),
        "scattered": job.grouping.as_ref().is_some_and(|grouping| grouping.scattered),
        "source": job.grouping.as_ref().and_then(|grouping| grouping.source.as_deref()),
        "rlimit": job.rlimit,
        "max_choices": job.max_choices,
        "engine": job.engine.as_str(),
        "cross_check": number::plain(&job.cross_check),
        "missing_claims": if job.missing_unknown { "unknown" } else { "reject" },
        "max_rejected": job.max_rejected.as_ref().map(|allowed| allowed.text.as_str()),
        "fail_on": fail_on,
        "reading": {
            "null": reading.null,
            "true": reading.true_words,
            "false": reading.false_words,
            "trim": reading.trim,
            "thousands": reading.thousands,
            "decimal": reading.decimal,
            "plus": reading.plus,
            "list": reading.list,
            "nan": if reading.nan_unknown { "unknown" } else { "reject" },
            "delimiter": char::from(job.text.delimiter),
            "quote": char::from(job.text.quote),
            "encoding": job.text.encoding,
        },
        "claims": claims.collect::<Map<String, Value>>(),
    })
}

/// The word of a format.
fn word(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Jsonl => "jsonl",
        FileFormat::Csv => "csv",
        FileFormat::Parquet => "parquet",
    }
}

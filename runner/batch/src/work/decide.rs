//! From documents to everything that is written about them.

use std::sync::Arc;

use assay_claims::Evidence;
use assay_engine::{Answer, EngineError};
use assay_service::Document;
use assay_service::canonical::write_text;

use super::answers::Answered;
use super::rows::{Documents, Reader, documents};
use super::unanswered::{Unanswered, Undecided};
use super::{Ready, Work};
use crate::agreement::Counted;
use crate::error::{Problem, RunError};
use crate::events::{self, Decided, RowsRead};
use crate::output::ResultChunk;
use crate::places::{FirstPlaces, Place};
use crate::units::{Slice, Unit};

impl Work {
    /// Decides a unit. Documents that the engine has no answer for are rejected.
    pub fn decide(&self, unit: &Unit) -> Result<Ready, RunError> {
        let mut unanswered = Unanswered::default();
        loop {
            match self.decide_answered(unit, &mut unanswered) {
                Ok(mut ready) => {
                    ready.decided.documents.engine_errors = unanswered.count();
                    return Ok(ready);
                }
                // Each time more of them are known, or it is by row for the first time.
                Err(Undecided::Unanswered) => unanswered.by_row = true,
                Err(Undecided::Run(error)) => return Err(error),
            }
        }
    }

    /// Decides a unit but for the documents that are known to have no answer.
    fn decide_answered(&self, unit: &Unit, unanswered: &mut Unanswered) -> Result<Ready, Undecided> {
        if let Some(grouping) = &self.job.grouping {
            return self.decide_grouped(grouping, unit, unanswered);
        }
        let [slice] = unit.slices.as_slice() else { return Err(Work::not_planned().into()) };
        let Slice { input, chunk, .. } = slice;
        let reader = Reader::new(self, *input, unanswered).ok_or_else(Work::not_planned)?;
        if self.by_column() && !unanswered.by_row {
            return self.decide_columns(slice, &reader);
        }
        let documents = documents(&reader, chunk.as_ref());
        let (rows, counts) = slice.counts(documents.rejected);
        let places = documents.rows.iter().map(|row| Place { input: *input, row: *row }).collect();
        self.decide_documents(documents, places, vec![rows], counts, unanswered)
    }

    /// Decides documents that were read, each with its place. They begin in one input.
    pub(super) fn decide_documents(
        &self,
        documents: Documents,
        places: Vec<Place>,
        rows: Vec<RowsRead>,
        counts: events::Documents,
        unanswered: &mut Unanswered,
    ) -> Result<Ready, Undecided> {
        if self.counts_only {
            return Ok(Ready {
                decided: Decided { rows, documents: counts, tallies: Vec::new() },
                encoded: Vec::new(),
                payloads: String::new(),
                rejected: documents.rejected_lines,
                counted: Counted::of(&self.plan.ruleset, &documents.evidence),
                places: FirstPlaces::default(),
            });
        }
        let evidence: Vec<&Evidence> = documents.evidence.iter().collect();
        let mut answers = Vec::with_capacity(evidence.len());
        for (place, answered) in places.iter().zip(self.plan.engine.decide_each(&evidence)?) {
            match answered {
                Ok(answered) => answers.push(answered),
                Err(error) => unanswered.add(*place, &error),
            }
        }
        if answers.len() < places.len() {
            return Err(Undecided::Unanswered);
        }
        self.complete(&documents, &answers)?;
        let file = self.file(places.first().map_or(0, |place| place.input));
        if !self.sample.is_empty() {
            self.cross_check(&file, each_document(&documents, &answers))?;
        }
        let payloads = self.payloads(&documents, &answers)?;
        let mut answered = Answered::new(self.plan.schema.assertions.len(), documents.ids.len());
        for (document, answers) in answers.iter().enumerate() {
            answered.put(document, answers, &self.claims);
        }
        Ok(self.finish(file, documents, answered, payloads, (rows, counts))?)
    }

    /// Makes what was decided ready.
    pub(super) fn finish(
        &self,
        file: Arc<str>,
        documents: Documents,
        answered: Answered,
        payloads: String,
        (rows, counts): (Vec<RowsRead>, events::Documents),
    ) -> Result<Ready, RunError> {
        let decided = Decided { rows, documents: counts, tallies: answered.tallies };
        let results = ResultChunk {
            ids: documents.ids,
            answers: answered.columns,
            reasons: answered.reasons,
            contradicted: answered.contradicted,
            carried: documents.carried,
            file,
            rows: if self.job.locate { documents.rows } else { Vec::new() },
        };
        self.ready(decided, results, payloads, documents.rejected_lines)
    }

    /// The name of an input.
    pub(super) fn file(&self, input: usize) -> Arc<str> {
        self.files.get(input).map_or_else(|| Arc::from(""), Arc::clone)
    }

    /// That something came from an input which was not planned, or not as it was.
    pub(super) fn not_planned() -> RunError {
        RunError::engine("rows came that were not planned".to_owned())
    }

    /// Encodes what was decided.
    pub(super) fn ready(
        &self,
        decided: Decided,
        results: ResultChunk,
        payloads: String,
        rejected: String,
    ) -> Result<Ready, RunError> {
        let results = Arc::new(results);
        let encoded = self.encoders.iter().map(|encoder| encoder.encode(&results)).collect::<Result<_, _>>();
        let encoded = encoded.map_err(|error| RunError::Output(Problem::new(error.message)))?;
        Ok(Ready {
            decided,
            encoded,
            payloads,
            rejected,
            counted: Counted::default(),
            places: FirstPlaces::default(),
        })
    }

    /// Fails closed: every document has exactly one answer for each assertion.
    pub(super) fn complete(&self, documents: &Documents, answers: &[Vec<Answer>]) -> Result<(), RunError> {
        let wanted = self.plan.schema.assertions.len();
        let whole = answers.len() == documents.ids.len() && answers.iter().all(|each| each.len() == wanted);
        if whole {
            return Ok(());
        }
        Err(Work::not_answered())
    }

    pub(super) fn not_answered() -> RunError {
        RunError::engine("the engine did not answer every assertion for every document".to_owned())
    }

    /// Decides the sampled ones of some documents again in the other way. Each comes with the number of its row.
    pub(super) fn cross_check<'d>(
        &self,
        file: &str,
        documents: impl Iterator<Item = (u64, (&'d Evidence, &'d [Answer]))>,
    ) -> Result<(), RunError> {
        let sampled = documents.filter(|(row, _)| self.sample.takes(file, *row));
        let sampled: Vec<(u64, (&Evidence, &[Answer]))> = sampled.collect();
        let checked = self.plan.engine.cross_check(sampled.iter().map(|(_, decided)| *decided));
        let Err(error) = checked else { return Ok(()) };
        if !matches!(error, EngineError::Disagreement { .. }) {
            return Err(engine(error));
        }
        // Which document it was is found one by one.
        let found = sampled.iter().find_map(|(row, decided)| {
            self.plan.engine.cross_check([*decided]).err().map(|error| (*row, error))
        });
        let problem = match found {
            Some((row, error)) => Problem::new(error.to_string()).at(format!("{file}:{row}")),
            None => Problem::new(error.to_string()).at(file),
        };
        Err(RunError::Disagreement(problem.help("this is a fault of the engine: please report it")))
    }

    fn payloads(&self, documents: &Documents, answers: &[Vec<Answer>]) -> Result<String, RunError> {
        let mut lines = String::new();
        let Some(writer) = &self.plan.payloads else { return Ok(lines) };
        let documents = documents.ids.iter().zip(&documents.evidence);
        for ((id, evidence), answers) in documents.zip(answers) {
            lines.push_str("{\"id\":");
            write_text(&mut lines, id);
            lines.push_str(",\"payload\":");
            let document = Document { evidence, answers };
            writer.write(&mut lines, &document).map_err(|error| RunError::engine(error.to_string()))?;
            lines.push_str("}\n");
        }
        Ok(lines)
    }
}

impl Slice {
    /// The counts of its rows, each a document of its own.
    pub(super) fn counts(&self, rejected: u64) -> (RowsRead, events::Documents) {
        let read = self.rows.len() as u64;
        let rows = RowsRead { input: self.input, read, rejected, bytes_read: self.bytes_read };
        (rows, events::Documents { checked: read - rejected, rejected, engine_errors: 0 })
    }
}

/// Documents with the numbers of their rows and their answers.
pub(super) fn each_document<'d>(
    documents: &'d Documents,
    answers: &'d [Vec<Answer>],
) -> impl Iterator<Item = (u64, (&'d Evidence, &'d [Answer]))> {
    let decided = documents.evidence.iter().zip(answers.iter().map(Vec::as_slice));
    documents.rows.iter().copied().zip(decided)
}

pub(super) fn engine(error: EngineError) -> RunError {
    RunError::of_engine(&error)
}

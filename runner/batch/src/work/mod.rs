//! What a deciding thread does with a unit: reads its rows, decides them, and makes everything ready to be written.

mod answers;
mod columns;
mod decide;
mod decoded;
mod grouped;
mod rows;
mod unanswered;

use std::sync::Arc;

use crate::agreement::Counted;
use crate::events::Decided;
use crate::job::Job;
use crate::output::{Encode, Encoded};
use crate::places::FirstPlaces;
use crate::plan::Plan;
use crate::sample::Sample;

/// What all deciding threads share.
pub(crate) struct Work {
    pub job: Job,
    pub plan: Plan,
    pub sample: Sample,
    /// Whether documents are counted for a report of their agreement, and not decided.
    pub counts_only: bool,
    /// One for each format of the results.
    pub encoders: Vec<Arc<dyn Encode>>,
    /// The names of the claims, for results that name contradicted ones.
    pub claims: Vec<Arc<str>>,
    /// The names of the inputs, for results that are located.
    pub files: Vec<Arc<str>>,
}

/// A unit that was decided, ready to be written.
pub(crate) struct Ready {
    pub decided: Decided,
    /// One for each format of the results.
    pub encoded: Vec<Encoded>,
    /// Lines of `payloads.jsonl`.
    pub payloads: String,
    /// Lines of `rejected.jsonl`.
    pub rejected: String,
    /// What is counted for a report.
    pub counted: Counted,
    /// Where the documents begin, where one may have been in another place.
    pub places: FirstPlaces,
}

//! From a source to a ruleset: names, types and units; and what is said about it to people and models.

mod check;
mod contract;
pub mod formula;
mod hint;
mod manifest;
mod measure;
mod prompts;
mod resolve;
mod review;
mod ruleset;
mod schema;
pub mod typed;
mod unbridged;

pub use check::{Options, Refusal, compile};
pub use contract::{LISTED_FAILURES, RECEIVED_CHARACTERS, validation_contract};
pub use hint::{GRAMMAR_GUIDE, worked_example};
pub use manifest::{NULL, UNKNOWN, exact, manifest};
pub use measure::{Measure, Measures};
pub use prompts::{INTEGRITY_RULE, assembly_notes, prompts, question_from_name};
pub use resolve::resolve;
pub use review::{review, summary};
pub use ruleset::{Assertion, Claim, ClaimKind, EnumKind, Local, Range, Ruleset, Sort};
pub use schema::claim_schema;
pub use unbridged::{Cause, UnbridgedUnits, unbridged};

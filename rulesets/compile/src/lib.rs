//! From a source to a ruleset: names, types and units; and what is said about it to people and models.

mod annotations;
mod closest;
mod compiler;
mod contract;
pub mod formula;
mod hint;
mod leaves;
mod limits;
mod locals;
mod manifest;
mod measure;
mod names;
mod prompts;
mod reads;
mod resolve;
mod review;
mod ruleset;
mod schema;
mod statements;
pub mod typed;
mod typing;
mod unbridged;
mod vocabularies;

pub use compiler::{Options, Refusal, compile};
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

//! From a source to a ruleset: names, types and units; and what is said about it to people and models.
//!
//! [`compile`] reads a source through [`assay_syntax`] and gives it to these phases, each in a module of its own: the
//! declarations (`names`, with their `vocabularies` and `annotations`), the order of the locals (`locals`), the types
//! and units of every statement (`typing`), and what each assertion reads (`reads`). What comes out is a [`Ruleset`],
//! whose formulas are the trees of [`typed`].
//!
//! [`resolve`] then makes a [`formula::Formula`] of one assertion, for one combination of the units that evidence
//! came in ([`Measures`]): arithmetic without units, which is what engines decide. [`trace()`] does the same and says what
//! each node is in the source. [`unbridged`] lists the units that a ruleset brings together and nothing bridges.
//!
//! The other modules are what is said about a ruleset: its manifest, schema, contract, prompts and review.

mod annotations;
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
mod spelling;
mod statements;
pub mod trace;
pub mod typed;
mod typing;
mod unbridged;
mod vocabularies;
mod wire;

pub use compiler::{Options, Refusal, compile};
pub use contract::{LISTED_FAILURES, RECEIVED_CHARACTERS, validation_contract};
pub use hint::{GRAMMAR_GUIDE, worked_example};
pub use manifest::{NULL, UNKNOWN, exact, manifest};
pub use measure::{Measure, Measures};
pub use prompts::{INTEGRITY_RULE, assembly_notes, prompts, question_from_name};
pub use resolve::{resolve, trace};
pub use review::{review, summary};
pub use ruleset::{Assertion, Claim, ClaimKind, EnumKind, Local, Range, Ruleset, Sort};
pub use schema::claim_schema;
pub use unbridged::{Cause, UnbridgedUnits, unbridged};

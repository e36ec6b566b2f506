//! From a source to a ruleset: names, types and units; and what is said about it to people and models.

pub mod formula;
mod ruleset;
pub mod typed;

pub use ruleset::{Assertion, Claim, ClaimKind, EnumKind, Local, Range, Ruleset, Sort};

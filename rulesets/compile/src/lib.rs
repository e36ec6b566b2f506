//! From a source to a ruleset: names, types and units; and what is said about it to people and models.

mod check;
pub mod formula;
mod measure;
mod resolve;
mod ruleset;
pub mod typed;
mod unbridged;

pub use check::{Options, Refusal, compile};
pub use measure::{Measure, Measures};
pub use resolve::resolve;
pub use ruleset::{Assertion, Claim, ClaimKind, EnumKind, Local, Range, Ruleset, Sort};
pub use unbridged::{Cause, UnbridgedUnits, unbridged};

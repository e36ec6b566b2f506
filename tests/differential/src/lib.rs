//! Random rulesets and claims, decided by the solver and by evaluation: see `docs/differential.md`.
//!
//! Everything is made as text, a source and the JSON of its claims, so that each phase of the way takes part.

// A fault of a test is a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod booleans;
mod claims;
mod difference;
mod evaluator;
mod groups;
mod guess;
mod numbers;
mod pair;
mod sets;
mod writer;

pub use difference::{Difference, difference};
pub use evaluator::{Evaluator, Mutation};
pub use groups::{Group, MAX_CHOICES, groups};
pub use pair::{Pair, pairs};
pub use writer::{FORMS, POLICIES};

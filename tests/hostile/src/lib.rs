//! Whatever comes in, assay answers: see `docs/reliability.md`.
//!
//! Each module is a *target*: a function that takes any bytes, passes them through a public boundary and panics where
//! something does not hold that must hold whatever the bytes are. `tests/fuzz` searches for bytes that break one; what it
//! found worth keeping is in `tests/fuzz/corpus`, and a test here passes all of it through the targets.

// A fault that a target notices is a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod claims;
mod deciding;
mod rows;
mod sources;

pub use claims::claims;
pub use deciding::deciding;
pub use rows::{csv, jsonl};
pub use sources::sources;

/// A target: what is done with any bytes.
pub type Target = fn(&[u8]);

/// The targets by name, each the name of its folder in the corpus too.
pub const TARGETS: &[(&str, Target)] =
    &[("sources", sources), ("claims", claims), ("jsonl", jsonl), ("csv", csv), ("deciding", deciding)];

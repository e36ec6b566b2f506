//! A batch run: a pinned ruleset, a stream of claim dictionaries, results in input order.
//!
//! A run goes through these modules, in this order:
//!
//! 1. [`job`]: what a job file and the flags over it ask for.
//! 2. `plan`: the pins hold, the ruleset compiles, every input is there and has the columns that the claims need. Nothing
//!    is written before that.
//! 3. `pipeline`: one thread reads and frames chunks of rows, rayon's threads decide them side by side, and the
//!    results are written in input order. What is in flight is bounded, so memory is. Where the rows of a document are
//!    its evidence, `units` cuts chunks where documents end, `scattered` gathers rows that stand anywhere, and `places`
//!    finds a document that stands in two places.
//! 4. `folder`: the outputs stand in an unfinished folder until all of them are whole; then each gets its final name,
//!    the manifest last.
//!
//! Formats and stores are adapters': [`input`], [`output`] and [`remote`] say what they must do. Whoever shows a run (a
//! terminal, a log, the manifest) folds over its [`events`].

pub mod agreement;
mod cancel;
mod checkpoint;
pub mod error;
pub mod events;
pub mod exit;
mod finals;
mod folder;
pub mod input;
pub mod job;
mod json;
mod manifest;
pub mod output;
mod outputs;
mod pipeline;
mod places;
mod plan;
mod rejected;
pub mod remote;
mod resume;
mod run;
mod sample;
mod scattered;
mod spill;
mod texts;
mod units;
mod whole;
mod work;
mod writing;

pub use cancel::Cancel;
pub use error::{Problem, RunError};
pub use exit::Exit;
pub use plan::Rulesets;
pub use resume::Before;
pub use run::{Around, Outcome, run};

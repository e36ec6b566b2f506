//! A batch run: a pinned ruleset, a stream of claim dictionaries, results in input order.

pub mod input;
pub mod output;

//! Results: long or wide, in JSONL, CSV or Parquet.
//!
//! The columns are the same in every format, and stand in this order:
//!
//! - **long**, one row for each document and assertion, documents in input order and assertions in source order: `id`,
//!   `rule`, `assertion`, `check`, `reason_unknown`, `contradicted`, `ruleset_hash`, `unit_library_hash`, the carried
//!   columns as the job lists them, and where the run locates, `file` and `row`;
//! - **wide**, one row for each document: `id`, a column for each assertion in source order that holds its word,
//!   `ruleset_hash`, `unit_library_hash`, the carried columns, and where the run locates, `file` and `row`.
//!
//! `contradicted` is null where no claim is contradicted. That no two columns share a name is the run's to see to.
//!
//! Encoders work on the deciding threads: a chunk becomes the bytes of its [`lines`] (as [`jsonl`] or [`csv`] write them), or
//! is looked at for [`parquet`], whose row groups are larger: they are blocks of many chunks. Writers put blocks into the
//! file.

pub(crate) mod csv;
mod documents;
pub(crate) mod jsonl;
mod lines;
pub(crate) mod parquet;
pub(crate) mod text;

use std::fmt::Display;

use assay_batch::output::{Layout, OutputError, ResultSchema};

/// The names of the columns, in their order.
fn columns(schema: &ResultSchema) -> impl Iterator<Item = &str> {
    let long: &[&str] = match schema.layout {
        Layout::Long => &["rule", "assertion", "check", "reason_unknown", "contradicted"],
        Layout::Wide => &[],
    };
    let wide: &[String] = match schema.layout {
        Layout::Long => &[],
        Layout::Wide => &schema.assertions,
    };
    let located: &[&str] = if schema.locate { &["file", "row"] } else { &[] };
    let named = ["id"].into_iter().chain(long.iter().copied()).chain(wide.iter().map(String::as_str));
    let pair = ["ruleset_hash", "unit_library_hash"];
    let carried = schema.carry.iter().map(String::as_str);
    named.chain(pair).chain(carried).chain(located.iter().copied())
}

fn output_error(error: impl Display) -> OutputError {
    OutputError { message: error.to_string() }
}

fn other_format() -> OutputError {
    output_error("the chunk was encoded for another format")
}

//! What a submitted claim dictionary may hold, and what it becomes: exact bindings, or every failure at once.
//!
//! Readers of every format hand over [`Raw`] values and judge nothing. A [`Checker`] knows one ruleset, one unit
//! library and one way of [`Reading`] texts; it turns each value into a [`Binding`] or a [`Failure`], and each dictionary
//! or row into [`Evidence`] or a [`Rejection`] that lists all of its failures. [`parse_json`] is the reader
//! of JSON bodies and lines: it keeps the text of every number and every duplicate key.
//!
//! Values stay values: nothing here ever becomes part of a source text or of a solver's.

mod amount;
mod binding;
mod checker;
mod columns;
mod evidence;
mod expected;
mod failure;
mod json;
mod pieces;
mod quantity;
mod raw;
mod reading;
mod received;
mod row;
mod unit;

pub use arrow_buffer::BooleanBuffer;
pub use assay_compile::Measure;
pub use assay_compile::typed::ClaimId;
pub use binding::{Binding, Dictionary};
pub use checker::Checker;
pub use columns::{
    ClaimColumn, ClaimColumns, Columns, ContradictedDocument, Decimal, DocumentColumns, Fit, MAX_SCALE,
    decimal,
};
pub use evidence::{Evidence, Told, Value};
pub use failure::{Failure, Rejection};
pub use json::{JsonError, MAX_DEPTH, parse_json};
pub use quantity::{Conversion, Quantity};
pub use raw::Raw;
pub use reading::{Reading, ReadingError};
pub use row::{Given, Missing};

//! The one service layer: operations take arguments and return payloads, and every door publishes their bytes.
//!
//! A payload is canonical JSON (see [`canonical`]) in the shape of the public contract, and pure: the same
//! arguments give the same bytes, on any machine, at any time. What an operation refuses is an [`Error`], and its
//! [`envelope`](Error::envelope) is the payload that says so.

pub mod canonical;
mod check;
mod contradicted;
mod diagnostics;
mod error;
pub mod explain;
mod operations;
pub mod rulesets;
mod units;
mod versions;

pub use check::{CheckWriter, Document};
pub use error::Error;
pub use explain::claim_value;
pub use operations::{Checked, Prepared, check, compile, prompt_pack};
pub use units::{bridge, converter_added, units};
pub use versions::{ENGINE, ENGINE_VERSION, LANGUAGE_VERSION, LANGUAGE_VERSIONS, WIRE_VERSION, versions};

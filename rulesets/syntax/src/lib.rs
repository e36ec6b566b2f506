//! From the text of a ruleset to its tree.
//!
//! This phase reads bytes and knows nothing of types, units or claims. It never panics, and reports
//! every error it finds in one go.

pub mod ast;
mod diagnostic;
mod parser;
mod source;

pub use diagnostic::{Budget, Diagnostic, Level};
pub use parser::{Parsed, parse};
pub use source::{Position, Source, Span};

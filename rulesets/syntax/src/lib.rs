//! From the text of a ruleset to its tree.
//!
//! This phase reads bytes and knows nothing of types, units or claims. It never panics, and reports
//! every error it finds in one go.

mod annotations;
pub mod ast;
mod diagnostic;
mod findings;
mod lexer;
mod parser;
mod render;
mod source;
mod words;

pub use diagnostic::{Budget, Diagnostic, Level};
pub use parser::{Parsed, parse};
pub use render::render;
pub use source::{Position, Source, Span};

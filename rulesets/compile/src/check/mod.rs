//! From the untyped tree to a ruleset.

use assay_syntax::{Diagnostic, Source, Span};

use crate::Ruleset;

/// What a caller may ask of a compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Refuse an assertion without a description: a comment block directly above it.
    pub require_descriptions: bool,
}

/// Why a source did not compile.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The normalised source, where the bytes are a text at all.
    pub source: Option<Source>,
    /// Every error, and the warnings among them, in source order; never empty.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a source.
pub fn compile(bytes: &[u8], options: &Options) -> Result<Ruleset, Refusal> {
    let _ = (bytes, options);
    Err(Refusal { source: None, diagnostics: vec![Diagnostic::error(Span::default(), "not written yet")] })
}

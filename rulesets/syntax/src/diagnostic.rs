//! What is wrong with a source, as data: rendering for a person, for JSON and for a payload are folds
//! over it.
//!
//! Messages are lower case, without a full stop, with names in backticks; what to write instead is in
//! `help`, apart from the message.

use crate::Span;

/// Whether a diagnostic refuses the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The source is refused.
    Error,
    /// The source compiles; its author should know.
    Warning,
}

/// A limit of the language that a source went past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// What is limited: `source_bytes`, `nesting`, `claims`, `assertions`, `vocabulary_members`,
    /// `expression_nodes`, `number_digits`, `number_exponent`, `identifier_characters`.
    pub budget: &'static str,
    /// The most there may be.
    pub limit: u64,
    /// What there was (the first count past the limit, where counting stops there).
    pub actual: u64,
}

/// One finding about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub level: Level,
    /// What is wrong: `` `amount` is not declared ``.
    pub message: String,
    /// Where, in bytes of the normalised source.
    pub span: Span,
    /// What to write instead, or how to repair it.
    pub help: Option<String>,
    /// Other places that matter, each with a short label: where the first of two declarations stands.
    pub related: Vec<(Span, String)>,
    /// Set when this is a limit that was passed.
    pub budget: Option<Budget>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Level::Error, span, message)
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, span, message)
    }

    fn new(level: Level, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { level, message: message.into(), span, help: None, related: Vec::new(), budget: None }
    }

    /// Adds what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that matters.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Marks this as a limit that was passed.
    pub fn budget(mut self, budget: &'static str, limit: u64, actual: u64) -> Self {
        self.budget = Some(Budget { budget, limit, actual });
        self
    }

    /// Whether this refuses the source.
    pub fn is_error(&self) -> bool {
        self.level == Level::Error
    }
}

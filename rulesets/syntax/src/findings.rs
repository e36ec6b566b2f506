//! The diagnostics of one source while they are collected.

use crate::{Diagnostic, Span};

/// The most diagnostics listed for one source. Past it they are counted and not kept: a source of garbage may
/// have one for every two bytes.
const LISTED: usize = 1_000;

/// Collects diagnostics, up to a bound.
#[derive(Default)]
pub(crate) struct Findings {
    listed: Vec<Diagnostic>,
    unlisted: usize,
    last: Span,
}

impl Findings {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.listed.len() < LISTED {
            self.listed.push(diagnostic);
        } else {
            self.unlisted += 1;
            self.last = self.last.max(diagnostic.span);
        }
    }

    /// What was found, in source order.
    pub(crate) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut listed = self.listed;
        if self.unlisted > 0 {
            let message = format!("{} more findings are not listed", self.unlisted);
            listed
                .push(Diagnostic::error(self.last, message).help("repair the first ones and compile again"));
        }
        listed.sort_by_key(|diagnostic| diagnostic.span.start);
        listed
    }
}

//! A source's normalised text, its hash, and positions in it.

use sha2::{Digest, Sha256};

/// A range of bytes in a normalised source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place in a source as a person counts: both from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

/// A normalised source: CRLF and a lone CR are LF, and the text ends in LF. Nothing else is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Normalises a text.
    pub fn new(text: &str) -> Source {
        let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        Source { text, line_starts }
    }

    /// The normalised text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `ruleset_hash`: lowercase hex SHA-256 of the normalised bytes.
    pub fn hash(&self) -> String {
        Sha256::digest(self.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Where a byte offset stands.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or_default();
        let column = self.slice(Span { start, end: offset }).chars().count();
        Position { line: line as u32, column: column as u32 + 1 }
    }

    /// The text of a line counted from 1, without its line feed.
    pub fn line(&self, line: u32) -> &str {
        let start_of = |line: u32| self.line_starts.get(line as usize).copied();
        let Some(start) = start_of(line.saturating_sub(1)) else { return "" };
        let end = start_of(line.max(1)).map_or(self.text.len() as u32, |next| next - 1);
        self.slice(Span { start, end })
    }
}

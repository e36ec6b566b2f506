//! What comments say: annotations of claims, and the descriptions of assertions.

use std::collections::HashMap;

use assay_spelling::{near_by, slips};

use crate::ast::{Annotation, AnnotationKind, Ident, Text};
use crate::findings::Findings;
use crate::lexer::{Comment, shown};
use crate::{Diagnostic, Source, Span};

const TAGS: [(&str, AnnotationKind); 4] = [
    ("ask", AnnotationKind::Ask),
    ("context", AnnotationKind::Context),
    ("range", AnnotationKind::Range),
    ("unit", AnnotationKind::Unit),
];

/// Tags of other dialects that would change what a ruleset does, so that passing over one would mislead.
const REFUSED: [&str; 3] = ["effect", "effect-default", "consistency"];

impl AnnotationKind {
    /// The tag without its `@`.
    pub fn as_str(self) -> &'static str {
        match self {
            AnnotationKind::Ask => "ask",
            AnnotationKind::Context => "context",
            AnnotationKind::Range => "range",
            AnnotationKind::Unit => "unit",
        }
    }

    fn example(self) -> &'static str {
        match self {
            AnnotationKind::Ask => "// @ask amount What is the total?",
            AnnotationKind::Context => "// @context amount Tips are included.",
            AnnotationKind::Range => "// @range amount 0..5000",
            AnnotationKind::Unit => "// @unit amount USD",
        }
    }
}

/// The text of a comment without its slashes and outer white space, and where it begins.
fn contents(source: &Source, comment: Comment) -> (&str, u32) {
    let whole = source.slice(comment.span);
    let text = whole.strip_prefix("//").unwrap_or(whole).trim_start();
    (text.trim_end(), comment.span.end - text.len() as u32)
}

/// The tag of a comment's contents, if they begin with one, and what follows it.
fn tag(contents: &str) -> Option<(&str, &str)> {
    let rest = contents.strip_prefix('@')?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
    (end > 0).then(|| rest.split_at(end))
}

/// Reads the annotations among the comments.
pub(crate) fn annotations(source: &Source, comments: &[Comment], findings: &mut Findings) -> Vec<Annotation> {
    let mut read = Vec::new();
    for comment in comments {
        let (text, start) = contents(source, *comment);
        let Some((word, rest)) = tag(text) else {
            if let Some(diagnostic) = broken_tag(text, start) {
                findings.push(diagnostic);
            }
            continue;
        };
        let tag_span = Span { start, end: start + 1 + word.len() as u32 };
        let result = match TAGS.into_iter().find(|(tag, _)| *tag == word) {
            Some((_, kind)) => {
                annotation(kind, rest, Span { start: tag_span.end, end: comment.span.end }, *comment)
            }
            None => Err(unknown_tag(word, tag_span)),
        };
        match result {
            Ok(annotation) => read.push(annotation),
            Err(diagnostic) => findings.push(diagnostic),
        }
    }
    read
}

/// Reads what follows a tag: `NAME text`.
fn annotation(
    kind: AnnotationKind,
    rest: &str,
    span: Span,
    comment: Comment,
) -> Result<Annotation, Diagnostic> {
    let error = |message: String| {
        let tag = kind.as_str();
        Err(Diagnostic::error(comment.span, message.replace("TAG", tag))
            .help(format!("write `{}`", kind.example())))
    };
    let rest = rest.trim_end();
    let after_tag = rest.trim_start();
    if !rest.is_empty() && after_tag.len() == rest.len() {
        return error("`@TAG` is followed by a space and the name of a claim".to_owned());
    }
    let (name, text) = match after_tag.split_once(char::is_whitespace) {
        Some((name, text)) => (name, text.trim_start()),
        None => (after_tag, ""),
    };
    if name.is_empty() {
        return error("`@TAG` names no claim".to_owned());
    }
    if !is_identifier(name) {
        return error(format!("`{}` after `@TAG` is not the name of a claim", shown(name)));
    }
    if text.is_empty() {
        return error(format!("`@TAG` says nothing about `{}`", shown(name)));
    }
    let name_start = span.start + (rest.len() - after_tag.len()) as u32;
    let text_start = span.start + (rest.len() - text.len()) as u32;
    Ok(Annotation {
        kind,
        claim: Ident { name: name.to_owned(), span: sized(name_start, name) },
        text: Text { value: text.to_owned(), span: sized(text_start, text) },
        span: comment.span,
    })
}

fn sized(start: u32, text: &str) -> Span {
    Span { start, end: start + text.len() as u32 }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `@ unit` and `@@unit`.
fn broken_tag(contents: &str, start: u32) -> Option<Diagnostic> {
    let word = contents.strip_prefix('@')?.trim_start_matches(['@', ' ', '\t']);
    let (word, rest) = word.split_at(word.find(char::is_whitespace).unwrap_or(word.len()));
    let (tag, _) = TAGS.into_iter().find(|(tag, _)| *tag == word)?;
    let written = contents.strip_suffix(rest)?;
    let error = Diagnostic::error(sized(start, written), format!("`{}` is not a tag", shown(written)));
    Some(error.help(format!("write `@{tag}`")))
}

fn unknown_tag(word: &str, span: Span) -> Diagnostic {
    let shown = shown(word);
    if REFUSED.contains(&word) {
        return Diagnostic::error(span, format!("`@{shown}` is not read"))
            .help("remove it; what an answer leads to is decided by whoever reads it");
    }
    // A comment of another tool may begin with any word, so that only a tag but for one slip is taken for a mistake.
    match near_by(word, TAGS, |(tag, _)| tag).filter(|(tag, _)| slips(word, tag) <= 1) {
        Some((tag, _)) => {
            Diagnostic::error(span, format!("`@{shown}` is not a tag")).help(format!("write `@{tag}`"))
        }
        None => Diagnostic::warning(span, format!("`@{shown}` is not a tag, and is passed over"))
            .help("the tags are `@ask`, `@context`, `@range` and `@unit`"),
    }
}

/// The comments that stand alone in their lines, by line: where the descriptions of assertions come from.
pub(crate) struct Descriptions<'a> {
    source: &'a Source,
    by_line: HashMap<u32, Comment>,
}

impl<'a> Descriptions<'a> {
    pub(crate) fn new(source: &'a Source, comments: &[Comment]) -> Self {
        let alone = comments.iter().filter(|comment| comment.alone);
        Descriptions { source, by_line: alone.map(|c| (source.position(c.span.start).line, *c)).collect() }
    }

    /// The description of the assertion whose first word begins at `offset`: the comment block directly above. A
    /// blank line, code or an `@` tag ends the block.
    pub(crate) fn above(&self, offset: u32) -> Option<String> {
        let before = self.source.slice(Span { start: 0, end: offset }).trim_end_matches([' ', '\t']);
        if !(before.is_empty() || before.ends_with('\n')) {
            return None;
        }
        let mut lines = Vec::new();
        let mut number = self.source.position(offset).line;
        while let Some(comment) = number.checked_sub(1).and_then(|above| self.by_line.get(&above)) {
            let (text, _) = contents(self.source, *comment);
            if tag(text).is_some() {
                break;
            }
            lines.push(text.trim_start_matches('/').trim_start());
            number -= 1;
        }
        lines.reverse();
        let description = lines.join("\n").trim().to_owned();
        (!description.is_empty()).then_some(description)
    }
}

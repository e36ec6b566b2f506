//! Diagnostics for people: the message, the place, the line with what is wrong underlined, and the help.
//!
//! The layout is that of the Rust compiler, by the library that it uses. What a source contains cannot steer a
//! terminal: control characters, and characters that reorder text, are shown in another form.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};

use crate::{Diagnostic, Level, Source, Span};

/// The columns of a rendering, whatever the terminal: the same bytes everywhere.
const WIDTH: usize = 120;

/// The characters shown of a line on either side of what is wrong, where the line is long.
const AROUND: usize = 200;

/// Renders diagnostics for a person.
///
/// `source` is the source they are of, `None` where it could not be read as a text. `file` is the name shown for it.
/// With `color` the text carries the escape sequences of a terminal. Diagnostics are separated by a blank line, and
/// the text ends in a line feed unless there are none.
pub fn render(source: Option<&Source>, file: &str, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled().help(HELP) } else { Renderer::plain() }.term_width(WIDTH);
    let mut text = String::new();
    for diagnostic in diagnostics {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&renderer.render(&[group(source, file, diagnostic)]));
        text.push('\n');
    }
    text
}

const HELP: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

fn group<'a>(source: Option<&'a Source>, file: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
    };
    let group = Group::with_title(level.primary_title(visible(&diagnostic.message)));
    let mut group = match source {
        None => group.element(Origin::path(visible(file))),
        Some(source) => place(group, source, file, diagnostic),
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Title::HELP.message(visible(help)));
    }
    group
}

/// Shows the place of a diagnostic and the places related to it, each in a piece of its own.
fn place<'a>(group: Group<'a>, source: &Source, file: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let position = source.position(diagnostic.span.start);
    let origin =
        Origin::path(visible(file)).line(position.line as usize).char_column(position.column as usize);
    let mut group =
        group.element(origin).element(snippet(source, diagnostic.span, AnnotationKind::Primary, None));
    for (span, label) in &diagnostic.related {
        group = group.element(snippet(source, *span, AnnotationKind::Context, Some(visible(label))));
    }
    group
}

fn snippet<'a>(
    source: &Source,
    span: Span,
    kind: AnnotationKind,
    label: Option<Cow<'a, str>>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let position = source.position(span.start);
    let (text, marked) = window(source, span);
    let annotation = kind.span(marked);
    let annotation = match label {
        Some(label) => annotation.label(label),
        None => annotation,
    };
    Snippet::source(text).line_start(position.line as usize).annotation(annotation)
}

/// The first line of a span, or what surrounds the span in it, in visible characters, and where the span stands
/// in that.
fn window(source: &Source, span: Span) -> (String, Range<usize>) {
    let position = source.position(span.start);
    let line = source.line(position.line);
    let before = position.column as usize - 1;
    let length = source.slice(span).lines().next().unwrap_or_default().chars().count();
    let skipped = before.saturating_sub(AROUND);
    let mut text = if skipped > 0 { "…".to_owned() } else { String::new() };
    let mut marked = 0..0;
    let mut rest = line.chars().skip(skipped);
    for index in skipped.. {
        if index == before {
            marked.start = text.len();
        }
        if index == before + length {
            marked.end = text.len();
        }
        match rest.next() {
            Some(_) if index == before + length + AROUND => {
                text.push('…');
                break;
            }
            Some(c) => push_visible(&mut text, c),
            None => break,
        }
    }
    marked.end = marked.end.max(marked.start);
    (text, marked)
}

/// A text in which every character can be seen.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() || reorders(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        push_visible(&mut shown, c);
    }
    Cow::Owned(shown)
}

fn push_visible(text: &mut String, c: char) {
    match c {
        '\t' => text.push(' '),
        '\n' => text.push('\n'),
        c if c.is_control() || reorders(c) => text.push('\u{fffd}'),
        c => text.push(c),
    }
}

/// Characters that change the order or the joining of others, or that cannot be seen.
pub(crate) fn reorders(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

//! Diagnostics for people: the message, the place, the line with what is wrong underlined, and the help.
//!
//! The layout is that of the Rust compiler, by the library that it uses. What a source contains cannot steer a
//! terminal: control characters, and characters that reorder text, are shown in another form.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};

use crate::{Diagnostic, Level, Source, Span};

/// The columns of a rendering, whatever the terminal: the same bytes everywhere.
const WIDTH: usize = 120;

/// The most characters before what is wrong that a line is laid out from its beginning with. Where there are more, only
/// what is around it is: a source in one line may be wrong in a thousand places.
const BEFORE: usize = 4_000;

/// The characters laid out on either side of what is wrong in such a line. The library cuts them to the width.
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

/// Shows the place of a diagnostic. The places related to it are shown with it where they stand in the same line, and
/// otherwise each in a piece of its own.
fn place<'a>(mut group: Group<'a>, source: &Source, file: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let line_of = |span: Span| source.position(span.start).line;
    let line = line_of(diagnostic.span);
    let window = Window::around(source, diagnostic.span);
    let mut markers = vec![AnnotationKind::Primary.span(window.mark(source, diagnostic.span))];
    let mut elsewhere = Vec::new();
    for (span, label) in &diagnostic.related {
        let other = Window::around(source, *span);
        if line_of(*span) == line && other.skipped == window.skipped {
            markers.push(AnnotationKind::Context.span(window.mark(source, *span)).label(visible(label)));
        } else {
            let marker = AnnotationKind::Context.span(other.mark(source, *span)).label(visible(label));
            elsewhere.push(other.snippet(file, vec![marker]));
        }
    }
    if window.skipped > 0 {
        // The library counts the column in what it is shown.
        let column = source.position(diagnostic.span.start).column as usize;
        group = group.element(Origin::path(visible(file)).line(line as usize).char_column(column));
    }
    group.element(window.snippet(file, markers)).elements(elsewhere)
}

/// A line of a source in visible characters, or what surrounds a span in it where the line is long.
struct Window {
    text: String,
    line: u32,
    /// The characters of the line before the text.
    skipped: usize,
}

impl Window {
    fn around(source: &Source, span: Span) -> Window {
        let position = source.position(span.start);
        let before = position.column as usize - 1;
        let skipped = if before > BEFORE { before - AROUND } else { 0 };
        let mut text = String::new();
        for c in source.line(position.line).chars().skip(skipped).take(before - skipped + AROUND) {
            push_visible(&mut text, c);
        }
        Window { text, line: position.line, skipped }
    }

    /// Where a span stands in the text, as far as it does.
    fn mark(&self, source: &Source, span: Span) -> Range<usize> {
        let column = source.position(span.start).column as usize - 1;
        let length = source.slice(span).lines().next().unwrap_or_default().chars().count();
        let start = column.saturating_sub(self.skipped);
        self.offset(start)..self.offset(start + length)
    }

    fn offset(&self, character: usize) -> usize {
        self.text.char_indices().nth(character).map_or(self.text.len(), |(offset, _)| offset)
    }

    fn snippet<'a>(self, file: &'a str, markers: Vec<Annotation<'a>>) -> Snippet<'a, Annotation<'a>> {
        let path = (self.skipped == 0).then(|| visible(file));
        Snippet::source(self.text).path(path).line_start(self.line as usize).annotations(markers)
    }
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

//! Diagnostics of a source on the wire.

use assay_compile::{Cause, Ruleset, UnbridgedUnits};
use assay_syntax::{Diagnostic, Level, Source, Span};
use serde_json::{Map, Value, json};

/// The most characters of a source line that a diagnostic shows.
const SHOWN_CHARACTERS: usize = 200;

/// The diagnostics of one source: each with the contract's `severity`, `message` and `line`, and beside them the
/// `column`, the `source_line` it stands in, the `help` and the `related` places, as far as there are any.
///
/// Without a source (the bytes were no text) the line is null. Of a long line only the part around the column is
/// shown, with `…` where it was cut.
pub fn diagnostics(diagnostics: &[Diagnostic], source: Option<&Source>) -> Vec<Value> {
    let shown = source.map(Shown::new);
    diagnostics.iter().map(|each| diagnostic(each, shown.as_ref())).collect()
}

/// A source cut into its lines once, however many diagnostics point into it.
struct Shown<'a> {
    source: &'a Source,
    lines: Vec<&'a str>,
}

impl<'a> Shown<'a> {
    fn new(source: &'a Source) -> Shown<'a> {
        Shown { source, lines: source.text().split('\n').collect() }
    }

    fn place(&self, span: Span) -> (u32, u32) {
        let position = self.source.position(span.start);
        (position.line, position.column)
    }

    fn line(&self, line: u32, column: u32) -> String {
        let text = self.lines.get((line as usize).saturating_sub(1)).copied().unwrap_or_default();
        let first = (column as usize).saturating_sub(SHOWN_CHARACTERS / 2);
        let mut letters = text.chars();
        if text.chars().nth(SHOWN_CHARACTERS).is_none() {
            return text.to_owned();
        }
        if first > 0 {
            letters.nth(first - 1);
        }
        let before = if first > 0 { "…" } else { "" };
        let part: String = letters.by_ref().take(SHOWN_CHARACTERS).collect();
        let after = if letters.next().is_some() { "…" } else { "" };
        format!("{before}{part}{after}")
    }
}

fn diagnostic(diagnostic: &Diagnostic, shown: Option<&Shown<'_>>) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("severity", json!(severity(diagnostic.level)));
    set("message", json!(diagnostic.message));
    set("line", Value::Null);
    if let Some(shown) = shown {
        let (line, column) = shown.place(diagnostic.span);
        set("line", json!(line));
        set("column", json!(column));
        set("source_line", json!(shown.line(line, column)));
        if !diagnostic.related.is_empty() {
            let related = diagnostic.related.iter().map(|(span, label)| {
                let (line, column) = shown.place(*span);
                json!({ "line": line, "column": column, "message": label })
            });
            set("related", related.collect());
        }
    }
    if let Some(help) = &diagnostic.help {
        set("help", json!(help));
    }
    Value::Object(fields)
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}

/// The warning for two units that meet in a rule and that nothing bridges, at the line of the rule.
pub fn unbridged(pair: &UnbridgedUnits, ruleset: &Ruleset) -> Value {
    let UnbridgedUnits { rule, from, to, cause } = pair;
    let line =
        ruleset.assertions.iter().find(|assertion| assertion.name == *rule).map(|assertion| assertion.line);
    let (message, help) = match cause {
        Cause::Missing => (
            format!("nothing converts `{from}` to `{to}`, which meet in `{rule}`"),
            "where that decides the rule it answers UNKNOWN, until somebody who may decide the factor adds a converter",
        ),
        Cause::Ambiguous => (
            format!("`{from}` converts to `{to}` by an interval only, and they meet in `{rule}`"),
            "where the interval leaves the rule open it answers UNKNOWN; write both sides in one unit if they can be",
        ),
    };
    json!({ "severity": severity(Level::Warning), "message": message, "line": line, "help": help })
}

//! Reads a job file into [`Settings`]: every unknown key and every value of a wrong kind at once, each with its line.

use std::ops::Range;
use std::path::Path;

use assay_spelling::near_by;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::keys::{Key, Kind, Section};
use super::settings::{Settings, Value};
use crate::error::Problem;

impl Settings {
    /// Reads a job file. `name` is what messages call it, `folder` where its relative paths start.
    ///
    /// Problems are kept with the settings and told by [`super::Job::resolve`].
    pub fn from_toml(text: &str, name: &str, folder: &Path) -> Settings {
        let mut reader = Reader { text, name, settings: Settings::new() };
        reader.settings.folder = folder.to_owned();
        let (table, errors) = DeTable::parse_recoverable(text);
        match errors.first() {
            // What a parser makes of the rest of a broken file is not worth more messages.
            Some(error) => {
                let at = reader.place(&error.span().unwrap_or_default());
                let message = format!("this is not TOML: {}", error.message());
                reader.settings.problems.push(Problem::new(message).at(at));
                reader.settings.broken = true;
            }
            None => reader.top(table.get_ref()),
        }
        reader.settings
    }
}

struct Reader<'a> {
    text: &'a str,
    name: &'a str,
    settings: Settings,
}

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        format!("{}:{}", self.name, before.matches('\n').count() + 1)
    }

    fn problem(&mut self, span: &Range<usize>, message: String, help: Option<String>) {
        let place = Some(self.place(span));
        self.settings.problems.push(Problem { place, message, help });
    }

    fn top(&mut self, table: &DeTable<'_>) {
        for (name, value) in in_order(table) {
            match (name.get_ref().as_ref(), value.get_ref()) {
                ("reading", DeValue::Table(reading)) => {
                    for (name, value) in in_order(reading) {
                        self.key(Section::Reading, name, value);
                    }
                }
                ("claims", DeValue::Table(claims)) => self.claims(claims),
                ("reading" | "claims", _) => {
                    let help = match name.get_ref().as_ref() {
                        "reading" => "write `[reading]`, and its keys below it",
                        _ => "write `[claims.amount]`, and `column` or `unit_column` below it",
                    };
                    let message = format!("`{}` is a table", name.get_ref());
                    self.problem(&name.span(), message, Some(help.to_owned()));
                }
                _ => self.key(Section::Top, name, value),
            }
        }
    }

    fn claims(&mut self, claims: &DeTable<'_>) {
        for (claim, columns) in in_order(claims) {
            let DeValue::Table(columns) = columns.get_ref() else {
                let message = format!("`claims.{}` is a table", claim.get_ref());
                let help =
                    format!("write `[claims.{}]`, and `column` or `unit_column` below it", claim.get_ref());
                self.problem(&claim.span(), message, Some(help));
                continue;
            };
            for (name, value) in in_order(columns) {
                let Some(key) = self.known(Section::Claims, name) else { continue };
                match value.get_ref() {
                    DeValue::String(column) => {
                        let place = self.place(&value.span());
                        self.settings.give_claim(claim.get_ref(), key, column.to_string(), place);
                    }
                    other => self.wrong_kind(key, &value.span(), other),
                }
            }
        }
    }

    fn key(&mut self, section: Section, name: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>) {
        let Some(key) = self.known(section, name) else { return };
        let read = match (key.kind, value.get_ref()) {
            (Kind::Text | Kind::Path | Kind::Number, DeValue::String(text)) => {
                Some(Value::Text(text.to_string()))
            }
            (Kind::Number, DeValue::Integer(number)) if number.radix() == 10 => {
                Some(Value::Text(number.as_str().to_owned()))
            }
            (Kind::Number, DeValue::Float(number)) => Some(Value::Text(number.as_str().to_owned())),
            (Kind::Switch, DeValue::Boolean(on)) => Some(Value::Switch(*on)),
            (Kind::List | Kind::Words, DeValue::String(text)) => Some(Value::List(vec![text.to_string()])),
            (Kind::List | Kind::Words, DeValue::Array(items)) => items
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::String(text) => Some(text.to_string()),
                    _ => None,
                })
                .collect::<Option<_>>()
                .map(Value::List),
            _ => None,
        };
        match read {
            Some(read) => {
                let place = self.place(&value.span());
                self.settings.give(key, read, place);
            }
            None => self.wrong_kind(key, &value.span(), value.get_ref()),
        }
    }

    fn known(&mut self, section: Section, name: &Spanned<DeString<'_>>) -> Option<&'static Key> {
        let found = Key::find(section, name.get_ref());
        if found.is_none() {
            let help = unknown(section, name.get_ref());
            self.problem(&name.span(), format!("`{}` is no key of a job", name.get_ref()), help);
        }
        found
    }

    fn wrong_kind(&mut self, key: &Key, span: &Range<usize>, value: &DeValue<'_>) {
        let expected = match key.kind {
            Kind::Text => "a text in quotes",
            Kind::Path => "a path in quotes",
            Kind::Number => "a decimal number",
            Kind::Switch => "`true` or `false`",
            Kind::List | Kind::Words => "a list of texts",
        };
        let received = match value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.problem(span, format!("`{}` takes {expected}, not {received}", key.name), None);
    }
}

/// What to write instead of a key that there is not.
fn unknown(section: Section, name: &str) -> Option<String> {
    let tables = [("reading", "[reading]"), ("claims", "[claims.NAME]")];
    if name == "resume" {
        return Some("it is a flag of the command: `assay run JOB.toml --resume`".to_owned());
    }
    let table = near_by(name, tables, |(table, _)| table);
    if let (Section::Top, Some((_, table))) = (section, table) {
        return Some(format!("did you mean `{table}`?"));
    }
    Key::nearest(section, name).map(|near| match near.section {
        same if same == section => format!("did you mean `{}`?", near.name),
        Section::Top => format!("`{}` stands at the top of the file, before any `[`", near.name),
        Section::Reading => format!("`{}` stands in `[reading]`", near.name),
        Section::Claims => format!("`{}` stands in `[claims.NAME]`", near.name),
    })
}

/// The entries of a table as they stand in the file.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

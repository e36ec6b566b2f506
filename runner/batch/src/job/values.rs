//! Takes single values out of settings: the file's or the flag's, checked, with their problems collected.

use std::path::PathBuf;

use assay_units::{Rational, number};

use super::keys::Section;
use super::settings::{Given, Settings, Value};
use crate::error::Problem;

/// A job file and the flags over it.
pub(super) struct Layers {
    pub file: Settings,
    pub flags: Settings,
    pub problems: Vec<Problem>,
}

/// A text and where it was given.
pub(super) struct Text {
    pub text: String,
    pub place: String,
    /// Whether a flag gave it.
    pub flag: bool,
}

impl Layers {
    pub fn new(file: Settings, flags: Settings) -> Layers {
        let (mut file, mut flags) = (file, flags);
        let mut problems = std::mem::take(&mut file.problems);
        problems.append(&mut flags.problems);
        Layers { file, flags, problems }
    }

    pub fn problem(&mut self, place: &str, message: impl Into<String>, help: Option<String>) {
        self.problems.push(Problem { place: Some(place.to_owned()), message: message.into(), help });
    }

    fn given(&mut self, section: Section, name: &'static str) -> Option<(Given, bool)> {
        let file = self.file.take(section, name);
        let flag = self.flags.take(section, name);
        flag.map(|given| (given, true)).or(file.map(|given| (given, false)))
    }

    pub fn text(&mut self, section: Section, name: &'static str) -> Option<Text> {
        match self.given(section, name)? {
            (Given { value: Value::Text(text), place }, flag) => Some(Text { text, place, flag }),
            _ => None,
        }
    }

    /// A text that is not empty.
    pub fn name(&mut self, name: &'static str) -> Option<String> {
        self.named(name).map(|given| given.text)
    }

    /// A text that is not empty, and where it was given.
    pub fn named(&mut self, name: &'static str) -> Option<Text> {
        let given = self.text(Section::Top, name)?;
        if given.text.is_empty() {
            self.problem(&given.place, format!("`{name}` is empty"), None);
        }
        Some(given)
    }

    /// A path: the file's is relative to the file's folder.
    pub fn path(&mut self, name: &'static str) -> Option<PathBuf> {
        let given = self.text(Section::Top, name)?;
        if given.text.is_empty() {
            self.problem(&given.place, format!("`{name}` is empty"), None);
        }
        Some(self.relative(&given))
    }

    /// The path that a text names.
    pub fn relative(&self, given: &Text) -> PathBuf {
        if given.flag { PathBuf::from(&given.text) } else { self.file.folder.join(&given.text) }
    }

    pub fn switch(&mut self, section: Section, name: &'static str) -> bool {
        matches!(self.given(section, name), Some((Given { value: Value::Switch(true), .. }, _)))
    }

    /// A switch at the top, and where it was given.
    pub fn placed_switch(&mut self, name: &'static str) -> Option<(bool, String)> {
        match self.given(Section::Top, name)? {
            (Given { value: Value::Switch(on), place }, _) => Some((on, place)),
            _ => None,
        }
    }

    pub fn list(&mut self, section: Section, name: &'static str) -> Option<(Vec<String>, String, bool)> {
        match self.given(section, name)? {
            (Given { value: Value::List(items), place }, flag) => Some((items, place, flag)),
            _ => None,
        }
    }

    /// One of some words.
    pub fn choice<T: Copy>(
        &mut self,
        section: Section,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Option<T> {
        let given = self.text(section, name)?;
        self.one_of(name, &given.text, &given.place, words)
    }

    pub fn one_of<T: Copy>(&mut self, name: &str, text: &str, place: &str, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let list: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let help = assay_spelling::near(text, words.iter().map(|(word, _)| *word))
                .map(|word| format!("did you mean `{word}`?"));
            self.problem(place, format!("`{name}` is one of {}, not `{text}`", list.join(", ")), help);
        }
        found
    }

    /// A whole number from 1 to `most`.
    pub fn count(&mut self, name: &'static str, most: u64) -> Option<u64> {
        let given = self.text(Section::Top, name)?;
        let count = given.text.parse::<u64>().ok().filter(|count| (1..=most).contains(count));
        if count.is_none() {
            let message = format!("`{name}` is a whole number from 1 to {most}, not `{}`", given.text);
            self.problem(&given.place, message, None);
        }
        count
    }

    /// An exact number from 0 to 1.
    pub fn share(&mut self, name: &'static str) -> Option<Rational> {
        let given = self.text(Section::Top, name)?;
        let share = number::parse(&given.text).ok().filter(within_one);
        if share.is_none() {
            self.problem(
                &given.place,
                format!("`{name}` is a number from 0 to 1, not `{}`", given.text),
                None,
            );
        }
        share
    }

    /// Exactly one character.
    pub fn character(&mut self, name: &'static str) -> Option<(char, String)> {
        let given = self.text(Section::Reading, name)?;
        // A shell hands a tab over as it was typed.
        let text = if given.text == "\\t" { "\t" } else { given.text.as_str() };
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Some((letter, given.place)),
            _ => {
                self.problem(&given.place, format!("`{name}` is one character, not `{}`", given.text), None);
                None
            }
        }
    }

    /// A full hash, lowercase hex.
    pub fn hash(&mut self, name: &'static str) -> Option<Text> {
        let given = self.text(Section::Top, name)?;
        if !is_hash(&given.text) {
            let message = format!("`{name}` is a full hash of 64 digits 0-9 and a-f, not `{}`", given.text);
            let help = if given.text.len() < 64 {
                Some(format!("this has {} characters", given.text.len()))
            } else {
                None
            };
            self.problem(&given.place, message, help);
        }
        Some(given)
    }
}

pub(super) fn within_one(share: &Rational) -> bool {
    let (zero, one) = (Rational::from_integer(0.into()), Rational::from_integer(1.into()));
    (zero..=one).contains(share)
}

pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

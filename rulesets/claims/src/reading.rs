//! How a job's texts are read, where it declares more than the strict rules.
//!
//! The strict rules are [`Reading::default`], and they are what a JSON body is read by. Options loosen the reading of
//! texts only: a JSON number, or a number of a typed column, says exactly what it is.

use std::borrow::Cow;
use std::fmt;

use assay_compile::{ClaimKind, Ruleset, UNKNOWN};
use assay_units::number;

use crate::ClaimId;

/// The default word for true, in any case.
const TRUE: &str = "true";
/// The default word for false, in any case.
const FALSE: &str = "false";

/// What loosens the reading of texts. None of it touches a JSON number or a number of a typed column.
///
/// The default is the strict reading of JSON bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Whether white space around a text is dropped.
    pub trim: bool,
    /// What may stand between groups of exactly three digits before the decimal mark.
    pub thousands: Option<char>,
    /// The decimal mark.
    pub decimal: char,
    /// Whether a number may begin with `+`.
    pub plus: bool,
    /// Texts that are null, exactly as written.
    pub null: Vec<String>,
    /// Texts that are true, in any case of ASCII letters.
    pub true_words: Vec<String>,
    /// Texts that are false, in any case of ASCII letters.
    pub false_words: Vec<String>,
    /// What stands between the values of a text that holds several.
    pub list: Option<char>,
    /// Whether a NaN or an infinity of a numeric claim, in a float column or as a text, is undetermined rather than
    /// a failure.
    pub nan_unknown: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            trim: false,
            thousands: None,
            decimal: '.',
            plus: false,
            null: Vec::new(),
            true_words: vec![TRUE.to_owned()],
            false_words: vec![FALSE.to_owned()],
            list: None,
            nan_unknown: false,
        }
    }
}

/// Reading options that cannot be meant: the job is refused before a row is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingError {
    /// The option, by its key in a job file: `thousands`, `decimal`, `list`, `null`, `true`, `false`.
    pub option: &'static str,
    /// What is wrong with it.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ReadingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadingError {}

fn list_error(message: String) -> ReadingError {
    let help = "a character that no value is written with, such as `|` or `;`".to_owned();
    ReadingError { option: "list", message, help: Some(help) }
}

impl Reading {
    /// Whether these options can be meant for the claims of `ruleset` that `mapped` names.
    pub(crate) fn verify(
        &self,
        ruleset: &Ruleset,
        mapped: impl Fn(ClaimId) -> bool,
    ) -> Result<(), ReadingError> {
        self.verify_marks()?;
        self.verify_list()?;
        self.verify_words()?;
        let vocabularies = ruleset.claims.iter().enumerate().filter_map(|(at, claim)| match &claim.kind {
            ClaimKind::Enum(kind) if mapped(ClaimId(at)) => Some((claim, kind)),
            _ => None,
        });
        for (claim, kind) in vocabularies {
            for member in &kind.members {
                if let Some(mark) = self.list.filter(|mark| member.contains(*mark)) {
                    let message = format!(
                        "`list` is {mark:?}, which is in the member {member:?} of the vocabulary of `{}`",
                        claim.name
                    );
                    return Err(list_error(message));
                }
                if let Some((option, word)) = self.word_for(member) {
                    return Err(ReadingError {
                        option,
                        message: format!(
                            "the word {word:?} of `{option}` is a member of the vocabulary of `{}`",
                            claim.name
                        ),
                        help: Some(format!(
                            "take it out of `{option}`, or write the member differently in the input"
                        )),
                    });
                }
            }
        }
        Ok(())
    }

    fn verify_marks(&self) -> Result<(), ReadingError> {
        let refuse = |option, mark: char, why: &str| {
            Err(ReadingError {
                option,
                message: format!("`{option}` is {mark:?}, {why}"),
                help: Some(format!(
                    "a mark that no number, sign or unit is written with, such as {}",
                    if option == "decimal" { "`,`" } else { "`,` or a space" }
                )),
            })
        };
        let taken = |mark: char| mark.is_alphanumeric() || mark.is_control() || "+-*/^".contains(mark);
        if taken(self.decimal) || self.decimal.is_whitespace() {
            return refuse("decimal", self.decimal, "which cannot be a decimal mark");
        }
        match self.thousands {
            Some(mark) if taken(mark) => {
                refuse("thousands", mark, "which cannot stand between groups of digits")
            }
            Some(mark) if mark == self.decimal => refuse("thousands", mark, "which is the decimal mark too"),
            _ => Ok(()),
        }
    }

    /// The mark between values is no part of any.
    fn verify_list(&self) -> Result<(), ReadingError> {
        let Some(mark) = self.list else { return Ok(()) };
        let why = if mark == self.decimal {
            "which is the decimal mark too"
        } else if Some(mark) == self.thousands {
            "which is the mark of thousands too"
        } else if mark.is_alphanumeric() || "+-*/^. \n\r\0".contains(mark) {
            "which numbers, signs, units or rows are written with"
        } else {
            let words = [("null", &self.null), ("true", &self.true_words), ("false", &self.false_words)];
            let within = |words: &Vec<String>| words.iter().any(|word| word.contains(mark));
            let Some((option, _)) = words.into_iter().find(|(_, words)| within(words)) else { return Ok(()) };
            return Err(list_error(format!("`list` is {mark:?}, which is in a word of `{option}`")));
        };
        Err(list_error(format!("`list` is {mark:?}, {why}")))
    }

    /// The values of a text that holds several; `None` where it is one.
    pub fn values<'t>(&self, text: &'t str) -> Option<impl Iterator<Item = &'t str> + use<'t>> {
        let mark = self.list.filter(|mark| text.contains(*mark))?;
        Some(text.split(mark))
    }

    /// No word may mean two things.
    fn verify_words(&self) -> Result<(), ReadingError> {
        let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
        let in_both = |a: &[String], b: &[String]| {
            a.iter().find(|word| b.iter().any(|other| same(word, other))).cloned()
        };
        let refuse = |option, word: String, other: &str| {
            Err(ReadingError {
                option,
                message: format!("the word {word:?} of `{option}` is also {other}"),
                help: Some("a word means one thing: take it out of one of the two".to_owned()),
            })
        };
        if let Some(word) = in_both(&self.true_words, &self.false_words) {
            return refuse("true", word, "one of `false`");
        }
        for (option, words) in [("true", &self.true_words), ("false", &self.false_words)] {
            if let Some(word) = in_both(words, &self.null) {
                return refuse(option, word, "one of `null`");
            }
            if let Some(word) = words.iter().find(|word| *word == UNKNOWN) {
                return refuse(option, word.clone(), "the text of what was not determined");
            }
        }
        Ok(())
    }

    /// The given word that a member could be taken for. The default words are not given ones.
    fn word_for(&self, member: &str) -> Option<(&'static str, &str)> {
        let default = Reading::default();
        let boolean = |words: &'_ [String]| words.iter().position(|word| word.eq_ignore_ascii_case(member));
        if let Some(word) = self.null.iter().find(|word| *word == member) {
            return Some(("null", word));
        }
        for (option, words, default) in [
            ("true", &self.true_words, &default.true_words),
            ("false", &self.false_words, &default.false_words),
        ] {
            if words != default
                && let Some(word) = boolean(words).and_then(|at| words.get(at))
            {
                return Some((option, word));
            }
        }
        None
    }

    /// The text that is read: without white space around it, where that is declared.
    pub(crate) fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        if self.trim { text.trim() } else { text }
    }

    /// Whether a trimmed text is a null word.
    pub(crate) fn is_null(&self, text: &str) -> bool {
        self.null.iter().any(|word| word == text)
    }

    /// The boolean that a trimmed text is a word for.
    pub(crate) fn boolean(&self, text: &str) -> Option<bool> {
        let among = |words: &[String]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
        if among(&self.true_words) { Some(true) } else { among(&self.false_words).then_some(false) }
    }

    /// Whether a trimmed text says NaN or infinity, and such a text is undetermined here.
    pub(crate) fn is_unknown_nan(&self, text: &str) -> bool {
        self.nan_unknown && {
            let name = text.strip_prefix(['-', '+']).unwrap_or(text);
            ["nan", "inf", "infinity"].iter().any(|word| word.eq_ignore_ascii_case(name))
        }
    }

    /// The number that a trimmed text begins with, as the strict grammar writes it, and the rest of the text.
    pub(crate) fn split<'t>(&self, text: &'t str) -> Option<(Cow<'t, str>, &'t str)> {
        if self.thousands.is_none() && self.decimal == '.' && !text.starts_with('+') {
            return number::split(text).map(|(number, rest)| (Cow::Borrowed(number), rest));
        }
        let mut strict = String::with_capacity(text.len());
        let mut rest = text;
        if let Some(after) = rest.strip_prefix('-') {
            strict.push('-');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('+') {
            if !self.plus {
                return None;
            }
            rest = after;
        }
        let (first, after) = digits(rest)?;
        strict.push_str(first);
        rest = after;
        if first.len() <= 3
            && let Some(mark) = self.thousands
        {
            while let Some((group, after)) = rest.strip_prefix(mark).and_then(digits)
                && group.len() == 3
            {
                strict.push_str(group);
                rest = after;
            }
        }
        if let Some((fraction, after)) = rest.strip_prefix(self.decimal).and_then(digits) {
            strict.push('.');
            strict.push_str(fraction);
            rest = after;
        }
        if let Some(after) = rest.strip_prefix(['e', 'E']) {
            let (sign, after) = match after.strip_prefix('-') {
                Some(after) => ("-", after),
                None => ("", after.strip_prefix('+').unwrap_or(after)),
            };
            if let Some((exponent, after)) = digits(after) {
                strict.push('e');
                strict.push_str(sign);
                strict.push_str(exponent);
                rest = after;
            }
        }
        Some((Cow::Owned(strict), rest))
    }
}

/// The ASCII digits that `text` begins with, at least one, and the rest.
fn digits(text: &str) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| text.split_at(length))
}

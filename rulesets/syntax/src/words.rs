//! The words of the language: keywords, reserved words and built-ins.

use crate::ast::{Function, Quantifier};

/// The words that begin a statement. They are reserved, so one of them always begins a statement: the parser
/// finds its feet again there.
pub(crate) const STATEMENTS: [&str; 4] = ["version", "declare", "let", "assert"];

const KEYWORDS: [&str; 15] = [
    "local", "as", "boolean", "numeric", "enum", "in", "IF", "THEN", "ELSE", "END", "CASE", "OF", "DEFAULT",
    "True", "False",
];

const RESERVED: [&str; 5] = ["true", "false", "and", "or", "not"];

/// A built-in with plain arguments: its name, itself, the fewest and the most arguments.
pub(crate) type Builtin = (&'static str, Function, usize, usize);

const FUNCTIONS: [Builtin; 10] = [
    ("And", Function::And, 1, usize::MAX),
    ("Or", Function::Or, 1, usize::MAX),
    ("Not", Function::Not, 1, 1),
    ("Xor", Function::Xor, 2, 2),
    ("Implies", Function::Implies, 2, 2),
    ("IsMember", Function::IsMember, 2, 2),
    ("IsSubset", Function::IsSubset, 2, 2),
    ("Union", Function::Union, 2, 2),
    ("Intersect", Function::Intersect, 2, 2),
    ("Difference", Function::Difference, 2, 2),
];

const QUANTIFIERS: [(&str, Quantifier); 6] = [
    ("ForAll", Quantifier::ForAll),
    ("Exists", Quantifier::Exists),
    ("AtLeast", Quantifier::AtLeast),
    ("AtMost", Quantifier::AtMost),
    ("ExactlyOne", Quantifier::ExactlyOne),
    ("CountWhere", Quantifier::CountWhere),
];

/// Why a word cannot be declared.
pub(crate) enum Taken {
    Keyword,
    Reserved,
    Builtin,
}

/// Whether, and why, a word cannot be the name of a claim, a local, an assertion or a variable.
pub(crate) fn taken(word: &str) -> Option<Taken> {
    if is_keyword(word) {
        Some(Taken::Keyword)
    } else if RESERVED.contains(&word) {
        Some(Taken::Reserved)
    } else {
        is_builtin(word).then_some(Taken::Builtin)
    }
}

pub(crate) fn is_keyword(word: &str) -> bool {
    STATEMENTS.contains(&word) || KEYWORDS.contains(&word)
}

pub(crate) fn is_builtin(word: &str) -> bool {
    builtins().any(|name| name == word)
}

pub(crate) fn function(word: &str) -> Option<Builtin> {
    FUNCTIONS.into_iter().find(|(name, ..)| *name == word)
}

pub(crate) fn quantifier(word: &str) -> Option<Quantifier> {
    QUANTIFIERS.into_iter().find(|(name, _)| *name == word).map(|(_, quantifier)| quantifier)
}

/// Every name that is applied to arguments in brackets.
pub(crate) fn builtins() -> impl Iterator<Item = &'static str> {
    let functions = FUNCTIONS.into_iter().map(|(name, ..)| name);
    functions.chain(["If"]).chain(QUANTIFIERS.into_iter().map(|(name, _)| name))
}

impl Quantifier {
    /// The form a source writes it in.
    pub(crate) fn form(self) -> &'static str {
        match self {
            Quantifier::ForAll => "ForAll(x in {a, b}, condition)",
            Quantifier::Exists => "Exists(x in {a, b}, condition)",
            Quantifier::AtLeast => "AtLeast(2, x in {a, b, c}, condition)",
            Quantifier::AtMost => "AtMost(1, x in {a, b, c}, condition)",
            Quantifier::ExactlyOne => "ExactlyOne(x in {a, b}, condition)",
            Quantifier::CountWhere => "CountWhere(x in {a, b}, condition)",
        }
    }

    /// Whether a count stands before the variable.
    pub(crate) fn counted(self) -> bool {
        matches!(self, Quantifier::AtLeast | Quantifier::AtMost)
    }
}

//! Values that have to be of one type: the sides of a comparison, the branches of a choice, the elements of a
//! collection.

use assay_syntax::{Diagnostic, Span};

use super::value::{Loose, no_bool, no_num};
use super::{Typer, UnitOf, Value};
use crate::typed::{Case, Member};
use crate::vocabularies::VocabularyId;

/// A value that meets others.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) value: Value,
    pub(super) span: Span,
}

/// The type that values agree on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Common {
    /// None is known.
    Unknown,
    /// All are booleans.
    Bool,
    /// All are numbers; the unit is the first one's.
    Num(UnitOf),
    /// All are members of one vocabulary.
    Member(VocabularyId),
    /// All are strings without a vocabulary.
    Text,
}

impl<'a> Typer<'a> {
    /// An expression as a part of a meeting.
    pub(super) fn part(&mut self, expr: &'a assay_syntax::ast::Expr) -> Part {
        Part { value: self.infer(expr), span: expr.span }
    }

    /// Brings values together: each that does not fit the first is reported and replaced, strings take the vocabulary
    /// of the members, and numbers agree on having a unit. `which` says what they are: `the branches`.
    pub(super) fn meet(&mut self, parts: &mut [Part], which: &str) -> Common {
        let typed = |part: &&Part| !matches!(part.value, Value::Unknown | Value::Text(_));
        let Some(first) = parts.iter().find(typed).cloned() else {
            let all = !parts.is_empty() && parts.iter().all(|part| matches!(part.value, Value::Text(_)));
            return if all { Common::Text } else { Common::Unknown };
        };
        for part in parts.iter_mut() {
            self.fit(part, &first, which);
        }
        match first.value {
            Value::Bool(_) => Common::Bool,
            Value::Member(_, vocabulary) => Common::Member(vocabulary),
            _ => Common::Num(self.agree(parts.iter().filter_map(|part| match &part.value {
                Value::Num(number, unit) => Some((number, unit)),
                _ => None,
            }))),
        }
    }

    fn fit(&mut self, part: &mut Part, first: &Part, which: &str) {
        let found = std::mem::replace(&mut part.value, Value::Unknown);
        part.value = match (&first.value, found) {
            (Value::Bool(_), Value::Bool(value)) => Value::Bool(value),
            (Value::Num(..), Value::Num(value, unit)) => Value::Num(value, unit),
            (Value::Member(_, wanted), Value::Member(value, vocabulary)) if *wanted == vocabulary => {
                Value::Member(value, vocabulary)
            }
            (Value::Member(_, wanted), Value::Text(text)) => {
                Value::Member(self.settle(text, *wanted), *wanted)
            }
            (wanted, found) => {
                if !matches!(found, Value::Unknown) {
                    self.misfit(&found, part.span, first, which);
                }
                match wanted {
                    Value::Bool(_) => Value::Bool(no_bool()),
                    Value::Member(_, vocabulary) => Value::Member(self.no_member(*vocabulary), *vocabulary),
                    _ => Value::Num(no_num(part.span), UnitOf::Unknown),
                }
            }
        };
    }

    fn misfit(&mut self, found: &Value, span: Span, first: &Part, which: &str) {
        let (first_words, found_words) = (self.in_words(&first.value), self.in_words(found));
        let message = match (&first.value, found) {
            (Value::Member(_, a), Value::Member(_, b)) => {
                let (a, b) = (self.vocabularies.get(*a), self.vocabularies.get(*b));
                let mut same = (a.members.clone(), b.members.clone());
                same.0.sort();
                same.1.sort();
                match (a.ordered, b.ordered) {
                    (true, true) if same.0 == same.1 => {
                        format!(
                            "{which} are of one type, and these enums have their members in different orders"
                        )
                    }
                    (a, b) if a != b && same.0 == same.1 => {
                        format!(
                            "{which} are of one type, and one of these enums is ordered and the other is not"
                        )
                    }
                    _ => format!("{which} are of one type: {first_words} does not go with {found_words}"),
                }
            }
            _ => format!("{which} are of one type: {first_words} does not go with {found_words}"),
        };
        let problem = Diagnostic::error(span, message).related(first.span, format!("this is {first_words}"));
        self.report(match (&first.value, found) {
            (Value::Num(..), Value::Text(_)) => problem.help("a number is written without quotes"),
            (Value::Bool(_), Value::Text(_)) => {
                problem.help("a boolean is `True` or `False`, without quotes")
            }
            _ => problem,
        });
    }

    /// Gives strings the vocabulary that they met.
    pub(super) fn settle(&mut self, text: Loose, vocabulary: VocabularyId) -> Member {
        match text {
            Loose::Text(text, span) => {
                self.settled.insert(span);
                match self.vocabularies.number(vocabulary, &text) {
                    Some(number) => Member::Literal(number, self.vocabularies.get(vocabulary).clone()),
                    None => {
                        self.outside(&text, span, vocabulary);
                        self.no_member(vocabulary)
                    }
                }
            }
            Loose::If(condition, a, b) => Member::If(
                condition,
                Box::new(self.settle(*a, vocabulary)),
                Box::new(self.settle(*b, vocabulary)),
            ),
            Loose::Case(case) => {
                let Case { subject, arms, default } = *case;
                let arms =
                    arms.into_iter().map(|(label, text)| (label, self.settle(text, vocabulary))).collect();
                Member::Case(Box::new(Case { subject, arms, default: self.settle(default, vocabulary) }))
            }
        }
    }

    /// Lets strings be that are compared by their texts alone.
    pub(super) fn accept(&mut self, text: &Loose) {
        match text {
            Loose::Text(_, span) => {
                self.settled.insert(*span);
            }
            Loose::If(_, a, b) => {
                self.accept(a);
                self.accept(b);
            }
            Loose::Case(case) => {
                case.arms.iter().for_each(|(_, text)| self.accept(text));
                self.accept(&case.default);
            }
        }
    }

    /// Reports a string that is no member, naming the closest one.
    pub(super) fn outside(&mut self, text: &str, span: Span, vocabulary: VocabularyId) {
        let words = self.kind_in_words(crate::names::Kind::Member(vocabulary));
        let problem = Diagnostic::error(span, format!("`{text:?}` is not a member of {words}"));
        let may_look = self.may_compare_spellings(self.vocabularies.get(vocabulary).members.len());
        let closest = if may_look { self.vocabularies.closest(vocabulary, text) } else { None };
        let problem = match closest {
            Some(closest) => problem.help(format!("the closest member is `{closest:?}`")),
            None => problem,
        };
        self.report(problem);
    }
}

//! Values that have to be of one type: the sides of a comparison, the branches of a choice, the elements of a
//! collection.

use assay_syntax::ast::Expr;
use assay_syntax::{Diagnostic, Span};

use super::unit::Operand;
use super::value::{Loose, no_bool, no_num};
use super::{Typer, UnitOf, Value};
use crate::names::Kind;
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
    pub(super) fn part(&mut self, expr: &'a Expr) -> Part {
        Part { value: self.infer(expr), span: expr.span }
    }

    /// Brings values together: each that does not fit the first is reported and replaced, strings take the vocabulary
    /// of the members, and numbers agree on having a unit. `which` says what they are: `the branches of IF`.
    pub(super) fn meet(&mut self, parts: &mut [Part], which: &str) -> Common {
        let Some((wanted, first)) = parts.iter().find_map(|part| Some((part.value.kind()?, part.span)))
        else {
            let all = !parts.is_empty() && parts.iter().all(|part| matches!(part.value, Value::Text(_)));
            return if all { Common::Text } else { Common::Unknown };
        };
        for part in parts.iter_mut() {
            let found = std::mem::replace(&mut part.value, Value::Unknown);
            part.value = match (wanted, found) {
                (Kind::Member(vocabulary), Value::Text(text)) => {
                    Value::Member(self.settle(text, vocabulary), vocabulary)
                }
                (wanted, found) if found.kind() == Some(wanted) => found,
                (wanted, found) => {
                    if !matches!(found, Value::Unknown) {
                        self.misfit(&found, part.span, wanted, first, which);
                    }
                    self.placeholder(wanted, part.span)
                }
            };
        }
        match wanted {
            Kind::Bool | Kind::Unknown => Common::Bool,
            Kind::Member(vocabulary) => Common::Member(vocabulary),
            Kind::Num => Common::Num(self.agree(parts.iter().filter_map(|part| match &part.value {
                Value::Num(number, unit) => Some(Operand::of(number, unit)),
                _ => None,
            }))),
        }
    }

    /// Stands for a value of a type that an error kept from being made.
    fn placeholder(&self, kind: Kind, span: Span) -> Value {
        match kind {
            Kind::Unknown => Value::Unknown,
            Kind::Bool => Value::Bool(no_bool()),
            Kind::Num => Value::Num(no_num(span), UnitOf::Unknown),
            Kind::Member(vocabulary) => Value::Member(self.no_member(vocabulary), vocabulary),
        }
    }

    fn misfit(&mut self, found: &Value, span: Span, wanted: Kind, first: Span, which: &str) {
        let (wanted_words, found_words) = (self.kind_in_words(wanted), self.in_words(found));
        let why = match (wanted, found) {
            (Kind::Member(a), Value::Member(_, b)) if self.vocabularies.same_members(a, *b) => {
                match self.vocabularies.get(a).ordered && self.vocabularies.get(*b).ordered {
                    true => ", and these enums have their members in different orders".to_owned(),
                    false => ", and one of these enums is ordered and the other is not".to_owned(),
                }
            }
            _ => format!(": {wanted_words} does not go with {found_words}"),
        };
        let problem = Diagnostic::error(span, format!("{which} are of one type{why}"))
            .related(first, format!("this is {wanted_words}"));
        self.report(match (wanted, found) {
            (Kind::Num, Value::Text(_)) => problem.help("a number is written without quotes"),
            (Kind::Bool, Value::Text(_)) => problem.help("a boolean is `True` or `False`, without quotes"),
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
        let words = self.kind_in_words(Kind::Member(vocabulary));
        let problem = Diagnostic::error(span, format!("`{text:?}` is not a member of {words}"));
        let members = self.vocabularies.get(vocabulary).members.iter();
        let closest = self.speller.closest(text, members.map(String::as_str));
        let problem = match closest {
            Some(closest) => problem.help(format!("the closest member is `{closest:?}`")),
            None => problem,
        };
        self.report(problem);
    }
}

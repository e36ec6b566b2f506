//! IF and CASE.

use std::collections::HashMap;

use assay_syntax::ast::{Arm, Expr, ExprKind};
use assay_syntax::{Diagnostic, Span};

use super::logic::implies;
use super::meeting::{Common, Part};
use super::unit::Operand;
use super::value::{Loose, no_num};
use super::{Typer, UnitOf, Value};
use crate::names::twice;
use crate::typed::{Bool, Case, Label, Member, Num, NumKind, Subject};
use crate::vocabularies::VocabularyId;

impl<'a> Typer<'a> {
    pub(super) fn choice(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: Option<&'a Expr>,
        span: Span,
    ) -> Value {
        let condition = self.boolean(condition, "the condition of IF");
        let Some(otherwise) = otherwise else {
            return match self.infer(then) {
                Value::Bool(then) => Value::Bool(implies(condition, then)),
                Value::Unknown => Value::Unknown,
                other => {
                    let found = self.in_words(&other);
                    let message = format!("an IF without ELSE is a boolean, and this branch is {found}");
                    let help = "write what holds otherwise: `ELSE ... END`";
                    self.report(Diagnostic::error(then.span, message).help(help));
                    Value::Unknown
                }
            };
        };
        let mut branches = [self.part(then), self.part(otherwise)];
        let common = self.meet(&mut branches, "the branches of IF");
        let condition = Box::new(condition);
        let [a, b] = branches;
        match common {
            Common::Unknown => Value::Unknown,
            Common::Bool => {
                Value::Bool(Bool::If(condition, Box::new(a.value.into_bool()), Box::new(b.value.into_bool())))
            }
            Common::Num(unit) => {
                let (a, b) = (a.value.into_num(a.span).0, b.value.into_num(b.span).0);
                Value::Num(Num { kind: NumKind::If(condition, Box::new(a), Box::new(b)), span }, unit)
            }
            Common::Member(vocabulary) => {
                let (a, b) = (self.take_member(a.value, vocabulary), self.take_member(b.value, vocabulary));
                Value::Member(Member::If(condition, Box::new(a), Box::new(b)), vocabulary)
            }
            Common::Text => Value::Text(Loose::If(
                condition,
                Box::new(a.value.into_text(a.span)),
                Box::new(b.value.into_text(b.span)),
            )),
        }
    }

    pub(super) fn case(
        &mut self,
        subject: &'a Expr,
        arms: &'a [Arm],
        default: Option<&'a Expr>,
        span: Span,
    ) -> Value {
        let subject_span = subject.span;
        let (subject, mut labels) = match self.infer(subject) {
            Value::Member(member, vocabulary) => {
                let labels = self.member_labels(vocabulary, arms, default.is_some(), span);
                (Subject::Member(member), labels)
            }
            Value::Num(number, unit) => {
                let labels = self.number_labels(&number, &unit, arms, default.is_some(), span);
                (Subject::Num(number), labels)
            }
            other => {
                match &other {
                    Value::Unknown => {}
                    Value::Text(_) => self.no_vocabulary(subject_span),
                    other => {
                        let message = format!(
                            "CASE looks at an enum or a number, and this is {}",
                            self.in_words(other)
                        );
                        self.report(
                            Diagnostic::error(subject_span, message)
                                .help("write `IF ... THEN ... ELSE ... END`"),
                        );
                    }
                }
                (Subject::Num(no_num(subject_span)), arms.iter().map(|_| Label::Member(0)).collect())
            }
        };
        let bodies = arms.iter().map(|arm| &arm.body).chain(default);
        let mut branches: Vec<Part> = bodies.map(|body| self.part(body)).collect();
        let common = self.meet(&mut branches, "the branches of CASE");
        if default.is_none() {
            labels.pop();
        }
        let case = Branches { subject, labels, branches };
        match common {
            Common::Unknown => Value::Unknown,
            Common::Bool => case
                .build(|part| part.value.into_bool())
                .map_or(Value::Unknown, |case| Value::Bool(Bool::Case(case))),
            Common::Num(unit) => case
                .build(|part| part.value.into_num(part.span).0)
                .map_or(Value::Unknown, |case| Value::Num(Num { kind: NumKind::Case(case), span }, unit)),
            Common::Member(vocabulary) => case
                .build(|part| self.take_member(part.value, vocabulary))
                .map_or(Value::Unknown, |case| Value::Member(Member::Case(case), vocabulary)),
            Common::Text => case
                .build(|part| part.value.into_text(part.span))
                .map_or(Value::Unknown, |case| Value::Text(Loose::Case(case))),
        }
    }

    fn member_labels(
        &mut self,
        vocabulary: VocabularyId,
        arms: &'a [Arm],
        has_default: bool,
        span: Span,
    ) -> Vec<Label> {
        let mut first: HashMap<u32, Span> = HashMap::new();
        let mut labels = Vec::with_capacity(arms.len());
        let mut broken = false;
        for arm in arms {
            let at = arm.label.span;
            self.spend(1, at);
            let ExprKind::Text(text) = &arm.label.kind else {
                broken = true;
                labels.push(Label::Member(0));
                if matches!(arm.label.kind, ExprKind::Error) {
                    continue;
                }
                let message =
                    format!("{} is a number, and the subject of this CASE is an enum", self.quoted(at));
                self.report(Diagnostic::error(at, message).help("a label is a member in quotes"));
                continue;
            };
            let number = self.vocabularies.number(vocabulary, text);
            match number {
                None => {
                    self.outside(text, at, vocabulary);
                    broken = true;
                }
                Some(number) => {
                    if let Some(&first) = first.get(&number) {
                        self.report(twice(format!("`{text:?}` is named twice"), at, first));
                    } else {
                        first.insert(number, at);
                    }
                }
            }
            labels.push(Label::Member(number.unwrap_or_default()));
        }
        // A misspelt label is most likely the member that would be called missing.
        if !has_default && !broken {
            let members = &self.vocabularies.get(vocabulary).members;
            let missing = (0..).zip(members).filter(|(number, _)| !first.contains_key(number));
            let missing: Vec<_> = missing.map(|(_, member)| format!("`{member:?}`")).collect();
            if !missing.is_empty() {
                let shown = missing.get(..missing.len().min(10)).unwrap_or_default().join(", ");
                let more = match missing.len().saturating_sub(10) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let problem = Diagnostic::error(span, format!("this CASE does not cover {shown}{more}"));
                self.report(problem.help("add the missing members, or `DEFAULT: ...`"));
            }
        }
        labels
    }

    fn number_labels(
        &mut self,
        subject: &Num,
        unit: &UnitOf,
        arms: &'a [Arm],
        has_default: bool,
        span: Span,
    ) -> Vec<Label> {
        let mut first = HashMap::new();
        let mut labels = Vec::with_capacity(arms.len());
        for arm in arms {
            let at = arm.label.span;
            self.spend(1, at);
            let ExprKind::Number(number) = &arm.label.kind else {
                labels.push(Label::Num(no_num(at)));
                if matches!(arm.label.kind, ExprKind::Error) {
                    continue;
                }
                let message =
                    format!("{} is a string, and the subject of this CASE is a number", self.quoted(at));
                self.report(Diagnostic::error(at, message).help("a label is a number without quotes"));
                continue;
            };
            let (number, number_unit) = self.literal(number, at).into_num(at);
            self.agree([Operand::of(subject, unit), Operand::of(&number, &number_unit)].into_iter());
            if let (NumKind::Literal(value, in_unit), false) = (&number.kind, number_unit == UnitOf::Unknown)
            {
                let key = (value.clone(), in_unit.clone());
                match first.get(&key) {
                    Some(&first) => {
                        self.report(twice(format!("{} is named twice", self.quoted(at)), at, first))
                    }
                    None => {
                        first.insert(key, at);
                    }
                }
            }
            labels.push(Label::Num(number));
        }
        if !has_default {
            let message = "a CASE over a number needs a DEFAULT";
            self.report(
                Diagnostic::error(span, message)
                    .help("add what holds for every other number: `DEFAULT: ...`"),
            );
        }
        labels
    }
}

/// A CASE whose branches agree. One without DEFAULT has lost its last label: its last branch is the default.
struct Branches {
    subject: Subject,
    labels: Vec<Label>,
    branches: Vec<Part>,
}

impl Branches {
    fn build<T>(self, of: impl FnMut(Part) -> T) -> Option<Box<Case<T>>> {
        let mut branches: Vec<T> = self.branches.into_iter().map(of).collect();
        let default = branches.pop()?;
        let arms = self.labels.into_iter().zip(branches).collect();
        Some(Box::new(Case { subject: self.subject, arms, default }))
    }
}

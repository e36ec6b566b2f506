//! Types: from the untyped tree of one statement to its typed tree.
//!
//! One walk infers every form's type from its parts and reports what does not fit. A string literal has no vocabulary
//! of its own: it stays a [`value::Loose`] text until it meets a member (see [`meeting`]). Quantifiers are unrolled
//! as they are met, by walking their body once for each element.
//!
//! A form whose type cannot be known is [`Value::Unknown`], and what contains it is not complained of. A form
//! whose type is known but whose parts are wrong keeps its type, with a placeholder for what is missing, so
//! that one walk finds every error; a ruleset with an error is never handed on.

mod arithmetic;
mod branches;
mod collections;
mod compare;
mod logic;
mod meeting;
mod quantifiers;
mod size;
mod unit;
mod value;

use std::collections::{BTreeSet, HashSet};

use assay_syntax::ast::{Expr, ExprKind, Function, Ident, NumberLit};
use assay_syntax::{Diagnostic, Source, Span};
use assay_units::Library;

use crate::closest::near;
use crate::names::{Kind, Meaning, Names};
use crate::typed::{Bool, ClaimId, LocalId, Member, Num, NumKind, Typed};
use crate::vocabularies::Vocabularies;
use crate::{leaves, limits};

pub(crate) use unit::UnitOf;
use value::{Bound, Loose, Value};

/// The names that a statement uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uses {
    /// The claims written in it.
    pub(crate) claims: BTreeSet<ClaimId>,
    /// The locals written in it.
    pub(crate) locals: BTreeSet<LocalId>,
}

/// What statements are typed against, and what is found.
pub(crate) struct Typer<'a> {
    source: &'a Source,
    names: &'a Names<'a>,
    vocabularies: &'a Vocabularies,
    library: Library,
    /// Names whose declaration could not be read: their uses are no further errors.
    broken: HashSet<&'a str>,
    claim_units: Vec<UnitOf>,
    local_units: Vec<UnitOf>,
    /// The quantifier variables in scope, the innermost last.
    scope: Vec<(&'a str, Bound)>,
    /// The nodes of all statements so far.
    nodes: u64,
    /// The spellings compared so far, to name what was meant.
    spellings: usize,
    uses: Uses,
    /// The strings of the statement, and those of them that found a vocabulary.
    strings: Vec<Span>,
    settled: HashSet<Span>,
    /// The places that have an error: a body that is unrolled is complained of once.
    refused: HashSet<Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Typer<'a> {
    /// A typer with nothing typed yet. `claim_units` are in the order of the claims; the units of locals become known
    /// as they are defined.
    pub(crate) fn new(
        source: &'a Source,
        names: &'a Names<'a>,
        vocabularies: &'a Vocabularies,
        broken: HashSet<&'a str>,
        claim_units: Vec<UnitOf>,
    ) -> Typer<'a> {
        let local_unit = |local: &crate::names::DeclaredLocal<'_>| match local.definition {
            Some(_) => UnitOf::Unknown,
            None => UnitOf::Bare,
        };
        Typer {
            source,
            names,
            vocabularies,
            library: Library::built_in(),
            broken,
            claim_units,
            local_units: names.locals.iter().map(local_unit).collect(),
            scope: Vec::new(),
            nodes: 0,
            spellings: 0,
            uses: Uses::default(),
            strings: Vec::new(),
            settled: HashSet::new(),
            refused: HashSet::new(),
            diagnostics: Vec::new(),
        }
    }

    /// What was found.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Types the formula of an assertion.
    pub(crate) fn assertion(&mut self, body: &'a Expr) -> (Bool, Uses) {
        let errors = self.diagnostics.len();
        let body = self.boolean(body, "an assertion");
        (body, self.end_statement(errors))
    }

    /// Types the definition of a local, whose unit is known from here on.
    pub(crate) fn definition(&mut self, local: LocalId, value: &'a Expr) -> (Typed, Uses) {
        let errors = self.diagnostics.len();
        let found = self.infer(value);
        let declared = self.names.declared(Meaning::Local(local));
        let typed = match (declared.kind, found) {
            (Kind::Bool, Value::Bool(value)) => Typed::Bool(value),
            (Kind::Num, Value::Num(value, unit)) => {
                if let Some(place) = self.local_units.get_mut(local.0) {
                    *place = unit;
                }
                Typed::Num(value)
            }
            (Kind::Member(wanted), Value::Member(value, vocabulary)) if vocabulary == wanted => {
                Typed::Member(value)
            }
            (Kind::Member(vocabulary), Value::Text(text)) => Typed::Member(self.settle(text, vocabulary)),
            (kind, found) => {
                if kind != Kind::Unknown && !matches!(found, Value::Unknown) {
                    let (wanted, found) = (self.kind_in_words(kind), self.in_words(&found));
                    let message =
                        format!("`{}` is declared as {wanted} and defined as {found}", declared.name.name);
                    let problem = Diagnostic::error(value.span, message);
                    self.report(problem.related(declared.name.span, "declared here"));
                }
                match kind {
                    Kind::Bool | Kind::Unknown => Typed::Bool(value::no_bool()),
                    Kind::Num => Typed::Num(value::no_num(value.span)),
                    Kind::Member(id) => Typed::Member(self.no_member(id)),
                }
            }
        };
        (typed, self.end_statement(errors))
    }

    /// Looks at a definition that is not to be used, for its errors only.
    pub(crate) fn discard(&mut self, value: &'a Expr) {
        self.infer(value);
        self.strings.clear();
        self.uses = Uses::default();
    }

    fn end_statement(&mut self, errors: usize) -> Uses {
        let strings = std::mem::take(&mut self.strings);
        if self.diagnostics.len() == errors {
            for span in strings {
                if !self.settled.contains(&span) {
                    self.no_vocabulary(span);
                }
            }
        }
        std::mem::take(&mut self.uses)
    }

    fn report(&mut self, problem: Diagnostic) {
        if self.refused.insert(problem.span) || self.scope.is_empty() {
            self.diagnostics.push(problem);
        }
    }

    fn no_vocabulary(&mut self, span: Span) {
        let message = format!("the string {} meets no vocabulary", self.quoted(span));
        self.report(Diagnostic::error(span, message).help(
            "a string is a member of the vocabulary that it is compared with: compare it with an enum",
        ));
    }

    /// The source of a span in backticks, on one line and cut where it is long.
    fn quoted(&self, span: Span) -> String {
        let text = self.source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        }
    }

    /// Counts nodes; the first one past the limit is reported, and from there on nothing is unrolled.
    fn spend(&mut self, nodes: u64, span: Span) {
        let before = self.nodes;
        self.nodes = self.nodes.saturating_add(nodes);
        if before <= limits::NODES && self.nodes > limits::NODES {
            let what = "expression nodes once quantifiers are unrolled";
            self.diagnostics.push(limits::exceeded(
                span,
                what,
                "expression_nodes",
                limits::NODES,
                self.nodes,
            ));
        }
    }

    /// Whether looking for the nearest of so many spellings is worth the time: the first errors of a source name
    /// what was meant, the ten thousandth does not.
    fn may_compare_spellings(&mut self, candidates: usize) -> bool {
        self.spellings = self.spellings.saturating_add(candidates);
        self.spellings <= limits::SPELLINGS
    }

    fn exhausted(&self) -> bool {
        self.nodes > limits::NODES
    }

    fn infer(&mut self, expr: &'a Expr) -> Value {
        let span = expr.span;
        self.spend(1, span);
        match &expr.kind {
            ExprKind::Number(number) => self.literal(number, span),
            ExprKind::Text(text) => {
                self.strings.push(span);
                Value::Text(Loose::Text(text.clone(), span))
            }
            ExprKind::Error => Value::Unknown,
            ExprKind::Boolean(value) => Value::Bool(Bool::Literal(*value)),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Negate(operand) => self.negation(operand, span),
            ExprKind::Compare(op, a, b) => self.comparison(*op, a, b, span),
            ExprKind::Sum(first, rest) => self.sum(first, rest, span),
            ExprKind::Product(first, rest) => self.product(first, rest, span),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, span),
            ExprKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise.as_deref(), span)
            }
            ExprKind::Case(subject, arms, default) => self.case(subject, arms, default.as_deref(), span),
            ExprKind::Collection(_) => self.stray_collection(expr),
            ExprKind::Quantified(quantified) => self.quantified(quantified, span),
        }
    }

    fn call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Value {
        match (function, arguments) {
            (Function::And | Function::Or | Function::Not | Function::Xor | Function::Implies, _) => {
                self.logic(function, arguments, span)
            }
            (Function::IsMember, [value, set]) => self.is_member(value, set, span),
            (Function::IsSubset, [a, b]) => self.is_subset(a, b, span),
            (Function::Union | Function::Intersect | Function::Difference, _) => {
                self.stray_call(function, arguments, span)
            }
            // The parser has checked the number of arguments.
            (Function::IsMember | Function::IsSubset, _) => Value::Unknown,
        }
    }

    fn literal(&mut self, number: &NumberLit, span: Span) -> Value {
        let value = match leaves::number(&number.digits, span) {
            Ok(value) => value,
            Err(problem) => {
                self.report(*problem);
                return Value::Num(value::no_num(span), UnitOf::Unknown);
            }
        };
        let unit = match &number.unit {
            None => None,
            Some(text) => match leaves::unit(&text.value, text.span) {
                Ok(unit) => Some(unit),
                Err(problem) => {
                    self.report(*problem);
                    return Value::Num(value::no_num(span), UnitOf::Unknown);
                }
            },
        };
        let of = unit.clone().map_or(UnitOf::Bare, UnitOf::In);
        Value::Num(Num { kind: NumKind::Literal(value, unit), span }, of)
    }

    fn name(&mut self, name: &'a str, span: Span) -> Value {
        if let Some((_, bound)) = self.scope.iter().rev().find(|(variable, _)| *variable == name) {
            let size = bound.size;
            if self.nodes.saturating_add(size) <= limits::NODES {
                let value = bound.value.clone();
                self.spend(size, span);
                return value;
            }
            self.spend(size, span);
            return Value::Unknown;
        }
        let Some(meaning) = self.names.meaning(name) else {
            self.undeclared(name, span, "");
            return Value::Unknown;
        };
        let declared = self.names.declared(meaning);
        if declared.name.span.start > span.start {
            let problem = Diagnostic::error(span, format!("`{name}` is used before it is declared"));
            self.report(problem.related(declared.name.span, "declared here"));
        }
        match meaning {
            Meaning::Claim(id) => {
                self.uses.claims.insert(id);
                match declared.kind {
                    Kind::Unknown => Value::Unknown,
                    Kind::Bool => Value::Bool(Bool::Claim(id)),
                    Kind::Num => {
                        let unit = self.claim_units.get(id.0).cloned().unwrap_or_default();
                        Value::Num(Num { kind: NumKind::Claim(id), span }, unit)
                    }
                    Kind::Member(v) => Value::Member(Member::Claim(id, self.vocabularies.get(v).clone()), v),
                }
            }
            Meaning::Local(id) => {
                self.uses.locals.insert(id);
                match declared.kind {
                    Kind::Unknown => Value::Unknown,
                    Kind::Bool => Value::Bool(Bool::Local(id)),
                    Kind::Num => {
                        let unit = self.local_units.get(id.0).cloned().unwrap_or_default();
                        Value::Num(Num { kind: NumKind::Local(id), span }, unit)
                    }
                    Kind::Member(v) => Value::Member(Member::Local(id, self.vocabularies.get(v).clone()), v),
                }
            }
        }
    }

    /// Reports a `let` of a name that is not declared.
    pub(crate) fn undeclared_local(&mut self, name: &Ident) {
        self.undeclared(&name.name, name.span, "local ");
    }

    fn undeclared(&mut self, name: &str, span: Span, local: &str) {
        if self.broken.contains(name) {
            return;
        }
        let problem = Diagnostic::error(span, format!("`{name}` is not declared"));
        let may_look = self.may_compare_spellings(self.names.claims.len() + self.names.locals.len());
        let variables = self.scope.iter().map(|(variable, _)| *variable);
        let near = if may_look { near(name, variables.chain(self.names.all())) } else { None };
        self.report(match near {
            Some(meant) => problem.help(format!("did you mean `{meant}`?")),
            None => problem.help(format!("declare it first: `declare {local}{name} as TYPE;`")),
        });
    }

    /// A set argument where a value should be.
    fn stray_collection(&mut self, expr: &'a Expr) -> Value {
        self.collection(expr);
        self.report(
            Diagnostic::error(expr.span, "a collection is not a value").help(
                "a collection stands only as a set argument, as in `IsMember(x, {a, b})`, or after `in`",
            ),
        );
        Value::Unknown
    }

    fn stray_call(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Value {
        self.set_operation(function, arguments, span);
        self.report(Diagnostic::error(span, "a collection is not a value").help(
            "a collection stands only as a set argument, as in `IsMember(x, Union(a, b))`, or after `in`",
        ));
        Value::Unknown
    }
}

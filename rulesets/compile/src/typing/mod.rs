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
mod expression;
mod logic;
mod meeting;
mod quantifiers;
mod scope;
mod size;
mod unit;
mod value;

use std::collections::{BTreeSet, HashSet};

use assay_syntax::ast::Expr;
use assay_syntax::{Diagnostic, Source, Span};
use assay_units::Library;

use crate::limits;
use crate::names::{Kind, Meaning, Names};
use crate::spelling::Speller;
use crate::typed::{Bool, ClaimId, LocalId, Typed};
use crate::vocabularies::Vocabularies;

pub(crate) use unit::UnitOf;
use value::{Bound, Value};

/// The characters of a source that a message quotes.
const SHOWN: usize = 60;

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
    /// The pairs of elements so far that were found equal or different at once.
    known_pairs: u64,
    speller: Speller,
    uses: Uses,
    /// The strings of the statement, and those of them that found a vocabulary.
    strings: Vec<Span>,
    settled: HashSet<Span>,
    /// Whether a place of the statement is of a type that could not be read: a string may take its vocabulary from it.
    doubtful: bool,
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
            known_pairs: 0,
            speller: Speller::default(),
            uses: Uses::default(),
            strings: Vec::new(),
            settled: HashSet::new(),
            doubtful: false,
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
        self.doubtful = false;
        self.uses = Uses::default();
    }

    fn end_statement(&mut self, errors: usize) -> Uses {
        let strings = std::mem::take(&mut self.strings);
        let doubtful = std::mem::take(&mut self.doubtful);
        if self.diagnostics.len() == errors && !doubtful {
            for span in strings {
                if !self.settled.contains(&span) {
                    self.no_vocabulary(span);
                }
            }
        }
        std::mem::take(&mut self.uses)
    }

    /// The value of a place that was reported before, as a mistake of syntax or of a declaration.
    fn unread(&mut self) -> Value {
        self.doubtful = true;
        Value::Unknown
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
        let mut shown = String::new();
        let mut length = 0;
        // A span may be the whole source: only its beginning is looked at.
        for letter in self.source.slice(span).chars() {
            let letter = if letter.is_whitespace() { ' ' } else { letter };
            if letter == ' ' && shown.ends_with(' ') {
                continue;
            }
            if length == SHOWN {
                return format!("`{}…`", shown.trim_end());
            }
            shown.push(letter);
            length += 1;
        }
        format!("`{shown}`")
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

    /// Counts a pair of elements that needs no node: they cost time, if a small part of what a node costs.
    fn spend_known_pair(&mut self, span: Span) {
        self.known_pairs += 1;
        if self.known_pairs.is_multiple_of(limits::KNOWN_PAIRS) {
            self.spend(1, span);
        }
    }

    fn exhausted(&self) -> bool {
        self.nodes > limits::NODES
    }
}

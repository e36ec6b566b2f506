//! What a ruleset declares, and what a name means at a place of its source.

use std::collections::HashMap;

use assay_syntax::ast::{Declare, Ident, Item, Let, Module, Text, TypeExpr};
use assay_syntax::{Diagnostic, Span};

use crate::limits;
use crate::typed::{ClaimId, LocalId};
use crate::vocabularies::{Vocabularies, VocabularyId};

/// What a declared name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A claim.
    Claim(ClaimId),
    /// A local.
    Local(LocalId),
}

/// The type of a declaration, without units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `boolean`
    Bool,
    /// `numeric`
    Num,
    /// `enum`
    Member(VocabularyId),
    /// A type that could not be read.
    Unknown,
}

/// A declared name.
#[derive(Debug)]
pub(crate) struct Declared<'a> {
    /// The name and where it is declared.
    pub(crate) name: &'a Ident,
    /// Its type.
    pub(crate) kind: Kind,
    /// The members of an enum in their declared order.
    pub(crate) members: &'a [Text],
}

/// A declared local and its definition.
#[derive(Debug)]
pub(crate) struct DeclaredLocal<'a> {
    /// The declaration.
    pub(crate) declared: Declared<'a>,
    /// Its `let`.
    pub(crate) definition: Option<&'a Let>,
}

/// Everything that is declared.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// The claims in declared order.
    pub(crate) claims: Vec<Declared<'a>>,
    /// The locals in declared order.
    pub(crate) locals: Vec<DeclaredLocal<'a>>,
    by_name: HashMap<&'a str, Meaning>,
}

impl<'a> Names<'a> {
    /// Reads the declarations and gives each `let` to its local.
    pub(crate) fn collect(
        module: &'a Module,
        vocabularies: &mut Vocabularies,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Names<'a> {
        let mut names = Names::default();
        for item in &module.items {
            if let Item::Declare(declare) = item {
                names.declare(declare, vocabularies, diagnostics);
            }
        }
        if let Some(first) = names.claims.get(limits::CLAIMS) {
            let actual = names.claims.len() as u64;
            diagnostics.push(limits::exceeded(
                first.name.span,
                "claims",
                "claims",
                limits::CLAIMS as u64,
                actual,
            ));
        }
        for item in &module.items {
            if let Item::Let(definition) = item {
                names.define(definition, diagnostics);
            }
        }
        names
    }

    /// What a name means, wherever it is declared.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.by_name.get(name).copied()
    }

    /// The declaration of a meaning.
    pub(crate) fn declared(&self, meaning: Meaning) -> &Declared<'a> {
        // INVARIANT: a meaning is only made by `declare`, which puts its declaration there.
        match meaning {
            Meaning::Claim(id) => &self.claims[id.0],
            Meaning::Local(id) => &self.locals[id.0].declared,
        }
    }

    /// Every declared name, in no order that shows.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'a str> {
        let claims = self.claims.iter().map(|claim| claim.name.name.as_str());
        claims.chain(self.locals.iter().map(|local| local.declared.name.name.as_str()))
    }

    fn declare(
        &mut self,
        declare: &'a Declare,
        vocabularies: &mut Vocabularies,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = &declare.name;
        let (kind, members) = match &declare.ty {
            TypeExpr::Boolean => (Kind::Bool, Default::default()),
            TypeExpr::Numeric => (Kind::Num, Default::default()),
            TypeExpr::Error => (Kind::Unknown, Default::default()),
            TypeExpr::Enum { ordered, members } => {
                if let Some(first) = members.get(limits::MEMBERS) {
                    let (limit, actual) = (limits::MEMBERS as u64, members.len() as u64);
                    let what = "members in a vocabulary";
                    diagnostics.push(limits::exceeded(first.span, what, "vocabulary_members", limit, actual));
                }
                let texts = members.iter().map(|member| member.value.clone()).collect();
                (Kind::Member(vocabularies.intern(*ordered, texts)), members.as_slice())
            }
        };
        if let Some(&first) = self.by_name.get(name.name.as_str()) {
            let first = self.declared(first).name.span;
            diagnostics.push(twice(format!("`{}` is declared twice", name.name), name.span, first));
            return;
        }
        let declared = Declared { name, kind, members };
        let meaning = if declare.local {
            self.locals.push(DeclaredLocal { declared, definition: None });
            Meaning::Local(LocalId(self.locals.len() - 1))
        } else {
            self.claims.push(declared);
            Meaning::Claim(ClaimId(self.claims.len() - 1))
        };
        self.by_name.insert(&name.name, meaning);
    }

    fn define(&mut self, definition: &'a Let, diagnostics: &mut Vec<Diagnostic>) {
        let Ident { name, span } = &definition.name;
        let id = match self.meaning(name) {
            Some(Meaning::Local(id)) => id,
            Some(Meaning::Claim(_)) => {
                let help = "a claim's value comes with the claims; declare a local to give a value a name";
                diagnostics.push(
                    Diagnostic::error(*span, format!("`{name}` is a claim and is not defined by `let`"))
                        .help(help),
                );
                return;
            }
            // A use of a name that is not declared; the use itself is reported with the others of the statement.
            None => return,
        };
        // INVARIANT: the id was just found among the locals.
        let local = &mut self.locals[id.0];
        match local.definition {
            Some(first) => {
                diagnostics.push(twice(format!("`{name}` is defined twice"), *span, first.name.span));
            }
            None => local.definition = Some(definition),
        }
    }
}

/// A second thing where one may be, with the place of the first.
pub(crate) fn twice(message: String, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(span, message).related(first, "the first is here")
}

//! The statements of a source, each typed, and what is said about them as statements.

use std::collections::{HashMap, HashSet};

use assay_syntax::ast::{Assert, Item, Let, Module};
use assay_syntax::{Diagnostic, Span};

use crate::names::{DeclaredLocal, Meaning, Names, twice};
use crate::typed::{Bool, Typed};
use crate::typing::{Typer, Uses};
use crate::{Options, limits, locals};

/// The statements of a source, typed.
pub(crate) struct Statements<'a> {
    /// The definition of each local that has one, in the order of the locals.
    pub(crate) definitions: Vec<Option<(Typed, Uses)>>,
    /// The assertions in source order.
    pub(crate) assertions: Vec<Checked<'a>>,
}

/// An assertion with its typed formula.
pub(crate) struct Checked<'a> {
    pub(crate) statement: &'a Assert,
    pub(crate) body: Bool,
    pub(crate) uses: Uses,
}

impl<'a> Statements<'a> {
    /// Types every statement: the definitions of locals in an order in which each comes after those it reads, then the
    /// assertions.
    pub(crate) fn check(
        module: &'a Module,
        names: &'a Names<'a>,
        mut typer: Typer<'a>,
        options: &Options,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Statements<'a> {
        let mut definitions: Vec<Option<(Typed, Uses)>> = names.locals.iter().map(|_| None).collect();
        for id in locals::order(names, diagnostics) {
            let definition = names.locals.get(id.0).and_then(|local| local.definition);
            if let (Some(definition), Some(place)) = (definition, definitions.get_mut(id.0)) {
                *place = Some(typer.definition(id, &definition.value));
            }
        }
        let mut assertions = Vec::new();
        let mut first: HashMap<&str, Span> = HashMap::new();
        for item in &module.items {
            match item {
                Item::Declare(_) => {}
                Item::Let(definition) => {
                    if !typed(definition, names, &definitions) {
                        typer.discard(&definition.value);
                    }
                    out_of_place(definition, names, &mut typer, diagnostics);
                }
                Item::Assert(statement) => {
                    let (body, uses) = typer.assertion(&statement.body);
                    let name = &statement.name;
                    match first.get(name.name.as_str()) {
                        Some(&first) => {
                            let message = format!("two assertions are named `{}`", name.name);
                            diagnostics.push(twice(message, name.span, first));
                        }
                        None => {
                            first.insert(&name.name, name.span);
                        }
                    }
                    if options.require_descriptions && statement.description.is_none() {
                        let span = Span { start: statement.span.start, end: name.span.end };
                        diagnostics.push(
                            Diagnostic::error(span, format!("`{}` has no description", name.name))
                                .help("write what it asks for in a comment directly above its `assert`"),
                        );
                    }
                    assertions.push(Checked { statement, body, uses });
                }
            }
        }
        if let Some(past) = assertions.get(limits::ASSERTIONS) {
            let (limit, actual) = (limits::ASSERTIONS as u64, assertions.len() as u64);
            diagnostics.push(limits::exceeded(
                past.statement.name.span,
                "assertions",
                "assertions",
                limit,
                actual,
            ));
        }
        diagnostics.extend(typer.into_diagnostics());
        Statements { definitions, assertions }
    }

    /// What the author should know of a ruleset that compiles.
    pub(crate) fn warn(&self, names: &Names<'_>, diagnostics: &mut Vec<Diagnostic>) {
        if self.assertions.is_empty() {
            diagnostics.push(
                Diagnostic::warning(Span::default(), "this ruleset has no assertions")
                    .help("write what should hold: `assert name { ... };`"),
            );
        }
        let all = || {
            let definitions = self.definitions.iter().flatten().map(|(_, uses)| uses);
            definitions.chain(self.assertions.iter().map(|assertion| &assertion.uses))
        };
        let locals: HashSet<_> = all().flat_map(|uses| uses.locals.iter().map(|id| id.0)).collect();
        for (id, DeclaredLocal { declared, definition }) in names.locals.iter().enumerate() {
            let name = &declared.name.name;
            if definition.is_none() {
                diagnostics.push(
                    Diagnostic::warning(declared.name.span, format!("the local `{name}` is never defined"))
                        .help(format!("nothing constrains it until it is: `let {name} = ...;`")),
                );
            }
            if !locals.contains(&id) {
                diagnostics.push(Diagnostic::warning(
                    declared.name.span,
                    format!("the local `{name}` is never used"),
                ));
            }
        }
        let claims: HashSet<_> = all().flat_map(|uses| uses.claims.iter().map(|id| id.0)).collect();
        for (id, claim) in names.claims.iter().enumerate() {
            if !claims.contains(&id) && !self.assertions.is_empty() {
                let message = format!("the claim `{}` is read by no assertion", claim.name.name);
                diagnostics.push(Diagnostic::warning(claim.name.span, message));
            }
        }
    }
}

/// Whether a definition is the one of its local, and typed.
fn typed(definition: &Let, names: &Names<'_>, definitions: &[Option<(Typed, Uses)>]) -> bool {
    match names.meaning(&definition.name.name) {
        Some(Meaning::Local(id)) => {
            let own = names.locals.get(id.0).and_then(|local| local.definition);
            own.is_some_and(|own| std::ptr::eq(own, definition))
                && definitions.get(id.0).is_some_and(Option::is_some)
        }
        _ => false,
    }
}

/// A definition of a name that is not declared, or not yet.
fn out_of_place(
    definition: &Let,
    names: &Names<'_>,
    typer: &mut Typer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &definition.name;
    match names.meaning(&name.name) {
        None => typer.undeclared_local(name),
        Some(meaning @ Meaning::Local(_)) => {
            let declared = names.declared(meaning).name.span;
            if declared.start > name.span.start {
                let message = format!("`{}` is defined before it is declared", name.name);
                diagnostics.push(Diagnostic::error(name.span, message).related(declared, "declared here"));
            }
        }
        Some(Meaning::Claim(_)) => {}
    }
}

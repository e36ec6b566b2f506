//! What a name means where it stands: a quantifier's variable, a claim or a local.

use assay_syntax::ast::Ident;
use assay_syntax::{Diagnostic, Span};

use super::Typer;
use super::value::Value;
use crate::limits;
use crate::names::{Kind, Meaning};
use crate::typed::{Bool, Member, Num, NumKind};

impl<'a> Typer<'a> {
    /// A name in an expression.
    pub(super) fn name(&mut self, name: &'a str, span: Span) -> Value {
        if let Some((_, bound)) = self.scope.iter().rev().find(|(variable, _)| *variable == name) {
            let size = bound.size;
            let fits = self.nodes.saturating_add(size) <= limits::NODES;
            let value = if fits { bound.value.clone() } else { Value::Unknown };
            self.spend(size, span);
            return value;
        }
        let Some(meaning) = self.names.meaning(name) else {
            self.undeclared(name, span, "");
            return self.unread();
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
                    Kind::Unknown => self.unread(),
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
                    Kind::Unknown => self.unread(),
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
        let variables = self.scope.iter().map(|(variable, _)| *variable);
        let near = self.speller.near(name, variables.chain(self.names.all()));
        self.report(match near {
            Some(meant) => problem.help(format!("did you mean `{meant}`?")),
            None => problem.help(format!("declare it first: `declare {local}{name} as TYPE;`")),
        });
    }
}

//! Booleans and what joins them.

use assay_syntax::ast::{Expr, Function};
use assay_syntax::{Diagnostic, Span};

use super::value::{Loose, no_bool};
use super::{Typer, Value};
use crate::typed::Bool;

impl<'a> Typer<'a> {
    /// An expression that has to be a boolean. `who` needs one: `` `And` ``, `an assertion`.
    pub(super) fn boolean(&mut self, expr: &'a Expr, who: &str) -> Bool {
        match self.infer(expr) {
            Value::Bool(value) => value,
            Value::Unknown => no_bool(),
            other => {
                let problem = Diagnostic::error(
                    expr.span,
                    format!("{who} needs a boolean, and this is {}", self.in_words(&other)),
                );
                self.report(match other {
                    Value::Text(Loose::Text(text, _)) if text.eq_ignore_ascii_case("true") => {
                        problem.help("write `True`")
                    }
                    Value::Text(Loose::Text(text, _)) if text.eq_ignore_ascii_case("false") => {
                        problem.help("write `False`")
                    }
                    Value::Num(..) | Value::Member(..) => problem.help("compare it with something"),
                    _ => problem,
                });
                no_bool()
            }
        }
    }

    pub(super) fn logic(&mut self, function: Function, arguments: &'a [Expr], span: Span) -> Value {
        let who = match function {
            Function::And => "`And`",
            Function::Or => "`Or`",
            Function::Not => "`Not`",
            Function::Xor => "`Xor`",
            _ => "`Implies`",
        };
        let mut operands: Vec<Bool> = arguments.iter().map(|argument| self.boolean(argument, who)).collect();
        Value::Bool(match (function, operands.as_mut_slice()) {
            (Function::And, _) => Bool::And(operands),
            (Function::Or, _) => Bool::Or(operands),
            (Function::Not, [a]) => negated(take(a)),
            (Function::Xor, [a, b]) => Bool::Xor(Box::new(take(a)), Box::new(take(b))),
            (Function::Implies, [a, b]) => {
                self.spend(1, span);
                implies(take(a), take(b))
            }
            // The parser has checked the number of arguments.
            _ => no_bool(),
        })
    }
}

fn take(place: &mut Bool) -> Bool {
    std::mem::replace(place, no_bool())
}

/// `Not(a)`
pub(super) fn negated(a: Bool) -> Bool {
    Bool::Not(Box::new(a))
}

/// `Implies(a, b)`
pub(super) fn implies(a: Bool, b: Bool) -> Bool {
    Bool::Or(vec![negated(a), b])
}

/// Both, where the first is a condition that may be absent.
pub(super) fn both(condition: Option<Bool>, a: Bool) -> Bool {
    match condition {
        Some(condition) => Bool::And(vec![condition, a]),
        None => a,
    }
}

//! Logic as other languages write it, between and before its operands: reported, and read as what it means.

use super::{Parser, Read};
use crate::Diagnostic;
use crate::ast::{Expr, ExprKind, Function};
use crate::lexer::TokenKind;
use crate::words;

/// An operator that the language has as a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    /// A function of its two sides.
    Function(Function, &'static str),
    /// `a not in s`
    NotIn,
}

impl Parser<'_> {
    /// The operator of another language that is looked at.
    pub(super) fn infix(&self) -> Option<Infix> {
        let token = self.current();
        let (written, next) = (self.text(token), self.token(1));
        let adjacent = next.kind == TokenKind::Symbol("(") && next.span.start == token.span.end;
        if adjacent && words::is_builtin(written) {
            // `a And(b, c)`: a call, before which something is missing.
            return None;
        }
        let text = match token.kind {
            TokenKind::Symbol(symbol) => symbol.to_owned(),
            TokenKind::Word => written.to_ascii_lowercase(),
            _ => return None,
        };
        Some(match text.as_str() {
            "and" | "&&" | "&" => Infix::Function(Function::And, "And"),
            "or" | "||" | "|" => Infix::Function(Function::Or, "Or"),
            "xor" => Infix::Function(Function::Xor, "Xor"),
            "implies" | "=>" | "->" | "==>" => Infix::Function(Function::Implies, "Implies"),
            "in" => Infix::Function(Function::IsMember, "IsMember"),
            "not" if self.word(1).eq_ignore_ascii_case("in") => Infix::NotIn,
            _ => return None,
        })
    }

    /// What follows `left` where it is such an operator.
    pub(super) fn infix_logic(&mut self, mut left: Expr) -> Read<Expr> {
        while let Some(infix) = self.infix() {
            let operator = self.current();
            let joins = matches!(infix, Infix::Function(Function::And | Function::Or, _));
            let mut operands = vec![left];
            let mut whole = true;
            loop {
                self.bump();
                if infix == Infix::NotIn {
                    self.bump();
                }
                match self.comparison() {
                    Ok(operand) => operands.push(operand),
                    Err(_) => {
                        whole = false;
                        break;
                    }
                }
                if !(joins && self.infix() == Some(infix)) {
                    break;
                }
            }
            self.report_infix(operator.span, infix, &operands);
            if !whole {
                return Err(super::Stop);
            }
            let span = self.since(operands.first().map_or(operator.span, |first| first.span));
            let kind = match infix {
                // `>=` or `Implies`: nobody can tell.
                _ if self.text(operator) == "=>" => ExprKind::Error,
                Infix::Function(function, _) => ExprKind::Call(function, operands),
                Infix::NotIn => {
                    let member = Expr { kind: ExprKind::Call(Function::IsMember, operands), span };
                    ExprKind::Call(Function::Not, vec![member])
                }
            };
            left = Expr { kind, span };
        }
        Ok(left)
    }

    fn report_infix(&mut self, span: crate::Span, infix: Infix, operands: &[Expr]) {
        let arguments = match self.texts(&operands.iter().collect::<Vec<_>>()) {
            Some(texts) if texts.len() > 1 => texts.join(", "),
            _ => match infix {
                Infix::NotIn | Infix::Function(Function::IsMember, _) => "a, {b, c}".to_owned(),
                Infix::Function(..) => "a, b".to_owned(),
            },
        };
        let written = self.source.slice(span);
        let (message, help) = match infix {
            Infix::Function(Function::IsMember, name) => {
                ("`in` stands inside a quantifier only".to_owned(), format!("write `{name}({arguments})`"))
            }
            Infix::NotIn => {
                ("`not in` is not an operator".to_owned(), format!("write `Not(IsMember({arguments}))`"))
            }
            Infix::Function(Function::Implies, name) if written == "=>" => (
                "`=>` is not an operator".to_owned(),
                format!("write `>=` to compare, or `{name}({arguments})`"),
            ),
            Infix::Function(_, name) => (
                format!("`{written}` does not stand between operands"),
                format!("write `{name}({arguments})`"),
            ),
        };
        self.report(Diagnostic::error(span, message).help(help));
    }

    /// `not a`, `!a`: reported and read as `Not(a)`. `None` where no such thing stands.
    pub(super) fn prefix_negation(&mut self) -> Option<Read<Expr>> {
        let sign = self.current();
        let word = self.word(0).eq_ignore_ascii_case("not") && self.token(1).kind != TokenKind::Symbol("(");
        if !(word || self.is_symbol("!")) {
            return None;
        }
        self.bump();
        // `not` is looser than a comparison wherever it is written before its operand, `!` is tighter.
        let operand = self.nested(if word { Self::comparison } else { Self::unary });
        let shown = operand.as_ref().ok().and_then(|operand| self.texts(&[operand]));
        let argument = match shown.as_deref() {
            Some([text]) => {
                text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text).to_owned()
            }
            _ => "a".to_owned(),
        };
        let message = format!("`{}` does not stand before an operand", self.text(sign));
        self.report(Diagnostic::error(sign.span, message).help(format!("write `Not({argument})`")));
        Some(operand.map(|operand| {
            let span = sign.span.to(operand.span);
            Expr { kind: ExprKind::Call(Function::Not, vec![operand]), span }
        }))
    }
}

//! Comma-separated lists in brackets.

use super::{Parser, Read};
use crate::lexer::{Token, TokenKind};
use crate::{Diagnostic, Span};

impl Parser<'_> {
    /// Reads the rest of a list whose opening bracket, `open`, was read. An item that cannot be read is what `error`
    /// makes of its place, and the list goes on after it. A list ends at its closing bracket or, reported, where it
    /// cannot go on.
    pub(super) fn list<T>(
        &mut self,
        open: Token,
        mut item: impl FnMut(&mut Self) -> Read<T>,
        error: impl Fn(Span) -> T,
    ) -> Vec<T> {
        let close = closing(self.text(open));
        let mut items = Vec::new();
        let mut comma = None;
        let mut whole = true;
        while !self.is_symbol(close) {
            let start = self.current().span;
            let mut read = item(self);
            if read.is_ok() && !self.is_symbol(",") && !self.is_symbol(close) {
                self.unclosed(open, close);
                read = Err(super::Stop);
            }
            whole = read.is_ok();
            match read {
                Ok(item) => items.push(item),
                Err(super::Stop) => {
                    self.skip();
                    items.push(error(self.since(start)));
                }
            }
            comma = self.is_symbol(",").then(|| self.bump());
            if comma.is_none() {
                break;
            }
        }
        if let Some(comma) = comma.filter(|_| whole && self.is_symbol(close)) {
            let message = format!("a comma before `{close}`");
            self.report(Diagnostic::error(comma.span, message).help("remove the comma"));
        }
        if !self.eat(close) {
            self.unclosed(open, close);
            // `(a]` closes, with another bracket: what follows belongs to the outside.
            if matches!(self.current().kind, TokenKind::Symbol(")" | "]")) {
                self.bump();
            }
        }
        items
    }

    fn unclosed(&mut self, open: Token, close: &str) {
        let bad = self.previous().kind == TokenKind::Bad || self.current().kind == TokenKind::Bad;
        if !bad && self.reported_at != Some(self.at) {
            let message = format!("expected `,` or `{close}`, found {}", self.found());
            let error = Diagnostic::error(self.current().span, message);
            let error = error.related(open.span, format!("`{}` opens here", self.text(open)));
            let error = match self.guess() {
                Some(help) => error.help(help),
                None => error,
            };
            self.report(error);
        }
        self.reported_at = Some(self.at);
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

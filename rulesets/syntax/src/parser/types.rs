//! The types of declarations.

use std::collections::HashMap;

use assay_spelling::near;

use super::{Parser, Read, Stop};
use crate::Diagnostic;
use crate::ast::{Ident, Text, TypeExpr};
use crate::lexer::{TokenKind, shown};

pub(super) const TYPES: [&str; 3] = ["boolean", "numeric", "enum"];

const ENUM_HELP: &str =
    "write `enum [\"a\", \"b\"]`, or `enum {\"a\", \"b\"}` where the order does not count";

impl Parser<'_> {
    /// A type, for the declaration of `names`.
    pub(super) fn type_expr(&mut self, names: &[Ident]) -> Read<TypeExpr> {
        let token = self.current();
        if token.kind != TokenKind::Word || self.at_statement() {
            return Err(self.unexpected("a type: `boolean`, `numeric` or `enum`"));
        }
        let word = self.text(token);
        self.bump();
        let ty = match word {
            "boolean" => TypeExpr::Boolean,
            "numeric" => TypeExpr::Numeric,
            "enum" => return self.vocabulary(),
            _ => {
                let (ty, help) = meant(word);
                let error = Diagnostic::error(token.span, format!("`{}` is not a type", shown(word)));
                self.report(error.help(help));
                if near(word, TYPES) == Some("enum") {
                    return self.vocabulary();
                }
                // What follows is of the other type.
                while !self.is_symbol(";") && !self.at_end() && !self.at_statement() {
                    self.bump();
                }
                return Ok(ty);
            }
        };
        if self.current().kind == TokenKind::Text && matches!(ty, TypeExpr::Numeric) {
            let unit = shown(&self.contents(self.current()));
            let name = names.first().map_or("x", |name| name.name.as_str());
            let help = format!("declare the unit in a comment: `// @unit {name} {unit}`");
            let message = "a declaration has no unit".to_owned();
            self.unexpected_with(message, Some(help));
            self.bump();
        }
        Ok(ty)
    }

    /// The vocabulary after `enum`.
    fn vocabulary(&mut self) -> Read<TypeExpr> {
        let open = self.current();
        let ordered = match open.kind {
            TokenKind::Symbol("[") => true,
            TokenKind::Symbol("{") => false,
            TokenKind::Symbol("(") => {
                self.unexpected_with(
                    "a vocabulary stands in `[ ]` or `{ }`".to_owned(),
                    Some(ENUM_HELP.to_owned()),
                );
                self.bump();
                self.list(open, Self::member, |_| None);
                return Ok(TypeExpr::Error);
            }
            _ => {
                let message = format!("expected the members of the enum, found {}", self.found());
                return Err(self.unexpected_with(message, Some(ENUM_HELP.to_owned())));
            }
        };
        self.bump();
        let members = self.list(open, Self::member, |_| None);
        if members.is_empty() {
            let span = self.since(open.span);
            self.report(Diagnostic::error(span, "an enum without members").help(ENUM_HELP));
        }
        let whole = !members.is_empty() && members.iter().all(Option::is_some);
        let members = self.distinct(members.into_iter().flatten().collect());
        Ok(if whole { TypeExpr::Enum { ordered, members } } else { TypeExpr::Error })
    }

    /// One member; `None` where it was reported.
    fn member(&mut self) -> Read<Option<Text>> {
        let token = self.current();
        match token.kind {
            TokenKind::Text => {
                self.bump();
                Ok(Some(Text { value: self.contents(token), span: token.span }))
            }
            TokenKind::Word | TokenKind::Number if !self.at_statement() => {
                let word = shown(self.text(token));
                let message = format!("a member of an enum stands in quotes, found `{word}`");
                let stop = self.unexpected_with(message, Some(format!("write `\"{word}\"`")));
                self.bump();
                // The words up to the comma are of the one member.
                if self.is_symbol(",") { Ok(Some(Text { value: word, span: token.span })) } else { Err(stop) }
            }
            TokenKind::Bad => {
                self.bump();
                Err(Stop)
            }
            _ => Err(self.unexpected("a member in quotes")),
        }
    }

    /// The members, each once; those listed twice are reported.
    fn distinct(&mut self, members: Vec<Text>) -> Vec<Text> {
        let mut first = HashMap::new();
        let mut distinct = Vec::with_capacity(members.len());
        for member in members {
            match first.get(&member.value) {
                None => {
                    first.insert(member.value.clone(), member.span);
                    distinct.push(member);
                }
                Some(span) => {
                    let message = format!("the member `{}` is listed twice", shown(&member.value));
                    let error = Diagnostic::error(member.span, message).help("remove one of the two");
                    self.report(error.related(*span, "it is listed here first"));
                }
            }
        }
        distinct
    }
}

/// What somebody who writes the type of another language means here.
fn meant(word: &str) -> (TypeExpr, String) {
    let lower = word.to_lowercase();
    match lower.as_str() {
        "bool" | "flag" | "yesno" => (TypeExpr::Boolean, "write `boolean`".to_owned()),
        "integer" | "int" | "real" | "float" | "double" | "decimal" | "number" | "num" | "rational"
        | "money" => (TypeExpr::Numeric, "write `numeric`".to_owned()),
        "symbol" | "string" | "str" | "text" => (TypeExpr::Error, ENUM_HELP.to_owned()),
        "date" | "datetime" | "time" | "duration" => {
            (TypeExpr::Error, "write `numeric`, for a number of days with the unit `d`".to_owned())
        }
        _ => match near(word, TYPES) {
            Some("boolean") => (TypeExpr::Boolean, "write `boolean`".to_owned()),
            Some("numeric") => (TypeExpr::Numeric, "write `numeric`".to_owned()),
            Some(_) => (TypeExpr::Error, "write `enum`".to_owned()),
            None => (TypeExpr::Error, "the types are `boolean`, `numeric` and `enum`".to_owned()),
        },
    }
}

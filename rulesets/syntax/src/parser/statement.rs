//! Statements.

use assay_spelling::near;

use super::types::TYPES;
use super::{Parser, Read, Stop};
use crate::ast::{Assert, Declare, Ident, Item, Let, Module, Text, TypeExpr, UnknownPolicy};
use crate::lexer::{TokenKind, shown};
use crate::words::STATEMENTS;
use crate::{Diagnostic, Span};

const VERSIONS: [&str; 2] = ["1.2", "1.3"];
const POLICIES: [(&str, UnknownPolicy); 3] = [
    ("neutral", UnknownPolicy::Neutral),
    ("pessimistic", UnknownPolicy::Pessimistic),
    ("optimistic", UnknownPolicy::Optimistic),
];

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Module {
        let mut module = Module::default();
        while !self.at_end() {
            let start = self.at;
            (self.depth, self.too_deep) = (0, false);
            if self.statement(&mut module).is_err() {
                self.skip_statement();
            }
            if self.at == start {
                self.bump();
            }
        }
        module
    }

    fn statement(&mut self, module: &mut Module) -> Read<()> {
        let start = self.current();
        let first = self.at == 0;
        match self.statement_word()? {
            "version" => self.version(start.span, module, first),
            "declare" => self.declare(start.span, module),
            "let" => {
                let item = self.definition(start.span)?;
                module.items.push(Item::Let(item));
                self.semicolon()
            }
            _ => {
                let description = self.descriptions.above(start.span.start);
                let item = self.assertion(start.span, description)?;
                module.items.push(Item::Assert(item));
                self.semicolon()
            }
        }
    }

    /// The word a statement begins with; a misspelt one is reported and taken for what it meant.
    fn statement_word(&mut self) -> Read<&'static str> {
        let token = self.current();
        let word = self.word(0);
        if let Some(known) = STATEMENTS.into_iter().find(|known| *known == word) {
            self.bump();
            return Ok(known);
        }
        if self.is_symbol(";") {
            let stop =
                self.unexpected_with("a `;` that ends no statement".to_owned(), Some("remove it".to_owned()));
            while self.eat(";") {}
            return Err(stop);
        }
        let expected = "a statement: `version`, `declare`, `let` or `assert`";
        match near(word, STATEMENTS) {
            Some(meant) if !word.is_empty() && self.token(1).kind != TokenKind::Symbol("(") => {
                let message = format!("expected {expected}, found `{}`", shown(word));
                let error = Diagnostic::error(token.span, message).help(format!("write `{meant}`"));
                self.report(error);
                self.bump();
                Ok(meant)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Passes over the rest of a statement that could not be read.
    fn skip_statement(&mut self) {
        // The token it stopped at may be the statement's own first word.
        while !self.at_end() && !self.at_statement() {
            if self.bump().kind == TokenKind::Symbol(";") {
                return;
            }
        }
    }

    fn semicolon(&mut self) -> Read<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.at_end() || self.at_statement() || self.statement_follows() {
            let end = self.previous().span.end;
            let quiet = self.reported_at == Some(self.at) || self.previous().kind == TokenKind::Bad;
            if !quiet {
                let error = Diagnostic::error(Span { start: end, end }, "a statement ends with `;`");
                self.report(error.help("write `;` here"));
            }
            return Ok(());
        }
        Err(self.unexpected("`;`"))
    }

    /// Whether what stands here is a misspelt statement in a line of its own.
    fn statement_follows(&self) -> bool {
        let between = Span { start: self.previous().span.end, end: self.current().span.start };
        let word = self.word(0);
        !word.is_empty()
            && self.source.slice(between).contains('\n')
            && near(word, STATEMENTS).is_some()
            && self.token(1).kind == TokenKind::Word
    }

    fn version(&mut self, start: Span, module: &mut Module, first: bool) -> Read<()> {
        let token = self.current();
        if !matches!(token.kind, TokenKind::Number | TokenKind::Text) {
            return Err(self.unexpected("a version: `1.2` or `1.3`"));
        }
        self.bump();
        let value = self.text(token);
        let span = self.since(start);
        if !VERSIONS.contains(&value) {
            let message = format!("`{}` is not a version of the language", shown(value));
            self.report(
                Diagnostic::error(token.span, message).help("write `version 1.3;` or `version 1.2;`"),
            );
        } else if let Some(earlier) = &module.version {
            let error = Diagnostic::error(span, "a second version").help("remove one of the two");
            self.report(error.related(earlier.span, "the first stands here"));
        } else if !first {
            let error = Diagnostic::error(span, "the version does not stand first");
            self.report(error.help("move it to the top of the source"));
        }
        module.version.get_or_insert(Text { value: value.to_owned(), span: token.span });
        self.semicolon()
    }

    fn declare(&mut self, start: Span, module: &mut Module) -> Read<()> {
        let local = self.eat_word("local");
        let what = if local { "a local" } else { "a claim" };
        if let Some(result) = self.type_first(module, local, start) {
            return result;
        }
        let mut names = vec![self.declared_name(what)?];
        while self.is_symbol(",") {
            let help = "write a declaration for each".to_owned();
            self.unexpected_with("one declaration names one claim".to_owned(), Some(help));
            self.bump();
            self.reported_at = Some(self.at + 1);
            names.push(self.declared_name(what)?);
        }
        let hyphened = self.hyphened(&mut names);
        let ty = match self.as_type(&names, local) {
            Ok(ty) => ty,
            Err(Stop) => {
                self.push_declared(module, names, local, TypeExpr::Error, start);
                return Err(Stop);
            }
        };
        let ty = if hyphened { TypeExpr::Error } else { ty };
        self.push_declared(module, names, local, ty, start);
        self.semicolon()
    }

    /// Reports the rest of a name with hyphens, and takes the words of it for names, so that their uses are not
    /// reported too.
    fn hyphened(&mut self, names: &mut Vec<Ident>) -> bool {
        let Some(first) = names.first().map(|name| name.span) else { return false };
        let (hyphen, rest) = (self.current(), self.token(1));
        let adjacent = hyphen.span.start == first.end && rest.span.start == hyphen.span.end;
        if !(self.is_symbol("-") && adjacent && rest.kind == TokenKind::Word) {
            return false;
        }
        while self.is_symbol("-") && self.current().span.start == self.previous().span.end {
            self.bump();
            let word = self.current();
            if word.kind != TokenKind::Word || word.span.start != self.previous().span.end {
                break;
            }
            names.push(Ident { name: self.text(word).to_owned(), span: word.span });
            self.bump();
        }
        let span = self.since(first);
        let name = self.source.slice(span);
        let error = Diagnostic::error(span, format!("a hyphen in the name `{}`", shown(name)));
        self.report(error.help(format!("write `{}`", shown(&name.replace('-', "_")))));
        true
    }

    /// `declare numeric x;`, which is reported. `None` where the name stands first.
    fn type_first(&mut self, module: &mut Module, local: bool, start: Span) -> Option<Read<()>> {
        let ty = match self.word(0) {
            "boolean" => TypeExpr::Boolean,
            "numeric" => TypeExpr::Numeric,
            _ => return None,
        };
        let name = Some(self.word(1))
            .filter(|word| !word.is_empty() && *word != "as" && !STATEMENTS.contains(word))?;
        let word = self.word(0);
        let help = Some(format!("write `declare {} as {word};`", shown(name)));
        self.unexpected_with("the name of a declaration stands before its type".to_owned(), help);
        self.bump();
        let name = match self.declared_name("a claim") {
            Ok(name) => name,
            Err(Stop) => return Some(Err(Stop)),
        };
        self.push_declared(module, vec![name], local, ty, start);
        Some(self.semicolon())
    }

    fn as_type(&mut self, names: &[Ident], local: bool) -> Read<TypeExpr> {
        if !self.eat_word("as") {
            let message = format!("expected `as` and a type, found {}", self.found());
            let name = shown(names.first().map_or("x", |name| name.name.as_str()));
            let declare = if local { "declare local" } else { "declare" };
            let help = match [self.word(0), self.word(1)].into_iter().find(|word| TYPES.contains(word)) {
                Some(ty) => format!("write `{declare} {name} as {ty}`"),
                None => format!(
                    "write `{declare} {name} as TYPE;`, with `boolean`, `numeric` or `enum` for its type"
                ),
            };
            let stop = self.unexpected_with(message, Some(help));
            let stands_for_as = matches!(self.current().kind, TokenKind::Symbol(":" | "=" | ":="))
                || matches!(self.word(0), "is" | "As" | "AS" | "a");
            if stands_for_as {
                self.bump();
            } else if !TYPES.contains(&self.word(0)) {
                return Err(stop);
            }
        }
        self.type_expr(names)
    }

    fn push_declared(&self, module: &mut Module, names: Vec<Ident>, local: bool, ty: TypeExpr, start: Span) {
        let span = self.since(start);
        module.items.extend(
            names.into_iter().map(|name| Item::Declare(Declare { name, local, ty: ty.clone(), span })),
        );
    }

    fn definition(&mut self, start: Span) -> Read<Let> {
        let name = self.declared_name("a local")?;
        if !self.eat("=") {
            let message = format!("expected `=`, found {}", self.found());
            let stop =
                self.unexpected_with(message, Some(format!("write `let {} = ...;`", shown(&name.name))));
            if !(self.eat("==") || self.eat(":=")) {
                return Err(stop);
            }
        }
        let begin = self.current().span;
        let value = self.recovering(begin, Self::expression);
        Ok(Let { name, value, span: self.since(start) })
    }

    fn assertion(&mut self, start: Span, description: Option<String>) -> Read<Assert> {
        let name = self.declared_name("an assertion")?;
        let policy = self.policy()?;
        let open = self.current();
        if !self.is_symbol("{") {
            let message = format!("expected `{{`, found {}", self.found());
            let help = format!("write `assert {} {{ ... }};`", shown(&name.name));
            return Err(self.unexpected_with(message, Some(help)));
        }
        self.bump();
        let begin = self.current().span;
        let body = self.recovering(begin, Self::expression);
        self.end_of_body(open.span);
        Ok(Assert { name, policy, body, description, span: self.since(start) })
    }

    /// `read`, or an error node and the next place where something is known again.
    fn recovering(
        &mut self,
        begin: Span,
        read: impl FnOnce(&mut Self) -> Read<crate::ast::Expr>,
    ) -> crate::ast::Expr {
        read(self).unwrap_or_else(|Stop| {
            let expr = self.error_expr(begin);
            self.skip();
            expr
        })
    }

    /// The `}` of an assertion, and what people put before it.
    fn end_of_body(&mut self, open: Span) {
        if self.eat("}") {
            return;
        }
        if self.is_symbol(";") && matches!(self.token(1).kind, TokenKind::Symbol("}")) {
            let help = "write `;` after the `}` only".to_owned();
            self.unexpected_with("a `;` inside the braces".to_owned(), Some(help));
            self.bump();
            self.bump();
            return;
        }
        let found = self.found();
        let stray = self.is_symbol(";") || self.is_symbol(",");
        let guess = self.guess().or_else(|| self.comment_in_body());
        let here = self.current();
        let quiet = self.reported_at == Some(self.at)
            || [self.previous(), here].iter().any(|token| token.kind == TokenKind::Bad);
        let closed = self.skip_body();
        if !quiet {
            let error = Diagnostic::error(here.span, format!("expected `}}`, found {found}"));
            let error = error.related(open, "the braces open here");
            let one = "an assertion holds one formula: join several with `And(a, b)`".to_owned();
            self.report(match guess.or_else(|| (stray && closed).then_some(one)) {
                Some(help) => error.help(help),
                None => error,
            });
        }
        if !closed {
            self.reported_at = Some(self.at);
        }
    }

    /// What a comment that took the closing brace with it calls for, if that is what stands here.
    fn comment_in_body(&self) -> Option<String> {
        let between = Span { start: self.previous().span.end, end: self.current().span.start };
        let line = self.source.slice(between).lines().next().unwrap_or_default();
        let taken = line.trim_start().starts_with("//") && line.contains('}');
        taken.then(|| "`//` begins a comment, in which the `}` stands; write `/` to divide".to_owned())
    }

    /// Passes over the rest of an assertion's body and the brace that closes it. Whether there was one before the
    /// next statement.
    fn skip_body(&mut self) -> bool {
        let mut open = 0usize;
        while !self.at_end() && !self.at_statement() {
            match self.bump().kind {
                TokenKind::Symbol("{") => open += 1,
                TokenKind::Symbol("}") if open == 0 => return true,
                TokenKind::Symbol("}") => open -= 1,
                _ => {}
            }
        }
        false
    }

    fn policy(&mut self) -> Read<UnknownPolicy> {
        if !self.eat("[") {
            return Ok(UnknownPolicy::Neutral);
        }
        let token = self.current();
        let word = self.word(0);
        let policy = POLICIES.into_iter().find(|(name, _)| *name == word).map(|(_, policy)| policy);
        if policy.is_none() {
            let names = POLICIES.map(|(name, _)| name);
            let help = match near(word, names) {
                Some(meant) if !word.is_empty() => format!("write `[{meant}]`"),
                _ => "the policies are `neutral`, `pessimistic` and `optimistic`".to_owned(),
            };
            let message = format!("expected the policy for unknowns, found {}", self.found());
            let stop = self.unexpected_with(message, Some(help));
            if token.kind == TokenKind::Symbol("{") || self.at_end() || self.at_statement() {
                return Err(stop);
            }
        }
        if !self.is_symbol("]") {
            self.bump();
        }
        if !self.eat("]") {
            return Err(self.unexpected("`]`"));
        }
        Ok(policy.unwrap_or_default())
    }
}

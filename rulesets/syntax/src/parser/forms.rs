//! Calls, quantifiers, IF and CASE.

use assay_spelling::near;

use super::{Parser, Read, Stop};
use crate::ast::{Arm, Expr, ExprKind, Quantified, Quantifier};
use crate::lexer::{Token, TokenKind, shown};
use crate::words::{self, Builtin};
use crate::{Diagnostic, Span};

fn error(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, span }
}

/// What to write for a function that other languages have.
fn of_other_languages(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "count" => "write `CountWhere(x in {a, b}, condition)`",
        "sum" => "write a sum: `a + b + c`",
        "all" | "every" => "write `ForAll(x in {a, b}, condition)`",
        "any" | "some" => "write `Exists(x in {a, b}, condition)`",
        "min" | "max" | "abs" => "write a choice: `If(a < b, a, b)`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// A word and what it is applied to in round brackets.
    pub(super) fn application(&mut self) -> Read<Expr> {
        let name = self.bump();
        let word = self.text(name);
        let open = self.bump();
        let known = words::builtins().find(|known| *known == word);
        let meant = known.or_else(|| self.misspelt(name, word));
        let Some(meant) = meant else {
            self.list(open, Self::expression, error);
            return Ok(self.error_expr(name.span));
        };
        if let Some(quantifier) = words::quantifier(meant) {
            return Ok(self.quantified(quantifier, name, open));
        }
        let arguments = self.list(open, Self::expression, error);
        let span = self.since(name.span);
        Ok(match words::function(meant) {
            Some(builtin) => self.call(builtin, arguments, name, span),
            None => self.if_call(arguments, name, span),
        })
    }

    /// Reports a word that is no built-in, and finds the one it means.
    fn misspelt(&mut self, name: Token, word: &str) -> Option<&'static str> {
        let other = of_other_languages(word);
        let meant = near(word, words::builtins()).filter(|_| other.is_none());
        let help = match (other, meant) {
            (Some(help), _) => help.to_owned(),
            (None, Some(meant)) => format!("write `{meant}(...)`"),
            (None, None) => format!("the built-ins are {}", words::builtins().collect::<Vec<_>>().join(", ")),
        };
        let error = Diagnostic::error(name.span, format!("there is no `{}(...)`", shown(word)));
        self.report(error.help(help));
        meant
    }

    fn call(&mut self, builtin: Builtin, arguments: Vec<Expr>, name: Token, span: Span) -> Expr {
        let (word, function, least, most) = builtin;
        if (least..=most).contains(&arguments.len()) {
            return Expr { kind: ExprKind::Call(function, arguments), span };
        }
        let takes = match (least, most) {
            (1, 1) => "one argument".to_owned(),
            (1, _) => "one argument or more".to_owned(),
            (least, _) => format!("{least} arguments"),
        };
        let help = match (least, most, word) {
            (1, 1, _) => format!("write `{word}(a)`"),
            (_, _, "IsMember") => format!("write `{word}(value, {{a, b}})`"),
            _ => format!("write `{word}(a, b)`"),
        };
        self.arity(word, &takes, arguments.len(), name, span, help)
    }

    fn arity(
        &mut self,
        word: &str,
        takes: &str,
        given: usize,
        name: Token,
        span: Span,
        help: String,
    ) -> Expr {
        let message = format!("`{word}` takes {takes}, and {given} are given");
        let message = if given == 1 { message.replace("1 are given", "1 is given") } else { message };
        // Brackets that were not closed have other arguments than their author meant.
        if self.reported_at != Some(self.at) {
            self.report(Diagnostic::error(name.span, message).help(help));
        }
        error(span)
    }

    fn if_call(&mut self, arguments: Vec<Expr>, name: Token, span: Span) -> Expr {
        match <[Expr; 3]>::try_from(arguments) {
            Ok([condition, then, otherwise]) => {
                let otherwise = Some(Box::new(otherwise));
                Expr { kind: ExprKind::If(Box::new(condition), Box::new(then), otherwise), span }
            }
            Err(arguments) => {
                let help = match arguments.len() {
                    2 => "write `Implies(condition, a)`, or `If(condition, a, b)`",
                    _ => "write `If(condition, a, b)`",
                };
                self.arity("If", "3 arguments", arguments.len(), name, span, help.to_owned())
            }
        }
    }

    /// The rest of `Kind([n,] x in set, body)`, after its opening bracket.
    fn quantified(&mut self, quantifier: Quantifier, name: Token, open: Token) -> Expr {
        match self.quantified_parts(quantifier) {
            Ok(parts) if self.is_symbol(")") => {
                self.bump();
                Expr { kind: ExprKind::Quantified(Box::new(parts)), span: self.since(name.span) }
            }
            read => {
                if read.is_ok() {
                    self.out_of_form(quantifier);
                }
                // To the bracket that closes it.
                self.list(
                    open,
                    |parser| -> Read<()> {
                        parser.skip();
                        Ok(())
                    },
                    |_| (),
                );
                self.error_expr(name.span)
            }
        }
    }

    fn quantified_parts(&mut self, quantifier: Quantifier) -> Read<Quantified> {
        let count = if quantifier.counted() {
            if self.word(1) == "in" && self.current().kind == TokenKind::Word {
                return Err(self.out_of_form(quantifier));
            }
            let count = self.expression()?;
            self.comma(quantifier)?;
            Some(count)
        } else {
            None
        };
        if self.current().kind != TokenKind::Word || self.word(1) != "in" {
            return Err(self.out_of_form(quantifier));
        }
        let variable = self.declared_name("a variable")?;
        self.bump();
        let set = self.comparison()?;
        self.comma(quantifier)?;
        let body = self.expression()?;
        Ok(Quantified { quantifier, count, variable, set, body })
    }

    fn comma(&mut self, quantifier: Quantifier) -> Read<()> {
        if self.eat(",") { Ok(()) } else { Err(self.out_of_form(quantifier)) }
    }

    fn out_of_form(&mut self, quantifier: Quantifier) -> Stop {
        let form = quantifier.form();
        let word = form.split('(').next().unwrap_or_default();
        let message = format!("`{word}` is out of form at {}", self.found());
        self.unexpected_with(message, Some(format!("write `{form}`")))
    }

    /// `IF c THEN a [ELSE b] END`
    pub(super) fn if_form(&mut self) -> Read<Expr> {
        let start = self.bump();
        let condition = self.part();
        if matches!(condition.kind, ExprKind::Error) && !self.word(0).eq_ignore_ascii_case("THEN") {
            // `IF(a, b, c)`, or whatever else was reported: where its condition ends nobody can tell.
            return Err(Stop);
        }
        self.keyword("THEN", start)?;
        let then = self.part();
        let otherwise = if self.eat_form_word("ELSE") { Some(Box::new(self.part())) } else { None };
        self.keyword("END", start)?;
        let span = self.since(start.span);
        Ok(Expr { kind: ExprKind::If(Box::new(condition), Box::new(then), otherwise), span })
    }

    /// `CASE s OF "x": e, ..., DEFAULT: e END`
    pub(super) fn case_form(&mut self) -> Read<Expr> {
        let start = self.bump();
        let subject = self.part();
        self.keyword("OF", start)?;
        let mut arms = Vec::new();
        let mut default = None;
        let mut whole = true;
        loop {
            if self.eat_form_word("DEFAULT") {
                whole &= self.colon();
                let branch = self.part();
                if self.is_symbol(",") && self.word(1) != "END" {
                    self.unexpected_with(
                        "`DEFAULT` stands last".to_owned(),
                        Some("move it to the end".to_owned()),
                    );
                    whole = false;
                }
                default = Some(Box::new(branch));
            } else {
                match self.label() {
                    Ok(label) => {
                        whole &= self.colon();
                        arms.push(Arm { label, body: self.part() });
                    }
                    Err(Stop) => {
                        whole = false;
                        self.skip();
                    }
                }
            }
            if !self.is_symbol(",") {
                break;
            }
            let comma = self.bump();
            if self.word(0) == "END" {
                let message = "a comma before `END`";
                self.report(Diagnostic::error(comma.span, message).help("remove the comma"));
                break;
            }
        }
        self.keyword("END", start)?;
        let span = self.since(start.span);
        if whole && arms.is_empty() {
            let help = "write a branch for a member: `\"a\": ...`";
            self.report(Diagnostic::error(start.span, "a `CASE` without a labelled branch").help(help));
            return Ok(error(span));
        }
        Ok(if whole {
            Expr { kind: ExprKind::Case(Box::new(subject), arms, default), span }
        } else {
            error(span)
        })
    }

    /// A part of a form, up to the form's next word; an error node where it cannot be read.
    fn part(&mut self) -> Expr {
        let begin = self.current().span;
        self.expression().unwrap_or_else(|Stop| {
            self.skip();
            self.error_expr(begin)
        })
    }

    fn label(&mut self) -> Read<Expr> {
        let token = self.current();
        match token.kind {
            TokenKind::Text => {
                self.bump();
                Ok(Expr { kind: ExprKind::Text(self.contents(token)), span: token.span })
            }
            TokenKind::Number => self.number(None),
            TokenKind::Symbol("-") if self.token(1).kind == TokenKind::Number => {
                self.bump();
                self.number(Some(token))
            }
            TokenKind::Word if self.word(0) != "END" && !self.at_statement() => {
                let word = shown(self.text(token));
                let message = format!("a label is a member in quotes or a number, found `{word}`");
                Err(self.unexpected_with(message, Some(format!("write `\"{word}\"`"))))
            }
            _ => Err(self.unexpected("a label: a member in quotes, a number, or `DEFAULT`")),
        }
    }

    fn colon(&mut self) -> bool {
        let there = self.eat(":");
        if !there {
            self.unexpected("`:` after the label");
        }
        there
    }

    /// A word of a form, in its own case or, reported, in another.
    fn eat_form_word(&mut self, word: &str) -> bool {
        let token = self.current();
        let written = self.word(0);
        if written != word && written.eq_ignore_ascii_case(word) {
            let error = Diagnostic::error(token.span, format!("`{written}` is not a keyword"));
            self.report(error.help(format!("write `{word}`")));
            self.bump();
            return true;
        }
        self.eat_word(word)
    }

    /// The word that must come next in the form that began at `start`.
    fn keyword(&mut self, word: &str, start: Token) -> Read<()> {
        if self.eat_form_word(word) {
            return Ok(());
        }
        let form = self.text(start);
        let message = format!(
            "expected `{word}` of the `{form}` in line {}, found {}",
            self.line_of(start),
            self.found()
        );
        let help = match (word, self.current().kind) {
            ("END", TokenKind::Symbol(":") | TokenKind::Text) => {
                "write a comma between the branches".to_owned()
            }
            ("END", _) => format!(
                "every `IF` and every `CASE` has an `END` of its own: write `END` to close this `{form}`"
            ),
            ("THEN", _) => "write `IF condition THEN a ELSE b END`".to_owned(),
            _ => "write `CASE subject OF \"a\": ..., \"b\": ... END`".to_owned(),
        };
        Err(self.unexpected_with(message, Some(help)))
    }

    fn line_of(&self, token: Token) -> u32 {
        self.source.position(token.span.start).line
    }

    /// Reports `if` and `case` in small letters, where they begin a form. Whether it did.
    pub(super) fn lower_case_form(&mut self) -> bool {
        let word = self.word(0);
        let meant = match word.to_ascii_lowercase().as_str() {
            "if" => "IF condition THEN a ELSE b END",
            "case" => "CASE subject OF \"a\": ..., DEFAULT: ... END",
            _ => return false,
        };
        let begins = matches!(self.token(1).kind, TokenKind::Word | TokenKind::Number | TokenKind::Text)
            && !self.word(1).eq_ignore_ascii_case("then")
            && !matches!(self.word(1), "ELSE" | "END" | "OF");
        if begins {
            let message = format!("`{word}` is not a keyword");
            self.unexpected_with(message, Some(format!("write `{meant}`")));
        }
        begins
    }
}

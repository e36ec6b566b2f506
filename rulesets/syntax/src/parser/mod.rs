//! From tokens to a module.
//!
//! A hand-written parser by recursive descent. What it cannot read it reports, and then goes on at the nearest place
//! where it knows again what it is looking at: the next argument, the end of the brackets, the next statement. In
//! between it keeps silent, so that one mistake gives one message. [`crate::ast::ExprKind::Error`] stands where
//! nothing could be read.

mod expression;
mod forms;
mod list;
mod logic;
mod statement;
mod types;

use crate::annotations::{Descriptions, annotations};
use crate::ast::{Expr, ExprKind, Ident, Module};
use crate::findings::Findings;
use crate::lexer::{Lexed, Token, TokenKind, lex, shown, unescape};
use crate::words::{self, Taken};
use crate::{Diagnostic, Source, Span};

/// The most bytes of a normalised source.
pub const SOURCE_BYTES: usize = 256 * 1024;

/// The most brackets, calls, IFs, CASEs and repeated signs around any place.
pub const NESTING: usize = 128;

/// What was read of a source. Where there is an error among the diagnostics the source is refused; its module
/// then holds what could be read, so that the next phase can report its own errors beside these.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The normalised source; `None` where the bytes are no text at all, or too many.
    pub source: Option<Source>,
    /// What could be read.
    pub module: Module,
    /// Errors and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a source, and reports every error of syntax in it at once. Never panics, whatever the bytes.
pub fn parse(bytes: &[u8]) -> Parsed {
    let text = match text(bytes) {
        Ok(text) => text,
        Err(refusal) => {
            return Parsed { source: None, module: Module::default(), diagnostics: vec![*refusal] };
        }
    };
    let source = Source::new(text);
    let mut findings = Findings::default();
    let lexed = lex(&source, &mut findings);
    let annotations = annotations(&source, &lexed.comments, &mut findings);
    let mut parser = Parser {
        descriptions: Descriptions::new(&source, &lexed.comments),
        source: &source,
        lexed: &lexed,
        findings: &mut findings,
        at: 0,
        reported_at: None,
        depth: 0,
        too_deep: false,
    };
    let mut module = parser.module();
    module.annotations = annotations;
    Parsed { module, diagnostics: findings.into_sorted(), source: Some(source) }
}

/// The text that bytes are, if they are one of a size that is read.
fn text(bytes: &[u8]) -> Result<&str, Box<Diagnostic>> {
    let carriage_returns = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    let size = bytes.len() - carriage_returns;
    if size > SOURCE_BYTES {
        let message = format!("the source has {size} bytes, and {SOURCE_BYTES} is the most");
        let error = Diagnostic::error(Span::default(), message).help("divide it into several rulesets");
        return Err(Box::new(error.budget("source_bytes", SOURCE_BYTES as u64, size as u64)));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        let message = format!("byte {} of the source, in line {line}, is not UTF-8", valid.len() + 1);
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let help = if utf16 { "it looks like UTF-16: save it as UTF-8" } else { "save the source as UTF-8" };
        Box::new(Diagnostic::error(Span::default(), message).help(help))
    })
}

/// What could not be read was reported: go on at the nearest place of recovery.
struct Stop;

type Read<T> = Result<T, Stop>;

struct Parser<'a> {
    source: &'a Source,
    lexed: &'a Lexed,
    findings: &'a mut Findings,
    descriptions: Descriptions<'a>,
    /// The place of the token that is looked at.
    at: usize,
    /// The place of the last unexpected token that was reported.
    reported_at: Option<usize>,
    /// How many nesting forms are open.
    depth: usize,
    /// Whether the statement was reported for its depth.
    too_deep: bool,
}

// Looking and moving.
impl<'a> Parser<'a> {
    fn token(&self, ahead: usize) -> Token {
        let tokens = &self.lexed.tokens;
        // INVARIANT: the lexer ends every list of tokens with `End`.
        #[allow(clippy::expect_used)]
        let end = tokens.last().expect("a last token");
        *tokens.get(self.at + ahead).unwrap_or(end)
    }

    fn current(&self) -> Token {
        self.token(0)
    }

    fn previous(&self) -> Token {
        let at = self.at.saturating_sub(1);
        self.lexed.tokens.get(at).copied().unwrap_or_else(|| self.current())
    }

    fn text(&self, token: Token) -> &'a str {
        self.source.slice(token.span)
    }

    /// The word that stands `ahead` tokens on; empty where no word stands.
    fn word(&self, ahead: usize) -> &'a str {
        let token = self.token(ahead);
        if token.kind == TokenKind::Word { self.text(token) } else { "" }
    }

    fn bump(&mut self) -> Token {
        let token = self.current();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.current().kind, TokenKind::Symbol(is) if is == symbol)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let there = self.is_symbol(symbol);
        if there {
            self.bump();
        }
        there
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.word(0) == word;
        if there {
            self.bump();
        }
        there
    }

    fn at_end(&self) -> bool {
        self.current().kind == TokenKind::End
    }

    /// Whether a statement begins here: its words are reserved.
    fn at_statement(&self) -> bool {
        words::STATEMENTS.contains(&self.word(0))
    }

    /// From the start of `from` to the end of what was read last.
    fn since(&self, from: Span) -> Span {
        from.to(Span { start: from.start, end: self.previous().span.end.max(from.start) })
    }

    /// Passes over what could not be read: to the next `,` or `;`, closing bracket or word of an enclosing form, or
    /// statement. Brackets, IFs and CASEs that open on the way are passed over whole.
    fn skip(&mut self) {
        let mut open = 0usize;
        while !self.at_end() && !self.at_statement() {
            match (self.current().kind, self.word(0)) {
                (TokenKind::Symbol("(" | "[" | "{"), _) | (_, "IF" | "CASE") => open += 1,
                (TokenKind::Symbol(")" | "]" | "}"), _) | (_, "END") if open == 0 => break,
                (TokenKind::Symbol(")" | "]" | "}"), _) | (_, "END") => open -= 1,
                (TokenKind::Symbol("," | ";"), _) | (_, "THEN" | "ELSE" | "OF" | "DEFAULT") if open == 0 => {
                    break;
                }
                _ => {}
            }
            self.bump();
        }
        // Nothing is expected where this stopped: what is there may be all right.
        self.reported_at = Some(self.at);
    }
}

// Reporting.
impl Parser<'_> {
    /// Reports a mistake that is known for what it is.
    fn report(&mut self, diagnostic: Diagnostic) {
        let damaged = &self.lexed.damaged;
        if damaged.is_empty() || !damaged.contains(&self.source.position(diagnostic.span.start).line) {
            self.findings.push(diagnostic);
        }
    }

    /// Reports that `expected` should stand here, unless something about this place was said already.
    fn unexpected(&mut self, expected: &str) -> Stop {
        let message = format!("expected {expected}, found {}", self.found());
        self.unexpected_with(message, None)
    }

    fn unexpected_with(&mut self, message: String, help: Option<String>) -> Stop {
        let bad = [self.previous(), self.current()].iter().any(|token| token.kind == TokenKind::Bad);
        if !bad && self.reported_at != Some(self.at) {
            let error = Diagnostic::error(self.current().span, message);
            self.report(match help.or_else(|| self.guess()) {
                Some(help) => error.help(help),
                None => error,
            });
        }
        self.reported_at = Some(self.at);
        Stop
    }

    fn found(&self) -> String {
        let token = self.current();
        match token.kind {
            TokenKind::End => "the end of the source".to_owned(),
            TokenKind::Text => format!("the string `{}`", shown(self.text(token))),
            TokenKind::Number => format!("the number `{}`", shown(self.text(token))),
            _ => format!("`{}`", shown(self.text(token))),
        }
    }

    /// What the author may have meant by an unexpected token.
    fn guess(&self) -> Option<String> {
        let (before, here, after) = (self.previous(), self.current(), self.token(1));
        let numbers = before.kind == TokenKind::Number && after.kind == TokenKind::Number;
        let adjacent = adjacent_to(before, here) && adjacent_to(here, after);
        if here.kind == TokenKind::Symbol(",") && numbers && adjacent {
            let number = shown(&format!("{}{}", self.text(before), self.text(after)));
            return Some(format!("write a number without separators: `{number}`"));
        }
        match (before.kind, self.word(0)) {
            (_, "is" | "equals") => Some("write `==`".to_owned()),
            (TokenKind::Text, word) if !word.is_empty() && adjacent_to(before, here) => {
                Some("write a quote inside a string as `\\\"`".to_owned())
            }
            _ => None,
        }
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == NESTING {
            if !std::mem::replace(&mut self.too_deep, true) {
                let message = format!("nested more than {NESTING} deep");
                let error = Diagnostic::error(self.current().span, message)
                    .help("give a part of it a name with `declare local` and `let`");
                self.report(error.budget("nesting", NESTING as u64, NESTING as u64 + 1));
            }
            self.reported_at = Some(self.at);
            return Err(Stop);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

// Small pieces.
impl Parser<'_> {
    /// A name that is declared here: of a claim, a local, an assertion, a variable.
    fn declared_name(&mut self, what: &str) -> Read<Ident> {
        let token = self.current();
        if token.kind != TokenKind::Word {
            return Err(self.unexpected(&format!("the name of {what}")));
        }
        let name = self.text(token).to_owned();
        if let Some(taken) = words::taken(&name) {
            // `as` or a statement's word here may mean that the name is missing.
            let names =
                matches!(self.token(1).kind, TokenKind::Symbol("{" | "=" | "[")) || self.word(1) == "as";
            if (self.at_statement() || name == "as") && !names {
                return Err(self.unexpected(&format!("the name of {what}")));
            }
            let why = match taken {
                Taken::Keyword => "a keyword",
                Taken::Reserved => "reserved",
                Taken::Builtin => "the name of a built-in",
            };
            let message = format!("`{name}` is {why} and cannot be the name of {what}");
            self.report(
                Diagnostic::error(token.span, message).help(format!("write another name, such as `{name}_`")),
            );
        }
        self.bump();
        Ok(Ident { name, span: token.span })
    }

    /// The contents of the string that is looked at.
    fn contents(&self, token: Token) -> String {
        unescape(self.text(token))
    }

    fn error_expr(&self, from: Span) -> Expr {
        Expr { kind: ExprKind::Error, span: self.since(from) }
    }
}

fn adjacent_to(before: Token, after: Token) -> bool {
    before.span.end == after.span.start
}

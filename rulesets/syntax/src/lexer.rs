//! From text to tokens and comments.
//!
//! Reading never stops: what is no token is reported once and becomes [`TokenKind::Bad`], about which the parser
//! keeps silent.

mod number;
mod string;

use std::collections::HashSet;

use crate::findings::Findings;
use crate::{Diagnostic, Source, Span};

pub(crate) use string::unescape;

/// The most characters of an identifier.
const IDENTIFIER_CHARACTERS: usize = 128;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// A well-formed number, without a sign.
    Number,
    /// A string, quotes included.
    Text,
    /// Punctuation or an operator, among them some that other languages have.
    Symbol(&'static str),
    /// Something that was reported already.
    Bad,
    /// After the last token.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// A comment, from its `//` to the end of its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comment {
    pub(crate) span: Span,
    /// Whether nothing but white space stands before it in its line.
    pub(crate) alone: bool,
}

/// The tokens of a source, the last of them [`TokenKind::End`], and its comments.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    /// The lines with a string that is never closed: what stands there is not what its author sees.
    pub(crate) damaged: HashSet<u32>,
}

/// The longest first, so that `<=` is not `<` and `=`.
const SYMBOLS: [&str; 34] = [
    "==>", "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "=>", "->", "<>", "=<", ":=", "**", "=", "<",
    ">", "!", "&", "|", "^", "(", ")", "[", "]", "{", "}", ",", ";", ":", "+", "-", "*",
];

/// Reads the tokens of a source.
pub(crate) fn lex(source: &Source, findings: &mut Findings) -> Lexed {
    let lexed = Lexed { tokens: Vec::new(), comments: Vec::new(), damaged: HashSet::new() };
    let mut lexer =
        Lexer { source, text: source.text(), at: 0, lexed, findings, long: HashSet::new(), nul: false };
    lexer.run();
    lexer.lexed
}

struct Lexer<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    lexed: Lexed,
    findings: &'a mut Findings,
    /// The identifiers that are too long and were reported.
    long: HashSet<&'a str>,
    nul: bool,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let Some(next) = self.peek() {
            let start = self.at;
            match next {
                ' ' | '\t' | '\n' => self.at += 1,
                '\0' => self.nul(),
                '\u{feff}' => self.byte_order_mark(),
                'a'..='z' | 'A'..='Z' | '_' => self.word(),
                '0'..='9' => self.number(),
                '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
                '"' => self.string(),
                '\'' | '`' | '\u{2018}' | '\u{201c}' | '\u{201e}' | '\u{ab}' => self.foreign_string(next),
                '/' if self.rest().starts_with("//") => self.comment(),
                '/' if self.rest().starts_with("/*") => self.block_comment(),
                '#' => self.hash_comment(),
                '/' => self.symbol("/"),
                '%' => self.symbol("%"),
                _ => match SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol)) {
                    Some(symbol) => self.symbol(symbol),
                    None if next.is_alphanumeric() => self.foreign_word(),
                    None => self.stray(next),
                },
            }
            debug_assert!(self.at > start, "the lexer moves on");
        }
        let end = self.span(self.text.len());
        self.lexed.tokens.push(Token { kind: TokenKind::End, span: end });
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_while(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    fn skip_line(&mut self) {
        self.skip_while(|c| c != '\n');
    }

    /// From `start` to where the lexer stands.
    fn span(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span(start);
        self.lexed.tokens.push(Token { kind, span });
    }

    fn bad(&mut self, start: usize, message: String, help: impl Into<String>) {
        self.findings.push(Diagnostic::error(self.span(start), message).help(help));
        self.push(TokenKind::Bad, start);
    }

    fn symbol(&mut self, symbol: &'static str) {
        let start = self.at;
        self.at += symbol.len();
        self.push(TokenKind::Symbol(symbol), start);
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.peek().is_some_and(char::is_alphanumeric) {
            self.at = start;
            return self.foreign_word();
        }
        let word = self.since(start);
        if word.len() > IDENTIFIER_CHARACTERS && self.long.insert(word) {
            let message =
                format!("a name of {} characters, and {IDENTIFIER_CHARACTERS} is the most", word.len());
            let error = Diagnostic::error(self.span(start), message).help("shorten it");
            self.findings.push(error.budget(
                "identifier_characters",
                IDENTIFIER_CHARACTERS as u64,
                word.len() as u64,
            ));
        }
        self.push(TokenKind::Word, start);
    }

    fn foreign_word(&mut self) {
        let start = self.at;
        self.skip_while(|c| c.is_alphanumeric() || c == '_');
        let word = shown(self.since(start));
        if word.chars().all(char::is_numeric) {
            self.bad(start, format!("`{word}` is not a number"), "write numbers with the digits 0 to 9");
        } else {
            let message = format!("`{word}` is not a name");
            self.bad(
                start,
                message,
                "names are made of the letters a to z and A to Z, digits and underscores",
            );
        }
    }

    fn stray(&mut self, next: char) {
        let start = self.at;
        self.skip_while(|c| c == next);
        let message = format!("`{}` is not a part of the language", shown(self.since(start)));
        let help = match next {
            '$' | '€' | '£' | '¥' => "write the currency as a unit after the number: `50 \"USD\"`",
            '≤' => "write `<=`",
            '≥' => "write `>=`",
            '≠' => "write `!=`",
            '×' | '·' => "write `*`",
            '÷' => "write `/`",
            '−' | '–' | '—' => "write `-`",
            '∧' => "write `And(a, b)`",
            '∨' => "write `Or(a, b)`",
            '¬' | '~' => "write `Not(a)`",
            '?' => "write a choice as `If(condition, a, b)`",
            '@' => "an annotation is a comment: `// @unit amount USD`",
            c if c.is_whitespace() => "write an ordinary space",
            _ => "remove it",
        };
        self.bad(start, message, help);
    }

    fn comment(&mut self) {
        let start = self.at;
        self.skip_line();
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let alone = line.chars().all(|c| c == ' ' || c == '\t');
        self.lexed.comments.push(Comment { span: self.span(start), alone });
    }

    fn hash_comment(&mut self) {
        let start = self.at;
        self.skip_line();
        let error = Diagnostic::error(self.span(start), "`#` does not begin a comment")
            .help("comments begin with `//`");
        self.findings.push(error);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let length = self.rest().find("*/").map_or(self.rest().len(), |at| at + 2);
        self.at += length;
        let opening = Span { start: start as u32, end: start as u32 + 2 };
        let error = Diagnostic::error(opening, "there are no `/* */` comments");
        self.findings.push(error.help("begin each line of the comment with `//`"));
    }

    fn nul(&mut self) {
        let start = self.at;
        self.skip_while(|c| c == '\0');
        if !std::mem::replace(&mut self.nul, true) {
            let error = Diagnostic::error(self.span(start), "the source contains a NUL character");
            self.findings.push(error.help("remove it; a ruleset is plain text"));
        }
    }

    fn byte_order_mark(&mut self) {
        let start = self.at;
        self.skip_while(|c| c == '\u{feff}');
        let error = match start {
            0 => Diagnostic::error(self.span(start), "the source begins with a byte-order mark")
                .help("save it as UTF-8 without a byte-order mark"),
            _ => {
                Diagnostic::error(self.span(start), "the source contains a byte-order mark").help("remove it")
            }
        };
        self.findings.push(error);
    }
}

/// A piece of a source as a message shows it: at most 40 characters, control characters escaped.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == MOST {
            shown.push('…');
            break;
        }
        if c.is_control() || crate::render::reorders(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

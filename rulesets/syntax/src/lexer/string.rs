//! Strings: in double quotes, in one line, with `\"` and `\\` as the only escapes.

use super::{Lexer, TokenKind, shown};
use crate::{Diagnostic, Span};

impl Lexer<'_> {
    pub(super) fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_while(|c| !matches!(c, '"' | '\\' | '\n'));
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return self.push(TokenKind::Text, start);
                }
                Some('\\') => self.escape(),
                _ => return self.unterminated(start),
            }
        }
    }

    fn escape(&mut self) {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('"' | '\\') => self.at += 1,
            // The string is unterminated, which is the greater fault.
            None | Some('\n') => {}
            Some(_) => {
                let end = start + 1 + self.peek().map_or(0, char::len_utf8);
                let span = Span { start: start as u32, end: end as u32 };
                let escape = shown(self.text.get(start..end).unwrap_or_default());
                let error = Diagnostic::error(span, format!("`{escape}` is not an escape"));
                self.findings.push(error.help("write `\\\\` for a backslash and `\\\"` for a quote"));
            }
        }
    }

    fn unterminated(&mut self, start: usize) {
        let line = self.source.position(start as u32).line;
        self.lexed.damaged.insert(line);
        let message = "the string is not closed in its line".to_owned();
        self.bad(start, message, "close it with `\"`; a string has no line break");
    }

    /// A string in the quotes of another language. Without its end, the rest of the line is its.
    pub(super) fn foreign_string(&mut self, open: char) {
        let start = self.at;
        let close = match open {
            '\u{2018}' => '\u{2019}',
            '\u{201c}' | '\u{201e}' => '\u{201d}',
            '\u{ab}' => '\u{bb}',
            same => same,
        };
        self.at += open.len_utf8();
        self.skip_while(|c| c != close && c != '\n');
        let message = format!("`{open}` is not a quote");
        if self.peek() == Some(close) {
            let contents = shown(self.text.get(start + open.len_utf8()..self.at).unwrap_or_default());
            self.at += close.len_utf8();
            self.bad(start, message, format!("write `\"{contents}\"`"));
        } else {
            let line = self.source.position(start as u32).line;
            self.lexed.damaged.insert(line);
            self.bad(start, message, "write strings in straight double quotes: `\"text\"`");
        }
    }
}

/// The contents of a string token. A backslash that begins no escape stands for itself; it was reported.
pub(crate) fn unescape(token: &str) -> String {
    let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(token);
    let mut contents = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some('"' | '\\') if c == '\\' => contents.extend(chars.next()),
            _ => contents.push(c),
        }
    }
    contents
}

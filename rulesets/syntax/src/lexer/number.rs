//! Numbers: `[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`, and what people write instead.

use super::{Lexer, TokenKind, shown};

impl Lexer<'_> {
    /// A number, or a text that begins like one.
    pub(super) fn number(&mut self) {
        let start = self.at;
        self.at += well_formed(self.rest());
        let well_formed = self.at;
        // `+` and `-` end a number, so that `1-x` is a difference.
        self.skip_while(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if self.at == well_formed {
            return self.push(TokenKind::Number, start);
        }
        let text = self.since(start);
        let rest = self.text.get(well_formed..self.at).unwrap_or_default();
        let before = self.lexed.tokens.last().map(|token| self.source.slice(token.span));
        let help = match before {
            Some("declare" | "local" | "let" | "assert") => {
                "a name begins with a letter or an underscore".to_owned()
            }
            _ => help(text, well_formed - start, rest),
        };
        self.bad(start, format!("`{}` is not a number", shown(text)), help);
    }
}

/// The length of the number at the start of a text.
fn well_formed(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    let mut end = digits(0);
    if end > 0 && text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if end > 0 && text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// What to write instead of `text`, of which `rest` is too much.
fn help(text: &str, length: usize, rest: &str) -> String {
    let number = text.get(..length).unwrap_or_default();
    let without: String = text.chars().filter(|c| *c != '_').collect();
    if let Some(fraction) = text.strip_prefix('.').filter(|fraction| well_formed(fraction) == fraction.len())
    {
        format!("write `0.{}`", shown(fraction))
    } else if rest == "." {
        format!("write `{}`", shown(number))
    } else if text.contains('_') && well_formed(&without) == without.len() {
        format!("write `{}`", shown(&without))
    } else if length > 0 && is_unit(rest) {
        format!("write a unit in quotes: `{} \"{}\"`", shown(number), shown(rest))
    } else {
        "write digits, with a fraction or an exponent where needed: `12`, `0.5`, `2.5e3`".to_owned()
    }
}

fn is_unit(text: &str) -> bool {
    !matches!(text, "e" | "E" | "x") && text.chars().all(|c| c.is_ascii_alphabetic())
}

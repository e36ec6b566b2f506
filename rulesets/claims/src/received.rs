//! The second half of a refusal: what came.

use std::fmt::{self, Write};

use assay_compile::RECEIVED_CHARACTERS;

use crate::Raw;
use crate::expected::quote;

/// What came, cut: a text as it is, whatever is in it; other values as JSON.
pub(crate) fn received(raw: &Raw<'_>) -> String {
    let mut out = Cut { text: String::new(), left: RECEIVED_CHARACTERS };
    // The only error is that it is full.
    let _ = match raw {
        Raw::Text(text) => out.write_str(text),
        other => json(other, &mut out),
    };
    out.text
}

/// A text that stops growing, and says so, when it is full.
struct Cut {
    text: String,
    left: usize,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for character in more.chars() {
            if self.left == 0 {
                return Err(fmt::Error);
            }
            self.text.push(character);
            self.left -= 1;
        }
        Ok(())
    }
}

fn json(raw: &Raw<'_>, out: &mut Cut) -> fmt::Result {
    match raw {
        Raw::Null => out.write_str("null"),
        Raw::Bool(value) => write!(out, "{value}"),
        Raw::Number(text) | Raw::Other(text) => out.write_str(text),
        Raw::NotFinite(name) => out.write_str(name),
        Raw::Text(text) => json_text(text, out),
        Raw::List(items) => {
            out.write_str("[")?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.write_str(",")?;
                }
                json(item, out)?;
            }
            out.write_str("]")
        }
        Raw::Object(fields) => {
            out.write_str("{")?;
            for (at, (key, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.write_str(",")?;
                }
                json_text(key, out)?;
                out.write_str(":")?;
                json(value, out)?;
            }
            out.write_str("}")
        }
    }
}

/// A text in quotes; no more of it is escaped than can be shown.
fn json_text(text: &str, out: &mut Cut) -> fmt::Result {
    let shown: String = text.chars().take(RECEIVED_CHARACTERS).collect();
    let cut = shown.len() < text.len();
    let quoted = quote(&shown);
    match quoted.strip_suffix('"') {
        Some(open) if cut => out.write_str(open),
        _ => out.write_str(&quoted),
    }
}

//! Canonical JSON: the one way a payload is written.
//!
//! The bytes are those of Python's `json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))`:
//! keys in the order of their code points, no white space, and only what JSON requires escaped. Numbers are
//! exact: an integer has no point, everything else is its plain decimal without an exponent.

use std::fmt::Write;

use assay_units::number;
use serde_json::{Number, Value};

/// The canonical text of a value, without a line feed at its end.
///
/// A number is brought into the one form whatever its text was (`1.50` is `1.5`, `1e3` is `1000`). One of more
/// digits than any payload holds keeps its text.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

/// Appends the canonical text of a value.
pub fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(out, number),
        Value::String(text) => write_text(out, text),
        Value::Array(items) => write_list(out, items, write),
        Value::Object(fields) => {
            // Byte order of UTF-8 is the order of the code points.
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            out.push('{');
            for (at, (name, value)) in fields.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(out, name);
                out.push(':');
                write(out, value);
            }
            out.push('}');
        }
    }
}

/// Appends a list, each item by `item`.
pub fn write_list<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut String, T),
) {
    out.push('[');
    for (at, each) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        item(out, each);
    }
    out.push(']');
}

/// Appends a text in its quotes.
pub fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0x00..0x20 => "",
            _ => continue,
        };
        out.push_str(text.get(plain..at).unwrap_or_default());
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        plain = at + 1;
    }
    out.push_str(text.get(plain..).unwrap_or_default());
    out.push('"');
}

fn write_number(out: &mut String, number: &Number) {
    let text = number.to_string();
    let integer = text.bytes().all(|byte| byte.is_ascii_digit());
    let decimal = if integer { None } else { number::parse(&text).ok().as_ref().and_then(number::decimal) };
    out.push_str(decimal.as_deref().unwrap_or(&text));
}

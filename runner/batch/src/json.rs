//! Writes values of rows as JSON, exactly as they came.

use std::borrow::Cow;

use assay_claims::Raw;
use assay_service::canonical::{write_list, write_text};

/// Appends a value: numbers keep their text, fields their order; what JSON cannot hold is a text.
pub(crate) fn write_raw(out: &mut String, raw: &Raw<'_>) {
    match raw {
        Raw::Null => out.push_str("null"),
        Raw::Bool(true) => out.push_str("true"),
        Raw::Bool(false) => out.push_str("false"),
        Raw::Number(text) => out.push_str(text),
        Raw::NotFinite(text) => write_text(out, text),
        Raw::Text(text) | Raw::Other(text) => write_text(out, text),
        Raw::Object(fields) => write_fields(out, fields),
        Raw::List(items) => write_list(out, items, write_raw),
    }
}

/// Appends an object of fields in their order.
pub(crate) fn write_fields(out: &mut String, fields: &[(Cow<'_, str>, Raw<'_>)]) {
    out.push('{');
    for (at, (name, value)) in fields.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_text(out, name);
        out.push(':');
        write_raw(out, value);
    }
    out.push('}');
}

//! Results as JSONL: an object a line, its keys in the order of the columns, no space between them.
//!
//! `contradicted` is a list of names or null; a carried value keeps its kind.

use std::sync::Arc;

use assay_batch::output::Carried;

use super::lines::Dialect;

/// Rows as objects.
pub(crate) struct Jsonl;

impl Dialect for Jsonl {
    fn id(&self, out: &mut Vec<u8>, id: &str) {
        out.extend_from_slice(b"{\"id\":");
        push_text(out, id);
    }

    fn long_word(&self, out: &mut Vec<u8>, assertion: &str, word: &str) {
        out.extend_from_slice(b",\"rule\":");
        push_text(out, assertion);
        out.extend_from_slice(b",\"assertion\":");
        push_text(out, assertion);
        out.extend_from_slice(b",\"check\":");
        push_text(out, word);
    }

    fn wide_word(&self, out: &mut Vec<u8>, assertion: &str, word: &str) {
        push_key(out, assertion);
        push_text(out, word);
    }

    fn reason(&self, out: &mut Vec<u8>, reason: Option<&str>) {
        out.extend_from_slice(b",\"reason_unknown\":");
        push_optional(out, reason);
    }

    fn contradicted(&self, out: &mut Vec<u8>, claims: &[Arc<str>]) {
        out.extend_from_slice(b",\"contradicted\":");
        if claims.is_empty() {
            return out.extend_from_slice(b"null");
        }
        for (at, name) in claims.iter().enumerate() {
            out.push(if at == 0 { b'[' } else { b',' });
            push_text(out, name);
        }
        out.push(b']');
    }

    fn pair(&self, out: &mut Vec<u8>, ruleset: &str, library: Option<&str>) {
        out.extend_from_slice(b",\"ruleset_hash\":");
        push_text(out, ruleset);
        out.extend_from_slice(b",\"unit_library_hash\":");
        push_optional(out, library);
    }

    fn carried(&self, out: &mut Vec<u8>, name: &str, value: Carried<'_>) {
        push_key(out, name);
        match value {
            Carried::Null => out.extend_from_slice(b"null"),
            Carried::Text(text) => push_text(out, text),
            Carried::Json(json) => out.extend_from_slice(json.as_bytes()),
        }
    }

    fn place(&self, out: &mut Vec<u8>, file: &str, row: u64) {
        out.extend_from_slice(b",\"file\":");
        push_text(out, file);
        out.extend_from_slice(format!(",\"row\":{row}").as_bytes());
    }

    fn end(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"}\n");
    }
}

fn push_key(out: &mut Vec<u8>, name: &str) {
    out.push(b',');
    push_text(out, name);
    out.push(b':');
}

fn push_optional(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => push_text(out, text),
        None => out.extend_from_slice(b"null"),
    }
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    // INVARIANT: a text is always JSON, and a vector takes all bytes.
    #[allow(clippy::expect_used)]
    serde_json::to_writer(out, text).expect("a text is JSON");
}

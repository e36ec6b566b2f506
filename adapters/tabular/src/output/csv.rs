//! Results as CSV: RFC 4180 with a header, but that lines end in a line feed alone.
//!
//! A null is an empty cell. `contradicted` holds its names with `;` between them. Cells are quoted where they must be.

use std::sync::Arc;

use assay_batch::output::{Carried, ResultSchema};

use super::columns;
use super::lines::Dialect;

/// The header line.
pub(crate) fn header(schema: &ResultSchema) -> Vec<u8> {
    let mut line = Vec::new();
    for (at, name) in columns(schema).enumerate() {
        if at > 0 {
            line.push(b',');
        }
        push_cell(&mut line, name);
    }
    line.push(b'\n');
    line
}

/// Rows as records.
pub(crate) struct Csv;

impl Dialect for Csv {
    fn id(&self, out: &mut Vec<u8>, id: &str) {
        push_cell(out, id);
    }

    fn long_word(&self, out: &mut Vec<u8>, assertion: &str, word: &str) {
        for cell in [assertion, assertion, word] {
            push_next(out, cell);
        }
    }

    fn wide_word(&self, out: &mut Vec<u8>, _: &str, word: &str) {
        push_next(out, word);
    }

    fn reason(&self, out: &mut Vec<u8>, reason: Option<&str>) {
        push_next(out, reason.unwrap_or_default());
    }

    fn contradicted(&self, out: &mut Vec<u8>, claims: &[Arc<str>]) {
        push_next(out, &claims.join(";"));
    }

    fn pair(&self, out: &mut Vec<u8>, ruleset: &str, library: Option<&str>) {
        push_next(out, ruleset);
        push_next(out, library.unwrap_or_default());
    }

    fn carried(&self, out: &mut Vec<u8>, _: &str, value: Carried<'_>) {
        push_next(out, value.text().unwrap_or_default());
    }

    fn place(&self, out: &mut Vec<u8>, file: &str, row: u64) {
        push_next(out, file);
        push_next(out, &row.to_string());
    }

    fn end(&self, out: &mut Vec<u8>) {
        out.push(b'\n');
    }
}

fn push_next(out: &mut Vec<u8>, cell: &str) {
    out.push(b',');
    push_cell(out, cell);
}

fn push_cell(out: &mut Vec<u8>, cell: &str) {
    if !cell.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.extend_from_slice(cell.as_bytes());
    }
    out.push(b'"');
    for (at, part) in cell.split('"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part.as_bytes());
    }
    out.push(b'"');
}

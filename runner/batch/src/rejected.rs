//! `rejected.jsonl`: each refused row with every failure, and the row itself, so that it can be repaired and fed back.

use std::fmt::Write;

use assay_claims::{Failure, Raw, Rejection};
use assay_service::canonical::{write_list, write_text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::input::Record;
use crate::json::write_fields;

/// A failure, and the column it was found in where that is not the claim's name.
pub(crate) struct Located<'a> {
    pub failure: &'a Failure,
    pub column: Option<&'a str>,
}

/// A refused row.
pub(crate) struct Refused<'a> {
    pub id: &'a str,
    pub file: &'a str,
    pub row: u64,
    pub failures: Vec<Located<'a>>,
    pub failure_count: usize,
    pub record: &'a Record<'a>,
    /// Whether an empty text of the record stands for a null, as in CSV.
    pub empty_is_null: bool,
}

impl<'a> Refused<'a> {
    /// A refused row with the failures of its claims; `column` finds the column of a claim that is named otherwise.
    pub fn failures(rejection: &'a Rejection, column: impl Fn(&str) -> Option<&'a str>) -> Vec<Located<'a>> {
        let located = rejection.failures.iter();
        located.map(|failure| Located { failure, column: column(&failure.field) }).collect()
    }

    /// Appends the row's line. Its keys are in canonical order.
    pub fn write(&self, out: &mut String) {
        let _ = write!(out, "{{\"failure_count\":{},\"failures\":", self.failure_count);
        write_list(out, &self.failures, |out, located| {
            out.push('{');
            if let Some(column) = located.column {
                out.push_str("\"column\":");
                write_text(out, column);
                out.push(',');
            }
            out.push_str("\"expected\":");
            write_text(out, &located.failure.expected);
            out.push_str(",\"field\":");
            write_text(out, &located.failure.field);
            out.push_str(",\"received\":");
            write_text(out, &located.failure.received);
            out.push('}');
        });
        out.push_str(",\"file\":");
        write_text(out, self.file);
        out.push_str(",\"id\":");
        write_text(out, self.id);
        out.push_str(",\"record\":");
        self.write_record(out);
        let _ = writeln!(out, ",\"row\":{}}}", self.row);
    }

    /// Appends the row. Bytes that are no text are in base64, which `record_encoding` says; of a row that is too long to keep,
    /// `record_bytes` says how long it was.
    fn write_record(&self, out: &mut String) {
        match self.record {
            Record::Json(text) => out.push_str(text),
            Record::Fields(fields) => {
                let mut fields = fields.fields();
                for (_, value) in &mut fields {
                    if self.empty_is_null && matches!(value, Raw::Text(text) if text.is_empty()) {
                        *value = Raw::Null;
                    }
                }
                write_fields(out, &fields);
            }
            Record::Text(text) => write_text(out, text),
            Record::Bytes(bytes) => write_bytes(out, bytes, None),
            Record::Truncated(bytes, length) => {
                // A text that was cut inside a character is still a text.
                let text = match std::str::from_utf8(bytes) {
                    Ok(text) => Some(text),
                    Err(cut) if cut.error_len().is_none() => {
                        bytes.get(..cut.valid_up_to()).and_then(|whole| std::str::from_utf8(whole).ok())
                    }
                    Err(_) => None,
                };
                match text {
                    Some(text) => {
                        write_text(out, text);
                        let _ = write!(out, ",\"record_bytes\":{length}");
                    }
                    None => write_bytes(out, bytes, Some(*length)),
                }
            }
        }
    }
}

fn write_bytes(out: &mut String, bytes: &[u8], of: Option<u64>) {
    write_text(out, &STANDARD.encode(bytes));
    if let Some(length) = of {
        let _ = write!(out, ",\"record_bytes\":{length}");
    }
    out.push_str(",\"record_encoding\":\"base64\"");
}

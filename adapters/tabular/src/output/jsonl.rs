//! Results as JSONL: an object a line, its keys in the order of the columns, no space between them.
//!
//! `contradicted` is a list of names or null; a carried value keeps its kind.

use assay_batch::output::{Carried, Encode, Encoded, Layout, OutputError, ResultChunk, ResultSchema};

use super::documents::{Document, Documents};
use super::output_error;

/// Encodes chunks as lines.
pub(crate) struct JsonlEncoder {
    schema: ResultSchema,
    /// What stands before the word of each assertion: its names in a long row, its key in a wide one.
    before_words: Vec<Vec<u8>>,
    pair: Vec<u8>,
    carried_keys: Vec<Vec<u8>>,
}

impl JsonlEncoder {
    /// An encoder for these columns.
    ///
    /// # Errors
    /// None that a schema can cause.
    pub fn new(schema: &ResultSchema) -> Result<JsonlEncoder, OutputError> {
        let before_words = schema.assertions.iter().map(|name| {
            let name = text(name)?;
            Ok(match schema.layout {
                Layout::Long => [b",\"rule\":", &*name, b",\"assertion\":", &name, b",\"check\":\""].concat(),
                Layout::Wide => [b",", &*name, b":\""].concat(),
            })
        });
        let ruleset = text(&schema.ruleset_hash)?;
        let library = schema.unit_library_hash.as_deref().map_or_else(|| Ok(b"null".to_vec()), text)?;
        Ok(JsonlEncoder {
            before_words: before_words.collect::<Result<_, OutputError>>()?,
            pair: [b",\"ruleset_hash\":", &*ruleset, b",\"unit_library_hash\":", &library].concat(),
            carried_keys: schema
                .carry
                .iter()
                .map(|name| Ok([b",", &*text(name)?, b":"].concat()))
                .collect::<Result<_, OutputError>>()?,
            schema: schema.clone(),
        })
    }

    fn long(&self, document: Document<'_>, out: &mut Vec<u8>) -> Result<(), OutputError> {
        // All rows of a document begin and end alike.
        let mut head = b"{\"id\":".to_vec();
        push_text(&mut head, document.id)?;
        let mut tail = Vec::new();
        self.tail(document, &mut tail)?;
        for (before_word, (word, reason, contradicted)) in self.before_words.iter().zip(document.answers()) {
            out.extend_from_slice(&head);
            out.extend_from_slice(before_word);
            out.extend_from_slice(word.as_str().as_bytes());
            out.extend_from_slice(b"\",\"reason_unknown\":");
            match reason {
                Some(reason) => push_text(out, reason)?,
                None => out.extend_from_slice(b"null"),
            }
            out.extend_from_slice(b",\"contradicted\":");
            match contradicted {
                [] => out.extend_from_slice(b"null"),
                names => {
                    for (at, name) in names.iter().enumerate() {
                        out.push(if at == 0 { b'[' } else { b',' });
                        push_text(out, name)?;
                    }
                    out.push(b']');
                }
            }
            out.extend_from_slice(&tail);
        }
        Ok(())
    }

    fn wide(&self, document: Document<'_>, out: &mut Vec<u8>) -> Result<(), OutputError> {
        out.extend_from_slice(b"{\"id\":");
        push_text(out, document.id)?;
        for (before_word, (word, ..)) in self.before_words.iter().zip(document.answers()) {
            out.extend_from_slice(before_word);
            out.extend_from_slice(word.as_str().as_bytes());
            out.push(b'"');
        }
        self.tail(document, out)
    }

    /// What a row ends with: the pair, the carried columns, the place.
    fn tail(&self, document: Document<'_>, out: &mut Vec<u8>) -> Result<(), OutputError> {
        out.extend_from_slice(&self.pair);
        for (key, value) in self.carried_keys.iter().zip(document.carried()) {
            out.extend_from_slice(key);
            match value {
                Carried::Null => out.extend_from_slice(b"null"),
                Carried::Text(text) => push_text(out, text)?,
                Carried::Json(json) => out.extend_from_slice(json.as_bytes()),
            }
        }
        if let Some((file, row)) = document.place() {
            out.extend_from_slice(b",\"file\":");
            push_text(out, file)?;
            out.extend_from_slice(format!(",\"row\":{row}").as_bytes());
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

impl Encode for JsonlEncoder {
    fn encode(&self, chunk: &ResultChunk) -> Result<Encoded, OutputError> {
        let mut out = Vec::new();
        for document in Documents::of(&self.schema, chunk)?.iter() {
            match self.schema.layout {
                Layout::Long => self.long(document, &mut out)?,
                Layout::Wide => self.wide(document, &mut out)?,
            }
        }
        Ok(Box::new(out))
    }
}

fn text(text: &str) -> Result<Vec<u8>, OutputError> {
    serde_json::to_vec(text).map_err(output_error)
}

fn push_text(out: &mut Vec<u8>, text: &str) -> Result<(), OutputError> {
    serde_json::to_writer(out, text).map_err(output_error)
}

//! Results as CSV: RFC 4180 with a header, but that lines end in a line feed alone.
//!
//! A null is an empty cell. `contradicted` holds its names with `;` between them. Cells are quoted where they must be.

use assay_batch::output::{Encode, Encoded, Layout, OutputError, ResultChunk, ResultSchema};
use csv::{Terminator, Writer, WriterBuilder};

use super::documents::{Document, Documents, carried_text};
use super::{columns, output_error};

/// The header line.
pub(crate) fn header(schema: &ResultSchema) -> Result<Vec<u8>, OutputError> {
    let mut rows = rows();
    rows.write_record(columns(schema)).map_err(output_error)?;
    rows.into_inner().map_err(output_error)
}

fn rows() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

/// Encodes chunks as lines.
pub(crate) struct CsvEncoder {
    schema: ResultSchema,
}

impl CsvEncoder {
    /// An encoder for these columns.
    pub fn new(schema: &ResultSchema) -> CsvEncoder {
        CsvEncoder { schema: schema.clone() }
    }

    fn long(&self, document: Document<'_>, rows: &mut Writer<Vec<u8>>) -> csv::Result<()> {
        let row = row_text(document);
        for (name, (word, reason, contradicted)) in self.schema.assertions.iter().zip(document.answers()) {
            rows.write_field(document.id)?;
            rows.write_field(name)?;
            rows.write_field(name)?;
            rows.write_field(word.as_str())?;
            rows.write_field(reason.unwrap_or_default())?;
            rows.write_field(contradicted.join(";"))?;
            self.tail(document, &row, rows)?;
        }
        Ok(())
    }

    fn wide(&self, document: Document<'_>, rows: &mut Writer<Vec<u8>>) -> csv::Result<()> {
        rows.write_field(document.id)?;
        for (word, ..) in document.answers() {
            rows.write_field(word.as_str())?;
        }
        self.tail(document, &row_text(document), rows)
    }

    /// What a row ends with: the pair, the carried columns, the place.
    fn tail(&self, document: Document<'_>, row: &str, rows: &mut Writer<Vec<u8>>) -> csv::Result<()> {
        rows.write_field(&self.schema.ruleset_hash)?;
        rows.write_field(self.schema.unit_library_hash.as_deref().unwrap_or_default())?;
        for value in document.carried() {
            rows.write_field(carried_text(value).unwrap_or_default())?;
        }
        if let Some((file, _)) = document.place() {
            rows.write_field(file)?;
            rows.write_field(row)?;
        }
        rows.write_record(None::<&[u8]>)
    }
}

fn row_text(document: Document<'_>) -> String {
    document.place().map(|(_, row)| row.to_string()).unwrap_or_default()
}

impl Encode for CsvEncoder {
    fn encode(&self, chunk: &ResultChunk) -> Result<Encoded, OutputError> {
        let mut rows = rows();
        for document in Documents::of(&self.schema, chunk)?.iter() {
            match self.schema.layout {
                Layout::Long => self.long(document, &mut rows),
                Layout::Wide => self.wide(document, &mut rows),
            }
            .map_err(output_error)?;
        }
        Ok(Box::new(rows.into_inner().map_err(output_error)?))
    }
}

//! Tables in and out: JSONL, CSV and Parquet.
//!
//! [`Tabular`] is what a run is given: it opens inputs ([`Open`]) and makes encoders and writers of results ([`Create`]).
//! Each format has a file of its own below `input` and `output`; what the text formats share (compression,
//! encodings, hashing of the stored bytes) is in `input::text`.
//!
//! Numbers are never converted on the way in: a number of JSON keeps its text, a number of a typed column becomes the text
//! that is exactly it.

mod input;
mod output;

use std::io::Write;
use std::sync::Arc;

use assay_batch::input::{
    FileFormat, InputError, Location, Open, Prefix, Shape, Source, TextOptions, Wanted,
};
use assay_batch::output::{Create, Encode, OutputError, ResultSchema, WriteResults};

/// Every tabular format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tabular;

impl Open for Tabular {
    fn open(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        columns: &Wanted,
    ) -> Result<Box<dyn Source>, InputError> {
        Ok(match format {
            FileFormat::Jsonl => Box::new(input::jsonl::JsonlSource::open(location, name, text, columns)?),
            FileFormat::Csv => Box::new(input::csv::CsvSource::open(location, name, text, columns)?),
            FileFormat::Parquet => Box::new(input::parquet::ParquetSource::open(location, name, columns)?),
        })
    }

    fn shape(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        claims_field: Option<&str>,
    ) -> Result<Option<Shape>, InputError> {
        if *location == Location::Stdin {
            return Ok(None);
        }
        match format {
            FileFormat::Jsonl => input::jsonl::shape(location, name, text, claims_field),
            FileFormat::Csv => input::csv::shape(location, name, text).map(Some),
            FileFormat::Parquet => input::parquet::shape(location, name).map(Some),
        }
    }

    fn prefix(&self, location: &Location, name: &str, bytes: Option<u64>) -> Result<Prefix, InputError> {
        input::prefix(location, name, bytes)
    }
}

impl Create for Tabular {
    fn encoder(&self, format: FileFormat, schema: &ResultSchema) -> Result<Arc<dyn Encode>, OutputError> {
        Ok(match format {
            FileFormat::Jsonl => Arc::new(output::text::TextEncoder::new(schema, output::jsonl::Jsonl)),
            FileFormat::Csv => Arc::new(output::text::TextEncoder::new(schema, output::csv::Csv)),
            FileFormat::Parquet => Arc::new(output::parquet::ParquetEncoder::new(schema)),
        })
    }

    fn writer(
        &self,
        format: FileFormat,
        schema: &ResultSchema,
        out: Box<dyn Write + Send>,
        resumed: Option<&[u8]>,
    ) -> Result<Box<dyn WriteResults>, OutputError> {
        Ok(match format {
            FileFormat::Jsonl => Box::new(output::text::TextWriter::new(out, Vec::new(), resumed.is_some())?),
            FileFormat::Csv => {
                let head = output::csv::header(schema);
                Box::new(output::text::TextWriter::new(out, head, resumed.is_some())?)
            }
            FileFormat::Parquet => Box::new(output::parquet::ParquetWriter::new(schema, out, resumed)?),
        })
    }
}

//! Results as Parquet: text columns, those that repeat dictionary-encoded, zstd, the provenance pair in the metadata.
//!
//! A chunk becomes Arrow arrays on the deciding thread ([`table`]). Parquet's own encoding depends on how rows are
//! handed to it, so the writer cuts them anew, by the rows alone.

mod table;

use std::io::Write;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::SchemaRef;
use assay_batch::output::{Encode, Encoded, OutputError, ResultChunk, ResultSchema, WriteResults};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};

use self::table::Table;
use super::documents::Documents;
use super::output_error;

/// Rows are written in pieces of so many,
const PIECE_ROWS: usize = 16 * 1024;

/// or of fewer, where their ids and carried values come to so many bytes.
const PIECE_BYTES: usize = 64 * 1024 * 1024;

/// A row group ends after so many rows: a multiple of the piece,
const GROUP_ROWS: usize = 64 * PIECE_ROWS;

/// or with the piece in which it comes to so many bytes, since it is held in memory until then.
const GROUP_BYTES: usize = 256 * 1024 * 1024;

/// Encodes chunks as tables.
pub(crate) struct ParquetEncoder {
    schema: ResultSchema,
    table: Table,
}

impl ParquetEncoder {
    /// An encoder for these columns.
    pub fn new(schema: &ResultSchema) -> ParquetEncoder {
        ParquetEncoder { schema: schema.clone(), table: Table::new(schema) }
    }
}

/// A chunk as a table, with what its rows weigh.
struct EncodedRows {
    batch: RecordBatch,
    /// For each row, the bytes of its id and its carried values.
    weights: Vec<usize>,
}

impl Encode for ParquetEncoder {
    fn encode(&self, chunk: &ResultChunk) -> Result<Encoded, OutputError> {
        let documents = Documents::of(&self.schema, chunk)?;
        let batch = self.table.batch(&documents).map_err(output_error)?;
        let rows_each = self.table.rows_each();
        let weights =
            documents.iter().flat_map(|document| std::iter::repeat_n(document.weight(), rows_each)).collect();
        Ok(Box::new(EncodedRows { batch, weights }))
    }
}

/// Writes tables, cut anew.
pub(crate) struct ParquetWriter {
    writer: ArrowWriter<Box<dyn Write + Send>>,
    rows: SchemaRef,
    /// What of the next piece there is.
    waiting: Vec<RecordBatch>,
    waiting_rows: usize,
    waiting_bytes: usize,
}

impl ParquetWriter {
    /// A writer of a file of these columns.
    ///
    /// # Errors
    /// What the library says of the columns.
    pub fn new(schema: &ResultSchema, out: Box<dyn Write + Send>) -> Result<ParquetWriter, OutputError> {
        let table = Table::new(schema);
        let pair = vec![
            KeyValue::new("assay.ruleset_hash".to_owned(), schema.ruleset_hash.clone()),
            KeyValue::new("assay.unit_library_hash".to_owned(), schema.unit_library_hash.clone()),
        ];
        let level = ZstdLevel::try_new(3).map_err(output_error)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_created_by(concat!("assay version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(pair))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .build();
        let writer =
            ArrowWriter::try_new(out, table.file_schema(), Some(properties)).map_err(output_error)?;
        Ok(ParquetWriter {
            writer,
            rows: table.schema(),
            waiting: Vec::new(),
            waiting_rows: 0,
            waiting_bytes: 0,
        })
    }

    fn write_piece(&mut self) -> Result<(), OutputError> {
        let piece = concat_batches(&self.rows, &self.waiting).map_err(output_error)?;
        self.waiting.clear();
        (self.waiting_rows, self.waiting_bytes) = (0, 0);
        self.writer.write(&piece).map_err(output_error)?;
        if self.writer.in_progress_size() >= GROUP_BYTES {
            self.writer.flush().map_err(output_error)?;
        }
        Ok(())
    }
}

impl WriteResults for ParquetWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), OutputError> {
        let rows = encoded.downcast::<EncodedRows>();
        let rows = rows.map_err(|_| output_error("the chunk was encoded for another format"))?;
        let mut start = 0;
        for (row, weight) in rows.weights.iter().enumerate() {
            self.waiting_rows += 1;
            self.waiting_bytes += weight;
            if self.waiting_rows == PIECE_ROWS || self.waiting_bytes >= PIECE_BYTES {
                self.waiting.push(rows.batch.slice(start, row + 1 - start));
                self.write_piece()?;
                start = row + 1;
            }
        }
        if start < rows.weights.len() {
            self.waiting.push(rows.batch.slice(start, rows.weights.len() - start));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        if !self.waiting.is_empty() {
            self.write_piece()?;
        }
        let mut out = self.writer.into_inner().map_err(output_error)?;
        out.flush().map_err(output_error)
    }
}

//! Results as Parquet: text columns, those that repeat dictionary-encoded, zstd, the provenance pair in the metadata.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, DictionaryArray, Int8Array, Int16Array, Int64Array, ListBuilder, RecordBatch, StringArray,
    StringBuilder, StringDictionaryBuilder, new_null_array,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Field, Int8Type, Int16Type, Int32Type, Schema, SchemaRef};
use assay_batch::output::{Carried, Encode, Encoded, Layout, OutputError, ResultChunk, ResultSchema, WriteResults};
use assay_engine::Word;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};

use super::output_error;

/// Rows are written in pieces of exactly so many, however the run cut them, so that the bytes of a file depend on
/// its rows only.
const PIECE: usize = 16 * 1024;

/// Rows in a row group: a multiple of the piece.
const ROW_GROUP: usize = 64 * PIECE;

/// Encodes results as record batches.
pub(crate) struct ParquetEncoder {
    schema: ResultSchema,
    arrow: SchemaRef,
    words: ArrayRef,
    names: ArrayRef,
}

fn dictionary(keys: DataType) -> DataType {
    DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8))
}

fn arrow_schema(schema: &ResultSchema) -> SchemaRef {
    let word = || dictionary(DataType::Int8);
    let name = || dictionary(DataType::Int16);
    let mut fields = vec![Field::new("id", DataType::Utf8, false)];
    match schema.layout {
        Layout::Long => {
            let claims = Field::new_list_field(DataType::Utf8, false);
            fields.extend([
                Field::new("rule", name(), false),
                Field::new("assertion", name(), false),
                Field::new("check", word(), false),
                Field::new("reason_unknown", dictionary(DataType::Int32), true),
                Field::new("contradicted", DataType::List(Arc::new(claims)), true),
            ]);
        }
        Layout::Wide => fields.extend(schema.assertions.iter().map(|name| Field::new(name, word(), false))),
    }
    fields.push(Field::new("ruleset_hash", word(), false));
    fields.push(Field::new("unit_library_hash", word(), true));
    fields.extend(schema.carry.iter().map(|name| Field::new(name, dictionary(DataType::Int32), true)));
    if schema.locate {
        fields.push(Field::new("file", dictionary(DataType::Int32), false));
        fields.push(Field::new("row", DataType::Int64, false));
    }
    Arc::new(Schema::new(fields))
}

impl ParquetEncoder {
    pub fn new(schema: &ResultSchema) -> ParquetEncoder {
        ParquetEncoder {
            arrow: arrow_schema(schema),
            words: Arc::new(StringArray::from_iter_values(Word::ALL.iter().map(|word| word.as_str()))),
            names: Arc::new(StringArray::from_iter_values(&schema.assertions)),
            schema: schema.clone(),
        }
    }

    fn batch(&self, chunk: &ResultChunk) -> Result<RecordBatch, arrow::error::ArrowError> {
        let documents = chunk.ids.len();
        let each = match self.schema.layout {
            Layout::Long => self.schema.assertions.len(),
            Layout::Wide => 1,
        };
        let rows = documents * each;
        // Which document each row is about.
        let document = || (0..documents).flat_map(move |document| std::iter::repeat_n(document, each));
        let ids = document().map(|at| chunk.ids.get(at).map_or("", String::as_str));
        let mut columns: Vec<ArrayRef> = vec![Arc::new(StringArray::from_iter_values(ids))];
        match self.schema.layout {
            Layout::Long => self.long(chunk, &mut columns)?,
            Layout::Wide => {
                for checks in &chunk.checks {
                    let keys = Int8Array::from_iter_values(checks.iter().map(|word| *word as i8));
                    columns.push(Arc::new(DictionaryArray::<Int8Type>::try_new(keys, self.words.clone())?));
                }
            }
        }
        columns.push(repeated(&self.schema.ruleset_hash, rows)?);
        columns.push(match &self.schema.unit_library_hash {
            Some(hash) => repeated(hash, rows)?,
            None => new_null_array(&dictionary(DataType::Int8), rows),
        });
        for values in &chunk.carried {
            let mut column = StringDictionaryBuilder::<Int32Type>::new();
            for at in document() {
                match values.get(at) {
                    Some(Carried::Text(text) | Carried::Json(text)) => column.append_value(text),
                    Some(Carried::Null) | None => column.append_null(),
                }
            }
            columns.push(Arc::new(column.finish()));
        }
        if self.schema.locate {
            let mut files = StringDictionaryBuilder::<Int32Type>::new();
            document().for_each(|at| files.append_value(chunk.files.get(at).map_or("", |file| file)));
            columns.push(Arc::new(files.finish()));
            let row = |at: usize| chunk.rows.get(at).map_or(0, |row| i64::try_from(*row).unwrap_or(i64::MAX));
            columns.push(Arc::new(Int64Array::from_iter_values(document().map(row))));
        }
        RecordBatch::try_new(self.arrow.clone(), columns)
    }

    /// The columns from `rule` to `contradicted`.
    fn long(&self, chunk: &ResultChunk, columns: &mut Vec<ArrayRef>) -> Result<(), arrow::error::ArrowError> {
        let (documents, assertions) = (chunk.ids.len(), self.schema.assertions.len());
        let count = i16::try_from(assertions).map_err(|_| too_many(assertions))?;
        let name = Int16Array::from_iter_values((0..documents).flat_map(|_| 0..count));
        let name: ArrayRef = Arc::new(DictionaryArray::<Int16Type>::try_new(name, self.names.clone())?);
        columns.extend([name.clone(), name]);

        let row = || (0..documents).flat_map(|document| (0..assertions).map(move |assertion| (document, assertion)));
        let check = |(document, assertion): (usize, usize)| {
            chunk.checks.get(assertion).and_then(|checks| checks.get(document)).map(|word| *word as i8)
        };
        let checks: Int8Array = row().map(check).collect();
        columns.push(Arc::new(DictionaryArray::<Int8Type>::try_new(checks, self.words.clone())?));

        let mut reasons = StringDictionaryBuilder::<Int32Type>::new();
        let mut contradicted = ListBuilder::new(StringBuilder::new())
            .with_field(Field::new_list_field(DataType::Utf8, false));
        for (document, assertion) in row() {
            let reason = chunk.reasons.get(assertion).and_then(|reasons| reasons.get(document)?.as_deref());
            reasons.append_option(reason);
            let claims = chunk.contradicted.get(assertion).and_then(|claims| claims.get(document));
            for claim in claims.into_iter().flatten() {
                contradicted.values().append_value(claim);
            }
            contradicted.append(claims.is_some_and(|claims| !claims.is_empty()));
        }
        columns.push(Arc::new(reasons.finish()));
        columns.push(Arc::new(contradicted.finish()));
        Ok(())
    }
}

fn too_many(assertions: usize) -> arrow::error::ArrowError {
    arrow::error::ArrowError::InvalidArgumentError(format!("{assertions} assertions are too many for one table"))
}

/// A column that holds one text in every row.
fn repeated(text: &str, rows: usize) -> Result<ArrayRef, arrow::error::ArrowError> {
    let keys = Int8Array::from_value(0, rows);
    let values = Arc::new(StringArray::from_iter_values([text]));
    Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(keys, values)?))
}

impl Encode for ParquetEncoder {
    fn encode(&self, chunk: &ResultChunk) -> Result<Encoded, OutputError> {
        Ok(Box::new(self.batch(chunk).map_err(output_error)?))
    }
}

/// Writes record batches, cut anew into pieces of equal size.
pub(crate) struct ParquetWriter {
    arrow: SchemaRef,
    writer: ArrowWriter<Box<dyn Write + Send>>,
    waiting: Vec<RecordBatch>,
    rows: usize,
}

impl ParquetWriter {
    pub fn new(schema: &ResultSchema, out: Box<dyn Write + Send>) -> Result<ParquetWriter, OutputError> {
        let arrow = arrow_schema(schema);
        let pair = vec![
            KeyValue::new("assay.ruleset_hash".to_owned(), schema.ruleset_hash.clone()),
            KeyValue::new("assay.unit_library_hash".to_owned(), schema.unit_library_hash.clone()),
        ];
        let level = ZstdLevel::try_new(3).map_err(output_error)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_created_by(concat!("assay ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(pair))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        let writer = ArrowWriter::try_new(out, arrow.clone(), Some(properties)).map_err(output_error)?;
        Ok(ParquetWriter { arrow, writer, waiting: Vec::new(), rows: 0 })
    }

    fn write_piece(&mut self, rows: usize) -> Result<(), OutputError> {
        let mut left = rows;
        let mut piece = Vec::new();
        while left > 0 && !self.waiting.is_empty() {
            let batch = self.waiting.remove(0);
            let take = left.min(batch.num_rows());
            piece.push(batch.slice(0, take));
            if take < batch.num_rows() {
                self.waiting.insert(0, batch.slice(take, batch.num_rows() - take));
            }
            left -= take;
        }
        self.rows -= rows;
        let piece = concat_batches(&self.arrow, &piece).map_err(output_error)?;
        self.writer.write(&piece).map_err(output_error)
    }
}

impl WriteResults for ParquetWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), OutputError> {
        let batch: Box<RecordBatch> = encoded.downcast().map_err(|_| output_error("a chunk of another format"))?;
        self.rows += batch.num_rows();
        self.waiting.push(*batch);
        while self.rows >= PIECE {
            self.write_piece(PIECE)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        if self.rows > 0 {
            self.write_piece(self.rows)?;
        }
        self.writer.close().map_err(output_error)?;
        Ok(())
    }
}

//! Results as Parquet: text columns, those that repeat dictionary-encoded, zstd, the provenance pair in the metadata.
//!
//! A chunk of results stays as it is at first: its columns are compact. The writer puts the documents of chunks together
//! until they are a row group, whose limits follow from the documents alone. The columns of a row group ([`columns`]) are
//! made on any thread, one row group beside the next.

mod chunk;
mod columns;
mod group;
mod hybrid;
mod shape;

use std::io::Write;
use std::sync::Arc;

use assay_batch::output::{
    Block, Encode, Encoded, Layout, OutputError, ResultChunk, ResultSchema, WriteResults,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;

use self::chunk::Chunk;
use self::columns::Columns;
use self::group::Group;
use super::documents::Documents;
use super::{other_format, output_error};

/// A row group ends before the document with which it would have more rows, in long results
const LONG_GROUP_ROWS: usize = 1024 * 1024;

/// and in wide ones,
const WIDE_GROUP_ROWS: usize = 128 * 1024;

/// or with the document in which ids and carried values come to so many bytes, since it is held in memory until then.
const GROUP_BYTES: usize = 32 * 1024 * 1024;

/// Looks at chunks; they are encoded when they are written.
pub(crate) struct ParquetEncoder {
    schema: ResultSchema,
}

impl ParquetEncoder {
    /// An encoder for these columns.
    pub fn new(schema: &ResultSchema) -> ParquetEncoder {
        ParquetEncoder { schema: schema.clone() }
    }
}

impl Encode for ParquetEncoder {
    fn encode(&self, chunk: &Arc<ResultChunk>) -> std::result::Result<Encoded, OutputError> {
        let documents = Documents::of(&self.schema, chunk)?;
        if self.schema.locate
            && let Some(row) = chunk.rows.iter().find(|row| i64::try_from(**row).is_err())
        {
            return Err(output_error(format!(
                "row {row} is more than a column of 64 bits with a sign can hold"
            )));
        }
        let weights = (0..documents.len()).zip(documents.ids()).map(|(document, id)| {
            let carried = documents.carried(document).filter_map(|value| value.text()).map(str::len);
            id.len() + carried.sum::<usize>()
        });
        Ok(Box::new(Weighed { weights: weights.collect(), chunk: Arc::clone(chunk) }))
    }
}

/// A chunk, with the bytes of the id and the carried values of each of its documents.
struct Weighed {
    chunk: Arc<ResultChunk>,
    weights: Vec<usize>,
}

/// Puts row groups together and writes them.
pub(crate) struct ParquetWriter {
    file: SerializedFileWriter<Box<dyn Write + Send>>,
    schema: Arc<ResultSchema>,
    /// The most documents of a row group.
    most: usize,
    group: Group,
    group_bytes: usize,
}

/// A row group whose columns are made.
struct Made {
    rows: usize,
    columns: Vec<Arc<Chunk>>,
}

impl ParquetWriter {
    /// A writer of a file of these columns.
    ///
    /// # Errors
    /// What the library says of the columns.
    pub fn new(
        schema: &ResultSchema,
        out: Box<dyn Write + Send>,
    ) -> std::result::Result<ParquetWriter, OutputError> {
        ParquetWriter::open(schema, out).map_err(output_error)
    }

    fn open(schema: &ResultSchema, out: Box<dyn Write + Send>) -> Result<ParquetWriter> {
        let shape = shape::shape(schema);
        let pair = vec![
            KeyValue::new("assay.ruleset_hash".to_owned(), schema.ruleset_hash.clone()),
            KeyValue::new("assay.unit_library_hash".to_owned(), schema.unit_library_hash.clone()),
        ];
        let mut properties = WriterProperties::builder()
            .set_compression(chunk::compression()?)
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_created_by(concat!("assay version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(pair))
            .build();
        add_encoded_arrow_schema_to_metadata(&shape, &mut properties);
        let columns = ArrowSchemaConverter::new().convert(&shape)?.root_schema_ptr();
        Ok(ParquetWriter {
            file: SerializedFileWriter::new(out, columns, Arc::new(properties))?,
            most: match schema.layout {
                Layout::Long => (LONG_GROUP_ROWS / schema.assertions.len().max(1)).max(1),
                Layout::Wide => WIDE_GROUP_ROWS,
            },
            group: Group::new(schema),
            group_bytes: 0,
            schema: Arc::new(schema.clone()),
        })
    }

    /// The row group that ends here.
    fn end_group(&mut self) -> Option<Block> {
        let group = std::mem::replace(&mut self.group, Group::new(&self.schema));
        self.group_bytes = 0;
        let schema = Arc::clone(&self.schema);
        (group.documents > 0).then(|| {
            Block::Open(Box::new(move || {
                let made = Made::of(&schema, &group).map_err(output_error)?;
                Ok(Box::new(made) as Encoded)
            }))
        })
    }

    fn write_group(&mut self, made: &Made) -> Result<()> {
        if made.rows == 0 {
            return Ok(());
        }
        let descriptions = self.file.schema_descr().columns().to_vec();
        let mut row_group = self.file.next_row_group()?;
        for (chunk, column) in made.columns.iter().zip(descriptions) {
            let (bytes, closed) = chunk.closed(column, made.rows)?;
            row_group.append_column(&bytes, closed)?;
        }
        row_group.close()?;
        Ok(())
    }
}

impl Made {
    fn of(schema: &ResultSchema, group: &Group) -> Result<Made> {
        let mut zstd = chunk::compressor()?;
        let columns = Columns::new(schema, group, &mut zstd);
        Ok(Made { rows: columns.rows(), columns: columns.all()? })
    }
}

impl WriteResults for ParquetWriter {
    fn take(&mut self, encoded: Encoded) -> std::result::Result<Vec<Block>, OutputError> {
        let Weighed { chunk, weights } = *encoded.downcast::<Weighed>().map_err(|_| other_format())?;
        let mut ended = Vec::new();
        let mut start = 0;
        for (at, weight) in weights.iter().enumerate() {
            self.group_bytes += weight;
            let documents = self.group.documents + at + 1 - start;
            if documents == self.most || self.group_bytes >= GROUP_BYTES {
                self.group.add(&chunk, start, at + 1);
                ended.extend(self.end_group());
                start = at + 1;
            }
        }
        if start < weights.len() {
            self.group.add(&chunk, start, weights.len());
        }
        Ok(ended)
    }

    fn rest(&mut self) -> Option<Block> {
        self.end_group()
    }

    fn write(&mut self, ready: Encoded) -> std::result::Result<(), OutputError> {
        let made = ready.downcast::<Made>().map_err(|_| other_format())?;
        self.write_group(&made).map_err(output_error)
    }

    fn finish(self: Box<Self>) -> std::result::Result<(), OutputError> {
        let mut out = self.file.into_inner().map_err(output_error)?;
        out.flush().map_err(output_error)
    }
}

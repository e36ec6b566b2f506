//! A file of results from its first bytes to its last.
//!
//! What the end of the file says is kept here as plain data rather than in a writer of the library's, because a run that was
//! killed goes on where it was: another process must be able to write the end of what this one began.

use std::io::Write;
use std::sync::Arc;

use assay_batch::output::ResultSchema;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::Result;
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::TrackedWrite;
use parquet::schema::types::SchemaDescPtr;
use serde::{Deserialize, Serialize};

use super::chunk::{Chunk, Described};
use super::shape;

/// What a Parquet file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// The version that the file says it has: every reader knows its pages.
const VERSION: i32 = 1;

/// The row groups that were written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Written {
    groups: Vec<WrittenGroup>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WrittenGroup {
    rows: u64,
    columns: Vec<Described>,
}

/// Begins a file.
pub(super) fn begin(out: &mut dyn Write) -> Result<()> {
    Ok(out.write_all(MAGIC)?)
}

impl Written {
    /// Writes a row group.
    pub fn group(&mut self, out: &mut dyn Write, rows: usize, chunks: &[Arc<Chunk>]) -> Result<()> {
        for chunk in chunks {
            out.write_all(&chunk.bytes)?;
        }
        let columns = chunks.iter().map(|chunk| chunk.described.clone()).collect();
        self.groups.push(WrittenGroup { rows: rows as u64, columns });
        Ok(())
    }

    /// Ends a file.
    pub fn end(&self, out: &mut dyn Write, schema: &ResultSchema) -> Result<()> {
        let shape = shape::shape(schema);
        let columns: SchemaDescPtr = Arc::new(ArrowSchemaConverter::new().convert(&shape)?);
        let mut at = MAGIC.len() as u64;
        let groups = self.groups.iter().enumerate();
        let groups = groups.map(|(number, group)| group.metadata(number, &columns, &mut at));
        let groups = groups.collect::<Result<Vec<_>>>()?;
        let file = FileMetaData::new(
            VERSION,
            groups.iter().map(RowGroupMetaData::num_rows).sum(),
            Some(concat!("assay version ", env!("CARGO_PKG_VERSION")).to_owned()),
            Some(key_values(schema, &shape)),
            Arc::clone(&columns),
            // The library works them out as it writes.
            None,
        );
        let metadata = ParquetMetaData::new(file, groups);
        ParquetMetaDataWriter::new_with_tracked(TrackedWrite::new(&mut *out), &metadata).finish()?;
        Ok(out.flush()?)
    }
}

/// The provenance pair, and the columns as readers of Arrow see them.
fn key_values(schema: &ResultSchema, shape: &arrow::datatypes::Schema) -> Vec<KeyValue> {
    let pair = vec![
        KeyValue::new("assay.ruleset_hash".to_owned(), schema.ruleset_hash.clone()),
        KeyValue::new("assay.unit_library_hash".to_owned(), schema.unit_library_hash.clone()),
    ];
    let mut properties = WriterProperties::builder().set_key_value_metadata(Some(pair)).build();
    add_encoded_arrow_schema_to_metadata(shape, &mut properties);
    properties.key_value_metadata().cloned().unwrap_or_default()
}

impl WrittenGroup {
    /// What the file says about the group, which begins at `at`; its end is there then.
    fn metadata(&self, number: usize, columns: &SchemaDescPtr, at: &mut u64) -> Result<RowGroupMetaData> {
        let start = *at;
        let described = self.columns.iter().zip(columns.columns()).map(|(chunk, column)| {
            let metadata = chunk.metadata(Arc::clone(column), *at);
            *at += chunk.bytes;
            metadata
        });
        let builder = RowGroupMetaData::builder(Arc::clone(columns))
            .set_column_metadata(described.collect::<Result<_>>()?)
            .set_total_byte_size(self.columns.iter().map(|chunk| chunk.uncompressed as i64).sum())
            .set_num_rows(self.rows as i64)
            .set_file_offset(start as i64);
        match i32::try_from(number) {
            Ok(number) => builder.set_ordinal(number),
            // It is optional, and cannot say more.
            Err(_) => builder,
        }
        .build()
    }
}

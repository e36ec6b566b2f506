//! Results as Parquet: text columns, those that repeat dictionary-encoded, zstd, the provenance pair in the metadata.
//!
//! A chunk of results stays as it is at first: its columns are compact. The writer puts the documents of chunks together
//! until they are a row group, whose limits follow from the documents alone. The columns of a row group ([`columns`]) are
//! made on any thread, one row group beside the next.

mod chunk;
mod columns;
mod file;
mod group;
mod hybrid;
mod shape;

use std::io::Write;
use std::sync::Arc;

use assay_batch::output::{
    Block, Encode, Encoded, Layout, OutputError, ResultChunk, ResultSchema, WriteResults,
};
use parquet::errors::Result;
use serde::{Deserialize, Serialize};

use self::chunk::Chunk;
use self::columns::Columns;
use self::file::Written;
use self::group::Group;
use super::documents::Documents;
use super::{other_format, output_error};

/// A row group ends before the document with which it would have more rows, in long results
const LONG_GROUP_ROWS: usize = 1024 * 1024;

/// and in wide ones,
const WIDE_GROUP_ROWS: usize = 128 * 1024;

/// and so many answers,
const WIDE_GROUP_ANSWERS: usize = 16 * 1024 * 1024;

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
    out: Box<dyn Write + Send>,
    schema: Arc<ResultSchema>,
    /// The most documents of a row group.
    most: usize,
    so_far: SoFar,
}

/// All that a writer must know to go on with a file.
#[derive(Serialize, Deserialize)]
struct SoFar {
    written: Written,
    /// The documents of the row group to come.
    group: Group,
    group_bytes: usize,
}

/// A row group whose columns are made.
struct Made {
    rows: usize,
    columns: Vec<Arc<Chunk>>,
}

impl ParquetWriter {
    /// A writer of a file of these columns, from its beginning or from where [`WriteResults::checkpoint`] was.
    ///
    /// # Errors
    /// What the library or the disk says, or that `resumed` is not what a checkpoint gave.
    pub fn new(
        schema: &ResultSchema,
        mut out: Box<dyn Write + Send>,
        resumed: Option<&[u8]>,
    ) -> std::result::Result<ParquetWriter, OutputError> {
        let so_far = match resumed {
            Some(so_far) => postcard::from_bytes(so_far).map_err(output_error)?,
            None => {
                file::begin(&mut out).map_err(output_error)?;
                SoFar { written: Written::default(), group: Group::new(schema), group_bytes: 0 }
            }
        };
        let assertions = schema.assertions.len().max(1);
        Ok(ParquetWriter {
            out,
            most: match schema.layout {
                Layout::Long => (LONG_GROUP_ROWS / assertions).max(1),
                Layout::Wide => WIDE_GROUP_ROWS.min(WIDE_GROUP_ANSWERS / assertions).max(1),
            },
            so_far,
            schema: Arc::new(schema.clone()),
        })
    }

    /// The row group that ends here.
    fn end_group(&mut self) -> Option<Block> {
        let group = std::mem::replace(&mut self.so_far.group, Group::new(&self.schema));
        self.so_far.group_bytes = 0;
        let schema = Arc::clone(&self.schema);
        (group.documents > 0).then(|| {
            Block::Open(Box::new(move || {
                let made = Made::of(&schema, &group).map_err(output_error)?;
                Ok(Box::new(made) as Encoded)
            }))
        })
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
            self.so_far.group_bytes += weight;
            let documents = self.so_far.group.documents + at + 1 - start;
            if documents == self.most || self.so_far.group_bytes >= GROUP_BYTES {
                self.so_far.group.add(&chunk, start, at + 1);
                ended.extend(self.end_group());
                start = at + 1;
            }
        }
        if start < weights.len() {
            self.so_far.group.add(&chunk, start, weights.len());
        }
        Ok(ended)
    }

    fn rest(&mut self) -> Option<Block> {
        self.end_group()
    }

    fn write(&mut self, ready: Encoded) -> std::result::Result<(), OutputError> {
        let made = ready.downcast::<Made>().map_err(|_| other_format())?;
        if made.rows == 0 {
            return Ok(());
        }
        self.so_far.written.group(&mut self.out, made.rows, &made.columns).map_err(output_error)
    }

    fn checkpoint(&mut self) -> std::result::Result<Vec<u8>, OutputError> {
        self.out.flush().map_err(output_error)?;
        postcard::to_allocvec(&self.so_far).map_err(output_error)
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<(), OutputError> {
        self.so_far.written.end(&mut self.out, &self.schema).map_err(output_error)
    }
}

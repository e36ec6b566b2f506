//! What a run asks of an output format. Adapters implement these; the run knows no format.
//!
//! Encoding happens on the deciding threads, chunk by chunk and side by side; writing the encoded chunks happens in
//! input order on one thread. So an encoded chunk must not depend on its neighbours.

use std::any::Any;
use std::io::Write;
use std::sync::Arc;

use assay_engine::Word;

use crate::input::FileFormat;

/// Long or wide results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One row for each document and assertion.
    Long,
    /// One row for each document, one column for each assertion.
    Wide,
}

/// What is the same for every row of a run's results.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultSchema {
    /// Long or wide.
    pub layout: Layout,
    /// The assertions in source order: each is a rule of its own, so `rule` and `assertion` are both its name.
    pub assertions: Vec<String>,
    /// The carried columns.
    pub carry: Vec<String>,
    /// Whether each result says its file and row.
    pub locate: bool,
    /// Provenance: the ruleset's hash.
    pub ruleset_hash: String,
    /// Provenance: the unit library's hash.
    pub unit_library_hash: Option<String>,
}

/// The results of the documents of one chunk, by column. Columns all have the same length.
#[derive(Debug, Default)]
pub struct ResultChunk {
    /// The documents' ids.
    pub ids: Vec<String>,
    /// For each assertion: its column of words.
    pub checks: Vec<Vec<Word>>,
    /// For each assertion: its column of reasons.
    pub reasons: Vec<Vec<Option<Arc<str>>>>,
    /// For each assertion: the names of the contradicted claims it reads; an empty list is written as null.
    pub contradicted: Vec<Vec<Vec<Arc<str>>>>,
    /// For each carried column: its values.
    pub carried: Vec<Vec<Carried>>,
    /// The name of each document's file, where the run locates.
    pub files: Vec<Arc<str>>,
    /// The number of each document's row in it, where the run locates.
    pub rows: Vec<u64>,
}

/// The value of a carried column: JSONL keeps its kind; CSV and Parquet hold its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// Nothing.
    Null,
    /// A text.
    Text(String),
    /// A number, a boolean, an object or a list, as canonical JSON text.
    Json(String),
}

/// Makes encoders and writers. One implementation serves every format; the run passes it in.
pub trait Create: Send + Sync {
    /// An encoder for results of this schema.
    fn encoder(&self, format: FileFormat, schema: &ResultSchema) -> Result<Arc<dyn Encode>, OutputError>;

    /// A writer that puts encoded chunks into `out` (buffered by the run, which also hashes and counts its bytes).
    fn writer(
        &self,
        format: FileFormat,
        schema: &ResultSchema,
        out: Box<dyn Write + Send>,
    ) -> Result<Box<dyn WriteResults>, OutputError>;
}

/// An encoded chunk, of a type that its encoder and writer agree on.
pub type Encoded = Box<dyn Any + Send>;

/// Encodes a chunk, on a deciding thread.
pub trait Encode: Send + Sync {
    /// Encodes.
    fn encode(&self, chunk: &ResultChunk) -> Result<Encoded, OutputError>;
}

/// Writes encoded chunks, in order.
///
/// The bytes written may depend on the order of the rows only, never on how they were cut into chunks: runs
/// of different `batch_rows` and threads give identical files.
pub trait WriteResults: Send {
    /// Writes a chunk.
    fn write(&mut self, encoded: Encoded) -> Result<(), OutputError>;

    /// Ends the file and flushes it.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;
}

/// An output that could not be written.
#[derive(Debug)]
pub struct OutputError {
    /// What went wrong.
    pub message: String,
}

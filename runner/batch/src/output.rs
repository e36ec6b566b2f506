//! What a run asks of an output format. Adapters implement these; the run knows no format.
//!
//! Encoding happens on the deciding threads, chunk by chunk and side by side, so an encoded chunk must not depend on its
//! neighbours. One thread takes the encoded chunks in input order and writes. What a format makes of several chunks, a
//! row group, is a [`Block`] that is made on the deciding threads again, so that little is left that only one thread can do.

use std::any::Any;
use std::io::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::input::FileFormat;
pub use crate::texts::Texts;

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
#[derive(Debug, Clone, Default)]
pub struct ResultChunk {
    /// The documents' ids.
    pub ids: Texts,
    /// For each assertion: what is answered.
    pub answers: Vec<AnswerColumn>,
    /// The texts of reasons that the answers point at.
    pub reasons: Vec<Arc<str>>,
    /// Lists of contradicted claims that the answers point at: their names, in declared order.
    pub contradicted: Vec<Vec<Arc<str>>>,
    /// For each carried column: its values.
    pub carried: Vec<CarriedColumn>,
    /// The name of the documents' file: a chunk comes from one.
    pub file: Arc<str>,
    /// The number of each document's row in it, where the run locates.
    pub rows: Vec<u64>,
}

/// What is answered for one assertion: a value for each document.
#[derive(Debug, Clone, Default)]
pub struct AnswerColumn {
    /// Each word, as its place in [`Word::ALL`](assay_engine::Word::ALL).
    pub words: Vec<u8>,
    /// Each reason, as its place in [`ResultChunk::reasons`] from 1; 0 for none. Empty where no document has one.
    pub reasons: Vec<u32>,
    /// The documents of which the assertion reads contradicted claims, by number and in order, each with the place of these
    /// in [`ResultChunk::contradicted`].
    pub contradicted: Vec<(usize, u32)>,
}

/// The values of a carried column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedColumn {
    kinds: Vec<CarriedKind>,
    texts: Texts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum CarriedKind {
    Null,
    Text,
    Json,
}

/// A carried value: JSONL keeps its kind; CSV and Parquet hold its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried<'a> {
    /// Nothing.
    Null,
    /// A text.
    Text(&'a str),
    /// A number, a boolean, an object or a list, as canonical JSON text.
    Json(&'a str),
}

impl<'a> Carried<'a> {
    /// Its text, for the formats that keep no kinds.
    pub fn text(self) -> Option<&'a str> {
        match self {
            Carried::Null => None,
            Carried::Text(text) | Carried::Json(text) => Some(text),
        }
    }
}

impl CarriedColumn {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Appends a value.
    pub fn push(&mut self, value: Carried<'_>) {
        let (kind, text) = match value {
            Carried::Null => (CarriedKind::Null, ""),
            Carried::Text(text) => (CarriedKind::Text, text),
            Carried::Json(text) => (CarriedKind::Json, text),
        };
        self.kinds.push(kind);
        self.texts.push(text);
    }

    /// Appends the values from `from` up to `to` of another column, as many of them as there are.
    pub fn append(&mut self, other: &CarriedColumn, from: usize, to: usize) {
        let to = to.min(other.kinds.len());
        self.kinds.extend_from_slice(other.kinds.get(from..to).unwrap_or_default());
        self.texts.append(&other.texts, from, to);
    }

    /// A value; null past the end.
    pub fn get(&self, at: usize) -> Carried<'_> {
        let text = self.texts.get(at).unwrap_or_default();
        match self.kinds.get(at) {
            None | Some(CarriedKind::Null) => Carried::Null,
            Some(CarriedKind::Text) => Carried::Text(text),
            Some(CarriedKind::Json) => Carried::Json(text),
        }
    }

    /// The values in their order.
    pub fn iter(&self) -> impl Iterator<Item = Carried<'_>> + Clone {
        self.kinds.iter().zip(self.texts.iter()).map(|(kind, text)| match kind {
            CarriedKind::Null => Carried::Null,
            CarriedKind::Text => Carried::Text(text),
            CarriedKind::Json => Carried::Json(text),
        })
    }
}

impl<'a> FromIterator<Carried<'a>> for CarriedColumn {
    fn from_iter<I: IntoIterator<Item = Carried<'a>>>(values: I) -> CarriedColumn {
        let mut column = CarriedColumn::default();
        values.into_iter().for_each(|value| column.push(value));
        column
    }
}

/// Makes encoders and writers. One implementation serves every format; the run passes it in.
pub trait Create: Send + Sync {
    /// An encoder for results of this schema.
    fn encoder(&self, format: FileFormat, schema: &ResultSchema) -> Result<Arc<dyn Encode>, OutputError>;

    /// A writer that puts encoded chunks into `out` (buffered by the run, which also hashes and counts its bytes). With
    /// `resumed`, what [`WriteResults::checkpoint`] gave, the file goes on from there: `out` then appends to what had been
    /// written by that time.
    fn writer(
        &self,
        format: FileFormat,
        schema: &ResultSchema,
        out: Box<dyn Write + Send>,
        resumed: Option<&[u8]>,
    ) -> Result<Box<dyn WriteResults>, OutputError>;
}

/// An encoded chunk, of a type that its encoder and writer agree on.
pub type Encoded = Box<dyn Any + Send>;

/// Encodes a chunk, on a deciding thread.
pub trait Encode: Send + Sync {
    /// Encodes.
    ///
    /// # Errors
    /// Where the chunk does not have the columns of the schema, or a value that the format cannot hold.
    fn encode(&self, chunk: &Arc<ResultChunk>) -> Result<Encoded, OutputError>;
}

/// Some of a results file, on its way there.
pub enum Block {
    /// Ready to be written.
    Ready(Encoded),
    /// Still to be made, on any thread.
    Open(Make),
}

/// Makes a block ready to be written.
pub type Make = Box<dyn FnOnce() -> Result<Encoded, OutputError> + Send>;

/// Writes encoded chunks, in order.
///
/// The bytes written may depend on the order of the rows only, never on how they were cut into chunks: runs
/// of different `batch_rows` and threads give identical files.
pub trait WriteResults: Send {
    /// Takes the next chunk. The blocks that end with it come back, to be made and then written in their order.
    ///
    /// # Errors
    /// Where the chunk was encoded for another format.
    fn take(&mut self, encoded: Encoded) -> Result<Vec<Block>, OutputError>;

    /// The last block, where something was taken since the one before.
    fn rest(&mut self) -> Option<Block>;

    /// Writes a block that is ready.
    ///
    /// # Errors
    /// What the file, or the format's library, says.
    fn write(&mut self, ready: Encoded) -> Result<(), OutputError>;

    /// Flushes what was written so far, and gives what another process must know to go on with the file. What is not
    /// yet in the file is in there, so it is not small for ever: a run asks seldom.
    fn checkpoint(&mut self) -> Result<Vec<u8>, OutputError>;

    /// Ends the file and flushes it.
    ///
    /// # Errors
    /// What the file, or the format's library, says.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;
}

/// An output that could not be written.
#[derive(Debug)]
pub struct OutputError {
    /// What went wrong.
    pub message: String,
}

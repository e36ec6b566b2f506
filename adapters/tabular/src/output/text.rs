//! The text formats: encoded chunks are bytes, one after the other, in buffers that are used again.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use assay_batch::output::{Block, Encode, Encoded, OutputError, ResultChunk, ResultSchema, WriteResults};

use super::documents::Documents;
use super::lines::{Dialect, Lines};
use super::{other_format, output_error};

/// How many buffers wait to be used again at most: what is in hand is bounded by the run, and so few are in flight.
const WAITING: usize = 64;

/// Encodes chunks as lines of a text format.
pub(crate) struct TextEncoder<D> {
    schema: ResultSchema,
    lines: Lines<D>,
    buffers: Arc<Buffers>,
}

impl<D: Dialect> TextEncoder<D> {
    /// An encoder for these columns.
    pub fn new(schema: &ResultSchema, dialect: D) -> TextEncoder<D> {
        TextEncoder { schema: schema.clone(), lines: Lines::new(schema, dialect), buffers: Arc::default() }
    }
}

impl<D: Dialect> Encode for TextEncoder<D> {
    fn encode(&self, chunk: &Arc<ResultChunk>) -> Result<Encoded, OutputError> {
        let documents = Documents::of(&self.schema, chunk)?;
        let mut buffer = Buffer { bytes: self.buffers.take(), home: Arc::clone(&self.buffers) };
        self.lines.encode(documents, &mut buffer.bytes);
        Ok(Box::new(buffer))
    }
}

/// Buffers that wait to be used again. A new one of some megabytes would cost a page fault for every page, chunk by chunk.
#[derive(Default)]
struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }
}

/// A buffer, which goes back when it is dropped.
struct Buffer {
    bytes: Vec<u8>,
    home: Arc<Buffers>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let mut waiting = self.home.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING {
            waiting.push(bytes);
        }
    }
}

/// Writes the bytes of encoded chunks.
pub(crate) struct TextWriter {
    out: Box<dyn Write + Send>,
}

impl TextWriter {
    /// A file that begins with `head`, or goes on where it was.
    pub fn new(
        mut out: Box<dyn Write + Send>,
        head: Vec<u8>,
        resumed: bool,
    ) -> Result<TextWriter, OutputError> {
        if !resumed {
            out.write_all(&head).map_err(output_error)?;
        }
        Ok(TextWriter { out })
    }
}

impl WriteResults for TextWriter {
    /// A chunk is a block.
    fn take(&mut self, encoded: Encoded) -> Result<Vec<Block>, OutputError> {
        Ok(vec![Block::Ready(encoded)])
    }

    fn rest(&mut self) -> Option<Block> {
        None
    }

    fn write(&mut self, ready: Encoded) -> Result<(), OutputError> {
        let buffer = ready.downcast::<Buffer>().map_err(|_| other_format())?;
        self.out.write_all(&buffer.bytes).map_err(output_error)
    }

    fn checkpoint(&mut self) -> Result<Vec<u8>, OutputError> {
        self.out.flush().map_err(output_error)?;
        // All that there is to know stands in the file.
        Ok(Vec::new())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        self.out.flush().map_err(output_error)
    }
}

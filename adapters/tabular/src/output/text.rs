//! The writer of the text formats: encoded chunks are bytes, one after the other.

use std::io::Write;

use assay_batch::output::{Encoded, OutputError, WriteResults};

use super::output_error;

/// Writes the bytes of encoded chunks.
pub(crate) struct TextWriter {
    out: Box<dyn Write + Send>,
}

impl TextWriter {
    /// A file that begins with `head`.
    pub fn new(mut out: Box<dyn Write + Send>, head: Vec<u8>) -> Result<TextWriter, OutputError> {
        out.write_all(&head).map_err(output_error)?;
        Ok(TextWriter { out })
    }
}

impl WriteResults for TextWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), OutputError> {
        let bytes = encoded
            .downcast::<Vec<u8>>()
            .map_err(|_| output_error("the chunk was encoded for another format"))?;
        self.out.write_all(&bytes).map_err(output_error)
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        self.out.flush().map_err(output_error)
    }
}

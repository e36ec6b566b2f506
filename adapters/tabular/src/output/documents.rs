//! A chunk of results, document by document.

use std::sync::Arc;

use assay_batch::output::{Carried, OutputError, ResultChunk, ResultSchema};
use assay_engine::Word;

use super::output_error;

/// A chunk whose columns are those of the schema, each with a value for each document.
pub(super) struct Documents<'a> {
    chunk: &'a ResultChunk,
    locate: bool,
}

impl<'a> Documents<'a> {
    /// Looks at the chunk's shape.
    ///
    /// # Errors
    /// A column is missing, is one too many, or has not a value for each document.
    pub fn of(schema: &ResultSchema, chunk: &'a ResultChunk) -> Result<Documents<'a>, OutputError> {
        let assertions = schema.assertions.len();
        let columns = chunk.checks.len() == assertions
            && chunk.reasons.len() == assertions
            && chunk.contradicted.len() == assertions
            && chunk.carried.len() == schema.carry.len();
        let documents = chunk.ids.len();
        let mut lengths = (chunk.checks.iter().map(Vec::len))
            .chain(chunk.reasons.iter().map(Vec::len))
            .chain(chunk.contradicted.iter().map(Vec::len))
            .chain(chunk.carried.iter().map(Vec::len))
            .chain(schema.locate.then_some([chunk.files.len(), chunk.rows.len()]).into_iter().flatten());
        if !columns || lengths.any(|length| length != documents) {
            return Err(output_error("the results of a chunk do not have the columns of the run's results"));
        }
        Ok(Documents { chunk, locate: schema.locate })
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.chunk.ids.len()
    }

    /// The words by assertion, each with a word for each document.
    pub fn words(&self) -> impl Iterator<Item = &'a [Word]> {
        self.chunk.checks.iter().map(Vec::as_slice)
    }

    /// The documents in their order.
    pub fn iter(&self) -> impl Iterator<Item = Document<'a>> {
        let Documents { chunk, locate } = *self;
        chunk.ids.iter().enumerate().map(move |(at, id)| Document { chunk, locate, at, id })
    }
}

/// The results of one document.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    chunk: &'a ResultChunk,
    locate: bool,
    at: usize,
    /// Its id.
    pub id: &'a str,
}

impl<'a> Document<'a> {
    /// What is answered for each assertion: the word, the reason, the contradicted claims.
    pub fn answers(self) -> impl Iterator<Item = (Word, Option<&'a str>, &'a [Arc<str>])> {
        let (chunk, at) = (self.chunk, self.at);
        let columns = chunk.checks.iter().zip(&chunk.reasons).zip(&chunk.contradicted);
        columns.filter_map(move |((checks, reasons), contradicted)| {
            Some((*checks.get(at)?, reasons.get(at)?.as_deref(), contradicted.get(at)?.as_slice()))
        })
    }

    /// The value of each carried column.
    pub fn carried(self) -> impl Iterator<Item = &'a Carried> {
        let at = self.at;
        self.chunk.carried.iter().filter_map(move |column| column.get(at))
    }

    /// How many bytes its id and its carried values take.
    pub fn weight(self) -> usize {
        self.id.len() + self.carried().filter_map(carried_text).map(str::len).sum::<usize>()
    }

    /// Its file and row, where the run locates.
    pub fn place(self) -> Option<(&'a str, u64)> {
        let file = self.chunk.files.get(self.at).filter(|_| self.locate)?;
        Some((file, *self.chunk.rows.get(self.at)?))
    }
}

/// The text of a carried value, for the formats that keep no kinds.
pub(super) fn carried_text(value: &Carried) -> Option<&str> {
    match value {
        Carried::Null => None,
        Carried::Text(text) | Carried::Json(text) => Some(text),
    }
}

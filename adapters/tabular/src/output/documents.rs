//! A chunk of results whose shape is looked at once, so that what encodes it need not.

use std::sync::Arc;

use assay_batch::output::{AnswerColumn, Carried, OutputError, ResultChunk, ResultSchema};
use assay_engine::Word;

use super::output_error;

/// A chunk whose columns are those of the schema, each with a value for each document.
#[derive(Clone, Copy)]
pub(super) struct Documents<'a> {
    chunk: &'a ResultChunk,
    locate: bool,
}

impl<'a> Documents<'a> {
    /// Looks at the chunk's shape.
    ///
    /// # Errors
    /// A column is missing, is one too many, has not a value for each document, or points at what is not there.
    pub fn of(schema: &ResultSchema, chunk: &'a ResultChunk) -> Result<Documents<'a>, OutputError> {
        let documents = chunk.ids.len();
        let answered = |column: &AnswerColumn| {
            let named = column.contradicted.windows(2).all(|two| matches!(two, [a, b] if a.0 < b.0));
            column.words.len() == documents
                && column.words.iter().all(|word| usize::from(*word) < Word::ALL.len())
                && (column.reasons.is_empty() || column.reasons.len() == documents)
                && column.reasons.iter().all(|reason| *reason as usize <= chunk.reasons.len())
                && named
                && column.contradicted.iter().all(|(_, list)| (*list as usize) < chunk.contradicted.len())
                && column.contradicted.last().is_none_or(|(document, _)| *document < documents)
        };
        let whole = chunk.answers.len() == schema.assertions.len()
            && chunk.answers.iter().all(answered)
            && chunk.carried.len() == schema.carry.len()
            && chunk.carried.iter().all(|column| column.len() == documents)
            && (!schema.locate || chunk.rows.len() == documents);
        match whole {
            true => Ok(Documents { chunk, locate: schema.locate }),
            false => Err(output_error("the results of a chunk do not have the columns of the run's results")),
        }
    }

    /// How many documents there are.
    pub fn len(self) -> usize {
        self.chunk.ids.len()
    }

    /// The documents' ids.
    pub fn ids(self) -> impl Iterator<Item = &'a str> {
        self.chunk.ids.iter()
    }

    /// What is answered, by assertion.
    pub fn answers(self) -> impl Iterator<Item = Answers<'a>> {
        let lists = self.chunk.contradicted.as_slice();
        let column =
            move |column: &'a AnswerColumn| Answers { column, contradicted: &column.contradicted, lists };
        self.chunk.answers.iter().map(column)
    }

    /// The texts of reasons, which answers name from 1 on.
    pub fn reasons(self) -> &'a [Arc<str>] {
        &self.chunk.reasons
    }

    /// A document's value of each carried column.
    pub fn carried(self, document: usize) -> impl Iterator<Item = Carried<'a>> {
        self.chunk.carried.iter().map(move |column| column.get(document))
    }

    /// The file of the documents and a document's row in it, where the run locates.
    pub fn place(self, document: usize) -> Option<(&'a str, u64)> {
        let row = self.chunk.rows.get(document).filter(|_| self.locate)?;
        Some((&self.chunk.file, *row))
    }
}

/// What is answered for one assertion, document by document.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    column: &'a AnswerColumn,
    /// Those of the documents to come.
    contradicted: &'a [(usize, u32)],
    lists: &'a [Vec<Arc<str>>],
}

impl<'a> Answers<'a> {
    /// The answer for a document. Documents are asked for in their order.
    pub fn next(&mut self, document: usize) -> (usize, usize, &'a [Arc<str>]) {
        let word = self.column.words.get(document).map_or(0, |word| usize::from(*word));
        let reason = self.column.reasons.get(document).map_or(0, |reason| *reason as usize);
        let claims = match self.contradicted.split_first() {
            Some(((of, list), rest)) if *of == document => {
                self.contradicted = rest;
                self.lists.get(*list as usize).map_or(&[][..], Vec::as_slice)
            }
            _ => &[],
        };
        (word, reason, claims)
    }
}

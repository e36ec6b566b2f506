//! Results as lines of text, put together from pieces that are made once.
//!
//! A row of long results is the document's id, what stands for an assertion and its word, and the end of the document's
//! rows; a row of wide results has the words of all assertions between the two. Only the id, the carried values and the place
//! are a document's own, and only reasons and contradicted claims differ between answers of one word. So most of a row is
//! copied, and what a text looks like in the format ([`Dialect`]) is asked once a document.

use std::sync::Arc;

use assay_batch::output::{Carried, Layout, ResultSchema};
use assay_engine::Word;

use super::documents::{Answers, Documents};

/// How a text format writes the pieces of a row.
pub(crate) trait Dialect: Send + Sync {
    /// Begins a row with the document's id.
    fn id(&self, out: &mut Vec<u8>, id: &str);
    /// In a long row, what names the assertion and its word: all up to the reason.
    fn long_word(&self, out: &mut Vec<u8>, assertion: &str, word: &str);
    /// In a wide row, the column of an assertion.
    fn wide_word(&self, out: &mut Vec<u8>, assertion: &str, word: &str);
    /// The column of the reason.
    fn reason(&self, out: &mut Vec<u8>, reason: Option<&str>);
    /// The column of the contradicted claims.
    fn contradicted(&self, out: &mut Vec<u8>, claims: &[Arc<str>]);
    /// The columns of the pair.
    fn pair(&self, out: &mut Vec<u8>, ruleset: &str, library: Option<&str>);
    /// A carried column.
    fn carried(&self, out: &mut Vec<u8>, name: &str, value: Carried<'_>);
    /// The columns of the place.
    fn place(&self, out: &mut Vec<u8>, file: &str, row: u64);
    /// Ends a row.
    fn end(&self, out: &mut Vec<u8>);
}

/// A piece of a row for each word, in the order of [`Word::ALL`].
type ByWord = [Vec<u8>; 4];

/// Encodes chunks as lines.
pub(super) struct Lines<D> {
    dialect: D,
    schema: ResultSchema,
    /// For each assertion: what its column looks like, in long rows up to the reason.
    words: Vec<ByWord>,
    /// In long results the same, and on to the pair, for answers without a reason and contradicted claims.
    plain: Vec<ByWord>,
    no_reason: Vec<u8>,
    none_contradicted: Vec<u8>,
    /// How all rows go on after what is answered.
    pair: Vec<u8>,
}

impl<D: Dialect> Lines<D> {
    pub fn new(schema: &ResultSchema, dialect: D) -> Lines<D> {
        let piece = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut piece = Vec::new();
            write(&mut piece);
            piece
        };
        let words = |name: &String| {
            Word::ALL.map(|word| match schema.layout {
                Layout::Long => piece(&|out| dialect.long_word(out, name, word.as_str())),
                Layout::Wide => piece(&|out| dialect.wide_word(out, name, word.as_str())),
            })
        };
        let words: Vec<ByWord> = schema.assertions.iter().map(words).collect();
        let no_reason = piece(&|out| dialect.reason(out, None));
        let none_contradicted = piece(&|out| dialect.contradicted(out, &[]));
        let pair = piece(&|out| {
            dialect.pair(out, &schema.ruleset_hash, schema.unit_library_hash.as_deref());
        });
        let rest = [&*no_reason, &none_contradicted, &pair].concat();
        let plain = |words: &ByWord| words.each_ref().map(|word| [word.as_slice(), &rest].concat());
        let plain = match schema.layout {
            Layout::Long => words.iter().map(plain).collect(),
            Layout::Wide => Vec::new(),
        };
        Lines { words, plain, no_reason, none_contradicted, pair, dialect, schema: schema.clone() }
    }

    /// Appends the rows of the documents.
    pub fn encode(&self, documents: Documents<'_>, out: &mut Vec<u8>) {
        let reasons = documents.reasons().iter().map(|reason| {
            let mut text = Vec::new();
            self.dialect.reason(&mut text, Some(reason));
            text
        });
        let reasons: Vec<Vec<u8>> = reasons.collect();
        let mut answers: Vec<Answers<'_>> = documents.answers().collect();
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        for (document, id) in documents.ids().enumerate() {
            head.clear();
            self.dialect.id(&mut head, id);
            tail.clear();
            self.tail(documents, document, &mut tail);
            match self.schema.layout {
                Layout::Long => self.long(document, &mut answers, &reasons, [&head, &tail], out),
                Layout::Wide => {
                    out.extend_from_slice(&head);
                    for (words, answers) in self.words.iter().zip(&mut answers) {
                        let (word, ..) = answers.next(document);
                        out.extend_from_slice(piece(words, word));
                    }
                    out.extend_from_slice(&self.pair);
                    out.extend_from_slice(&tail);
                }
            }
        }
    }

    fn long(
        &self,
        document: usize,
        answers: &mut [Answers<'_>],
        reasons: &[Vec<u8>],
        [head, tail]: [&[u8]; 2],
        out: &mut Vec<u8>,
    ) {
        for ((words, plain), answers) in self.words.iter().zip(&self.plain).zip(answers) {
            let (word, reason, claims) = answers.next(document);
            out.extend_from_slice(head);
            if reason == 0 && claims.is_empty() {
                out.extend_from_slice(piece(plain, word));
            } else {
                out.extend_from_slice(piece(words, word));
                let reason = reason.checked_sub(1).and_then(|reason| reasons.get(reason));
                out.extend_from_slice(reason.unwrap_or(&self.no_reason));
                match claims {
                    [] => out.extend_from_slice(&self.none_contradicted),
                    claims => self.dialect.contradicted(out, claims),
                }
                out.extend_from_slice(&self.pair);
            }
            out.extend_from_slice(tail);
        }
    }

    /// What all rows of a document end with.
    fn tail(&self, documents: Documents<'_>, document: usize, out: &mut Vec<u8>) {
        for (name, value) in self.schema.carry.iter().zip(documents.carried(document)) {
            self.dialect.carried(out, name, value);
        }
        if let Some((file, row)) = documents.place(document) {
            self.dialect.place(out, file, row);
        }
        self.dialect.end(out);
    }
}

fn piece(by_word: &ByWord, word: usize) -> &[u8] {
    by_word.get(word).map_or(&[], Vec::as_slice)
}

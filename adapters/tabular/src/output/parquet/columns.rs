//! The columns of a row group, each from its documents to its pages.
//!
//! What a page or a dictionary holds, and in which order, follows from the documents alone: not from how they came in
//! chunks.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use assay_batch::output::{Layout, ResultSchema};
use assay_engine::Word;
use parquet::basic::Encoding;
use parquet::errors::Result;
use zstd::bulk::Compressor;

use super::chunk::{Chunk, ChunkWriter, Levels, push_levels, push_text};
use super::group::Group;
use super::hybrid::{Hybrid, pack, width};

/// A page ends after so many rows, but never within a document,
const PAGE_ROWS: usize = 32 * 1024;

/// and, where it holds plain texts, with the text in which it comes to so many bytes.
const PAGE_BYTES: usize = 1024 * 1024;

/// Stands for a null among places in a dictionary.
const NULL: u32 = u32::MAX;

/// Makes the columns of a group.
pub(super) struct Columns<'g> {
    layout: Layout,
    schema: &'g ResultSchema,
    group: &'g Group,
    zstd: &'g mut Compressor<'static>,
}

/// Places in a dictionary, one for each document, and the dictionary in plain encoding.
struct Places {
    places: Vec<u32>,
    values: usize,
    plain: Vec<u8>,
}

impl<'g> Columns<'g> {
    pub fn new(schema: &'g ResultSchema, group: &'g Group, zstd: &'g mut Compressor<'static>) -> Columns<'g> {
        Columns { layout: schema.layout, schema, group, zstd }
    }

    /// How many rows the group has.
    pub fn rows(&self) -> usize {
        self.group.documents * self.rows_each()
    }

    /// How many rows a document has.
    fn rows_each(&self) -> usize {
        match self.layout {
            Layout::Long => self.schema.assertions.len(),
            Layout::Wide => 1,
        }
    }

    /// Makes all columns, in the order of the file.
    pub fn all(mut self) -> Result<Vec<Arc<Chunk>>> {
        let Columns { schema, group, .. } = self;
        let mut columns = Vec::new();
        match self.layout {
            Layout::Long => {
                columns.push(self.texts(group.ids.iter().map(Some), false)?);
                let names = self.names()?;
                columns.extend([Arc::clone(&names), names]);
                columns.push(self.words(&group.words)?);
                columns.push(self.reasons()?);
                columns.push(self.contradicted()?);
            }
            Layout::Wide => {
                columns.push(self.plain(group.ids.iter().map(Some), false)?);
                for words in &group.words {
                    columns.push(self.words(std::slice::from_ref(words))?);
                }
            }
        }
        columns.push(self.one(Some(&schema.ruleset_hash), false)?);
        columns.push(self.one(schema.unit_library_hash.as_deref(), true)?);
        for column in &group.carried {
            columns.push(self.texts(column.iter().map(|value| value.text()), true)?);
        }
        if schema.locate {
            columns.push(self.files()?);
            columns.push(self.row_numbers()?);
        }
        Ok(columns)
    }

    /// The documents of each page.
    fn pages(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let documents = self.group.documents;
        let each = PAGE_ROWS.checked_div(self.rows_each()).unwrap_or(1).max(1);
        (0..documents).step_by(each).map(move |start| start..(start + each).min(documents))
    }

    /// Texts by document: as they are where that takes no more room, else as places in a dictionary.
    fn texts<'t>(
        &mut self,
        texts: impl Iterator<Item = Option<&'t str>> + Clone,
        nullable: bool,
    ) -> Result<Arc<Chunk>> {
        let mut plain = Vec::new();
        let mut numbers = HashMap::new();
        let (mut all, mut distinct) = (0, 0);
        let most = texts.clone().flatten().map(str::len).sum::<usize>() / 2;
        let layout = self.layout;
        let worthwhile = |distinct: usize| layout == Layout::Long || distinct <= most;
        let mut places = Vec::with_capacity(self.group.documents);
        for text in texts.clone() {
            let Some(text) = text else {
                places.push(NULL);
                continue;
            };
            all += 1;
            let next = numbers.len() as u32;
            places.push(*numbers.entry(text).or_insert_with(|| {
                distinct += text.len();
                push_text(&mut plain, text);
                next
            }));
            if !worthwhile(distinct) {
                return self.plain(texts, nullable);
            }
        }
        match all {
            0 => self.plain(texts, nullable),
            _ => self.places(&Places { places, values: numbers.len(), plain }, nullable),
        }
    }

    /// Texts as they are: one for each row, or one for each document where all are null.
    fn plain<'t>(
        &mut self,
        texts: impl Iterator<Item = Option<&'t str>>,
        nullable: bool,
    ) -> Result<Arc<Chunk>> {
        let each = self.rows_each();
        let mut chunk = ChunkWriter::new(self.zstd);
        let (mut levels, mut values, mut body) = (Vec::new(), Vec::new(), Vec::new());
        let mut texts = texts.peekable();
        while let Some(text) = texts.next() {
            levels.extend(std::iter::repeat_n(u8::from(text.is_some()), each));
            if let Some(text) = text {
                push_text(&mut values, text);
            }
            if levels.len() >= PAGE_ROWS || values.len() >= PAGE_BYTES || texts.peek().is_none() {
                body.clear();
                push_levels(&mut body, levels.len(), 1, &same_or_each(nullable, &levels));
                body.append(&mut values);
                chunk.data(levels.len(), &body, Encoding::PLAIN)?;
                levels.clear();
            }
        }
        chunk.finish()
    }

    /// Values by document as places in a dictionary: runs, where a document has many rows.
    fn places(&mut self, of: &Places, nullable: bool) -> Result<Arc<Chunk>> {
        let (each, pages) = (self.rows_each(), self.pages());
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(of.values, &of.plain)?;
        let width = width(of.values);
        let (mut levels, mut body) = (Vec::new(), Vec::new());
        for documents in pages {
            let places = of.places.get(documents).unwrap_or_default();
            body.clear();
            levels.clear();
            if nullable {
                let level = |place: &u32| std::iter::repeat_n(u8::from(*place != NULL), each);
                levels.extend(places.iter().flat_map(level));
            }
            push_levels(&mut body, places.len() * each, 1, &same_or_each(nullable, &levels));
            body.push(width);
            let mut hybrid = Hybrid::new(&mut body, width);
            places.iter().filter(|place| **place != NULL).for_each(|place| hybrid.run(*place, each));
            hybrid.finish();
            chunk.data(places.len() * each, &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// The same text, or null, in every row.
    fn one(&mut self, text: Option<&str>, nullable: bool) -> Result<Arc<Chunk>> {
        let Some(text) = text else { return self.nulls(1, None) };
        let (each, pages) = (self.rows_each(), self.pages());
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(1, &plain_texts([text]))?;
        let mut body = Vec::new();
        for documents in pages {
            let rows = documents.len() * each;
            body.clear();
            let levels = if nullable { Levels::All(1) } else { Levels::None };
            push_levels(&mut body, rows, 1, &levels);
            body.push(width(1));
            let mut hybrid = Hybrid::new(&mut body, width(1));
            hybrid.run(0, rows);
            hybrid.finish();
            chunk.data(rows, &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// Null in every row. The widths are those of the levels of definition and, in lists, of repetition.
    fn nulls(&mut self, definition: u8, repetition: Option<u8>) -> Result<Arc<Chunk>> {
        let (each, pages) = (self.rows_each(), self.pages());
        let mut chunk = ChunkWriter::new(self.zstd);
        let mut body = Vec::new();
        for documents in pages {
            let rows = documents.len() * each;
            body.clear();
            if let Some(repetition) = repetition {
                push_levels(&mut body, rows, repetition, &Levels::All(0));
            }
            push_levels(&mut body, rows, definition, &Levels::All(0));
            chunk.data(rows, &body, Encoding::PLAIN)?;
        }
        chunk.finish()
    }

    /// The names of the assertions, over and over.
    fn names(&mut self) -> Result<Arc<Chunk>> {
        let (names, pages) = (&self.schema.assertions, self.pages());
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(names.len(), &plain_texts(names.iter().map(String::as_str)))?;
        let width = width(names.len());
        let mut body = Vec::new();
        for documents in pages {
            let rows = documents.len() * names.len();
            body.clear();
            body.push(width);
            pack(&mut body, width, rows, documents.flat_map(|_| 0..names.len() as u32));
            chunk.data(rows, &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// The words of some assertions, by document.
    fn words(&mut self, columns: &[Vec<u8>]) -> Result<Arc<Chunk>> {
        let pages = self.pages();
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(Word::ALL.len(), &plain_texts(Word::ALL.map(|word| word.as_str())))?;
        let width = width(Word::ALL.len());
        let (mut body, mut words) = (Vec::new(), Vec::new());
        for documents in pages {
            let rows = documents.len() * columns.len();
            interleave(&mut words, columns, documents);
            body.clear();
            body.push(width);
            pack(&mut body, width, rows, words.iter().map(|word| u32::from(*word)));
            chunk.data(rows, &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// The reasons, by document and assertion.
    fn reasons(&mut self) -> Result<Arc<Chunk>> {
        let columns = &self.group.reasons;
        if columns.iter().all(Vec::is_empty) {
            return self.nulls(1, None);
        }
        let pages = self.pages();
        // Texts are numbered anew, by where they first stand.
        let mut order = Order::new(&self.group.reason_texts.texts);
        let there: Vec<&Vec<u32>> = columns.iter().filter(|column| !column.is_empty()).collect();
        for document in 0..self.group.documents {
            let reasons = there.iter().filter_map(|column| column.get(document));
            reasons.filter_map(|reason| reason.checked_sub(1)).for_each(|reason| order.see(reason));
        }
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(order.texts.len(), &plain_texts(order.texts.iter().copied()))?;
        let width = width(order.texts.len());
        let (mut levels, mut places, mut body) = (Vec::new(), Vec::new(), Vec::new());
        for documents in pages {
            levels.clear();
            places.clear();
            for document in documents {
                for column in columns {
                    let reason = column.get(document).copied().unwrap_or(0);
                    levels.push(u8::from(reason != 0));
                    if let Some(reason) = reason.checked_sub(1) {
                        places.push(order.place(reason));
                    }
                }
            }
            body.clear();
            push_levels(&mut body, levels.len(), 1, &same_or_each(true, &levels));
            body.push(width);
            pack(&mut body, width, places.len(), places.iter().copied());
            chunk.data(levels.len(), &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// Lists of contradicted claims, by document and assertion: null where there are none.
    fn contradicted(&mut self) -> Result<Arc<Chunk>> {
        let Group { contradicted: columns, claim_lists, .. } = self.group;
        if columns.iter().all(Vec::is_empty) {
            return self.nulls(2, Some(1));
        }
        let pages = self.pages();
        let mut lists: Vec<(usize, usize, &[u32])> = Vec::new();
        for (assertion, column) in columns.iter().enumerate() {
            let claims = |list: &u32| claim_lists.lists.get(*list as usize).map_or(&[][..], Vec::as_slice);
            lists.extend(column.iter().map(|(document, list)| (*document, assertion, claims(list))));
        }
        // Each column is in order already, and runs are merged.
        lists.sort_by_key(|(document, assertion, _)| (*document, *assertion));
        let mut order = Order::new(&claim_lists.claims.texts);
        lists.iter().flat_map(|(.., claims)| *claims).for_each(|claim| order.see(*claim));
        let mut chunk = ChunkWriter::new(self.zstd);
        chunk.dictionary(order.texts.len(), &plain_texts(order.texts.iter().copied()))?;
        let width = width(order.texts.len());
        let mut lists = lists.into_iter().peekable();
        let (mut repeated, mut defined, mut places, mut body) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for documents in pages {
            repeated.clear();
            defined.clear();
            places.clear();
            for document in documents {
                for assertion in 0..columns.len() {
                    let list = lists.next_if(|list| (list.0, list.1) == (document, assertion));
                    match list {
                        None | Some((.., [])) => {
                            repeated.push(0);
                            defined.push(0);
                        }
                        Some((.., claims)) => {
                            repeated.extend((0..claims.len()).map(|at| u8::from(at > 0)));
                            defined.extend(std::iter::repeat_n(2_u8, claims.len()));
                            places.extend(claims.iter().map(|claim| order.place(*claim)));
                        }
                    }
                }
            }
            body.clear();
            push_levels(&mut body, repeated.len(), 1, &Levels::Each(&repeated));
            push_levels(&mut body, defined.len(), 2, &Levels::Each(&defined));
            body.push(width);
            pack(&mut body, width, places.len(), places.iter().copied());
            chunk.data(defined.len(), &body, Encoding::RLE_DICTIONARY)?;
        }
        chunk.finish()
    }

    /// The names of the documents' files.
    fn files(&mut self) -> Result<Arc<Chunk>> {
        let Group { files, file_names, .. } = self.group;
        let plain = plain_texts(file_names.texts.iter().map(|name| &**name));
        self.places(&Places { places: files.clone(), values: file_names.texts.len(), plain }, false)
    }

    /// The numbers of the documents' rows.
    fn row_numbers(&mut self) -> Result<Arc<Chunk>> {
        let (rows, pages) = (&self.group.rows, self.pages());
        if self.layout == Layout::Long {
            let (places, distinct) = numbered(rows.iter());
            let plain = distinct.iter().flat_map(|row| row.to_le_bytes()).collect();
            return self.places(&Places { places, values: distinct.len(), plain }, false);
        }
        let mut chunk = ChunkWriter::new(self.zstd);
        for documents in pages {
            let rows = rows.get(documents).unwrap_or_default();
            let body: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
            chunk.data(rows.len(), &body, Encoding::PLAIN)?;
        }
        chunk.finish()
    }
}

/// Numbers values as they first come: a number for each, and the distinct ones.
fn numbered<T: Hash + Eq + Copy>(values: impl Iterator<Item = T>) -> (Vec<u32>, Vec<T>) {
    let (mut numbers, mut distinct) = (HashMap::new(), Vec::new());
    let places = values.map(|value| {
        *numbers.entry(value).or_insert_with(|| {
            distinct.push(value);
            (distinct.len() - 1) as u32
        })
    });
    (places.collect(), distinct)
}

/// Texts that are numbered anew, by where they are first seen.
struct Order<'t> {
    all: &'t [Arc<str>],
    /// The new number of each from 1; 0 while it has not been seen.
    places: Vec<u32>,
    texts: Vec<&'t str>,
}

impl<'t> Order<'t> {
    fn new(all: &'t [Arc<str>]) -> Order<'t> {
        Order { all, places: vec![0; all.len()], texts: Vec::new() }
    }

    fn see(&mut self, number: u32) {
        let number = number as usize;
        if let (Some(place @ 0), Some(text)) = (self.places.get_mut(number), self.all.get(number)) {
            self.texts.push(text);
            *place = self.texts.len() as u32;
        }
    }

    fn place(&self, number: u32) -> u32 {
        self.places.get(number as usize).map_or(0, |place| place.saturating_sub(1))
    }
}

/// Levels of 0 and 1 that are mostly the same.
fn same_or_each(nullable: bool, levels: &[u8]) -> Levels<'_> {
    match levels.first() {
        _ if !nullable => Levels::None,
        Some(first) if levels.iter().all(|level| level == first) => Levels::All(u32::from(*first)),
        _ => Levels::Each(levels),
    }
}

/// The values of some columns for some documents, document by document.
fn interleave(values: &mut Vec<u8>, columns: &[Vec<u8>], documents: Range<usize>) {
    values.clear();
    values.resize(documents.len() * columns.len(), 0);
    for (at, column) in columns.iter().enumerate() {
        let column = column.get(documents.clone()).unwrap_or_default();
        let places = values.iter_mut().skip(at).step_by(columns.len());
        places.zip(column).for_each(|(place, value)| *place = *value);
    }
}

/// Texts in plain encoding.
fn plain_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<u8> {
    let mut plain = Vec::new();
    texts.into_iter().for_each(|text| push_text(&mut plain, text));
    plain
}

//! Results as an Arrow table.
//!
//! What all rows of a document have in common (its id, its carried values, its place) is held once for the document
//! and pointed at by its rows, however many assertions there are.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, DictionaryArray, Int8Array, Int32Array, Int64Array, ListBuilder, RecordBatch,
    StringArray, StringBuilder, StringDictionaryBuilder,
};
use arrow::datatypes::{DataType, Field, Int8Type, Int32Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use assay_batch::output::{Layout, ResultSchema};
use assay_engine::Word;

use crate::output::columns;
use crate::output::documents::{Document, Documents, carried_text};

/// Makes the tables of a run's results.
pub(super) struct Table {
    layout: Layout,
    /// How many rows a document has.
    rows_each: usize,
    locate: bool,
    carried: usize,
    rows: SchemaRef,
    file: SchemaRef,
    words: ArrayRef,
    names: ArrayRef,
    ruleset_hash: ArrayRef,
    unit_library_hash: Option<ArrayRef>,
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    /// One of few texts.
    Few(Keys),
    /// A text, as good as never that of another document.
    Text,
    Texts,
    Whole,
}

#[derive(Clone, Copy)]
enum Keys {
    Int8,
    Int32,
}

impl Kind {
    /// Its type as readers see it: those of Arrow get what repeats as dictionaries, others as plain texts.
    fn in_file(self) -> DataType {
        match self {
            Kind::Few(keys) => keys.dictionary(),
            Kind::Text => DataType::Utf8,
            Kind::Texts => DataType::List(Arc::new(item())),
            Kind::Whole => DataType::Int64,
        }
    }

    /// Its type in the tables handed to the writer.
    fn in_rows(self) -> DataType {
        match self {
            Kind::Text => Keys::Int32.dictionary(),
            other => other.in_file(),
        }
    }
}

impl Keys {
    fn dictionary(self) -> DataType {
        let keys = match self {
            Keys::Int8 => DataType::Int8,
            Keys::Int32 => DataType::Int32,
        };
        DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8))
    }
}

fn item() -> Field {
    Field::new_list_field(DataType::Utf8, false)
}

/// What each column holds and whether it may be null, in the order of [`columns`].
fn kinds(schema: &ResultSchema) -> Vec<(Kind, bool)> {
    let (word, few) = (Kind::Few(Keys::Int8), Kind::Few(Keys::Int32));
    let mut kinds = vec![(Kind::Text, false)];
    match schema.layout {
        Layout::Long => {
            kinds.extend([(few, false), (few, false), (word, false), (few, true), (Kind::Texts, true)]);
        }
        Layout::Wide => kinds.extend(schema.assertions.iter().map(|_| (word, false))),
    }
    kinds.extend([(word, false), (word, true)]);
    kinds.extend(schema.carry.iter().map(|_| (Kind::Text, true)));
    if schema.locate {
        kinds.extend([(few, false), (Kind::Whole, false)]);
    }
    kinds
}

impl Table {
    pub fn new(schema: &ResultSchema) -> Table {
        let kinds = kinds(schema);
        let table = |data_type: fn(Kind) -> DataType| {
            let fields = columns(schema).zip(&kinds);
            let fields = fields.map(|(name, (kind, nullable))| Field::new(name, data_type(*kind), *nullable));
            Arc::new(Schema::new(fields.collect::<Vec<_>>()))
        };
        Table {
            layout: schema.layout,
            rows_each: match schema.layout {
                Layout::Long => schema.assertions.len(),
                Layout::Wide => 1,
            },
            locate: schema.locate,
            carried: schema.carry.len(),
            rows: table(Kind::in_rows),
            file: table(Kind::in_file),
            words: texts(Word::ALL.iter().map(|word| word.as_str())),
            names: texts(schema.assertions.iter().map(String::as_str)),
            ruleset_hash: texts([schema.ruleset_hash.as_str()]),
            unit_library_hash: schema.unit_library_hash.as_deref().map(|hash| texts([hash])),
        }
    }

    /// The columns as readers see them.
    pub fn file_schema(&self) -> SchemaRef {
        Arc::clone(&self.file)
    }

    /// The columns of the tables.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.rows)
    }

    /// How many rows a document has.
    pub fn rows_each(&self) -> usize {
        self.rows_each
    }

    /// The table of a chunk.
    pub fn batch(&self, documents: &Documents<'_>) -> Result<RecordBatch, ArrowError> {
        let rows = documents.len() * self.rows_each;
        let mut table = vec![self.spread(texts(documents.iter().map(|document| document.id)))?];
        match self.layout {
            Layout::Long => self.long(documents, &mut table)?,
            Layout::Wide => self.wide(documents, &mut table)?,
        }
        table.push(one(&self.ruleset_hash, rows)?);
        table.push(match &self.unit_library_hash {
            Some(hash) => one(hash, rows)?,
            None => {
                let none = Int8Array::new_null(rows);
                Arc::new(DictionaryArray::<Int8Type>::try_new(none, Arc::clone(&self.ruleset_hash))?)
            }
        });
        for column in 0..self.carried {
            let value = |document: Document<'_>| {
                document.carried().nth(column).and_then(carried_text).map(str::to_owned)
            };
            let values: StringArray = documents.iter().map(value).collect();
            table.push(self.spread(Arc::new(values))?);
        }
        if self.locate {
            let mut files = StringDictionaryBuilder::<Int32Type>::new();
            let mut places = Vec::with_capacity(rows);
            for (file, row) in documents.iter().filter_map(|document| document.place()) {
                let row = i64::try_from(row).map_err(|error| ArrowError::ComputeError(error.to_string()))?;
                files.append_n(file, self.rows_each)?;
                places.extend(std::iter::repeat_n(row, self.rows_each));
            }
            table.push(Arc::new(files.finish()));
            table.push(Arc::new(Int64Array::from(places)));
        }
        RecordBatch::try_new(Arc::clone(&self.rows), table)
    }

    /// The columns from `rule` to `contradicted`.
    fn long(&self, documents: &Documents<'_>, table: &mut Vec<ArrayRef>) -> Result<(), ArrowError> {
        let keys = (0..documents.len()).flat_map(|_| 0..self.rows_each);
        let name: ArrayRef = Arc::new(dictionary(keys, &self.names)?);
        let mut checks = Vec::with_capacity(name.len());
        let mut reasons = StringDictionaryBuilder::<Int32Type>::new();
        let mut contradicted = ListBuilder::new(StringBuilder::new()).with_field(item());
        for (word, reason, claims) in documents.iter().flat_map(|document| document.answers()) {
            checks.push(word as i8);
            reasons.append_option(reason);
            claims.iter().for_each(|claim| contradicted.values().append_value(claim));
            contradicted.append(!claims.is_empty());
        }
        table.extend([Arc::clone(&name), name, self.checks(checks)?]);
        table.push(Arc::new(reasons.finish()));
        table.push(Arc::new(contradicted.finish()));
        Ok(())
    }

    /// A column for each assertion.
    fn wide(&self, documents: &Documents<'_>, table: &mut Vec<ArrayRef>) -> Result<(), ArrowError> {
        for words in documents.words() {
            table.push(self.checks(words.iter().map(|word| *word as i8).collect())?);
        }
        Ok(())
    }

    fn checks(&self, keys: Vec<i8>) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(Int8Array::from(keys), Arc::clone(&self.words))?))
    }

    /// A value for each document as a value for each of its rows.
    fn spread(&self, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
        let keys = (0..values.len()).flat_map(|document| std::iter::repeat_n(document, self.rows_each));
        Ok(Arc::new(dictionary(keys, &values)?))
    }
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(texts))
}

/// A column that holds one text in every row.
fn one(text: &ArrayRef, rows: usize) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(Int8Array::from_value(0, rows), Arc::clone(text))?))
}

/// A column of these values, by their positions. A null value makes a null row.
fn dictionary(
    keys: impl Iterator<Item = usize>,
    values: &ArrayRef,
) -> Result<DictionaryArray<Int32Type>, ArrowError> {
    let key = |key: usize| -> Result<Option<i32>, ArrowError> {
        let valid = !values.is_null(key);
        Ok(valid.then_some(i32::try_from(key).map_err(|_| ArrowError::DictionaryKeyOverflowError)?))
    };
    let keys = keys.map(key).collect::<Result<Int32Array, _>>()?;
    DictionaryArray::try_new(keys, Arc::clone(values))
}

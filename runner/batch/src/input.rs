//! What a run asks of an input format. Adapters implement these; the run knows no format.
//!
//! Reading is in two halves. A [`Source`] runs on the reading side: it decompresses, decodes and *frames* rows
//! into chunks, sequentially. A [`Chunk`] is decoded on a deciding thread: values are found in its rows there, either by
//! column ([`Chunk::columns`]), where rows are regular, or row by row ([`Chunk::each`]), which is what defines what a row
//! says.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use assay_claims::{BooleanBuffer, Checker, ClaimColumns, ClaimId, Missing, Raw};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::remote::Object;

/// How a text format is read. Values' own options are [`assay_claims::Reading`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions {
    /// The CSV delimiter.
    pub delimiter: u8,
    /// The CSV quote.
    pub quote: u8,
    /// The text's encoding: `utf-8`, `utf-16`, `utf-16le`, `utf-16be` or `windows-1252`.
    pub encoding: String,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { delimiter: b',', quote: b'"', encoding: "utf-8".to_owned() }
    }
}

/// One row at most, in bytes of its decoded text.
pub const MAX_ROW_BYTES: usize = 16 * 1024 * 1024;

/// An input that could not be read: a missing or truncated file, a broken footer, a bad gzip.
#[derive(Debug)]
pub struct InputError {
    /// The file, as the run names it.
    pub file: String,
    /// What went wrong, and where in the file if that is known.
    pub message: String,
    /// What the person can do, where there is something to say.
    pub help: Option<String>,
}

/// The format of an input or an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileFormat {
    /// One JSON object a line.
    Jsonl,
    /// RFC 4180 with a header.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Where an input's bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// An object of a store.
    Object(Object),
}

/// The beginning of an input, by which it is known again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefix {
    /// How many bytes, as stored.
    pub bytes: u64,
    /// Lowercase hex SHA-256 of them.
    pub sha256: String,
}

/// A file's size and the time of its last change; an object's version too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub bytes: u64,
    pub modified: Option<SystemTime>,
    pub version: Option<String>,
}

impl Location {
    /// Whether its bytes are still there once they were read.
    pub(crate) fn can_be_read_again(&self) -> bool {
        match self {
            Location::File(_) | Location::Object(_) => true,
            Location::Stdin => false,
        }
    }

    /// The stamp of a file, or that of an object when it was found: that it is still the same is held as it is read. None of
    /// what is not there.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        match self {
            Location::File(path) => {
                let metadata = std::fs::metadata(path).ok()?;
                Some(Stamp { bytes: metadata.len(), modified: metadata.modified().ok(), version: None })
            }
            Location::Object(object) => Some(Stamp {
                bytes: object.bytes,
                modified: Some(object.modified),
                version: object.version.clone(),
            }),
            Location::Stdin => None,
        }
    }
}

/// Opens inputs. One implementation serves every format; the run passes it in.
pub trait Open: Send + Sync {
    /// Opens an input. `name` is what messages and results call it.
    ///
    /// # Errors
    /// Where it is not there or is not of this format.
    fn open(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        columns: &Wanted,
    ) -> Result<Box<dyn Source>, InputError>;

    /// What columns an input has, without consuming it (`None`: the format has none to tell before its rows are read,
    /// as standard input). For JSONL, the keys of its first rows, at most a thousand.
    fn shape(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        claims_field: Option<&str>,
    ) -> Result<Option<Shape>, InputError>;

    /// What an input begins with, as stored: its first so many bytes, or all of them. Shorter than was asked for where the
    /// input is.
    fn prefix(&self, location: &Location, name: &str, bytes: Option<u64>) -> Result<Prefix, InputError>;
}

/// What an input holds before its rows are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// The columns, or the top-level keys, in their order.
    pub columns: Vec<String>,
    /// The keys of the claims object, where rows are nested.
    pub nested: Option<Vec<String>>,
}

/// The columns that the run will ask every row for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Distinct columns by name, in the order in which [`Cells::values`] holds them.
    pub columns: Vec<Column>,
    /// JSONL only: the field that holds the claims object. Fields of it that are not wanted are handed over as
    /// [`Cells::extra`]. Where it is absent rows are flat and unwanted fields are dropped unread.
    pub claims_field: Option<String>,
}

/// A wanted column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether it is looked for in the claims object rather than in the row itself.
    pub in_claims: bool,
}

/// The reading side of one input.
pub trait Source: Send {
    /// The next chunk of up to `max_rows` rows, fewer where rows are large: a chunk is held in memory whole, so it should
    /// end once its text passes some tens of MiB. `None` at the end. Blocks on input.
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError>;

    /// Lends it threads: what can be read side by side is read there, so that little is left that only one thread can do.
    fn share(&mut self, pool: &Arc<ThreadPool>) {
        let _ = pool;
    }

    /// The columns, where [`Open::shape`] could not tell them and they are known now that the input is open (the
    /// header of a CSV on standard input).
    fn shape(&self) -> Option<Shape> {
        None
    }

    /// How many of the input's bytes as stored have been read: for showing progress, so an estimate will do. 0 where
    /// nothing is known.
    fn bytes_read(&self) -> u64 {
        0
    }

    /// Passes over so many rows and says how many there were.
    fn skip(&mut self, rows: u64) -> Result<u64, InputError> {
        let mut skipped = 0;
        while skipped < rows {
            let most = usize::try_from(rows - skipped).unwrap_or(usize::MAX).min(SKIPPED_ROWS);
            let Some(chunk) = self.next(most)? else { break };
            skipped += chunk.len() as u64;
        }
        Ok(skipped)
    }

    /// What has been read of the input as stored, where it is read from its beginning to its end. It holds all rows that
    /// were delivered, and may hold more.
    fn prefix(&self) -> Option<Prefix> {
        None
    }

    /// Lowercase hex SHA-256 of the input's bytes as stored; whole once `next` has answered `None`.
    fn sha256(&mut self) -> Result<String, InputError>;
}

/// How many rows are passed over at a time.
const SKIPPED_ROWS: usize = 4096;

/// Some rows of one input, framed.
pub trait Chunk: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// How many bytes of text a row has, as it stands in the input; 0 where the format has no text.
    fn row_bytes(&self, _row: usize) -> u64 {
        0
    }

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decodes the rows in order.
    fn each(&self, visit: &mut dyn FnMut(Row<'_>));

    /// Decodes some of the rows, in order, exactly as [`Chunk::each`] decodes them.
    fn each_of(&self, rows: &BooleanBuffer, visit: &mut dyn FnMut(Row<'_>)) {
        let mut at = 0;
        self.each(&mut |row| {
            if at < rows.len() && rows.value(at) {
                visit(row);
            }
            at += 1;
        });
    }

    /// Decodes the rows by column. A row that does not come out here exactly as [`Chunk::each`] and [`Checker::row`] have
    /// it is set aside, and so is every row that they refuse. Where nothing else is said they all are.
    fn columns(&self, layout: &Layout<'_>) -> Decoded {
        let mut columns = layout.start(self.len());
        columns.set_all_aside();
        let mut numbers = Vec::with_capacity(self.len());
        self.each(&mut |row| numbers.push(row.number));
        let texts = layout.texts.iter().map(|_| TextColumn::default()).collect();
        Decoded { claims: columns.finish(), texts, numbers }
    }
}

/// What the wanted columns are for. Places are those in [`Wanted::columns`].
#[derive(Debug)]
pub struct Layout<'a> {
    /// Binds the values of claims.
    pub checker: &'a Checker,
    /// What a missing claim is.
    pub missing: Missing,
    /// By claim in declared order: where it is read from.
    pub claims: Vec<ClaimPlace>,
    /// The columns that are kept as texts: those of ids, and the carried ones.
    pub texts: Vec<usize>,
    /// Whether a row with [`Cells::extra`] is set aside.
    pub strict: bool,
}

/// Where a claim is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimPlace {
    /// The place of its value.
    pub value: usize,
    /// The place of its unit, where that has a column of its own.
    pub unit: Option<usize>,
}

impl Layout<'_> {
    /// Columns for as many rows, to be filled.
    pub fn start(&self, rows: usize) -> assay_claims::Columns<'_> {
        let paired = |claim: ClaimId| self.claims.get(claim.0).is_some_and(|place| place.unit.is_some());
        self.checker.columns(rows, self.missing, paired)
    }
}

/// The rows of a chunk by column.
#[derive(Debug)]
pub struct Decoded {
    /// The claims, and which rows are set aside.
    pub claims: ClaimColumns,
    /// One for each of [`Layout::texts`]. What they hold for a row that is set aside means nothing.
    pub texts: Vec<TextColumn>,
    /// The number of each row in its input, as [`Row::number`].
    pub numbers: Vec<u64>,
}

/// Values by row that are kept as they came.
#[derive(Debug, Clone, Default)]
pub struct TextColumn {
    kinds: Vec<TextKind>,
    /// Where the text of each row ends.
    ends: Vec<usize>,
    texts: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextKind {
    Missing,
    Null,
    Text,
    Json,
}

/// A value of a [`TextColumn`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextCell<'a> {
    /// The row does not have it.
    Missing,
    /// A null.
    Null,
    /// A text, or what is shown of a value that only has a text to show.
    Text(&'a str),
    /// A number or a boolean, as the text that it has in JSON.
    Json(&'a str),
}

impl TextColumn {
    /// A column with room for so many rows.
    pub fn with_capacity(rows: usize) -> TextColumn {
        TextColumn {
            kinds: Vec::with_capacity(rows),
            ends: Vec::with_capacity(rows),
            texts: String::with_capacity(rows * 16),
        }
    }

    /// How many rows have their value.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether no row has its value yet.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Adds the value of the next row.
    #[inline]
    pub fn push(&mut self, cell: TextCell<'_>) {
        let (kind, text) = match cell {
            TextCell::Missing => (TextKind::Missing, ""),
            TextCell::Null => (TextKind::Null, ""),
            TextCell::Text(text) => (TextKind::Text, text),
            TextCell::Json(text) => (TextKind::Json, text),
        };
        self.texts.push_str(text);
        self.kinds.push(kind);
        self.ends.push(self.texts.len());
    }

    /// The value of a row; past the end it is missing.
    #[inline]
    pub fn get(&self, row: usize) -> TextCell<'_> {
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(row).copied().unwrap_or(start);
        let text = self.texts.get(start..end).unwrap_or_default();
        match self.kinds.get(row) {
            None | Some(TextKind::Missing) => TextCell::Missing,
            Some(TextKind::Null) => TextCell::Null,
            Some(TextKind::Text) => TextCell::Text(text),
            Some(TextKind::Json) => TextCell::Json(text),
        }
    }
}

/// A row.
#[derive(Debug)]
pub struct Row<'a> {
    /// Its number in its input, from 1: the line of a JSONL row, the record of a CSV row (the header is not
    /// counted), the row of a Parquet file.
    pub number: u64,
    /// Its values, or why they could not be told apart (malformed JSON, a ragged CSV row, bytes that are not UTF-8, a row
    /// too long): such a row is rejected whole.
    pub cells: Result<Cells<'a>, Malformed>,
    /// The row itself, to be kept where it is rejected.
    pub record: Record<'a>,
}

/// Why a row could not be read, in the words of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// What a row must be: `one JSON object on a line`.
    pub expected: String,
    /// What came.
    pub received: String,
}

/// The values of a row.
#[derive(Debug, Clone, Default)]
pub struct Cells<'a> {
    /// One for each wanted column, in that order.
    pub values: Vec<Cell<'a>>,
    /// Fields of the claims object that are not wanted, in their order.
    pub extra: Vec<(Cow<'a, str>, Raw<'a>)>,
}

/// The value of a wanted column in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// The row does not have it.
    Missing,
    /// Its value.
    One(Raw<'a>),
    /// The row has its key more than once: the last value.
    Repeated(Raw<'a>),
}

/// The row as `rejected.jsonl` keeps it.
#[derive(Clone, Copy)]
pub enum Record<'a> {
    /// The text of a JSON object, as it came.
    Json(&'a str),
    /// Fields by column (CSV, Parquet), to be written as a JSON object. They are made when they are asked for, since
    /// few rows are rejected.
    Fields(&'a dyn Fields),
    /// A text that is no row of the format (a malformed line, a ragged record).
    Text(&'a str),
    /// Bytes that are no text.
    Bytes(&'a [u8]),
    /// A row too long to keep: its first bytes and how many there were.
    Truncated(&'a [u8], u64),
}

/// The fields of a row by column, all of the input's columns in their order.
pub trait Fields {
    /// Makes them.
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)>;
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Record::Json(text) => f.debug_tuple("Json").field(text).finish(),
            Record::Fields(fields) => f.debug_tuple("Fields").field(&fields.fields()).finish(),
            Record::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Record::Bytes(bytes) => f.debug_tuple("Bytes").field(bytes).finish(),
            Record::Truncated(bytes, length) => {
                f.debug_tuple("Truncated").field(bytes).field(length).finish()
            }
        }
    }
}

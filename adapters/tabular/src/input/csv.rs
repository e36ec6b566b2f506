//! CSV: RFC 4180 with a header.
//!
//! Rows are framed with `csv-core`, the state machine of the `csv` crate, because a row must be one rejection whatever is
//! wrong with it: too many fields, bytes that are no text, a quote that is never closed.

use std::borrow::Cow;
use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;

use assay_batch::input::{
    Cell, Cells, Chunk, Fields, InputError, Location, MAX_ROW_BYTES, Malformed, Record, Row, Shape, Source,
    TextOptions, Wanted,
};
use assay_claims::Raw;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::text::{Hash, open_text, unreadable};
use super::wanted::Slots;
use super::{KEPT_OF_LONG_ROW, MAX_CHUNK_BYTES, WithHelp, input_error};

/// A CSV input whose header was read.
pub(crate) struct CsvSource {
    records: Records,
    hash: Hash,
    header: Arc<Header>,
    row: u64,
}

/// The columns of an input.
struct Header {
    names: Vec<String>,
    /// For each wanted column, the field that holds it.
    wanted: Vec<Option<usize>>,
}

impl CsvSource {
    pub fn open(
        location: &Location,
        name: &str,
        options: &TextOptions,
        wanted: &Wanted,
    ) -> Result<CsvSource, InputError> {
        let (text, hash) = open_text(location, name, options)?;
        let reader = ReaderBuilder::new().delimiter(options.delimiter).quote(options.quote).build();
        let mut records =
            Records { name: name.to_owned(), text, reader, dialect: Dialect::of(options), line: 1, ended: false };
        let names = records.header()?;
        let slots = Slots::new(wanted, false);
        let mut fields = vec![None; wanted.columns.len()];
        for (field, name) in names.iter().enumerate() {
            if let Some(slot) = slots.of(name).and_then(|slot| fields.get_mut(slot)) {
                *slot = Some(field);
            }
        }
        Ok(CsvSource { records, hash, header: Arc::new(Header { names, wanted: fields }), row: 0 })
    }
}

/// The columns of an input, without reading its rows.
pub(crate) fn shape(location: &Location, name: &str, options: &TextOptions) -> Result<Shape, InputError> {
    let source = CsvSource::open(location, name, options, &Wanted::default())?;
    Ok(Shape { columns: source.header.names.clone(), nested: None })
}

impl Source for CsvSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let mut chunk = CsvChunk::new(Arc::clone(&self.header));
        while chunk.rows.len() < max_rows && chunk.raw.len() < MAX_CHUNK_BYTES {
            let Some(record) = self.records.next(&mut chunk.raw, &mut chunk.data, &mut chunk.ends)? else { break };
            self.row += 1;
            chunk.rows.push(Framed { number: self.row, record });
        }
        Ok(if chunk.rows.is_empty() { None } else { Some(Box::new(chunk)) })
    }

    fn sha256(&mut self) -> Result<String, InputError> {
        Ok(self.hash.hex())
    }
}

/// The records of a text.
struct Records {
    name: String,
    text: Box<dyn BufRead + Send>,
    reader: Reader,
    dialect: Dialect,
    /// The line that is read next, from 1.
    line: u64,
    ended: bool,
}

struct Dialect {
    delimiter: u8,
    quote: u8,
}

impl Dialect {
    fn of(options: &TextOptions) -> Dialect {
        Dialect { delimiter: options.delimiter, quote: options.quote }
    }

    /// Whether a record's text ends inside a quote.
    fn leaves_open(&self, record: &[u8]) -> bool {
        // Whether a field starts here, and whether the text so far ends inside a quote. A doubled quote closes and
        // opens again, which comes to the same.
        let (mut starts, mut open, mut quoted) = (true, false, false);
        for &byte in record {
            if byte == self.quote && (starts || quoted) {
                (starts, open, quoted) = (false, !open, true);
            } else if !open && (byte == self.delimiter || byte == b'\n' || byte == b'\r') {
                (starts, quoted) = (true, false);
            } else {
                starts = false;
            }
        }
        open
    }
}

/// A record: where its parts are in the buffers of its chunk.
struct Found {
    /// Its bytes as they came, its line end among them.
    raw: Range<usize>,
    /// Its fields without quotes, one after the other.
    data: Range<usize>,
    /// Where each field ends in `data`, in bytes from its start.
    ends: Range<usize>,
    /// Whether it can be told apart.
    state: State,
}

enum State {
    Whole,
    /// Longer than a row may be: how long.
    TooLong(u64),
    /// The input ends inside a quote that was opened in a record that begins at this line.
    Unclosed(u64),
}

impl Records {
    fn header(&mut self) -> Result<Vec<String>, InputError> {
        let (mut raw, mut data, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let Some(found) = self.next(&mut raw, &mut data, &mut ends)? else {
            return Err(input_error(&self.name, "the file is empty, and a CSV file begins with a header")
                .help("the first row names the columns"));
        };
        if !matches!(found.state, State::Whole) {
            return Err(input_error(&self.name, "the header cannot be told from the rows: a quote in it is not closed"));
        }
        let Ok(text) = std::str::from_utf8(&data) else {
            return Err(input_error(&self.name, "the header is not UTF-8")
                .help("name the file's `encoding` in `[reading]`"));
        };
        let names: Vec<String> = fields(text, &ends).map(str::to_owned).collect();
        let mut twice: Vec<&String> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err(input_error(&self.name, format!("column {} has no name in the header", at + 1)));
            }
            if names.iter().take(at).any(|earlier| earlier == name) && !twice.contains(&name) {
                twice.push(name);
            }
        }
        if !twice.is_empty() {
            let names = twice.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let help = "give each column a name of its own";
            return Err(input_error(&self.name, format!("the header names a column twice: {names}")).help(help));
        }
        Ok(names)
    }

    /// Appends the next record to the buffers; what is past the limit of a row is read and dropped.
    fn next(
        &mut self,
        raw: &mut Vec<u8>,
        data: &mut Vec<u8>,
        ends: &mut Vec<usize>,
    ) -> Result<Option<Found>, InputError> {
        if self.ended {
            return Ok(None);
        }
        let (raw_start, data_start, ends_start) = (raw.len(), data.len(), ends.len());
        let first_line = self.line;
        let (mut written, mut fields) = (0, 0);
        let (mut length, mut quotes, mut at_end) = (0u64, 0u64, false);
        let mut too_long = false;
        loop {
            data.resize((data_start + written + 1024).max(data.len()), 0);
            ends.resize((ends_start + fields + 32).max(ends.len()), 0);
            let input = self.text.fill_buf().map_err(|error| unreadable(&self.name, &error))?;
            at_end |= input.is_empty();
            let room = data.get_mut(data_start + written..).unwrap_or_default();
            let field_room = ends.get_mut(ends_start + fields..).unwrap_or_default();
            let (result, read, wrote, ended) = self.reader.read_record(input, room, field_room);
            let consumed = input.get(..read).unwrap_or_default();
            length += read as u64;
            self.line += memchr::memchr_iter(b'\n', consumed).count() as u64;
            quotes += memchr::memchr_iter(self.dialect.quote, consumed).count() as u64;
            if !too_long {
                raw.extend_from_slice(consumed);
            }
            self.text.consume(read);
            written += wrote;
            fields += ended;
            if length > MAX_ROW_BYTES as u64 {
                too_long = true;
                // The record's text is of no more use, only its end is.
                raw.truncate(raw_start + KEPT_OF_LONG_ROW);
                (written, fields) = (0, 0);
            }
            match result {
                ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::Record => break,
                ReadRecordResult::End => {
                    self.ended = true;
                    data.truncate(data_start);
                    ends.truncate(ends_start);
                    raw.truncate(raw_start);
                    return Ok(None);
                }
            }
        }
        data.truncate(data_start + written);
        ends.truncate(ends_start + fields);
        // The end of the line before is read with this record where it is CR and LF, and blank lines are.
        let record = raw.get(raw_start..).unwrap_or_default();
        let blank = record.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let blank_lines = record.iter().take(blank).filter(|byte| **byte == b'\n').count();
        let line = first_line + blank_lines as u64;
        // Of a record that is too long the beginning alone is there, and an odd number of quotes has to do.
        let unclosed = at_end && if too_long { quotes % 2 == 1 } else { self.dialect.leaves_open(record) };
        if too_long && unclosed {
            let message = format!("a quote in the row that begins at line {line} is never closed");
            return Err(input_error(&self.name, message).help("close the quote, or name another `quote` in `[reading]`"));
        }
        let state = match (too_long, unclosed) {
            (true, _) => State::TooLong(length),
            (false, true) => State::Unclosed(line),
            (false, false) => State::Whole,
        };
        Ok(Some(Found {
            raw: raw_start + blank..raw.len(),
            data: data_start..data.len(),
            ends: ends_start..ends.len(),
            state,
        }))
    }
}

/// Some records of the input.
struct CsvChunk {
    header: Arc<Header>,
    raw: Vec<u8>,
    data: Vec<u8>,
    ends: Vec<usize>,
    rows: Vec<Framed>,
}

struct Framed {
    number: u64,
    record: Found,
}

impl CsvChunk {
    fn new(header: Arc<Header>) -> CsvChunk {
        CsvChunk { header, raw: Vec::new(), data: Vec::new(), ends: Vec::new(), rows: Vec::new() }
    }
}

impl Chunk for CsvChunk {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        for Framed { number, record } in &self.rows {
            let number = *number;
            let raw = self.raw.get(record.raw.clone()).unwrap_or_default();
            let raw = raw.strip_suffix(b"\n").unwrap_or(raw);
            let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
            let ends = self.ends.get(record.ends.clone()).unwrap_or_default();
            let columns = self.header.names.len();
            let malformed = |expected: String, received: String| Err(Malformed { expected, received });
            let Ok(text) = std::str::from_utf8(raw) else {
                let received = "bytes that are not UTF-8".to_owned();
                let record = match record.state {
                    State::TooLong(length) => Record::Truncated(raw, length),
                    _ => Record::Bytes(raw),
                };
                visit(Row { number, cells: malformed("a row of text in UTF-8".to_owned(), received), record });
                continue;
            };
            match record.state {
                State::TooLong(length) => {
                    let expected = format!("a row of at most {MAX_ROW_BYTES} bytes");
                    let cells = malformed(expected, format!("a row of {length} bytes"));
                    visit(Row { number, cells, record: Record::Truncated(raw, length) });
                }
                State::Unclosed(line) => {
                    let received = format!("a quote in the row that begins at line {line} is never closed");
                    let cells = malformed("a closing quote".to_owned(), received);
                    visit(Row { number, cells, record: Record::Text(text) });
                }
                State::Whole if ends.len() != columns => {
                    let count = |count: usize| format!("{count} field{}", if count == 1 { "" } else { "s" });
                    let cells = malformed(format!("{}, as the header has", count(columns)), count(ends.len()));
                    visit(Row { number, cells, record: Record::Text(text) });
                }
                State::Whole => {
                    // What is UTF-8 with its quotes is UTF-8 without them.
                    let data = self.data.get(record.data.clone()).unwrap_or_default();
                    let data = std::str::from_utf8(data).unwrap_or_default();
                    let record = RecordOf { header: &self.header, data, ends };
                    let value = |field: &Option<usize>| match field.and_then(|field| record.field(field)) {
                        Some(text) => Cell::One(Raw::Text(Cow::Borrowed(text))),
                        None => Cell::Missing,
                    };
                    let values = self.header.wanted.iter().map(value).collect();
                    let cells = Ok(Cells { values, extra: Vec::new() });
                    visit(Row { number, cells, record: Record::Fields(&record) });
                }
            }
        }
    }
}

/// A record that can be told apart.
struct RecordOf<'a> {
    header: &'a Header,
    data: &'a str,
    ends: &'a [usize],
}

impl<'a> RecordOf<'a> {
    fn field(&self, at: usize) -> Option<&'a str> {
        let start = if at == 0 { 0 } else { *self.ends.get(at - 1)? };
        self.data.get(start..*self.ends.get(at)?)
    }
}

impl Fields for RecordOf<'_> {
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)> {
        let values = fields(self.data, self.ends).map(|text| Raw::Text(Cow::Borrowed(text)));
        self.header.names.iter().map(|name| Cow::Borrowed(name.as_str())).zip(values).collect()
    }
}

/// The fields of a record from its text and where each of them ends in it.
fn fields<'a>(text: &'a str, ends: &'a [usize]) -> impl Iterator<Item = &'a str> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| text.get(start..*end).unwrap_or_default())
}

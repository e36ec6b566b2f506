//! The records of a CSV text: where each begins and ends, and where its fields do.

use std::io::{self, BufRead};
use std::ops::Range;

use assay_batch::input::{MAX_ROW_BYTES, TextOptions};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::quotes::Quotes;
use crate::input::KEPT_OF_LONG_ROW;

/// The records of a text.
pub(super) struct Records {
    text: Box<dyn BufRead + Send>,
    reader: Reader,
    quotes: Quotes,
    /// The line that is read next, from 1.
    line: u64,
    /// The quote, where records without it are found by their line ends alone.
    plain: Option<u8>,
    /// Whether the state machine has read a record: it wants the first one, for what may stand before its text.
    begun: bool,
}

/// What the records of a chunk are made of.
#[derive(Default)]
pub(super) struct Buffers {
    /// Their bytes as they came, their line ends among them.
    raw: Vec<u8>,
    /// Their fields without quotes, one after the other.
    data: Vec<u8>,
    /// Where each field ends, in bytes from the start of its record's data.
    ends: Vec<usize>,
}

/// A record: where its parts are in the buffers.
pub(super) struct Record {
    raw: Range<usize>,
    /// Its data and the ends of its fields. `None` for a record without quotes, which is its own data.
    parts: Option<(Range<usize>, Range<usize>)>,
    pub state: State,
}

/// Whether a record can be told apart.
#[derive(Clone, Copy)]
pub(super) enum State {
    Whole,
    /// Longer than a row may be: how long.
    TooLong(u64),
    /// The input ends inside a quote of the record, which begins at this line.
    Unclosed(u64),
}

/// Why there is no next record.
pub(super) enum Failure {
    Read(io::Error),
    /// The input ends inside a quote of a record that begins at this line and is too long to be one row's fault: what
    /// it swallowed is not known.
    Unclosed(u64),
}

impl Buffers {
    /// How many bytes of text there are.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    /// A record as it came, without its line end (but that of a file that ends in a quote is in the quote).
    pub fn raw(&self, record: &Record) -> &[u8] {
        self.raw.get(record.raw.clone()).unwrap_or_default()
    }

    /// The bytes of all records, in their order.
    pub fn bytes(&self) -> &[u8] {
        &self.raw
    }

    /// The fields of a record, if it is text. The record as it came is what must be: what quotes or delimiters part
    /// can be text without them.
    pub fn fields(&self, record: &Record, delimiter: u8) -> Option<Texts<'_>> {
        let raw = std::str::from_utf8(self.raw(record)).ok()?;
        let Some((data, ends)) = &record.parts else { return Some(Texts(plain(raw, delimiter).collect())) };
        let data = std::str::from_utf8(self.data.get(data.clone()).unwrap_or_default()).ok()?;
        let ends = self.ends.get(ends.clone()).unwrap_or_default();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        Some(Texts(starts.zip(ends).map(|(start, end)| data.get(start..*end).unwrap_or_default()).collect()))
    }
}

/// The fields of a record without quotes.
pub(super) fn plain(raw: &str, delimiter: u8) -> impl Iterator<Item = &str> {
    // A delimiter is one byte, and the reader sees to it that it is ASCII where records are taken to be plain.
    let mut rest = Some(raw);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| byte == delimiter);
        rest = end.and_then(|end| text.get(end + 1..));
        text.get(..end.unwrap_or(text.len()))
    })
}

/// The fields of a record.
#[derive(Clone)]
pub(super) struct Texts<'a>(Vec<&'a str>);

impl<'a> Texts<'a> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, field: usize) -> Option<&'a str> {
        self.0.get(field).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().copied()
    }
}

impl Record {
    /// Where a record is in the bytes of its chunk, if it is whole and has no quotes.
    pub fn plain(&self) -> Option<Range<usize>> {
        match (&self.parts, self.state) {
            (None, State::Whole) => Some(self.raw.clone()),
            _ => None,
        }
    }
}

impl Records {
    pub fn new(text: Box<dyn BufRead + Send>, options: &TextOptions) -> Records {
        let reader = ReaderBuilder::new().delimiter(options.delimiter).quote(options.quote).build();
        let apart = |byte: u8| byte.is_ascii() && !matches!(byte, b'\r' | b'\n');
        let plain = apart(options.delimiter) && options.delimiter != options.quote;
        let plain = plain.then_some(options.quote);
        Records { text, reader, quotes: Quotes::new(options), line: 1, plain, begun: false }
    }

    /// Appends the next record where the whole of it is at hand and no quote is in it: its line end is its end.
    fn next_plain(&mut self, into: &mut Buffers) -> io::Result<Option<Record>> {
        let Some(quote) = self.plain.filter(|_| self.begun) else { return Ok(None) };
        let input = self.text.fill_buf()?;
        let end = memchr::memchr3(quote, b'\n', b'\r', input);
        let Some((end, byte)) = end.and_then(|end| Some((end, *input.get(end)?))) else { return Ok(None) };
        if byte == quote || end > MAX_ROW_BYTES {
            return Ok(None);
        }
        let start = into.raw.len();
        into.raw.extend_from_slice(input.get(..end).unwrap_or_default());
        self.text.consume(end + 1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(Record { raw: start..into.raw.len(), parts: None, state: State::Whole }))
    }

    /// Appends the next record to the buffers; what is past the limit of a row is read and dropped.
    pub fn next(&mut self, into: &mut Buffers) -> Result<Option<Record>, Failure> {
        self.skip_line_ends().map_err(Failure::Read)?;
        if let Some(record) = self.next_plain(into).map_err(Failure::Read)? {
            return Ok(Some(record));
        }
        self.begun = true;
        let first_line = self.line;
        let (raw, data, ends) = (into.raw.len(), into.data.len(), into.ends.len());
        let (mut written, mut fields, mut length) = (0, 0, 0u64);
        let mut at_end = false;
        // Of a record that is too long, whether its text so far is inside a quote.
        let mut too_long: Option<Quotes> = None;
        loop {
            into.data.resize(into.data.len().max(data + written + 1024), 0);
            into.ends.resize(into.ends.len().max(ends + fields + 32), 0);
            let input = self.text.fill_buf().map_err(Failure::Read)?;
            at_end |= input.is_empty();
            let room = into.data.get_mut(data + written..).unwrap_or_default();
            let field_room = into.ends.get_mut(ends + fields..).unwrap_or_default();
            let (result, read, wrote, ended) = self.reader.read_record(input, room, field_room);
            let consumed = input.get(..read).unwrap_or_default();
            self.line += memchr::memchr_iter(b'\n', consumed).count() as u64;
            length += read as u64;
            (written, fields) = (written + wrote, fields + ended);
            match &mut too_long {
                Some(quotes) => quotes.read(consumed),
                None => into.raw.extend_from_slice(consumed),
            }
            self.text.consume(read);
            // One more byte may be the line end.
            if length > MAX_ROW_BYTES as u64 + 1 {
                too_long.get_or_insert_with(|| {
                    let mut quotes = self.quotes;
                    quotes.read(into.raw.get(raw..).unwrap_or_default());
                    into.raw.truncate(raw + KEPT_OF_LONG_ROW);
                    quotes
                });
                (written, fields) = (0, 0);
            }
            match result {
                ReadRecordResult::InputEmpty
                | ReadRecordResult::OutputFull
                | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(None),
            }
        }
        into.data.truncate(data + written);
        into.ends.truncate(ends + fields);
        if !at_end {
            length -= 1;
            if too_long.is_none() {
                into.raw.pop();
            }
        }
        let text = into.raw.get(raw..).unwrap_or_default();
        let open = at_end && too_long.unwrap_or_else(|| self.quotes.after(text)).open();
        let state = match (length > MAX_ROW_BYTES as u64, open) {
            (true, true) => return Err(Failure::Unclosed(first_line)),
            (true, false) => State::TooLong(length),
            (false, true) => State::Unclosed(first_line),
            (false, false) => State::Whole,
        };
        if let State::TooLong(_) = state {
            into.raw.truncate(raw + KEPT_OF_LONG_ROW);
        }
        Ok(Some(Record {
            raw: raw..into.raw.len(),
            parts: Some((data..into.data.len(), ends..into.ends.len())),
            state,
        }))
    }

    /// Reads over the rest of the line end before a record, and over blank lines.
    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let input = self.text.fill_buf()?;
            let blank = input.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.line += memchr::memchr_iter(b'\n', input.get(..blank).unwrap_or_default()).count() as u64;
            let more = blank == input.len() && blank > 0;
            self.text.consume(blank);
            if !more {
                return Ok(());
            }
        }
    }
}

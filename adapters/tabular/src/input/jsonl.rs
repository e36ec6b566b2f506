//! JSONL: one JSON object a line, flat or with its claims in a field of their own.

mod scan;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::BufRead;
use std::sync::Arc;

use assay_batch::input::{
    Cell, Cells, Chunk, Decoded, InputError, Layout, Location, MAX_ROW_BYTES, Malformed, Prefix, Record, Row,
    Shape, Source, TextOptions, Wanted,
};
use assay_claims::{BooleanBuffer, Raw, parse_json};

use self::scan::Scanner;
use super::sink::Sink;
use super::text::{Stored, Text, open_text, unreadable};
use super::wanted::{Slots, put};
use super::{KEPT_OF_LONG_ROW, MAX_CHUNK_BYTES};

/// How many rows are looked at for the keys that an input has.
const SHAPED_ROWS: usize = 1000;

/// A JSONL input.
pub(crate) struct JsonlSource {
    name: String,
    lines: Lines,
    stored: Stored,
    /// What ended the reading, until the rows before it are delivered.
    failed: Option<InputError>,
    columns: Arc<Columns>,
    /// How many bytes the last chunk had: the next will have about as many.
    expected: usize,
}

struct Columns {
    encoding: &'static str,
    count: usize,
    claims_field: Option<String>,
    top: Slots,
    claims: Slots,
}

impl JsonlSource {
    pub fn open(
        location: &Location,
        name: &str,
        text: &TextOptions,
        wanted: &Wanted,
    ) -> Result<JsonlSource, InputError> {
        let Text { text, stored, encoding } = open_text(location, name, text)?;
        let columns = Columns {
            encoding,
            count: wanted.columns.len(),
            claims_field: wanted.claims_field.clone(),
            top: Slots::new(wanted, false),
            claims: Slots::new(wanted, true),
        };
        let lines = Lines { text, number: 0 };
        Ok(JsonlSource {
            name: name.to_owned(),
            lines,
            stored,
            failed: None,
            columns: Arc::new(columns),
            expected: 0,
        })
    }

    /// The next rows. A failure to read is kept back while there are rows before it.
    fn rows(&mut self, max_rows: usize) -> Result<JsonlChunk, InputError> {
        let bytes = Vec::with_capacity(self.expected + self.expected / 16);
        let mut chunk = JsonlChunk { bytes, lines: Vec::new(), columns: Arc::clone(&self.columns) };
        while self.failed.is_none() && chunk.lines.len() < max_rows && chunk.bytes.len() < MAX_CHUNK_BYTES {
            match self.lines.next(&mut chunk.bytes) {
                Ok(Some(line)) => chunk.lines.push(line),
                Ok(None) => break,
                Err(error) => self.failed = Some(unreadable(&self.name, &error)),
            }
        }
        self.expected = chunk.bytes.len();
        match self.failed.take_if(|_| chunk.lines.is_empty()) {
            Some(error) => Err(error),
            None => Ok(chunk),
        }
    }
}

impl Source for JsonlSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let chunk = self.rows(max_rows)?;
        Ok(if chunk.lines.is_empty() { None } else { Some(Box::new(chunk)) })
    }

    fn bytes_read(&self) -> u64 {
        self.stored.count()
    }

    fn prefix(&self) -> Option<Prefix> {
        Some(self.stored.prefix())
    }

    fn sha256(&mut self) -> Result<String, InputError> {
        Ok(self.stored.sha256())
    }
}

/// The keys of the first rows, each once, in the order in which they turn up.
pub(crate) fn shape(
    location: &Location,
    name: &str,
    text: &TextOptions,
    claims_field: Option<&str>,
) -> Result<Option<Shape>, InputError> {
    let mut source = JsonlSource::open(location, name, text, &Wanted::default())?;
    let chunk = source.rows(SHAPED_ROWS)?;
    let mut columns = Keys::default();
    let mut nested: Option<Keys> = None;
    for line in &chunk.lines {
        let Ok(Raw::Object(fields)) = parse_json(chunk.bytes.get(line.start..line.end).unwrap_or_default())
        else {
            continue;
        };
        for (key, value) in fields {
            if claims_field == Some(&*key)
                && let Raw::Object(claims) = value
            {
                let nested = nested.get_or_insert_default();
                claims.into_iter().for_each(|(key, _)| nested.add(&key));
            }
            columns.add(&key);
        }
    }
    // Where no row could be read there is nothing to hold the job against: each row says what is wrong with it.
    let shape = Shape { columns: columns.in_order, nested: nested.map(|nested| nested.in_order) };
    Ok(Some(shape).filter(|shape| !shape.columns.is_empty()))
}

/// Distinct keys in the order in which they first came.
#[derive(Default)]
struct Keys {
    in_order: Vec<String>,
    known: HashSet<String>,
}

impl Keys {
    fn add(&mut self, key: &str) {
        if !self.known.contains(key) {
            self.known.insert(key.to_owned());
            self.in_order.push(key.to_owned());
        }
    }
}

/// Some lines of the input.
struct JsonlChunk {
    bytes: Vec<u8>,
    lines: Vec<Line>,
    columns: Arc<Columns>,
}

/// A line that is not blank, without its end.
struct Line {
    start: usize,
    end: usize,
    number: u64,
    /// How long it is, where that is more than was kept of it.
    too_long: Option<u64>,
}

impl Chunk for JsonlChunk {
    fn len(&self) -> usize {
        self.lines.len()
    }

    fn row_bytes(&self, row: usize) -> u64 {
        self.lines.get(row).map_or(0, |line| (line.end - line.start) as u64)
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        self.lines.iter().for_each(|line| visit(self.row(line)));
    }

    fn each_of(&self, rows: &BooleanBuffer, visit: &mut dyn FnMut(Row<'_>)) {
        let lines = rows.set_indices().filter_map(|row| self.lines.get(row));
        lines.for_each(|line| visit(self.row(line)));
    }

    fn columns(&self, layout: &Layout<'_>) -> Decoded {
        let mut sink = Sink::new(layout, self.lines.len(), self.columns.count);
        let mut scanner = Scanner::new(&self.columns, &mut sink, layout.strict);
        // Checking all bytes at once is quicker than line by line, and mostly there is nothing wrong with any.
        let whole = std::str::from_utf8(&self.bytes).ok();
        for (row, line) in self.lines.iter().enumerate() {
            let text = match whole {
                Some(whole) => whole.get(line.start..line.end),
                None => {
                    self.bytes.get(line.start..line.end).and_then(|bytes| std::str::from_utf8(bytes).ok())
                }
            };
            // An empty line is no row: what is no text, or not all of it, is set aside.
            scanner.line(row, text.filter(|_| line.too_long.is_none()).unwrap_or_default());
        }
        sink.finish(self.lines.iter().map(|line| line.number).collect())
    }
}

const EXPECTED: &str = "one JSON object on a line";

impl JsonlChunk {
    fn row(&self, line: &Line) -> Row<'_> {
        let bytes = self.bytes.get(line.start..line.end).unwrap_or_default();
        let (cells, record) = self.decoded(bytes, line.too_long);
        Row { number: line.number, cells, record }
    }

    fn decoded<'a>(
        &self,
        bytes: &'a [u8],
        too_long: Option<u64>,
    ) -> (Result<Cells<'a>, Malformed>, Record<'a>) {
        let malformed = |received: String| Err(Malformed { expected: EXPECTED.to_owned(), received });
        if let Some(length) = too_long {
            let expected = format!("a row of at most {MAX_ROW_BYTES} bytes");
            let received = format!("a line of {length} bytes");
            return (Err(Malformed { expected, received }), Record::Truncated(bytes, length));
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return (
                malformed(format!("bytes that are not {}", self.columns.encoding)),
                Record::Bytes(bytes),
            );
        };
        match parse_json(bytes) {
            Ok(Raw::Object(fields)) => (self.cells(fields), Record::Json(text)),
            Ok(other) => (malformed(format!("{} instead of an object", kind(&other))), Record::Text(text)),
            Err(error) => {
                // The line of a row is its number, and what JSON calls lines is the one.
                let received = format!("{} at character {}", error.message, error.column);
                (malformed(received), Record::Text(text))
            }
        }
    }

    fn cells<'a>(&self, fields: Vec<(Cow<'a, str>, Raw<'a>)>) -> Result<Cells<'a>, Malformed> {
        let mut cells = Cells { values: vec![Cell::Missing; self.columns.count], extra: Vec::new() };
        let mut claims = None;
        for (key, value) in fields {
            if self.columns.claims_field.as_deref() == Some(&*key) {
                if claims.is_some() {
                    return Err(self.no_claims("that field twice"));
                }
                claims = Some(value);
            } else if let Some(slot) = self.columns.top.of(&key) {
                put(&mut cells.values, slot, value);
            }
        }
        match (&self.columns.claims_field, claims) {
            (None, _) => {}
            (Some(_), Some(Raw::Object(claims))) => {
                for (key, value) in claims {
                    match self.columns.claims.of(&key) {
                        Some(slot) => put(&mut cells.values, slot, value),
                        None => cells.extra.push((key, value)),
                    }
                }
            }
            (Some(_), Some(other)) => return Err(self.no_claims(kind(&other))),
            (Some(_), None) => return Err(self.no_claims("no such field")),
        }
        Ok(cells)
    }

    fn no_claims(&self, received: &str) -> Malformed {
        let field = self.columns.claims_field.as_deref().unwrap_or_default();
        Malformed {
            expected: format!("an object of claims in the field `{field}`"),
            received: received.to_owned(),
        }
    }
}

fn kind(value: &Raw<'_>) -> &'static str {
    match value {
        Raw::Null => "null",
        Raw::Bool(_) => "a boolean",
        Raw::Number(_) | Raw::NotFinite(_) => "a number",
        Raw::Text(_) | Raw::Other(_) => "a text",
        Raw::Object(_) => "an object",
        Raw::List(_) => "a list",
    }
}

/// The lines of a text.
struct Lines {
    text: Box<dyn BufRead + Send>,
    number: u64,
}

impl Lines {
    /// Appends the next line that is not blank; of one that is too long, its beginning.
    fn next(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<Option<Line>> {
        let start = bytes.len();
        while let Some(length) = self.line(bytes)? {
            self.number += 1;
            let number = self.number;
            if length > MAX_ROW_BYTES as u64 {
                bytes.truncate(start + KEPT_OF_LONG_ROW);
                return Ok(Some(Line { start, end: bytes.len(), number, too_long: Some(length) }));
            }
            if !bytes.get(start..).unwrap_or_default().trim_ascii().is_empty() {
                return Ok(Some(Line { start, end: bytes.len(), number, too_long: None }));
            }
            bytes.truncate(start);
        }
        Ok(None)
    }

    /// Appends a line without its end and says how long it is; what is past the limit is read and dropped.
    fn line(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<Option<u64>> {
        let start = bytes.len();
        let mut length = 0u64;
        // Whether the line so far ends in a carriage return, which may be the beginning of its end.
        let mut returned = false;
        loop {
            let ready = self.text.fill_buf()?;
            if ready.is_empty() && length == 0 {
                return Ok(None);
            }
            let ends = memchr::memchr(b'\n', ready);
            let line = ready.get(..ends.unwrap_or(ready.len())).unwrap_or_default();
            length += line.len() as u64;
            returned = line.last().map_or(returned, |last| *last == b'\r');
            if bytes.len() - start <= MAX_ROW_BYTES {
                bytes.extend_from_slice(line);
            }
            let (at_end, consumed) = (ready.is_empty(), line.len() + usize::from(ends.is_some()));
            self.text.consume(consumed);
            if at_end || ends.is_some() {
                if returned {
                    length -= 1;
                    if bytes.len() as u64 - start as u64 > length {
                        bytes.pop();
                    }
                }
                return Ok(Some(length));
            }
        }
    }
}

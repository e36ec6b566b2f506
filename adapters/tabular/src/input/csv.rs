//! CSV: RFC 4180 with a header.
//!
//! Records are framed with `csv-core`, the state machine of the `csv` crate, because a row must be one rejection whatever is
//! wrong with it: too many fields, bytes that are no text, a quote that is never closed. Blank lines are no rows.

mod quotes;
mod records;

use std::borrow::Cow;
use std::sync::Arc;

use assay_batch::input::{
    Cell, Cells, Chunk, Decoded, Fields, InputError, Layout, Location, MAX_ROW_BYTES, Malformed, Prefix,
    Record as Kept, Row, Shape, Source, TextOptions, Wanted,
};
use assay_claims::{BooleanBuffer, Raw};

use self::records::{Buffers, Failure, Record, Records, State, Texts, plain};
use super::sink::Sink;
use super::text::{Stored, Text, open_text, unreadable};
use super::wanted::Slots;
use super::{MAX_CHUNK_BYTES, WithHelp, input_error, names_twice};

/// A CSV input whose header was read.
pub(crate) struct CsvSource {
    name: String,
    records: Records,
    stored: Stored,
    header: Arc<Header>,
    rows: u64,
    /// What ended the reading, until the rows before it are delivered.
    failed: Option<InputError>,
}

/// The columns of an input.
struct Header {
    names: Vec<String>,
    /// For each wanted column, the field that holds it.
    wanted: Vec<Option<usize>>,
    /// By field, the wanted column that it holds.
    places: Vec<Option<usize>>,
    delimiter: u8,
    /// What the text is encoded in.
    encoding: &'static str,
}

impl CsvSource {
    pub fn open(
        location: &Location,
        name: &str,
        options: &TextOptions,
        wanted: &Wanted,
    ) -> Result<CsvSource, InputError> {
        let Text { text, stored, encoding } = open_text(location, name, options)?;
        let mut records = Records::new(text, options);
        let delimiter = options.delimiter;
        let names = header(name, encoding, delimiter, &mut records)?;
        let slots = Slots::new(wanted, false);
        let places = names.iter().map(|name| slots.of(name)).collect();
        let wanted = slots.positions(names.iter().map(String::as_str));
        let header = Arc::new(Header { names, wanted, places, delimiter, encoding });
        Ok(CsvSource { name: name.to_owned(), records, stored, header, rows: 0, failed: None })
    }
}

/// The columns of an input, without reading its rows.
pub(crate) fn shape(location: &Location, name: &str, options: &TextOptions) -> Result<Shape, InputError> {
    CsvSource::open(location, name, options, &Wanted::default()).map(|source| source.columns())
}

/// Reads the names of the columns.
fn header(
    name: &str,
    encoding: &str,
    delimiter: u8,
    records: &mut Records,
) -> Result<Vec<String>, InputError> {
    let mut buffers = Buffers::default();
    let record = records.next(&mut buffers).map_err(|failure| input_failure(name, failure))?;
    let Some(record) = record else {
        return Err(input_error(name, "the file is empty, and a CSV file begins with a header")
            .help("the first row names the columns"));
    };
    match record.state {
        State::Whole => {}
        State::TooLong(length) => {
            return Err(input_error(
                name,
                format!("the header is {length} bytes long, and {MAX_ROW_BYTES} are allowed"),
            ));
        }
        State::Unclosed(line) => return Err(input_failure(name, Failure::Unclosed(line))),
    }
    let Some(texts) = buffers.fields(&record, delimiter) else {
        return Err(input_error(name, format!("the header is not {encoding}"))
            .help("name the file's `encoding` in `[reading]`"));
    };
    let names: Vec<String> = texts.iter().map(str::to_owned).collect();
    match names_twice(names.iter().map(String::as_str)) {
        Some(twice) => Err(input_error(name, format!("the header names a column twice: {twice}"))
            .help("give each column a name of its own")),
        None => Ok(names),
    }
}

fn input_failure(name: &str, failure: Failure) -> InputError {
    match failure {
        Failure::Read(error) => unreadable(name, &error),
        Failure::Unclosed(line) => {
            input_error(name, format!("a quote in the row that begins at line {line} is never closed"))
                .help("close the quote, or name another `quote` in `[reading]`")
        }
    }
}

impl CsvSource {
    fn columns(&self) -> Shape {
        Shape { columns: self.header.names.clone(), nested: None }
    }
}

impl Source for CsvSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let mut buffers = Buffers::default();
        let mut records = Vec::new();
        while self.failed.is_none() && records.len() < max_rows && buffers.len() < MAX_CHUNK_BYTES {
            match self.records.next(&mut buffers) {
                Ok(Some(record)) => records.push(record),
                Ok(None) => break,
                Err(failure) => self.failed = Some(input_failure(&self.name, failure)),
            }
        }
        if records.is_empty() {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let first = self.rows + 1;
        self.rows += records.len() as u64;
        Ok(Some(Box::new(CsvChunk { header: Arc::clone(&self.header), buffers, records, first })))
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.columns())
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

/// Some records of the input.
struct CsvChunk {
    header: Arc<Header>,
    buffers: Buffers,
    records: Vec<Record>,
    /// The number of the first of them.
    first: u64,
}

impl Chunk for CsvChunk {
    fn len(&self) -> usize {
        self.records.len()
    }

    fn row_bytes(&self, row: usize) -> u64 {
        self.records.get(row).map_or(0, |record| self.buffers.raw(record).len() as u64)
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        (self.first..).zip(&self.records).for_each(|(number, record)| self.row(number, record, visit));
    }

    fn each_of(&self, rows: &BooleanBuffer, visit: &mut dyn FnMut(Row<'_>)) {
        for (row, number) in rows.set_indices().map(|row| (row, self.first + row as u64)) {
            if let Some(record) = self.records.get(row) {
                self.row(number, record, visit);
            }
        }
    }

    fn columns(&self, layout: &Layout<'_>) -> Decoded {
        let Header { places, wanted, delimiter, .. } = &*self.header;
        let mut sink = Sink::new(layout, self.records.len(), wanted.len());
        // Checking all bytes at once is quicker than row by row, and mostly there is nothing wrong with any.
        let whole = std::str::from_utf8(self.buffers.bytes()).ok();
        for (row, record) in self.records.iter().enumerate() {
            let text = whole.and_then(|whole| whole.get(record.plain()?));
            let fits = match text {
                Some(text) => put(&mut sink, row, places, plain(text, *delimiter)),
                None => self.fields(record).is_ok_and(|texts| put(&mut sink, row, places, texts.iter())),
            };
            if !fits {
                sink.columns.set_aside(row);
            }
            sink.end_row(row);
        }
        sink.finish((self.first..).take(self.records.len()).collect())
    }
}

/// Puts the fields of a row where they are wanted. `false` where one does not fit, or there are more or fewer than columns.
#[inline]
fn put<'t>(
    sink: &mut Sink<'_>,
    row: usize,
    places: &[Option<usize>],
    mut texts: impl Iterator<Item = &'t str>,
) -> bool {
    for place in places {
        let Some(text) = texts.next() else { return false };
        if let Some(place) = place
            && !sink.text(*place, row, text)
        {
            return false;
        }
    }
    texts.next().is_none()
}

impl CsvChunk {
    fn row(&self, number: u64, record: &Record, visit: &mut dyn FnMut(Row<'_>)) {
        match self.fields(record) {
            Ok(texts) => {
                let value = |field: &Option<usize>| match field.and_then(|field| texts.get(field)) {
                    Some(text) => Cell::One(Raw::Text(Cow::Borrowed(text))),
                    None => Cell::Missing,
                };
                let values = self.header.wanted.iter().map(value).collect();
                let fields = Named { header: &self.header, texts };
                let cells = Ok(Cells { values, extra: Vec::new() });
                visit(Row { number, cells, record: Kept::Fields(&fields) });
            }
            Err(malformed) => visit(Row { number, cells: Err(malformed), record: self.kept(record) }),
        }
    }

    /// The fields of a record, one for each column.
    fn fields(&self, record: &Record) -> Result<Texts<'_>, Malformed> {
        let malformed = |expected: String, received: String| Malformed { expected, received };
        match record.state {
            State::Whole => {}
            State::TooLong(length) => {
                let expected = format!("a row of at most {MAX_ROW_BYTES} bytes");
                return Err(malformed(expected, format!("a row of {length} bytes")));
            }
            State::Unclosed(line) => {
                let received = format!("a quote in the row that begins at line {line} is never closed");
                return Err(malformed("a closing quote".to_owned(), received));
            }
        }
        let Some(texts) = self.buffers.fields(record, self.header.delimiter) else {
            let encoding = self.header.encoding;
            return Err(malformed(
                format!("a row of text in {encoding}"),
                format!("bytes that are not {encoding}"),
            ));
        };
        let columns = self.header.names.len();
        if texts.len() != columns {
            let count = |count: usize| format!("{count} field{}", if count == 1 { "" } else { "s" });
            return Err(malformed(format!("{}, as the header has", count(columns)), count(texts.len())));
        }
        Ok(texts)
    }

    /// A record that cannot be told apart, as it is kept.
    fn kept(&self, record: &Record) -> Kept<'_> {
        let raw = self.buffers.raw(record);
        match (record.state, std::str::from_utf8(raw)) {
            (State::TooLong(length), _) => Kept::Truncated(raw, length),
            (_, Ok(text)) => Kept::Text(text),
            (_, Err(_)) => Kept::Bytes(raw),
        }
    }
}

/// The fields of a row by column.
struct Named<'a> {
    header: &'a Header,
    texts: Texts<'a>,
}

impl Fields for Named<'_> {
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)> {
        let names = self.header.names.iter().map(|name| Cow::Borrowed(name.as_str()));
        names.zip(self.texts.iter().map(|text| Raw::Text(Cow::Borrowed(text)))).collect()
    }
}

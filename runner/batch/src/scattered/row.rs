//! Rows as they are spilled: the bytes of what a format decoded, to be decoded again on a deciding thread.

use std::borrow::Cow;

use assay_claims::{BooleanBuffer, Raw};

use crate::input::{Cell, Cells, Chunk, Fields, Malformed, Record, Row};
use crate::places::Place;

/// A row that was read back.
pub(super) struct SpilledRow {
    pub place: Place,
    bytes: Vec<u8>,
    /// Where in the bytes the row begins.
    start: usize,
}

impl SpilledRow {
    pub fn new(place: Place, bytes: Vec<u8>, start: usize) -> SpilledRow {
        SpilledRow { place, bytes, start }
    }

    /// How many bytes it takes here.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes of text it has in its input.
    pub fn text_bytes(&self) -> u64 {
        self.reader().number().unwrap_or_default()
    }

    fn reader(&self) -> Reader<'_> {
        Reader { bytes: self.bytes.get(self.start..).unwrap_or_default() }
    }

    fn visit(&self, visit: &mut dyn FnMut(Row<'_>)) {
        let number = self.place.row;
        let mut reader = self.reader();
        let read = reader.number().and_then(|_| Some((reader.cells()?, reader.record()?)));
        match &read {
            None => {
                let cells = Err(Malformed {
                    expected: "the row as it was spilled".to_owned(),
                    received: "bytes that were changed on the disk".to_owned(),
                });
                visit(Row { number, cells, record: Record::Bytes(&self.bytes) });
            }
            Some((cells, Spilled::Fields(fields))) => {
                visit(Row { number, cells: cells.clone(), record: Record::Fields(fields) });
            }
            Some((cells, Spilled::Record(record))) => {
                visit(Row { number, cells: cells.clone(), record: *record });
            }
        }
    }
}

/// Rows of any inputs.
pub(super) struct SpilledRows(pub Vec<SpilledRow>);

impl Chunk for SpilledRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row_bytes(&self, row: usize) -> u64 {
        self.0.get(row).map_or(0, SpilledRow::text_bytes)
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        self.0.iter().for_each(|row| row.visit(visit));
    }

    fn each_of(&self, rows: &BooleanBuffer, visit: &mut dyn FnMut(Row<'_>)) {
        rows.set_indices().filter_map(|row| self.0.get(row)).for_each(|row| row.visit(visit));
    }
}

/// The record of a row that was read back.
enum Spilled<'a> {
    Record(Record<'a>),
    Fields(Named<'a>),
}

struct Named<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl Fields for Named<'_> {
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)> {
        self.0.clone()
    }
}

// What a byte says that begins something.
const MISSING: u8 = 0;
const ONE: u8 = 1;
const REPEATED: u8 = 2;

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const NUMBER: u8 = 3;
const NOT_FINITE: u8 = 4;
const TEXT: u8 = 5;
const OBJECT: u8 = 6;
const LIST: u8 = 7;
const OTHER: u8 = 8;

const JSON: u8 = 0;
const FIELDS: u8 = 1;
const PLAIN: u8 = 2;
const BYTES: u8 = 3;
const TRUNCATED: u8 = 4;

/// The numbers that are none.
const NOT_NUMBERS: [&str; 3] = ["NaN", "inf", "-inf"];

/// Appends a row of so many bytes of text.
pub(super) fn write_row(out: &mut Vec<u8>, row: &Row<'_>, text_bytes: u64) {
    write_number(out, text_bytes);
    match &row.cells {
        Ok(cells) => {
            out.push(1);
            write_number(out, cells.values.len() as u64);
            for cell in &cells.values {
                match cell {
                    Cell::Missing => out.push(MISSING),
                    Cell::One(raw) => {
                        out.push(ONE);
                        write_raw(out, raw);
                    }
                    Cell::Repeated(raw) => {
                        out.push(REPEATED);
                        write_raw(out, raw);
                    }
                }
            }
            write_fields(out, &cells.extra);
        }
        Err(Malformed { expected, received }) => {
            out.push(0);
            write_bytes(out, expected.as_bytes());
            write_bytes(out, received.as_bytes());
        }
    }
    match row.record {
        Record::Json(text) => {
            out.push(JSON);
            write_bytes(out, text.as_bytes());
        }
        Record::Fields(fields) => {
            out.push(FIELDS);
            write_fields(out, &fields.fields());
        }
        Record::Text(text) => {
            out.push(PLAIN);
            write_bytes(out, text.as_bytes());
        }
        Record::Bytes(bytes) => {
            out.push(BYTES);
            write_bytes(out, bytes);
        }
        Record::Truncated(bytes, length) => {
            out.push(TRUNCATED);
            write_number(out, length);
            write_bytes(out, bytes);
        }
    }
}

fn write_number(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn write_fields(out: &mut Vec<u8>, fields: &[(Cow<'_, str>, Raw<'_>)]) {
    write_number(out, fields.len() as u64);
    for (name, value) in fields {
        write_bytes(out, name.as_bytes());
        write_raw(out, value);
    }
}

fn write_raw(out: &mut Vec<u8>, raw: &Raw<'_>) {
    let mut text = |tag: u8, text: &str| {
        out.push(tag);
        write_bytes(out, text.as_bytes());
    };
    match raw {
        Raw::Null => out.push(NULL),
        Raw::Bool(value) => out.push(if *value { TRUE } else { FALSE }),
        Raw::Number(number) => text(NUMBER, number),
        Raw::NotFinite(name) => text(NOT_FINITE, name),
        Raw::Text(value) => text(TEXT, value),
        Raw::Other(value) => text(OTHER, value),
        Raw::Object(fields) => {
            out.push(OBJECT);
            write_fields(out, fields);
        }
        Raw::List(items) => {
            out.push(LIST);
            write_number(out, items.len() as u64);
            items.iter().for_each(|item| write_raw(out, item));
        }
    }
}

/// Reads what was written; nothing where that is not there.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn tag(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn sized(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.sized()?).ok()
    }

    fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| read(self)).collect()
    }

    fn fields(&mut self) -> Option<Vec<(Cow<'a, str>, Raw<'a>)>> {
        self.many(|reader| Some((Cow::Borrowed(reader.text()?), reader.raw()?)))
    }

    fn raw(&mut self) -> Option<Raw<'a>> {
        let tag = self.tag()?;
        let borrowed = |reader: &mut Self| reader.text().map(Cow::Borrowed);
        Some(match tag {
            NULL => Raw::Null,
            FALSE => Raw::Bool(false),
            TRUE => Raw::Bool(true),
            NUMBER => Raw::Number(borrowed(self)?),
            NOT_FINITE => {
                let name = self.text()?;
                Raw::NotFinite(NOT_NUMBERS.into_iter().find(|known| *known == name)?)
            }
            TEXT => Raw::Text(borrowed(self)?),
            OTHER => Raw::Other(borrowed(self)?),
            OBJECT => Raw::Object(self.fields()?),
            LIST => Raw::List(self.many(Self::raw)?),
            _ => return None,
        })
    }

    fn cells(&mut self) -> Option<Result<Cells<'a>, Malformed>> {
        if self.tag()? == 0 {
            let (expected, received) = (self.text()?.to_owned(), self.text()?.to_owned());
            return Some(Err(Malformed { expected, received }));
        }
        let values = self.many(|reader| {
            Some(match reader.tag()? {
                MISSING => Cell::Missing,
                ONE => Cell::One(reader.raw()?),
                _ => Cell::Repeated(reader.raw()?),
            })
        })?;
        Some(Ok(Cells { values, extra: self.fields()? }))
    }

    fn record(&mut self) -> Option<Spilled<'a>> {
        Some(Spilled::Record(match self.tag()? {
            JSON => Record::Json(self.text()?),
            FIELDS => return Some(Spilled::Fields(Named(self.fields()?))),
            PLAIN => Record::Text(self.text()?),
            BYTES => Record::Bytes(self.sized()?),
            _ => {
                let length = self.number()?;
                Record::Truncated(self.sized()?, length)
            }
        }))
    }
}

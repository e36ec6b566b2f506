//! Reads inputs through the boundary that a run uses, and shows what it gets as texts.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests
#![allow(dead_code)] // each test target uses its own part

use std::path::{Path, PathBuf};

use assay_batch::input::{
    Cell, Column, FileFormat, InputError, Location, Open, Record, Row, Shape, Source, TextOptions, Wanted,
};
use assay_claims::Raw;
use assay_tabular::Tabular;

/// An input and how it is read.
#[derive(Clone)]
pub struct Input {
    pub name: String,
    pub bytes: Vec<u8>,
    pub format: FileFormat,
    pub text: TextOptions,
    pub wanted: Wanted,
}

/// What was read of an input: all rows up to its end or to an error.
#[derive(Debug)]
pub struct Read {
    pub rows: Vec<Seen>,
    pub error: Option<InputError>,
    pub sha256: Option<String>,
}

/// A row as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub number: u64,
    /// `VALUE | VALUE`, then ` + KEY=VALUE` for each field more; or what was expected and what came.
    pub cells: Result<String, (String, String)>,
    pub record: String,
}

impl Input {
    /// JSONL of which the columns `a` and `b` are wanted.
    pub fn jsonl(bytes: impl AsRef<[u8]>) -> Input {
        Input::of(FileFormat::Jsonl, "in.jsonl", bytes.as_ref())
    }

    /// CSV of which the columns `a` and `b` are wanted.
    pub fn csv(bytes: impl AsRef<[u8]>) -> Input {
        Input::of(FileFormat::Csv, "in.csv", bytes.as_ref())
    }

    pub fn of(format: FileFormat, name: &str, bytes: &[u8]) -> Input {
        let wanted = Wanted { columns: vec![column("a", false), column("b", false)], claims_field: None };
        Input { name: name.to_owned(), bytes: bytes.to_vec(), format, text: TextOptions::default(), wanted }
    }

    pub fn name(self, name: &str) -> Input {
        Input { name: name.to_owned(), ..self }
    }

    pub fn encoding(mut self, encoding: &str) -> Input {
        self.text.encoding = encoding.to_owned();
        self
    }

    /// Other columns of the row itself.
    pub fn columns(mut self, names: &[&str]) -> Input {
        self.wanted.columns = names.iter().map(|name| column(name, false)).collect();
        self
    }

    /// More columns, of the claims object.
    pub fn claims(mut self, field: &str, names: &[&str]) -> Input {
        self.wanted.claims_field = Some(field.to_owned());
        self.wanted.columns.extend(names.iter().map(|name| column(name, true)));
        self
    }

    /// Reads it in chunks of up to `max_rows`.
    pub fn read(&self, max_rows: usize) -> Read {
        let (_folder, location) = self.stored();
        match self.open(&location) {
            Ok(source) => read(source, max_rows),
            Err(error) => Read { rows: Vec::new(), error: Some(error), sha256: None },
        }
    }

    /// Reads it whole.
    pub fn rows(&self) -> Vec<Seen> {
        let read = self.read(1000);
        assert!(read.error.is_none(), "{:?}", read.error);
        read.rows
    }

    /// The error that it ends with.
    pub fn error(&self) -> InputError {
        self.read(1000).error.expect("reading this fails")
    }

    pub fn shape(&self) -> Result<Option<Shape>, InputError> {
        let (_folder, location) = self.stored();
        let claims_field = self.wanted.claims_field.as_deref();
        Tabular.shape(&location, &self.name, self.format, &self.text, claims_field)
    }

    pub fn open(&self, location: &Location) -> Result<Box<dyn Source>, InputError> {
        Tabular.open(location, &self.name, self.format, &self.text, &self.wanted)
    }

    fn stored(&self) -> (tempfile::TempDir, Location) {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join(Path::new(&self.name).file_name().unwrap());
        std::fs::write(&path, &self.bytes).unwrap();
        (folder, Location::File(path))
    }
}

fn column(name: &str, in_claims: bool) -> Column {
    Column { name: name.to_owned(), in_claims }
}

/// Reads a source to its end, or to its first error.
pub fn read(mut source: Box<dyn Source>, max_rows: usize) -> Read {
    let mut read = Read { rows: Vec::new(), error: None, sha256: None };
    loop {
        match source.next(max_rows) {
            Ok(Some(chunk)) => {
                assert!((1..=max_rows).contains(&chunk.len()), "a chunk of {} rows", chunk.len());
                let before = read.rows.len();
                chunk.each(&mut |row| read.rows.push(seen(&row)));
                assert_eq!(read.rows.len() - before, chunk.len());
            }
            Ok(None) => {
                read.sha256 = Some(source.sha256().unwrap());
                return read;
            }
            Err(error) => {
                read.error = Some(error);
                return read;
            }
        }
    }
}

fn seen(row: &Row<'_>) -> Seen {
    let cells = match &row.cells {
        Ok(cells) => {
            let mut text = cells.values.iter().map(show_cell).collect::<Vec<_>>().join(" | ");
            for (key, value) in &cells.extra {
                text.push_str(&format!(" + {key}={}", show(value)));
            }
            Ok(text)
        }
        Err(malformed) => Err((malformed.expected.clone(), malformed.received.clone())),
    };
    Seen { number: row.number, cells, record: show_record(&row.record) }
}

/// `-` where there is none, and `twice` before the last of several.
fn show_cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Missing => "-".to_owned(),
        Cell::One(value) => show(value),
        Cell::Repeated(value) => format!("twice {}", show(value)),
    }
}

/// `null`, `true`, `#12.50`, `!NaN`, `"text"`, `{key: value}`, `[value]`, `<other>`.
pub fn show(value: &Raw<'_>) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Raw::Null => "null".to_owned(),
        Raw::Bool(value) => value.to_string(),
        Raw::Number(text) => format!("#{text}"),
        Raw::NotFinite(text) => format!("!{text}"),
        Raw::Text(text) => format!("{text:?}"),
        Raw::Object(fields) => {
            format!(
                "{{{}}}",
                list(fields.iter().map(|(key, value)| format!("{key}: {}", show(value))).collect())
            )
        }
        Raw::List(values) => format!("[{}]", list(values.iter().map(show).collect())),
        Raw::Other(text) => format!("<{text}>"),
    }
}

fn show_record(record: &Record<'_>) -> String {
    match record {
        Record::Json(text) => format!("json {text}"),
        Record::Fields(fields) => {
            let fields = fields
                .fields()
                .iter()
                .map(|(key, value)| format!("{key}: {}", show(value)))
                .collect::<Vec<_>>();
            format!("fields {}", fields.join(", "))
        }
        Record::Text(text) => format!("text {text}"),
        Record::Bytes(bytes) => format!("bytes {bytes:?}"),
        Record::Truncated(bytes, length) => {
            format!("truncated {} {length}", String::from_utf8_lossy(&bytes[..bytes.len().min(8)]))
        }
    }
}

/// Each row's number and cells: `2: #1 | "x"`, a malformed one as `3: malformed`.
pub fn lines(rows: &[Seen]) -> Vec<String> {
    let line = |row: &Seen| format!("{}: {}", row.number, row.cells.as_deref().unwrap_or("malformed"));
    rows.iter().map(line).collect()
}

/// Numbers that look random and are the same each time: the xorshift generator of Marsaglia (2003).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    /// Some bytes of these pieces.
    pub fn text(&mut self, pieces: &[&[u8]], at_most: usize) -> Vec<u8> {
        (0..self.below(at_most)).flat_map(|_| pieces[self.below(pieces.len())].to_vec()).collect()
    }
}

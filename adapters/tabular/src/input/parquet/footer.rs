//! A file's description of itself, its *footer*: what the library would break down over, and what it takes on trust.
//!
//! Parquet has no checksum over the footer. But the footer says some things twice, and the library looks at one of the two:
//! the name and the type of a column stand in the schema and in every row group. Where they do not agree a bit has
//! changed, or somebody lies, and either would give answers from values that are not there.

use assay_batch::input::InputError;
use bytes::Bytes;
use parquet::file::reader::ChunkReader;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use super::super::{WithHelp, input_error};
use super::thrift::{Garbled, Thrift, kind};
use super::{broken, guarded};

/// The mark at the beginning and the end of a file.
const MARK: &[u8] = b"PAR1";

/// The mark at the end of a file whose footer is encrypted.
const ENCRYPTED: &[u8] = b"PARE";

/// The length of the footer and the mark, which stand behind it.
const TAIL: u64 = 8;

/// The fewest bytes of a file: the marks and the length.
const SHORTEST: u64 = 12;

/// How deep columns may stand in columns; the library goes down by recursion.
const MAX_DEPTH: usize = 64;

/// How many columns, and columns in columns, a file may have.
const MAX_COLUMNS: u64 = 1_000_000;

/// What a row group may say that a column's values are.
const TYPES: [&str; 8] =
    ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"];

/// A footer, as it is stored.
pub(super) struct Footer {
    bytes: Bytes,
}

impl Footer {
    /// Finds the footer of a file. Its schema is one that the library can be given.
    pub fn read(file: &impl ChunkReader, name: &str) -> Result<Footer, InputError> {
        let missing = || "its end is not there".to_owned();
        let stored = |start, length| guarded(name, missing, || file.get_bytes(start, length));
        let all = file.len();
        let Some(start_of_tail) = all.checked_sub(TAIL).filter(|_| all >= SHORTEST) else {
            return Err(broken(name, format!("it has {all} bytes, and the shortest has {SHORTEST}")));
        };
        let tail = stored(start_of_tail, TAIL as usize)?;
        let (length, mark) = tail.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        if mark == ENCRYPTED {
            let message = "the Parquet file is encrypted, and there is no key to read it with";
            return Err(input_error(name, message).help("decrypt it before the run"));
        }
        if mark != MARK {
            return Err(broken(name, "it does not end with the mark `PAR1`".to_owned()));
        }
        let length = u64::from(u32::from_le_bytes(*length));
        let most = all - SHORTEST;
        if length > most {
            let message =
                format!("its footer is said to have {length} bytes, and the file has room for {most}");
            return Err(broken(name, message));
        }
        let footer = Footer { bytes: stored(start_of_tail - length, length as usize)? };
        footer.schema().map_err(|wrong| broken(name, wrong))?;
        Ok(footer)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Walks through the fields of the footer.
    fn walk(
        &self,
        field: &mut dyn FnMut(&mut Thrift<'_>, i64, u8) -> Result<(), Garbled>,
    ) -> Result<(), String> {
        let mut thrift = Thrift::new(&self.bytes);
        thrift.fields(&mut |thrift, id, kind| field(thrift, id, kind)).map_err(|Garbled| {
            let at = self.bytes.len() - thrift.left();
            format!("its footer makes no sense at byte {at} of {}", self.bytes.len())
        })
    }

    /// Whether the schema is a tree of columns that the library knows all of.
    fn schema(&self) -> Result<(), String> {
        let mut tree = Tree { open: Vec::new(), elements: 0 };
        // What is found wrong ends the walk, and goes before what else might be.
        let mut wrong = None;
        let read = self.walk(&mut |thrift, id, kind| match (id, kind) {
            (2, kind::LIST) => thrift.list(&mut |thrift, _| {
                let element = Element::read(thrift)?;
                wrong = element.problem().or_else(|| tree.add(&element));
                if wrong.is_some() { Err(Garbled) } else { Ok(()) }
            }),
            (_, kind) => thrift.skip(kind),
        });
        wrong.map_or(read, Err)?;
        match tree.open.is_empty() && tree.elements > 0 {
            true => Ok(()),
            false => Err("its schema has fewer columns than it says".to_owned()),
        }
    }

    /// Whether every row group has the columns of the schema, by their names and their types.
    pub fn agrees(&self, schema: &SchemaDescriptor) -> Result<(), String> {
        let (mut groups, mut wrong) = (0, None);
        let read = self.walk(&mut |thrift, id, kind| match (id, kind) {
            (4, kind::LIST) => thrift.list(&mut |thrift, _| {
                groups += 1;
                let mut columns = schema.columns().iter();
                thrift.fields(&mut |thrift, id, kind| match (id, kind) {
                    (1, kind::LIST) => thrift.list(&mut |thrift, _| {
                        let chunk = Stored::read(thrift)?;
                        // Their number is held against the schema by the library.
                        wrong = columns.next().and_then(|column| chunk.differs(column, groups));
                        if wrong.is_some() { Err(Garbled) } else { Ok(()) }
                    }),
                    (_, kind) => thrift.skip(kind),
                })
            }),
            (_, kind) => thrift.skip(kind),
        });
        wrong.map_or(read, Err)
    }
}

/// What the schema says of a column: `SchemaElement` in the definition of Parquet.
#[derive(Default)]
struct Element {
    name: String,
    children: i64,
    /// What its values mean, in the older and in the newer way of saying it. Lists and decimals have one number in both.
    converted: Option<i64>,
    logical: Option<i64>,
    /// Whether it has the digits of a decimal.
    scaled: bool,
    /// A field that is none of those which were defined when this was written.
    unknown: Option<i64>,
}

const LIST: i64 = 3;
const DECIMAL: i64 = 5;

impl Element {
    fn read(thrift: &mut Thrift<'_>) -> Result<Element, Garbled> {
        let mut element = Element::default();
        thrift.fields(&mut |thrift, id, kind| {
            match (id, kind) {
                (4, kind::BINARY) => element.name = shown(thrift.bytes()?),
                (5, kind::I32) => element.children = thrift.integer()?,
                (6, kind::I32) => element.converted = Some(thrift.integer()?),
                (7 | 8, kind::I32) => element.scaled |= thrift.integer()? != 0,
                (10, kind::STRUCT) => thrift.fields(&mut |thrift, id, kind| {
                    element.logical = Some(id);
                    thrift.skip(kind)
                })?,
                (id, kind) => {
                    if !(1..=10).contains(&id) {
                        element.unknown = Some(id);
                    }
                    thrift.skip(kind)?;
                }
            }
            Ok(())
        })?;
        Ok(element)
    }

    /// What is wrong with it by itself. A field that is not known might say what the values mean, so that without it
    /// nothing can be said of them.
    fn problem(&self) -> Option<String> {
        let name = &self.name;
        if let Some(id) = self.unknown {
            return Some(format!(
                "its schema says of the column `{name}` what cannot be understood (field {id})"
            ));
        }
        let meanings = [self.converted, self.logical];
        if self.scaled && !meanings.contains(&Some(DECIMAL)) {
            return Some(format!(
                "its schema gives the column `{name}` the digits of a decimal and does not call it one"
            ));
        }
        let lists = meanings.into_iter().flatten().filter(|meaning| *meaning == LIST).count();
        let both = meanings.iter().all(Option::is_some);
        (self.children > 0 && both && lists == 1)
            .then(|| format!("its schema calls the column `{name}` a list and something else"))
    }
}

/// The columns of a schema, which come one after the other, each before those in it.
struct Tree {
    /// Of the columns in which the next one stands: how many are still to come.
    open: Vec<i64>,
    elements: u64,
}

impl Tree {
    fn add(&mut self, element: &Element) -> Option<String> {
        if self.elements > 0 && self.open.is_empty() {
            return Some("its schema has more columns than it says".to_owned());
        }
        self.elements += 1;
        if self.elements > MAX_COLUMNS {
            return Some(format!("it has more than {MAX_COLUMNS} columns"));
        }
        if let Some(left) = self.open.last_mut() {
            *left -= 1;
        }
        // Each of them takes a byte at least, and the footer has fewer than 2³².
        if !(0..=i64::from(u32::MAX)).contains(&element.children) {
            return Some(format!(
                "its schema gives the column `{}` {} columns",
                element.name, element.children
            ));
        }
        if element.children > 0 {
            self.open.push(element.children);
        }
        if self.open.len() > MAX_DEPTH {
            return Some(format!("its columns stand in each other more than {MAX_DEPTH} deep"));
        }
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
        None
    }
}

/// What a row group says of a column: `ColumnMetaData` in the definition of Parquet.
#[derive(Default)]
struct Stored<'b> {
    kind: Option<i64>,
    path: Option<Vec<&'b [u8]>>,
}

impl<'b> Stored<'b> {
    fn read(thrift: &mut Thrift<'b>) -> Result<Stored<'b>, Garbled> {
        let mut stored = Stored::default();
        thrift.fields(&mut |thrift, id, kind| match (id, kind) {
            (3, kind::STRUCT) => thrift.fields(&mut |thrift, id, kind| match (id, kind) {
                (1, kind::I32) => {
                    stored.kind = Some(thrift.integer()?);
                    Ok(())
                }
                (3, kind::LIST) => {
                    let path = stored.path.insert(Vec::new());
                    thrift.list(&mut |thrift, _| {
                        path.push(thrift.bytes()?);
                        Ok(())
                    })
                }
                (_, kind) => thrift.skip(kind),
            }),
            (_, kind) => thrift.skip(kind),
        })?;
        Ok(stored)
    }

    /// How it differs from the schema. What is not there is missed by the library.
    fn differs(&self, column: &ColumnDescriptor, group: usize) -> Option<String> {
        let parts = column.path().parts();
        let described = parts.join(".");
        let same = |path: &Vec<&[u8]>| path.iter().copied().eq(parts.iter().map(|part| part.as_bytes()));
        if let Some(path) = self.path.as_ref().filter(|path| !same(path)) {
            let called: Vec<String> = path.iter().map(|part| shown(part)).collect();
            return Some(format!(
                "its schema has the column `{described}`, and row group {group} has `{}` in its place",
                called.join(".")
            ));
        }
        let expected = column.physical_type();
        let kind = self.kind.filter(|kind| *kind != i64::from(expected as i32))?;
        let found = usize::try_from(kind).ok().and_then(|kind| TYPES.get(kind));
        Some(format!(
            "its schema says that the column `{described}` is {expected}, and row group {group} that it is {}",
            found.unwrap_or(&"nothing known")
        ))
    }
}

/// A name, to be shown.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).escape_debug().to_string()
}

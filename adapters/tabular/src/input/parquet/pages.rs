//! Whether the pages of a column hold what its schema says.
//!
//! Where a column may have nulls, each page begins with which values are there. A footer that says it may not has these
//! bytes read as values, and the library does not mind that others are left over at the end. Values of one width give such
//! a page away by its size, where it is known that a writer puts nothing behind them: fastparquet puts eight zeros there.

use parquet::basic::{Encoding, Type};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use super::thrift::{Garbled, Thrift, kind};

/// How long the header of a page may be that is looked at. Those of values of one width are far shorter.
const HEADER: u64 = 1024;

const DATA_PAGE: i64 = 0;
const DATA_PAGE_V2: i64 = 3;

/// Whether the pages of a writer end with their values. These are the ones that do not count levels, so that their footers
/// do not say twice whether there are nulls.
pub(super) fn end_with_values(created_by: Option<&str>) -> bool {
    created_by.is_some_and(|writer| writer.starts_with("DuckDB") || writer.starts_with("Polars"))
}

/// Whether the pages of a column without nulls and lists are as long as their values. Pages in other encodings than the plain
/// one are not looked at, nor is what is garbled: the library finds that out.
pub(super) fn fit(file: &impl ChunkReader, column: &ColumnChunkMetaData) -> Result<bool> {
    let described = column.column_descr();
    let bits = match described.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT => 32,
        Type::INT64 | Type::DOUBLE => 64,
        Type::INT96 => 96,
        Type::FIXED_LEN_BYTE_ARRAY => 8 * i64::from(described.type_length()),
        Type::BYTE_ARRAY => return Ok(true),
    };
    if (described.max_def_level(), described.max_rep_level()) != (0, 0) {
        return Ok(true);
    }
    let (mut at, mut left) = column.byte_range();
    while left > 0 {
        let bytes = file.get_bytes(at, usize::try_from(left.min(HEADER)).unwrap_or_default())?;
        let Some(page) = Page::read(&bytes) else { return Ok(true) };
        if !page.fits(bits) {
            return Ok(false);
        }
        let Some(rest) = left.checked_sub(page.stored) else { return Ok(true) };
        (at, left) = (at + page.stored, rest);
    }
    Ok(true)
}

/// A page, as its header tells of it: `PageHeader` in the definition of Parquet.
#[derive(Default)]
struct Page {
    kind: i64,
    /// How many bytes it has once it is decompressed.
    bytes: i64,
    values: i64,
    encoding: i64,
    /// How many bytes say which values are there, where the header tells.
    levels: i64,
    /// How many bytes it has with its header, as stored.
    stored: u64,
}

impl Page {
    fn read(bytes: &[u8]) -> Option<Page> {
        let mut thrift = Thrift::new(bytes);
        let (mut page, mut compressed) = (Page::default(), 0);
        page.fill(&mut thrift, &mut compressed).ok()?;
        let header = bytes.len() - thrift.left();
        page.stored = u64::try_from(compressed).ok()?.checked_add(header as u64)?;
        Some(page)
    }

    fn fill(&mut self, thrift: &mut Thrift<'_>, compressed: &mut i64) -> std::result::Result<(), Garbled> {
        thrift.fields(&mut |thrift, id, kind| {
            match (id, kind) {
                (1, kind::I32) => self.kind = thrift.integer()?,
                (2, kind::I32) => self.bytes = thrift.integer()?,
                (3, kind::I32) => *compressed = thrift.integer()?,
                (5 | 8, kind::STRUCT) => {
                    // The two kinds of pages have these in other places.
                    let encoding = if id == 5 { 2 } else { 4 };
                    thrift.fields(&mut |thrift, field, kind| {
                        match (field, kind) {
                            (1, kind::I32) => self.values = thrift.integer()?,
                            (field, kind::I32) if field == encoding => self.encoding = thrift.integer()?,
                            (5 | 6, kind::I32) if id == 8 => self.levels += thrift.integer()?,
                            (_, kind) => thrift.skip(kind)?,
                        }
                        Ok(())
                    })?;
                }
                (_, kind) => thrift.skip(kind)?,
            }
            Ok(())
        })
    }

    /// Whether it is as long as its values, each of which has so many bits.
    fn fits(&self, bits: i64) -> bool {
        let of_values = i128::from(self.values) * i128::from(bits);
        let plain = self.encoding == i64::from(Encoding::PLAIN as i32);
        match self.kind {
            DATA_PAGE | DATA_PAGE_V2 if self.levels != 0 => false,
            DATA_PAGE | DATA_PAGE_V2 if plain => i128::from(self.bytes) == (of_values + 7) / 8,
            _ => true,
        }
    }
}

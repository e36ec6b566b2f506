//! One column of one row group as the bytes of its pages.
//!
//! The library's own column writers look every value up in a hash table. Of results it is known beforehand
//! which values repeat, so their pages are put together here, and the library writes headers, metadata and the file.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use serde::{Deserialize, Serialize};
use zstd::bulk::Compressor;

use super::hybrid::{Hybrid, pack};

/// How hard pages are compressed: what takes little time, since most of their bytes are packed already.
const LEVEL: i32 = 1;

/// Levels of the values of a page: how much of a nested or nullable value is there.
pub(super) enum Levels<'a> {
    /// The column has none.
    None,
    /// The same for every value.
    All(u32),
    /// One for each value.
    Each(&'a [u8]),
}

/// A column chunk that is being put together.
pub(super) struct ChunkWriter<'z> {
    sink: TrackedWrite<Vec<u8>>,
    zstd: &'z mut Compressor<'static>,
    values: u64,
    uncompressed: u64,
    dictionary: bool,
    data_at: Option<u64>,
}

/// A column chunk: its bytes, and what the file says about them.
pub(super) struct Chunk {
    pub bytes: Bytes,
    pub described: Described,
}

/// What the file says about a column chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Described {
    pub bytes: u64,
    pub uncompressed: u64,
    values: u64,
    dictionary: bool,
    /// Where in the chunk its first data page begins.
    data_at: u64,
}

impl<'z> ChunkWriter<'z> {
    pub fn new(zstd: &'z mut Compressor<'static>) -> ChunkWriter<'z> {
        let sink = TrackedWrite::new(Vec::new());
        ChunkWriter { sink, zstd, values: 0, uncompressed: 0, dictionary: false, data_at: None }
    }

    /// Writes the dictionary: first of all, and once. `plain` holds its values in plain encoding.
    pub fn dictionary(&mut self, values: usize, plain: &[u8]) -> Result<()> {
        self.dictionary = true;
        let page = |buf, num_values| Page::DictionaryPage {
            buf,
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        self.page(values, plain, page)
    }

    /// Writes a page of so many values, nulls included.
    pub fn data(&mut self, values: usize, body: &[u8], encoding: Encoding) -> Result<()> {
        self.values += values as u64;
        self.data_at.get_or_insert(self.sink.bytes_written() as u64);
        let page = |buf, num_values| Page::DataPage {
            buf,
            num_values,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        self.page(values, body, page)
    }

    fn page(&mut self, values: usize, body: &[u8], page: impl FnOnce(Bytes, u32) -> Page) -> Result<()> {
        let values = u32::try_from(values).map_err(|error| ParquetError::External(Box::new(error)))?;
        let compressed = self.zstd.compress(body)?;
        let page = CompressedPage::new(page(compressed.into(), values), body.len());
        let written = SerializedPageWriter::new(&mut self.sink).write_page(page)?;
        self.uncompressed += written.uncompressed_size as u64;
        Ok(())
    }

    pub fn finish(self) -> Result<Arc<Chunk>> {
        let bytes: Bytes = self.sink.into_inner()?.into();
        let described = Described {
            bytes: bytes.len() as u64,
            uncompressed: self.uncompressed,
            values: self.values,
            dictionary: self.dictionary,
            data_at: self.data_at.unwrap_or_default(),
        };
        Ok(Arc::new(Chunk { bytes, described }))
    }
}

impl Described {
    /// The same as the library says it, of a chunk of the column `column` that begins at `at` in the file.
    pub fn metadata(&self, column: ColumnDescPtr, at: u64) -> Result<ColumnChunkMetaData> {
        let encodings = match self.dictionary {
            true => vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY],
            false => vec![Encoding::PLAIN, Encoding::RLE],
        };
        ColumnChunkMetaData::builder(column)
            .set_encodings(encodings)
            .set_compression(compression()?)
            .set_num_values(self.values as i64)
            .set_total_compressed_size(self.bytes as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_dictionary_page_offset(self.dictionary.then_some(at as i64))
            .set_data_page_offset((at + self.data_at) as i64)
            .build()
    }
}

/// The compression of every page.
pub(super) fn compression() -> Result<Compression> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
}

/// What compresses them.
pub(super) fn compressor() -> Result<Compressor<'static>> {
    Ok(Compressor::new(LEVEL)?)
}

/// Begins the body of a page with the levels of one kind.
pub(super) fn push_levels(body: &mut Vec<u8>, values: usize, width: u8, levels: &Levels<'_>) {
    let at = body.len();
    body.extend_from_slice(&[0; 4]);
    match levels {
        Levels::None => return body.truncate(at),
        Levels::All(level) => {
            let mut hybrid = Hybrid::new(body, width);
            hybrid.run(*level, values);
            hybrid.finish();
        }
        Levels::Each(levels) => pack(body, width, values, levels.iter().map(|level| u32::from(*level))),
    }
    let length = (body.len() - at - 4) as u32;
    if let Some(place) = body.get_mut(at..at + 4) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

/// Appends a text in plain encoding.
pub(super) fn push_text(plain: &mut Vec<u8>, text: &str) {
    plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
    plain.extend_from_slice(text.as_bytes());
}

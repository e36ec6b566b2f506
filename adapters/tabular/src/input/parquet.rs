//! Parquet: typed columns, each value as the exact text of what it is.

mod columns;
mod file;
mod footer;
mod object;
mod pages;
mod thrift;
mod values;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::error::Error;
use std::io;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use assay_batch::input::{
    Cell, Cells, Chunk, Decoded, Fields, InputError, Layout, Location, Record, Row, Shape, Source, Wanted,
};
use assay_batch::remote::Failure;
use assay_claims::{BooleanBuffer, Raw};
use assay_faults::caught;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Encoding;
use parquet::file::metadata::{LevelHistogram, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::statistics::Statistics;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use self::file::SharedFile;
use self::footer::Footer;
use self::object::{Distant, fetch};
use self::values::{Column, column};
use super::sink::Sink;
use super::text::{open_bytes, open_file, unreadable};
use super::wanted::Slots;
use super::{MAX_CHUNK_BYTES, WithHelp, input_error, names_twice};

/// How many rows are decoded at a time at most: a chunk is put together from such batches, and ends early where
/// they are large.
const BATCH_ROWS: usize = 4096;

/// A Parquet input. Its row groups are read one after the other, so that a broken one keeps none of the others back; the
/// columns of a row group are read side by side.
pub(crate) struct ParquetSource {
    name: String,
    location: Location,
    file: SharedFile,
    /// The SHA-256 of an object, which was hashed as it was fetched.
    fetched: Option<String>,
    metadata: ArrowReaderMetadata,
    /// The row group that is read next.
    group: usize,
    reading: Option<Group>,
    /// What of the last batch is still to be delivered.
    rest: Option<RecordBatch>,
    /// What ended the reading, until the rows before it are delivered.
    failed: Option<InputError>,
    slots: Arc<Vec<Option<usize>>>,
    rows: u64,
    /// Reads columns, where the run lends it.
    pool: Option<Arc<ThreadPool>>,
}

/// A row group that is being read.
struct Group {
    /// One for each column.
    columns: Vec<ParquetRecordBatchReader>,
    /// How many of its rows are still to come, by its description.
    rows: i64,
}

impl ParquetSource {
    pub fn open(location: &Location, name: &str, wanted: &Wanted) -> Result<ParquetSource, InputError> {
        let (file, fetched) = match location {
            Location::Object(_) => fetch(location, name).map(|(file, sha256)| (file, Some(sha256)))?,
            Location::File(path) => (open_file(path, name)?, None),
            Location::Stdin => return Err(not_from_stdin(name)),
        };
        let file = SharedFile::new(file).map_err(|error| unreadable(name, &error))?;
        let metadata = describe(&file, name)?;
        let names = metadata.schema().fields().iter().map(|field| field.name().as_str());
        let slots = Arc::new(Slots::new(wanted, false).positions(names));
        Ok(ParquetSource {
            name: name.to_owned(),
            location: location.clone(),
            file,
            fetched,
            metadata,
            group: 0,
            reading: None,
            rest: None,
            failed: None,
            slots,
            rows: 0,
            pool: None,
        })
    }

    /// The next batch that has rows.
    fn batch(&mut self) -> Result<Option<RecordBatch>, InputError> {
        if let Some(rest) = self.rest.take() {
            return Ok(Some(rest));
        }
        loop {
            if let Some(Group { columns, rows }) = &mut self.reading {
                let batch =
                    next_batch(&self.name, &self.metadata, self.group, columns, self.pool.as_deref())?;
                *rows -= batch.as_ref().map_or(0, |batch| batch.num_rows() as i64);
                // The library reads as many rows as it finds.
                if *rows < 0 || batch.is_none() && *rows > 0 {
                    let message = format!("row group {} has not as many rows as it should have", self.group);
                    return Err(broken(&self.name, message));
                }
                match batch {
                    Some(batch) if batch.num_rows() == 0 => continue,
                    Some(batch) => return Ok(Some(batch)),
                    None => self.reading = None,
                }
            }
            let Some(group) = self.metadata.metadata().row_groups().get(self.group) else { return Ok(None) };
            let (rows, batch_rows, number) = (group.num_rows(), batch_rows(group), self.group + 1);
            let held = pages::end_with_values(self.metadata.metadata().file_metadata().created_by());
            for column in group.columns().iter().filter(|_| held) {
                let name = column.column_path().string();
                let what = || {
                    let name = name.escape_debug();
                    format!("the column `{name}` of row group {number} is not what the footer says")
                };
                if !guarded(&self.name, what, || pages::fit(&self.file, column))? {
                    return Err(broken(&self.name, what()));
                }
            }
            let columns = 0..self.metadata.schema().fields().len();
            let reader = |column| {
                let mask = ProjectionMask::roots(self.metadata.parquet_schema(), [column]);
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone())
                    .with_row_groups(vec![self.group])
                    .with_batch_size(batch_rows)
                    .with_projection(mask)
                    .build()
            };
            let what = || format!("row group {number} cannot be read");
            let columns = guarded(&self.name, what, || columns.map(reader).collect::<Result<Vec<_>, _>>())?;
            self.reading = Some(Group { columns, rows });
            self.group += 1;
        }
    }
}

/// The next rows of all columns of the row group with a number.
fn next_batch(
    name: &str,
    metadata: &ArrowReaderMetadata,
    group: usize,
    columns: &mut [ParquetRecordBatchReader],
    pool: Option<&ThreadPool>,
) -> Result<Option<RecordBatch>, InputError> {
    let next = |reader: &mut ParquetRecordBatchReader| {
        let schema = reader.schema();
        let what = || {
            let column = schema.fields().first().map_or("", |field| field.name());
            format!("the column `{}` of row group {group} is not what the footer says", column.escape_debug())
        };
        guarded(name, what, || reader.next().transpose())
    };
    let batches: Vec<Option<RecordBatch>> = match pool {
        Some(pool) => pool.install(|| columns.par_iter_mut().map(next).collect::<Result<_, _>>())?,
        None => columns.iter_mut().map(next).collect::<Result<_, _>>()?,
    };
    if batches.iter().all(Option::is_none) {
        return Ok(None);
    }
    let rows = batches.iter().map(|batch| batch.as_ref().map_or(0, RecordBatch::num_rows));
    if rows.clone().min() != rows.max() {
        return Err(broken(
            name,
            format!("the columns of row group {group} do not have as many rows as each other"),
        ));
    }
    let arrays = batches.iter().flatten().flat_map(|batch| batch.columns().iter().cloned()).collect();
    let what = || format!("the columns of row group {group} do not fit each other");
    guarded(name, what, || RecordBatch::try_new(Arc::clone(metadata.schema()), arrays)).map(Some)
}

fn not_from_stdin(name: &str) -> InputError {
    input_error(name, "Parquet cannot be read from standard input: its description is at the end")
        .help("name the file")
}

/// The description of a file. Text columns are to be read as views, which share a text that many rows have: what is in
/// hand stays near to what is stored. Those of a few different texts are to be read as they are stored: each text once, and
/// which of them a row has.
fn describe(file: &impl ChunkReader, name: &str) -> Result<ArrowReaderMetadata, InputError> {
    let footer = Footer::read(file, name)?;
    let what = || "its footer does not describe columns that can be read".to_owned();
    let metadata = guarded(name, what, || ParquetMetaDataReader::decode_metadata(footer.bytes()))?;
    footer.agrees(metadata.file_metadata().schema_descr()).map_err(|wrong| broken(name, wrong))?;
    fits(&metadata, file.len()).map_err(|wrong| broken(name, wrong))?;
    let options = ArrowReaderOptions::new();
    let metadata = guarded(name, what, || ArrowReaderMetadata::try_new(Arc::new(metadata), options))?;
    let groups = metadata.metadata().row_groups().iter();
    let rows = groups.map(|group| i128::from(group.num_rows())).sum::<i128>();
    if rows != i128::from(metadata.metadata().file_metadata().num_rows()) {
        let said = metadata.metadata().file_metadata().num_rows();
        return Err(broken(
            name,
            format!("its row groups have {rows} rows together, and its footer says {said}"),
        ));
    }
    let schema = metadata.schema();
    if let Some(twice) = names_twice(schema.fields().iter().map(|field| field.name().as_str())) {
        return Err(input_error(name, format!("the file names a column twice: {twice}"))
            .help("give each column a name of its own"));
    }
    let options = ArrowReaderOptions::new().with_schema(viewed(schema, metadata.metadata()));
    guarded(name, what, || ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options))
}

/// Whether what the row groups say of their columns fits the schema, and the file.
fn fits(metadata: &ParquetMetaData, file: u64) -> Result<(), String> {
    for (group, columns) in (1..).zip(metadata.row_groups().iter().map(RowGroupMetaData::columns)) {
        for column in columns {
            let name = column.column_path().string();
            let name = name.escape_debug();
            let described = column.column_descr();
            // How often each level of nulls and lists occurs, where that was counted.
            let counted = [
                (column.definition_level_histogram(), described.max_def_level()),
                (column.repetition_level_histogram(), described.max_rep_level()),
            ];
            let same = |(levels, highest): (Option<&LevelHistogram>, i16)| {
                let levels = levels.map_or(0, LevelHistogram::len);
                levels == 0 || levels == usize::from(highest.unsigned_abs()) + 1
            };
            if !counted.into_iter().all(same) {
                let message = "has other nulls and lists than its schema allows";
                return Err(format!("the column `{name}` of row group {group} {message}"));
            }
            let nulls = column.statistics().and_then(Statistics::null_count_opt).unwrap_or(0);
            if nulls > 0 && described.max_def_level() == 0 {
                return Err(format!(
                    "its schema says that the column `{name}` has no nulls, and row group {group} that it has {nulls}"
                ));
            }
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let length = column.compressed_size();
            let end = start.checked_add(length).and_then(|end| u64::try_from(end).ok());
            if start < 0 || length < 0 || end.is_none_or(|end| end > file) {
                return Err(format!(
                    "the column `{name}` of row group {group} is said to have {length} bytes from byte {start} on, and \
                     the file has {file} bytes"
                ));
            }
        }
    }
    Ok(())
}

fn viewed(schema: &SchemaRef, metadata: &ParquetMetaData) -> SchemaRef {
    let text = |data_type: &DataType| matches!(data_type, DataType::Utf8 | DataType::LargeUtf8);
    // Columns with parts are stored as several, so they are told by their names.
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Dictionary(_, values) if !text(values) => Arc::clone(field),
        DataType::Dictionary(..) | DataType::Utf8 | DataType::LargeUtf8 => {
            let few = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            let data_type = if is_few(metadata, field.name()) { few } else { DataType::Utf8View };
            Arc::new(field.as_ref().clone().with_data_type(data_type))
        }
        _ => Arc::clone(field),
    });
    Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone()))
}

/// Whether a column is stored throughout as texts that stand there once and numbers that say which text it is, with few of
/// the texts.
fn is_few(metadata: &ParquetMetaData, name: &str) -> bool {
    metadata.row_groups().iter().all(|group| {
        let stored = group.columns().iter().find(|column| {
            let parts = column.column_path().parts();
            parts.len() == 1 && parts.iter().all(|part| part == name)
        });
        stored.is_some_and(|stored| {
            let by_number = stored.page_encoding_stats_mask().is_some_and(|mask| {
                mask.is_only(Encoding::RLE_DICTIONARY) || mask.is_only(Encoding::PLAIN_DICTIONARY)
            });
            let start = stored.dictionary_page_offset();
            let texts = start.map_or(i64::MAX, |start| stored.data_page_offset().saturating_sub(start));
            by_number && texts < FEW_BYTES
        })
    })
}

/// How long the texts of a column may be, as stored and all together, that are read once.
const FEW_BYTES: i64 = 16 * 1024;

/// As many rows as come to a chunk's bytes where all rows of a group are as long as they are on average.
fn batch_rows(group: &RowGroupMetaData) -> usize {
    let average = group.total_byte_size().max(0) / group.num_rows().max(1);
    let average = usize::try_from(average).unwrap_or(usize::MAX);
    (MAX_CHUNK_BYTES / average.max(1)).clamp(1, BATCH_ROWS)
}

/// Reads by the library, whose errors and panics (a file that lies may reach one) are both a broken file; `what` says in
/// which respect.
fn guarded<T, E: std::error::Error + 'static>(
    name: &str,
    what: impl FnOnce() -> String,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, InputError> {
    match caught(read) {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(in_words(name, what, &error)),
        Err(_) => Err(broken(name, what())),
    }
}

/// An error of the library, in words.
fn in_words(name: &str, what: impl FnOnce() -> String, error: &(dyn Error + 'static)) -> InputError {
    if let Some(error) = of_system(error) {
        return Failure::of(error).map_or_else(|| unreadable(name, error), |of| of.clone().input(name));
    }
    match error.to_string().split_once(NOT_IMPLEMENTED) {
        Some((_, missing)) => {
            input_error(name, format!("the Parquet file needs what is not there: {missing}"))
                .help("write the file with another encoding or compression")
        }
        None => broken(name, what()),
    }
}

/// What the library begins an error with where it knows something and cannot do it.
const NOT_IMPLEMENTED: &str = "NYI: ";

/// The error of the disk or of a store that an error of the library comes from. That there are no more bytes is none: the
/// footer looked for them where there are none.
fn of_system<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    match error.downcast_ref::<io::Error>() {
        Some(error) => Some(error).filter(|error| error.kind() != io::ErrorKind::UnexpectedEof),
        None => of_system(error.source()?),
    }
}

fn broken(name: &str, what: String) -> InputError {
    input_error(name, format!("the Parquet file is broken: {what}"))
        .help("the file was cut short or changed: fetch it again")
}

/// The columns of an input.
pub(crate) fn shape(location: &Location, name: &str) -> Result<Shape, InputError> {
    let metadata = match location {
        Location::Object(object) => describe(&Distant(object), name)?,
        Location::File(path) => {
            let file = SharedFile::new(open_file(path, name)?);
            describe(&file.map_err(|error| unreadable(name, &error))?, name)?
        }
        Location::Stdin => return Err(not_from_stdin(name)),
    };
    let columns = metadata.schema().fields().iter().map(|field| field.name().clone()).collect();
    Ok(Shape { columns, nested: None })
}

impl Source for ParquetSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let (mut batches, mut rows, mut bytes) = (Vec::new(), 0, 0);
        while self.failed.is_none() && rows < max_rows && bytes < MAX_CHUNK_BYTES {
            match self.batch() {
                Ok(Some(batch)) => {
                    let take = batch.num_rows().min(max_rows - rows);
                    if take < batch.num_rows() {
                        self.rest = Some(batch.slice(take, batch.num_rows() - take));
                    }
                    rows += take;
                    bytes += batch.get_array_memory_size();
                    batches.push(batch.slice(0, take));
                }
                Ok(None) => break,
                Err(error) => self.failed = Some(error),
            }
        }
        if batches.is_empty() {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let first = self.rows + 1;
        self.rows += rows as u64;
        Ok(Some(Box::new(ParquetChunk { batches, rows, first, slots: Arc::clone(&self.slots) })))
    }

    fn share(&mut self, pool: &Arc<ThreadPool>) {
        self.pool = Some(Arc::clone(pool));
    }

    /// The share of the rows that was delivered: columns lie apart, so that no place of the file tells.
    fn bytes_read(&self) -> u64 {
        let all = u128::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0);
        let stored = self.file.len();
        let read = u128::from(stored) * u128::from(self.rows) / all.max(1);
        u64::try_from(read).unwrap_or(stored)
    }

    /// Reads a whole file once more: the values were read with seeks.
    fn sha256(&mut self) -> Result<String, InputError> {
        if let Some(sha256) = &self.fetched {
            return Ok(sha256.clone());
        }
        let (mut bytes, stored) = open_bytes(&self.location, &self.name)?;
        std::io::copy(&mut bytes, &mut std::io::sink()).map_err(|error| unreadable(&self.name, &error))?;
        Ok(stored.sha256())
    }
}

/// Some rows of a file.
struct ParquetChunk {
    batches: Vec<RecordBatch>,
    rows: usize,
    /// The number of the first of them.
    first: u64,
    slots: Arc<Vec<Option<usize>>>,
}

impl Chunk for ParquetChunk {
    fn len(&self) -> usize {
        self.rows
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        let mut first = self.first;
        for batch in &self.batches {
            self.rows_of(batch, 0..batch.num_rows(), first, visit);
            first += batch.num_rows() as u64;
        }
    }

    fn each_of(&self, rows: &BooleanBuffer, visit: &mut dyn FnMut(Row<'_>)) {
        let mut start = 0;
        for batch in &self.batches {
            let Some(rest) = rows.len().checked_sub(start) else { return };
            let length = batch.num_rows().min(rest);
            let here = rows.slice(start, length);
            if here.count_set_bits() > 0 {
                self.rows_of(batch, here.set_indices(), self.first + start as u64, visit);
            }
            start += length;
        }
    }

    fn columns(&self, layout: &Layout<'_>) -> Decoded {
        let mut sink = Sink::new(layout, self.rows, self.slots.len());
        for (place, slot) in self.slots.iter().enumerate() {
            let Some(at) = slot else {
                columns::put_missing(&mut sink, place);
                continue;
            };
            let mut first = 0;
            for batch in &self.batches {
                columns::put(&mut sink, place, first, batch.column(*at));
                first += batch.num_rows();
            }
        }
        sink.finish((self.first..).take(self.rows).collect())
    }
}

impl ParquetChunk {
    /// Decodes some rows of a batch, whose first has the number `first`.
    fn rows_of(
        &self,
        batch: &RecordBatch,
        rows: impl Iterator<Item = usize>,
        first: u64,
        visit: &mut dyn FnMut(Row<'_>),
    ) {
        let table = Table { batch, columns: OnceCell::new() };
        let wanted: Vec<_> = self.slots.iter().map(|slot| slot.map(|at| column(batch.column(at)))).collect();
        for row in rows {
            let values = wanted.iter().map(|column| match column {
                Some(column) => Cell::One(column.value(row)),
                None => Cell::Missing,
            });
            let cells = Cells { values: values.collect(), extra: Vec::new() };
            let fields = TableRow { table: &table, row };
            visit(Row { number: first + row as u64, cells: Ok(cells), record: Record::Fields(&fields) });
        }
    }
}

/// All columns of a batch, prepared when the first of its rows is rejected.
struct Table<'a> {
    batch: &'a RecordBatch,
    columns: OnceCell<Vec<Column<'a>>>,
}

struct TableRow<'t, 'a> {
    table: &'t Table<'a>,
    row: usize,
}

impl Fields for TableRow<'_, '_> {
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)> {
        let Table { batch, columns } = self.table;
        let columns = columns.get_or_init(|| batch.columns().iter().map(column).collect());
        let names = batch.schema_ref().fields().iter().map(|field| Cow::Borrowed(field.name().as_str()));
        names.zip(columns.iter().map(|column| column.value(self.row))).collect()
    }
}

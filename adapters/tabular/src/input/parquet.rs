//! Parquet: typed columns, each value as the exact text of what it is.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use assay_batch::input::{
    Cell, Cells, Chunk, Fields, InputError, Location, Record, Row, Shape, Source, Wanted,
};
use assay_claims::Raw;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::text::{Hash, open_bytes, open_file, unreadable};
use super::wanted::Slots;
use super::{WithHelp, input_error};
use crate::input::parquet::values::{Column, column};

mod values;

/// A Parquet input.
pub(crate) struct ParquetSource {
    name: String,
    location: Location,
    file: File,
    schema: SchemaRef,
    slots: Arc<Vec<Option<usize>>>,
    reader: Option<(usize, ParquetRecordBatchReader)>,
    row: u64,
}

impl ParquetSource {
    pub fn open(location: &Location, name: &str, wanted: &Wanted) -> Result<ParquetSource, InputError> {
        let Location::File(path) = location else {
            return Err(input_error(name, "Parquet cannot be read from standard input: its description is at the end")
                .help("name the file"));
        };
        let file = open_file(path, name)?;
        let schema = builder(&file, name)?.schema().clone();
        let slots = Slots::new(wanted, false);
        let mut columns = vec![None; wanted.columns.len()];
        for (at, field) in schema.fields().iter().enumerate() {
            if let Some(slot) = slots.of(field.name()).and_then(|slot| columns.get_mut(slot)) {
                *slot = Some(at);
            }
        }
        let slots = Arc::new(columns);
        Ok(ParquetSource { name: name.to_owned(), location: location.clone(), file, schema, slots, reader: None, row: 0 })
    }
}

fn builder(file: &File, name: &str) -> Result<ParquetRecordBatchReaderBuilder<File>, InputError> {
    let file = file.try_clone().map_err(|error| unreadable(name, &error))?;
    guarded(name, || ParquetRecordBatchReaderBuilder::try_new(file))
}

/// Reads by the library, whose errors and panics (a footer that lies may reach one) are both a broken file.
fn guarded<T, E: std::fmt::Display>(name: &str, read: impl FnOnce() -> Result<T, E>) -> Result<T, InputError> {
    let broken = |what: String| {
        input_error(name, format!("the Parquet file is broken: {what}"))
            .help("the file was cut short or changed: fetch it again")
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| broken(error.to_string())),
        Err(_) => Err(broken("its description does not fit its contents".to_owned())),
    }
}

/// The columns of an input.
pub(crate) fn shape(location: &Location, name: &str) -> Result<Shape, InputError> {
    let source = ParquetSource::open(location, name, &Wanted::default())?;
    let columns = source.schema.fields().iter().map(|field| field.name().clone()).collect();
    Ok(Shape { columns, nested: None })
}

impl Source for ParquetSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let (_, reader) = match self.reader.take().filter(|(rows, _)| *rows == max_rows) {
            Some(reader) => self.reader.insert(reader),
            None => {
                let builder = builder(&self.file, &self.name)?;
                let rows = usize::try_from(self.row).unwrap_or(usize::MAX);
                let builder = builder.with_batch_size(max_rows).with_offset(rows);
                self.reader.insert((max_rows, guarded(&self.name, || builder.build())?))
            }
        };
        let Some(batch) = guarded(&self.name, || reader.next().transpose())? else { return Ok(None) };
        let first = self.row + 1;
        self.row += batch.num_rows() as u64;
        Ok(Some(Box::new(ParquetChunk { batch, first, slots: Arc::clone(&self.slots) })))
    }

    /// Reads the whole file once more: the values were read with seeks.
    fn sha256(&mut self) -> Result<String, InputError> {
        let (mut bytes, hash): (Box<dyn Read + Send>, Hash) = open_bytes(&self.location, &self.name)?;
        std::io::copy(&mut bytes, &mut std::io::sink()).map_err(|error| unreadable(&self.name, &error))?;
        Ok(hash.hex())
    }
}

/// Some rows of a file.
struct ParquetChunk {
    batch: RecordBatch,
    first: u64,
    slots: Arc<Vec<Option<usize>>>,
}

impl Chunk for ParquetChunk {
    fn len(&self) -> usize {
        self.batch.num_rows()
    }

    fn each(&self, visit: &mut dyn FnMut(Row<'_>)) {
        let wanted: Vec<Option<Column<'_>>> =
            self.slots.iter().map(|slot| slot.map(|at| column(self.batch.column(at)))).collect();
        for row in 0..self.len() {
            let value = |column: &Option<Column<'_>>| match column {
                Some(column) => Cell::One(column.value(row)),
                None => Cell::Missing,
            };
            let cells = Cells { values: wanted.iter().map(value).collect(), extra: Vec::new() };
            let record = RecordOf { batch: &self.batch, row };
            visit(Row { number: self.first + row as u64, cells: Ok(cells), record: Record::Fields(&record) });
        }
    }
}

struct RecordOf<'a> {
    batch: &'a RecordBatch,
    row: usize,
}

impl Fields for RecordOf<'_> {
    fn fields(&self) -> Vec<(Cow<'_, str>, Raw<'_>)> {
        let schema = self.batch.schema_ref();
        let names = schema.fields().iter().map(|field| Cow::Borrowed(field.name().as_str()));
        names.zip(self.batch.columns().iter().map(|array| column(array).value(self.row))).collect()
    }
}

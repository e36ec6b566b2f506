//! A bench for runs: a folder of its own, a ruleset, inputs as they are written in a test, and the files that come out.

// A bench that cannot be set up is a test that fails.
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, AsArray, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use assay_batch::events::Event;
use assay_batch::input::Open;
use assay_batch::job::{Job, KEYS, Settings};
use assay_batch::remote::{NoStores, Stores};
use assay_batch::{Around, Before, Cancel, Outcome, Rulesets, RunError, run};
use assay_tabular::Tabular;
use assay_units::{Format, Library, read_converters};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The ruleset of most tests.
pub const POLICY: &str = r#"version 1.3;
// @unit amount USD
// @range amount 0..1000000
declare amount as numeric;
declare has_receipt as boolean;
declare category as enum { "meals", "travel" };
declare score as numeric;

assert within_cap { amount <= 250 "USD" };
assert receipt_over_75 { Implies(amount > 75 "USD", has_receipt) };
assert meals_are_small [pessimistic] { Implies(category == "meals", amount <= 100 "USD") };
assert score_is_no_root { score * score != 2 };
"#;

/// A folder with a ruleset and inputs.
pub struct Bench {
    folder: TempDir,
    hash: String,
    library: Library,
    stores: Box<dyn Stores>,
}

/// No store: rulesets are files here.
#[derive(Debug, Clone, Copy)]
pub struct NoStore;

impl Rulesets for NoStore {
    fn source(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

impl Default for Bench {
    fn default() -> Self {
        Bench::new(POLICY)
    }
}

impl Bench {
    /// A bench with a ruleset and no converters.
    pub fn new(ruleset: &str) -> Bench {
        let folder = TempDir::new().expect("a temporary folder");
        let bench = Bench {
            folder,
            hash: sha256(ruleset.as_bytes()),
            library: Library::built_in(),
            stores: Box::new(NoStores),
        };
        bench.put("policy.dsail", ruleset);
        bench
    }

    /// The bench with a converters file.
    pub fn converters(mut self, text: &str) -> Bench {
        let converters = read_converters(text, Format::Toml).expect("converters");
        self.library = Library::with(converters).expect("a library");
        self
    }

    /// The bench with object stores.
    pub fn stores(mut self, stores: impl Stores + 'static) -> Bench {
        self.stores = Box::new(stores);
        self
    }

    /// The hash of the ruleset.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Bench {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
        self
    }

    /// Writes a Parquet file of some columns.
    pub fn put_parquet(&self, name: &str, columns: Vec<(&str, Arc<dyn Array>)>) -> &Bench {
        let batch = RecordBatch::try_from_iter(columns).expect("a batch");
        let file = File::create(self.path(name)).expect("a file");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("rows");
        writer.close().expect("a footer");
        self
    }

    /// Resolves a job: `keys` are lines of a job file, below those that pin the ruleset, and `flags` lie over them.
    pub fn job(&self, keys: &str, flags: &[(&str, &str)]) -> Result<Job, RunError> {
        let head = format!("ruleset_file = \"policy.dsail\"\npin = \"{}\"\n", self.hash);
        let output = if keys.contains("output =") { "" } else { "output = \"out\"\n" };
        let text = format!("{head}{output}{keys}");
        let file = Settings::from_toml(&text, "job.toml", self.folder.path());
        let mut given = Settings::new();
        for (name, value) in flags {
            let key = KEYS.iter().find(|key| key.name == *name).expect("a key");
            given.flag(key, value);
        }
        Job::resolve(file, given).map_err(RunError::Job)
    }

    /// Runs a job.
    pub fn run(&self, keys: &str) -> Result<Outcome, RunError> {
        self.run_with(keys, &[], false, &mut |_| ())
    }

    /// Runs a job that has to complete.
    pub fn completes(&self, keys: &str) -> Outcome {
        self.run(keys).unwrap_or_else(|error| panic!("the run does not complete: {error}"))
    }

    /// Runs a job with flags over it, replacing another run or not, and hands its events over.
    pub fn run_with(
        &self,
        keys: &str,
        flags: &[(&str, &str)],
        overwrite: bool,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<Outcome, RunError> {
        self.run_until(keys, flags, Before { overwrite, resume: false }, Cancel::new(), observe)
    }

    /// Runs a job whose inputs are opened by something else.
    pub fn run_by(&self, open: Arc<dyn Open>, keys: &str, before: Before) -> Result<Outcome, RunError> {
        self.run_of(self.job(keys, &[])?, open, before, Cancel::new(), &mut |_| ())
    }

    /// Runs a job that may be told to stop.
    pub fn run_until(
        &self,
        keys: &str,
        flags: &[(&str, &str)],
        before: Before,
        cancel: Cancel,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<Outcome, RunError> {
        self.run_of(self.job(keys, flags)?, Arc::new(Tabular), before, cancel, observe)
    }

    fn run_of(
        &self,
        job: Job,
        open: Arc<dyn Open>,
        before: Before,
        cancel: Cancel,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<Outcome, RunError> {
        let around = Around {
            rulesets: &NoStore,
            library: self.library.clone(),
            open,
            stores: self.stores.as_ref(),
            create: Arc::new(Tabular),
            before,
            cancel,
            solver: None,
        };
        run(job, &around, observe)
    }

    /// The text of an output.
    pub fn text(&self, name: &str) -> String {
        let path = self.path("out").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The lines of an output, each as JSON.
    pub fn lines(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The manifest.
    pub fn manifest(&self) -> Value {
        serde_json::from_str(&self.text("run.json")).expect("JSON")
    }

    /// Every file of an output folder with its bytes.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file())
            .map(|path| (name(&path), fs::read(&path).expect("bytes")))
            .collect()
    }

    /// The words of long JSONL results: `id assertion WORD`, a line each.
    pub fn words(&self) -> Vec<String> {
        let text = |row: &Value, key: &str| row[key].as_str().expect("a text").to_owned();
        self.lines("results.jsonl")
            .iter()
            .map(|row| format!("{} {} {}", text(row, "id"), text(row, "assertion"), text(row, "check")))
            .collect()
    }

    /// The rejected rows: `file:row fields`, a line each.
    pub fn refused(&self) -> Vec<String> {
        let fields = |row: &Value| -> Vec<String> {
            let failures = row["failures"].as_array().expect("a list").iter();
            failures.map(|failure| failure["field"].as_str().expect("a text").to_owned()).collect()
        };
        self.lines("rejected.jsonl")
            .iter()
            .map(|row| {
                format!("{}:{} {}", row["file"].as_str().expect("a text"), row["row"], fields(row).join(" "))
            })
            .collect()
    }

    /// Parquet results as rows of texts and numbers, as JSONL results have them.
    pub fn parquet(&self, name: &str) -> Vec<Value> {
        let file = File::open(self.path("out").join(name)).expect("a file");
        let reader =
            ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build().expect("a reader");
        reader.flat_map(|batch| rows(&batch.expect("a batch"))).collect()
    }
}

fn rows(batch: &RecordBatch) -> Vec<Value> {
    let mut rows = vec![serde_json::Map::new(); batch.num_rows()];
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        if let Some(numbers) = column.as_any().downcast_ref::<Int64Array>() {
            for (at, row) in rows.iter_mut().enumerate() {
                row.insert(field.name().clone(), json!(numbers.value(at)));
            }
            continue;
        }
        if matches!(field.data_type(), DataType::List(_)) {
            for (at, row) in rows.iter_mut().enumerate() {
                let names = column.as_list_opt::<i32>().filter(|lists| lists.is_valid(at)).map(|lists| {
                    let names = cast(&lists.value(at), &DataType::Utf8).expect("names");
                    names.as_string::<i32>().iter().map(|name| json!(name)).collect::<Vec<_>>()
                });
                row.insert(field.name().clone(), json!(names));
            }
            continue;
        }
        let texts = cast(column, &DataType::Utf8).expect("a text");
        let texts = texts.as_any().downcast_ref::<StringArray>().expect("texts");
        for (at, row) in rows.iter_mut().enumerate() {
            let value = if texts.is_null(at) { Value::Null } else { json!(texts.value(at)) };
            row.insert(field.name().clone(), value);
        }
    }
    rows.into_iter().map(Value::Object).collect()
}

/// Lowercase hex SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

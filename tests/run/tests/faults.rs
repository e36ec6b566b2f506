//! What goes wrong around a run: an input that never ends, a disk that is full, a thread that breaks down.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use arrow::array::{Array, BooleanArray, Int64Array, StringArray};
use assay_batch::events::Event;
use assay_batch::input::{
    Chunk, FileFormat, InputError, Location, Open, Prefix, Row, Shape, Source, TextOptions, Wanted,
};
use assay_batch::output::{Create, Encode, OutputError, ResultSchema, WriteResults};
use assay_batch::remote::NoStores;
use assay_batch::{Around, Before, Cancel, Exit, Outcome, RunError, run};
use assay_tabular::Tabular;
use assay_tests_run::{Bench, NoStore};
use assay_units::Library;

const ROW: &str = "{\"amount\":5,\"has_receipt\":true,\"category\":\"meals\",\"score\":1}\n";

/// What an input does once its rows are read.
#[derive(Clone, Copy)]
enum After {
    /// It waits for more, for ever.
    Waits,
    /// It hands over a chunk that breaks down on the deciding thread.
    Breaks,
    /// It can no longer be read.
    Fails,
}

/// Files of which something is done once their first rows are read.
struct Meddling(Arc<dyn Fn() + Send + Sync>);

struct MeddledSource {
    inner: Box<dyn Source>,
    /// What is still to be done.
    meddle: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl Open for Meddling {
    fn open(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        columns: &Wanted,
    ) -> Result<Box<dyn Source>, InputError> {
        let inner = Tabular.open(location, name, format, text, columns)?;
        Ok(Box::new(MeddledSource { inner, meddle: Some(Arc::clone(&self.0)) }))
    }

    fn shape(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        claims_field: Option<&str>,
    ) -> Result<Option<Shape>, InputError> {
        Tabular.shape(location, name, format, text, claims_field)
    }

    fn prefix(&self, location: &Location, name: &str, bytes: Option<u64>) -> Result<Prefix, InputError> {
        Tabular.prefix(location, name, bytes)
    }
}

impl Source for MeddledSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        let next = self.inner.next(max_rows);
        if let Some(meddle) = self.meddle.take() {
            meddle();
        }
        next
    }

    fn sha256(&mut self) -> Result<String, InputError> {
        self.inner.sha256()
    }
}

/// Files that do something else at their end.
struct Odd(After);

struct OddSource {
    inner: Box<dyn Source>,
    after: After,
}

struct Broken;

impl Open for Odd {
    fn open(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        columns: &Wanted,
    ) -> Result<Box<dyn Source>, InputError> {
        let inner = Tabular.open(location, name, format, text, columns)?;
        Ok(Box::new(OddSource { inner, after: self.0 }))
    }

    fn shape(
        &self,
        location: &Location,
        name: &str,
        format: FileFormat,
        text: &TextOptions,
        claims_field: Option<&str>,
    ) -> Result<Option<Shape>, InputError> {
        Tabular.shape(location, name, format, text, claims_field)
    }

    fn prefix(&self, location: &Location, name: &str, bytes: Option<u64>) -> Result<Prefix, InputError> {
        Tabular.prefix(location, name, bytes)
    }
}

impl Source for OddSource {
    fn next(&mut self, max_rows: usize) -> Result<Option<Box<dyn Chunk>>, InputError> {
        match (self.inner.next(max_rows)?, self.after) {
            (Some(chunk), _) => Ok(Some(chunk)),
            (None, After::Waits) => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            (None, After::Breaks) => Ok(Some(Box::new(Broken))),
            (None, After::Fails) => Err(InputError {
                file: "in.jsonl".to_owned(),
                message: "the disk does not answer".to_owned(),
                help: None,
            }),
        }
    }

    fn sha256(&mut self) -> Result<String, InputError> {
        self.inner.sha256()
    }
}

impl Chunk for Broken {
    fn len(&self) -> usize {
        1
    }

    fn each(&self, _: &mut dyn FnMut(Row<'_>)) {
        panic!("this chunk breaks down, as it should");
    }
}

/// Outputs on a disk that takes so many bytes.
struct Full(usize);

struct FullDisk {
    inner: Box<dyn Write + Send>,
    left: usize,
}

impl Create for Full {
    fn encoder(&self, format: FileFormat, schema: &ResultSchema) -> Result<Arc<dyn Encode>, OutputError> {
        Tabular.encoder(format, schema)
    }

    fn writer(
        &self,
        format: FileFormat,
        schema: &ResultSchema,
        out: Box<dyn Write + Send>,
        resumed: Option<&[u8]>,
    ) -> Result<Box<dyn WriteResults>, OutputError> {
        Tabular.writer(format, schema, Box::new(FullDisk { inner: out, left: self.0 }), resumed)
    }
}

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len()) else {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        };
        self.left = left;
        self.inner.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Runs two hundred rows, on a thread of its own so that a run that does not end is a test that fails.
fn runs(
    bench: &Bench,
    open: Arc<dyn Open>,
    create: Arc<dyn Create>,
    format: &str,
    stop: bool,
) -> Receiver<Result<Outcome, RunError>> {
    bench.put("in.jsonl", ROW.repeat(200));
    let keys = format!("input = 'in.jsonl'\nformat = '{format}'\nbatch_rows = 50\nthreads = 2");
    let job = bench.job(&keys, &[]).expect("a job");
    let (done, result) = channel();
    std::thread::spawn(move || {
        let cancel = Cancel::new();
        let around = Around {
            rulesets: &NoStore,
            library: Library::built_in(),
            open,
            stores: &NoStores,
            create,
            before: Before::default(),
            cancel: cancel.clone(),
            solver: None,
        };
        let mut chunks = 0;
        let ended = run(job, &around, &mut |event| {
            chunks += usize::from(matches!(event, Event::Decided(_)));
            if stop && chunks == 4 {
                cancel.cancel();
            }
        });
        let _ = done.send(ended);
    });
    result
}

fn fails(bench: &Bench, open: Arc<dyn Open>, create: Arc<dyn Create>, format: &str, stop: bool) -> RunError {
    let result = runs(bench, open, create, format, stop).recv_timeout(Duration::from_secs(60));
    let error = result.expect("the run ends").expect_err("the run does not complete");
    assert!(bench.files("out").is_empty(), "something got its final name: {error}");
    error
}

#[test]
fn an_input_that_never_ends_can_be_interrupted() {
    let bench = Bench::default();
    let error = fails(&bench, Arc::new(Odd(After::Waits)), Arc::new(Tabular), "jsonl", true);
    assert!(matches!(error, RunError::Interrupted { rows: 200, .. }), "{error}");
}

#[test]
fn a_thread_that_breaks_down_ends_the_run() {
    let bench = Bench::default();
    let error = fails(&bench, Arc::new(Odd(After::Breaks)), Arc::new(Tabular), "jsonl", false);
    assert_eq!(error.exit(), Exit::Engine);
}

#[test]
fn an_input_that_fails_keeps_what_was_finished() {
    let bench = Bench::default();
    let error = fails(&bench, Arc::new(Odd(After::Fails)), Arc::new(Tabular), "jsonl", false);
    assert_eq!(
        (error.exit(), error.to_string().as_str()),
        (Exit::Failed, "in.jsonl: the disk does not answer")
    );
    let kept = fs::read_to_string(bench.path("out/.assay-unfinished/results.jsonl")).expect("a part");
    assert_eq!(kept.lines().count(), 800);
}

/// A folder of two files, of which the first has a format.
struct Two {
    bench: Bench,
    format: &'static str,
    written: SystemTime,
}

const TWO: &str = "input = 'in'\nformat = 'jsonl'\nbatch_rows = 50\ncheckpoint_rows = 1000\nthreads = 2";

impl Two {
    fn new(format: &'static str) -> Two {
        let two = Two { bench: Bench::default(), format, written: SystemTime::UNIX_EPOCH };
        two.put();
        two
    }

    /// Puts the files there, as they were.
    fn put(&self) {
        let rows = 8_000;
        self.bench.put("in/b.jsonl", ROW.repeat(rows));
        match self.format {
            "parquet" => {
                let columns: Vec<(&str, Arc<dyn Array>)> = vec![
                    ("amount", Arc::new(Int64Array::from_iter_values((0..).take(rows)))),
                    ("has_receipt", Arc::new(BooleanArray::from(vec![true; rows]))),
                    ("category", Arc::new(StringArray::from(vec!["meals"; rows]))),
                    ("score", Arc::new(Int64Array::from(vec![1; rows]))),
                ];
                self.bench.put_parquet("in/a.parquet", columns);
            }
            _ => {
                self.bench.put("in/a.jsonl", ROW.repeat(rows));
            }
        }
        let first = File::options().append(true).open(self.bench.path(&format!("in/a.{}", self.format)));
        first.expect("a file").set_modified(self.written).expect("a time");
    }

    /// What a run is told while whose first file something is done with the folder.
    fn told(&self, meddle: impl Fn(&Path) + Send + Sync + 'static) -> String {
        let folder = self.bench.path("in");
        let open = Meddling(Arc::new(move || meddle(&folder)));
        let error = self.bench.run_by(Arc::new(open), TWO, Before::default()).expect_err("a failure");
        assert_eq!(error.exit(), Exit::Failed, "{error}");
        assert!(self.bench.files("out").is_empty(), "something got its final name: {error}");
        error.to_string()
    }
}

#[test]
fn an_input_folder_that_vanishes_stops_the_run_which_goes_on_once_it_is_back() {
    for format in ["jsonl", "parquet"] {
        // Once for all files, or only for the one that is opened next.
        for (gone, name) in [("in", format!("in/a.{format}")), ("in/b.jsonl", "in/b.jsonl".to_owned())] {
            let two = Two::new(format);
            let (path, aside) = (two.bench.path(gone), two.bench.path("aside"));
            let told = two.told(move |_| fs::rename(&path, &aside).unwrap_or_default());
            let why = if gone == "in" { "the file is gone" } else { "there is no such file" };
            assert!(told.starts_with(&format!("{name}: {why}")), "{told}");
            two.put();
            let resume = Before { resume: true, overwrite: false };
            let outcome = two.bench.run_by(Arc::new(Tabular), TWO, resume).expect("a run");
            assert!(outcome.rows == 16_000 && outcome.kept > 0, "{outcome:?}");
            let resumed = two.bench.files("out");
            let anew = Before { resume: false, overwrite: true };
            two.bench.run_by(Arc::new(Tabular), TWO, anew).expect("a run");
            assert!(resumed == two.bench.files("out"), "other bytes");
        }
    }
}

#[test]
fn an_input_that_changes_while_it_is_read_stops_the_run_and_is_named() {
    type Meddle = fn(&Path);
    let longer: Meddle = |file| {
        let mut file = File::options().append(true).open(file).expect("a file");
        file.write_all(ROW.as_bytes()).expect("a row");
    };
    let shorter: Meddle =
        |file| File::options().write(true).open(file).expect("a file").set_len(30_000).expect("less");
    let others: Meddle = |file| fs::write(file, vec![b'x'; 500_000]).expect("a file");
    let replaced: Meddle = |file| {
        let other = file.with_extension("other");
        fs::write(&other, ROW).expect("a file");
        fs::rename(other, file).expect("another file");
    };
    for format in ["jsonl", "parquet"] {
        for meddle in [longer, shorter, others, replaced] {
            let two = Two::new(format);
            let file = two.bench.path(&format!("in/a.{format}"));
            let told = two.told(move |_| meddle(&file));
            let expected =
                format!("in/a.{format}: the file changed while it was read\n  help: let nothing write");
            assert!(told.starts_with(&expected), "{told}");
        }
    }
}

#[test]
fn a_full_disk_stops_the_run_and_names_the_file() {
    for format in ["jsonl", "csv", "parquet"] {
        // Full at once, on the way, and at the very end.
        for bytes in [0, 300] {
            let bench = Bench::default();
            let error = fails(&bench, Arc::new(Tabular), Arc::new(Full(bytes)), format, false);
            assert_eq!(error.exit(), Exit::Failed, "{format} {bytes}: {error}");
            assert!(error.to_string().contains(&format!("results.{format}")), "{format} {bytes}: {error}");
        }
    }
}

#[test]
fn another_run_may_not_write_into_the_same_folder() {
    let bench = Bench::default();
    let first = runs(&bench, Arc::new(Odd(After::Waits)), Arc::new(Tabular), "jsonl", false);
    let part = bench.path("out/.assay-unfinished/results.jsonl");
    while !part.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let error = bench.run("input = 'in.jsonl'").expect_err("a refusal");
    assert!(error.to_string().contains("another run is writing"), "{error}");
    assert!(first.try_recv().is_err(), "the first run goes on");
}

//! From a job file and flags to a job.

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use assay_engine::{Route, Word};
use assay_units::{Rational, number};
use sha2::{Digest, Sha256};

use super::keys::Section::{Reading, Top};
use super::settings::{Given, Settings, Value};
use super::values::{Layers, is_hash, within_one};
use super::{
    Allowed, Columns, FailOn, Grouping, InputSpec, Job, Limit, Output, Pinned, ReadingOptions, UnitsPin,
};
use crate::error::Problem;
use crate::input::{FileFormat, TextOptions};
use crate::output::Layout;
use crate::remote;

/// The words of the formats, and the formats in the order in which they are written.
pub(crate) const FORMATS: [(&str, FileFormat); 3] =
    [("parquet", FileFormat::Parquet), ("jsonl", FileFormat::Jsonl), ("csv", FileFormat::Csv)];

/// The encodings of text files.
const ENCODINGS: [&str; 5] = ["utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1252"];

/// How many rows are decided at a time where the job does not say.
const BATCH_ROWS: NonZeroUsize = match NonZeroUsize::new(4_096) {
    Some(rows) => rows,
    None => NonZeroUsize::MIN,
};

/// How many rows a part has where the job does not say: some seconds of work, against which a checkpoint is nothing.
const CHECKPOINT_ROWS: NonZeroU64 = match NonZeroU64::new(2_000_000) {
    Some(rows) => rows,
    None => NonZeroU64::MIN,
};

/// Where a run works whose results go to an object store, and the job does not say: beside the store of rulesets.
const WORK: &str = ".assay/work";

/// The most rows at a time: what is in hand is held in memory.
const MOST_BATCH_ROWS: u64 = 1 << 20;

/// The most threads.
const MOST_THREADS: u64 = 1024;

impl Job {
    /// The job that a file and the flags over it describe; [`Settings::new`] where there is no file.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with either, each with its line or its flag.
    pub fn resolve(file: Settings, flags: Settings) -> Result<Job, Vec<Problem>> {
        if file.broken {
            return Err(file.problems);
        }
        let mut layers = Layers::new(file, flags);
        let job = job(&mut layers);
        match job {
            Some(job) if layers.problems.is_empty() => Ok(job),
            _ => Err(in_order(layers.problems)),
        }
    }
}

/// Problems of the file by their lines, then those of flags, then what is nowhere.
fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| match &problem.place {
        Some(place) => place.rsplit_once(':').and_then(|(_, line)| line.parse().ok()).unwrap_or(u64::MAX - 1),
        None => u64::MAX,
    });
    problems
}

fn job(layers: &mut Layers) -> Option<Job> {
    let ruleset = ruleset(layers);
    let input = input(layers);
    let output = output(layers);
    let units = units(layers);
    let (id, grouping) = documents(layers);
    let (reading, text) = reading(layers);
    let routes = [("auto", Route::Auto), ("z3", Route::Z3)];
    let rest = Job {
        ruleset: Pinned { file: None, hash: String::new() },
        units,
        store: layers.path("store"),
        converters: layers.path("converters"),
        input: Vec::new(),
        input_format: layers.choice(Top, "input_format", &FORMATS),
        output: Output::Folder(PathBuf::new()),
        formats: formats(layers),
        layout: layers
            .choice(Top, "layout", &[("long", Layout::Long), ("wide", Layout::Wide)])
            .unwrap_or(Layout::Long),
        payloads: layers.switch(Top, "payloads"),
        locate: layers.switch(Top, "locate"),
        id,
        claims_field: layers.name("claims_field"),
        carry: carry(layers),
        grouping,
        threads: layers.count("threads", MOST_THREADS).and_then(whole),
        batch_rows: layers.count("batch_rows", MOST_BATCH_ROWS).and_then(whole).unwrap_or(BATCH_ROWS),
        checkpoint_rows: layers
            .count("checkpoint_rows", u64::MAX)
            .and_then(NonZeroU64::new)
            .unwrap_or(CHECKPOINT_ROWS),
        rlimit: limit(layers, "rlimit", 10_000_000),
        max_choices: limit(layers, "max_choices", 4096),
        engine: layers.choice(Top, "engine", &routes).unwrap_or(Route::Auto),
        cross_check: layers.share("cross_check").unwrap_or_else(|| Rational::from_integer(0.into())),
        missing_unknown: layers
            .choice(Top, "missing_claims", &[("reject", false), ("unknown", true)])
            .unwrap_or(false),
        max_rejected: max_rejected(layers),
        fail_on: fail_on(layers),
        reading,
        text,
        claims: claims(layers),
    };
    Some(Job { ruleset: ruleset?, input: input?, output: output?, ..rest })
}

/// A flag that names the ruleset in one way outweighs a file that names it in the other.
fn ruleset(layers: &mut Layers) -> Option<Pinned> {
    let by_flag = |name| layers.flags.has(name);
    if by_flag("ruleset") && !by_flag("ruleset_file") {
        layers.file.take(Top, "ruleset_file");
        layers.file.take(Top, "pin");
    } else if by_flag("ruleset_file") && !by_flag("ruleset") {
        layers.file.take(Top, "ruleset");
    }
    let stored = layers.hash("ruleset");
    let file = layers.path("ruleset_file");
    let pin = layers.hash("pin");
    match (stored, file, pin) {
        (Some(stored), None, None) => Some(Pinned { file: None, hash: stored.text }),
        (None, Some(file), Some(pin)) => Some(Pinned { file: Some(file), hash: pin.text }),
        (None, Some(_), None) => {
            let help = "add `pin`, the hash it must have; `assay compile` prints it";
            layers.problems.push(Problem::new("`ruleset_file` is not pinned").help(help));
            None
        }
        (None, None, None) => {
            let help = "pin one: `ruleset` and the hash of a stored ruleset, or `ruleset_file` and `pin`";
            layers.problems.push(Problem::new("there is no `ruleset`").help(help));
            None
        }
        (None, None, Some(pin)) => {
            layers.problem(&pin.place, "`pin` belongs to a `ruleset_file`, and there is none", None);
            None
        }
        (Some(stored), _, _) => {
            let help = "keep `ruleset`, or `ruleset_file` and `pin`";
            layers.problem(&stored.place, "the ruleset is pinned in two ways", Some(help.to_owned()));
            None
        }
    }
}

fn units(layers: &mut Layers) -> Option<UnitsPin> {
    let given = layers.text(Top, "units")?;
    if given.text == "none" {
        return Some(UnitsPin::None);
    }
    if !is_hash(&given.text) {
        let message = format!("`units` is `none` or the full hash of a unit library, not `{}`", given.text);
        layers.problem(&given.place, message, None);
    }
    Some(UnitsPin::Hash(given.text))
}

fn input(layers: &mut Layers) -> Option<Vec<InputSpec>> {
    let given = layers.list(Top, "input").filter(|(items, ..)| !items.is_empty());
    let Some((items, place, flag)) = given else {
        let help = "name files, folders or globs, or `-` for standard input";
        layers.problems.push(Problem::new("there is no `input`").help(help));
        return None;
    };
    let mut specs = Vec::new();
    for text in items {
        if text.is_empty() {
            layers.problem(&place, "an `input` is empty", None);
        } else if let Some(problem) = remote::problem(&text) {
            layers.problem(&place, problem.message, problem.help);
        }
        let folder = if flag { Default::default() } else { layers.file.folder.clone() };
        specs.push(InputSpec { text, folder });
    }
    Some(specs)
}

fn output(layers: &mut Layers) -> Option<Output> {
    let work = layers.path("work");
    let Some(given) = layers.named("output") else {
        layers.problems.push(Problem::new("there is no `output`").help("name the folder of the results"));
        return None;
    };
    let Some((scheme, rest)) = given.text.split_once("://") else {
        return Some(Output::Folder(layers.relative(&given)));
    };
    let url = format!("{scheme}://{}", rest.trim_end_matches('/'));
    if let Some(problem) = remote::problem(&given.text) {
        layers.problem(&given.place, problem.message, problem.help);
    }
    // Each address has a folder of its own, so that a run finds what it left there.
    let name: String = Sha256::digest(&url).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Some(Output::Store { work: work.unwrap_or_else(|| PathBuf::from(WORK)).join(name), url })
}

/// What documents are called, and which rows are one.
fn documents(layers: &mut Layers) -> (Option<String>, Option<Grouping>) {
    let id = layers.named("id");
    let by = layers.named("group_by");
    let scattered = layers.placed_switch("scattered");
    let source = layers.named("source");
    let Some(by) = by else {
        let given = [("scattered", scattered.filter(|(on, _)| *on).map(|(_, place)| place))];
        let given = given.into_iter().chain([("source", source.map(|source| source.place))]);
        for (name, place) in given.filter_map(|(name, place)| Some((name, place?))) {
            let message = format!("`{name}` is about documents of several rows, and there is no `group_by`");
            let help = "name the column whose value the rows of a document share";
            layers.problem(&place, message, Some(help.to_owned()));
        }
        return (id.map(|id| id.text), None);
    };
    if let Some(id) = id.filter(|id| id.text != by.text) {
        let message =
            format!("documents are called by `group_by`, `{}`, and `id` is another column", by.text);
        layers.problem(&id.place, message, Some("leave `id` out; `carry` copies a column".to_owned()));
    }
    let grouping = Grouping {
        by: by.text.clone(),
        scattered: scattered.is_some_and(|(on, _)| on),
        source: source.map(|source| source.text),
    };
    (Some(by.text), Some(grouping))
}

fn formats(layers: &mut Layers) -> Vec<FileFormat> {
    let Some((words, place, _)) = layers.list(Top, "format") else { return vec![FileFormat::Parquet] };
    if words.is_empty() {
        layers.problem(&place, "`format` names no format", None);
    }
    let chosen: Vec<_> =
        words.iter().filter_map(|word| layers.one_of("format", word, &place, &FORMATS)).collect();
    FORMATS.iter().map(|(_, format)| *format).filter(|format| chosen.contains(format)).collect()
}

fn carry(layers: &mut Layers) -> Vec<String> {
    let Some((columns, place, _)) = layers.list(Top, "carry") else { return Vec::new() };
    for (at, column) in columns.iter().enumerate() {
        if columns.iter().take(at).any(|earlier| earlier == column) {
            layers.problem(&place, format!("`carry` names `{column}` twice"), None);
        }
    }
    columns
}

fn max_rejected(layers: &mut Layers) -> Option<Allowed> {
    let given = layers.text(Top, "max_rejected")?;
    let limit = match given.text.strip_suffix('%') {
        Some(percent) => number::parse(percent.trim_end())
            .ok()
            .map(|percent| percent / Rational::from_integer(100.into()))
            .filter(within_one)
            .map(Limit::Share),
        None => given.text.parse().ok().map(Limit::Count),
    };
    if limit.is_none() {
        let message = format!("`max_rejected` is a count or a percentage, not `{}`", given.text);
        layers.problem(&given.place, message, Some("write `100` or `\"1%\"`".to_owned()));
    }
    Some(Allowed { text: given.text, limit: limit? })
}

fn fail_on(layers: &mut Layers) -> FailOn {
    let Some((words, place, _)) = layers.list(Top, "fail_on") else { return FailOn::default() };
    let mut meanings: Vec<_> = Word::ALL.iter().map(|word| (word.as_str(), Some(*word))).collect();
    meanings.push(("REJECTED", None));
    let named: Vec<_> =
        words.iter().filter_map(|word| layers.one_of("fail_on", word, &place, &meanings)).collect();
    let words = Word::ALL.into_iter().filter(|word| named.contains(&Some(*word))).collect();
    FailOn { words, rejected: named.contains(&None) }
}

fn reading(layers: &mut Layers) -> (ReadingOptions, TextOptions) {
    let defaults = ReadingOptions::default();
    let words = |layers: &mut Layers, name| layers.list(Reading, name).map(|(words, ..)| words);
    let thousands = layers.character("thousands");
    let list = layers.character("list");
    let options = ReadingOptions {
        null: words(layers, "null"),
        true_words: words(layers, "true"),
        false_words: words(layers, "false"),
        trim: layers.switch(Reading, "trim"),
        thousands: thousands.as_ref().map(|(letter, _)| *letter),
        decimal: layers.character("decimal").map_or(defaults.decimal, |(letter, _)| letter),
        plus: layers.switch(Reading, "plus"),
        list: list.as_ref().map(|(letter, _)| *letter),
        nan_unknown: layers.choice(Reading, "nan", &[("reject", false), ("unknown", true)]).unwrap_or(false),
    };
    let encodings = ENCODINGS.map(|encoding| (encoding, encoding));
    let defaults = TextOptions::default();
    let text = TextOptions {
        delimiter: byte(layers, "delimiter").unwrap_or(defaults.delimiter),
        quote: byte(layers, "quote").unwrap_or(defaults.quote),
        encoding: layers.choice(Reading, "encoding", &encodings).map_or(defaults.encoding, str::to_owned),
    };
    if let Some((letter, place)) = list {
        for (name, other) in [("delimiter", text.delimiter), ("quote", text.quote)] {
            if char::from(other) == letter {
                layers.problem(&place, format!("`list` and `{name}` are the same character"), None);
            }
        }
    }
    if text.delimiter == text.quote {
        layers.problems.push(Problem::new("`delimiter` and `quote` are the same character"));
    }
    (options, text)
}

/// A character that may stand between or around CSV fields.
fn byte(layers: &mut Layers, name: &'static str) -> Option<u8> {
    let (letter, place) = layers.character(name)?;
    match u8::try_from(letter) {
        Ok(byte) if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | 0) => Some(byte),
        _ => {
            layers.problem(&place, format!("`{name}` is an ASCII character other than a line break"), None);
            None
        }
    }
}

fn claims(layers: &mut Layers) -> BTreeMap<String, Columns> {
    let mut given = layers.file.take_claims();
    given.extend(layers.flags.take_claims());
    let mut claims: BTreeMap<String, Columns> = BTreeMap::new();
    for ((claim, key), Given { value, place }) in given {
        let Value::Text(column) = value else { continue };
        if column.is_empty() {
            layers.problem(&place, format!("`{key}` of `{claim}` is empty"), None);
        }
        let columns = claims.entry(claim).or_default();
        match key {
            "unit_column" => columns.unit_column = Some(column),
            _ => columns.column = Some(column),
        }
    }
    claims
}

fn limit(layers: &mut Layers, name: &'static str, default: u32) -> u32 {
    layers.count(name, u32::MAX.into()).and_then(|count| u32::try_from(count).ok()).unwrap_or(default)
}

fn whole(count: u64) -> Option<NonZeroUsize> {
    usize::try_from(count).ok().and_then(NonZeroUsize::new)
}

//! Every key of a job, once: the file, the flags and the messages about unknown keys all read this list.

use assay_spelling::near_by;

/// Where a key stands in a job file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// At the top.
    Top,
    /// In `[reading]`.
    Reading,
    /// In `[claims.NAME]`; as a flag its value is `NAME=COLUMN`.
    Claims,
}

/// What a key's value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// The path of a file or a folder, relative to the job file.
    Path,
    /// A whole or decimal number, or a text that holds one; kept as its text.
    Number,
    /// `true` or `false`; as a flag it needs no value.
    Switch,
    /// A list of texts; as a flag it is given once for each.
    List,
    /// A list of fixed words; as a flag they may be joined by commas too.
    Words,
}

/// A key of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name in the job file.
    pub name: &'static str,
    /// Where it stands there.
    pub section: Section,
    /// What its value may be.
    pub kind: Kind,
    /// What it says, in one line.
    pub help: &'static str,
}

impl Key {
    /// Whether a key says what is read and how: not what is decided and written of it.
    pub fn is_of_reading(&self) -> bool {
        let others = [
            "output",
            "work",
            "format",
            "layout",
            "payloads",
            "locate",
            "carry",
            "rlimit",
            "max_choices",
            "engine",
            "cross_check",
            "checkpoint_rows",
            "max_rejected",
            "fail_on",
        ];
        self.section != Section::Top || !others.contains(&self.name)
    }

    /// The name of its flag: `--input-format`.
    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }

    /// The key of a name in a section.
    pub fn find(section: Section, name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }

    /// The key of the nearest name, in its section before any other.
    pub(super) fn nearest(section: Section, name: &str) -> Option<&'static Key> {
        let within = |wanted: bool| {
            let keys = KEYS.iter().filter(|key| (key.section == section) == wanted);
            near_by(name, keys, |key| key.name)
        };
        within(true).or_else(|| within(false))
    }
}

const fn key(name: &'static str, section: Section, kind: Kind, help: &'static str) -> Key {
    Key { name, section, kind, help }
}

/// Every key, in the order in which they are shown.
pub const KEYS: &[Key] = {
    use Kind::{List, Number, Path, Switch, Text, Words};
    use Section::{Claims, Reading, Top};
    &[
        key("ruleset", Top, Text, "the full hash of a stored ruleset"),
        key("ruleset_file", Top, Path, "the ruleset's source, pinned by `pin`"),
        key("pin", Top, Text, "the hash that `ruleset_file` must have"),
        key("units", Top, Text, "the hash of the unit library that must be in use, or `none`"),
        key("store", Top, Path, "the store of rulesets and project converters"),
        key("converters", Top, Path, "a file of project converters, beside those of the store"),
        key("input", Top, List, "files, folders, globs and addresses of objects; `-` is standard input"),
        key("input_format", Top, Text, "`jsonl`, `csv` or `parquet`, where the files' names do not tell"),
        key("output", Top, Path, "the folder of the results, or an address in an object store"),
        key("work", Top, Path, "the folder to work in where `output` is in an object store"),
        key("format", Top, Words, "the formats of the results: `parquet`, `jsonl`, `csv`"),
        key("layout", Top, Text, "`long`: a row for each assertion; `wide`: a row for each document"),
        key("payloads", Top, Switch, "write each document's whole payload too"),
        key("locate", Top, Switch, "say each result's file and row"),
        key("id", Top, Text, "the column of the documents' ids"),
        key("claims_field", Top, Text, "the field of a JSONL row that holds its claims"),
        key("carry", Top, List, "columns to copy to the results"),
        key("group_by", Top, Text, "the column of the documents' ids, where several rows are one document"),
        key("scattered", Top, Switch, "with `group_by`: rows of a document may stand anywhere"),
        key("source", Top, Text, "with `group_by`: the column that says where a row's evidence comes from"),
        key("threads", Top, Number, "how many threads decide"),
        key("batch_rows", Top, Number, "how many rows are decided at a time"),
        key("checkpoint_rows", Top, Number, "how many rows are decided again at most after a kill"),
        key("rlimit", Top, Number, "the solver's limit for a question, in its own count of steps"),
        key("max_choices", Top, Number, "the most choices of contradicting evidence for an assertion"),
        key("engine", Top, Text, "`auto`, or `z3`: every assertion goes to the solver"),
        key("cross_check", Top, Number, "the share of documents that are decided twice, from 0 to 1"),
        key("missing_claims", Top, Text, "what a claim without a column is: `reject` or `unknown`"),
        key("max_rejected", Top, Number, "the most rows that may be rejected: a count, or a percentage"),
        key("fail_on", Top, Words, "what ends the run with exit code 4: an answer, or `REJECTED`"),
        key("null", Reading, List, "the texts that are no value"),
        key("true", Reading, List, "the texts that are true"),
        key("false", Reading, List, "the texts that are false"),
        key("trim", Reading, Switch, "take white space off the ends of a text"),
        key("thousands", Reading, Text, "the character between groups of three digits"),
        key("decimal", Reading, Text, "the decimal point"),
        key("plus", Reading, Switch, "let a number begin with `+`"),
        key("list", Reading, Text, "the character between the values of a text that holds several"),
        key("delimiter", Reading, Text, "the character between the fields of a CSV row"),
        key("quote", Reading, Text, "the character around a CSV field"),
        key("encoding", Reading, Text, "`utf-8`, `utf-16`, `utf-16le`, `utf-16be` or `windows-1252`"),
        key("nan", Reading, Text, "what a NaN or an infinity is: `reject` or `unknown`"),
        key("column", Claims, Text, "the column of a claim"),
        key("unit_column", Claims, Text, "the column that holds a claim's unit"),
    ]
};

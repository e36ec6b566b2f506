//! What a case is: `fixtures/cases/README.md` is its description.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Whether a case is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    Accepted,
    Refused,
}

/// What a refused case is refused for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Refuses {
    Converters,
    Source,
    Reading,
    Claims,
}

/// A text that stands many times in a source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    text: String,
    times: usize,
}

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub row: String,
    pub name: String,
    source: String,
    #[serde(default)]
    repeat: BTreeMap<String, Repeat>,
    #[serde(default)]
    bytes: Vec<u8>,
    #[serde(default)]
    pub require_descriptions: bool,
    pub converters: Option<String>,
    pub reading: Option<ReadingOptions>,
    pub claims: Option<String>,
    #[serde(default)]
    pub more: Vec<String>,
    pub max_choices: Option<u32>,
    pub expect: Expect,
    refuses: Option<Refuses>,
    pub answers: Option<BTreeMap<String, String>>,
    #[serde(default)]
    pub reasons: BTreeMap<String, String>,
    #[serde(default)]
    pub contradicted: BTreeMap<String, Vec<String>>,
    pub hash: Option<String>,
    #[serde(default)]
    pub descriptions: BTreeMap<String, String>,
    pub warns: Option<Vec<String>>,
    pub unbridged: Option<Vec<String>>,
    #[serde(default)]
    pub fields: Vec<String>,
    pub errors: Option<usize>,
    #[serde(default)]
    pub says: Vec<String>,
}

/// Reading options, by the keys of a job file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingOptions {
    pub trim: Option<bool>,
    pub thousands: Option<char>,
    pub decimal: Option<char>,
    pub plus: Option<bool>,
    pub null: Option<Vec<String>>,
    #[serde(rename = "true")]
    pub true_words: Option<Vec<String>>,
    #[serde(rename = "false")]
    pub false_words: Option<Vec<String>>,
    pub nan: Option<String>,
}

impl Case {
    /// The bytes of the ruleset.
    pub fn source(&self) -> Vec<u8> {
        let mut source = self.source.clone();
        for (mark, repeat) in &self.repeat {
            assert!(source.contains(mark), "`{mark}` of `{}` is not in its source", self.name);
            let text: String =
                (0..repeat.times).map(|count| repeat.text.replace('#', &count.to_string())).collect();
            source = source.replace(mark, &text);
        }
        [self.bytes.as_slice(), source.as_bytes()].concat()
    }

    /// What is refused, if anything is.
    pub fn refused(&self) -> Option<Refuses> {
        let usual = if self.claims.is_some() { Refuses::Claims } else { Refuses::Source };
        (self.expect == Expect::Refused).then(|| self.refuses.unwrap_or(usual))
    }
}

/// The cases of one data file.
pub struct File {
    /// The file's name without its extension.
    pub name: String,
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    case: Vec<Case>,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every data file, by name.
pub fn files() -> Vec<File> {
    let folder = root().join("fixtures/cases");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry of the folder of cases").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable file of cases");
            let contents: Contents =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
            File { name, cases: contents.case }
        })
        .collect()
}

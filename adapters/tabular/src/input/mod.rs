//! Inputs: bytes to framed rows on the reading side, rows to values on the deciding side.

pub(crate) mod csv;
pub(crate) mod jsonl;
pub(crate) mod parquet;
mod sink;
mod text;
mod wanted;

use std::collections::BTreeSet;

use assay_batch::input::InputError;

/// How many bytes of rows a chunk holds at most, whatever the number of its rows: what is in hand stays bounded
/// where rows are long.
const MAX_CHUNK_BYTES: usize = 16 * 1024 * 1024;

/// How much of a row that is too long is kept to be shown.
const KEPT_OF_LONG_ROW: usize = 1024;

pub(crate) use text::prefix;

fn input_error(file: &str, message: impl Into<String>) -> InputError {
    InputError { file: file.to_owned(), message: message.into(), help: None }
}

/// The names that stand there more than once, to be shown.
fn names_twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        if !seen.insert(name) {
            twice.insert(name);
        }
    }
    let twice: Vec<String> = twice.into_iter().map(|name| format!("`{name}`")).collect();
    (!twice.is_empty()).then(|| twice.join(", "))
}

trait WithHelp {
    fn help(self, help: impl Into<String>) -> Self;
}

impl WithHelp for InputError {
    fn help(self, help: impl Into<String>) -> Self {
        InputError { help: Some(help.into()), ..self }
    }
}

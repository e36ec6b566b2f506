//! Chunks of results, and what is written of them.
#![allow(dead_code, clippy::unwrap_used, reason = "helpers of tests, of which each target uses some")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use assay_batch::input::FileFormat;
use assay_batch::output::{Carried, Create, Layout, ResultChunk, ResultSchema};
use assay_engine::Word;
use assay_tabular::Tabular;

/// Two assertions, two carried columns.
pub fn schema(layout: Layout, locate: bool) -> ResultSchema {
    ResultSchema {
        layout,
        assertions: vec!["first".to_owned(), "second".to_owned()],
        carry: vec!["region".to_owned(), "amount".to_owned()],
        locate,
        ruleset_hash: "9f2c".to_owned(),
        unit_library_hash: Some("77aa".to_owned()),
    }
}

/// Three documents with every kind of value.
pub fn every_kind() -> ResultChunk {
    let none = Vec::<Arc<str>>::new;
    ResultChunk {
        ids: vec!["d1".to_owned(), "say \"hi\", you\nand; \\ you \u{1f600}".to_owned(), String::new()],
        checks: vec![
            vec![Word::True, Word::False, Word::True],
            vec![Word::Unknown, Word::Ambiguous, Word::Unknown],
        ],
        reasons: vec![
            vec![None, None, None],
            vec![Some("solver limit".into()), None, Some("a, \"b\"".into())],
        ],
        contradicted: vec![
            vec![none(), none(), vec!["amount".into()]],
            vec![none(), vec!["amount".into(), "stay.nights".into()], none()],
        ],
        carried: vec![
            vec![Carried::Text("north".to_owned()), Carried::Null, Carried::Text(String::new())],
            vec![
                Carried::Json("12.50".to_owned()),
                Carried::Json(r#"{"value":1,"unit":"USD"}"#.to_owned()),
                Carried::Null,
            ],
        ],
        files: vec!["in/a.jsonl".into(), "in/b,c.jsonl".into(), "in/a.jsonl".into()],
        rows: vec![7, u64::MAX, 1],
    }
}

/// The documents of a chunk from `start` on, `count` of them.
pub fn part(chunk: &ResultChunk, start: usize, count: usize) -> ResultChunk {
    fn cut<T: Clone>(values: &[T], start: usize, count: usize) -> Vec<T> {
        values[start..start + count].to_vec()
    }
    fn each<T: Clone>(columns: &[Vec<T>], start: usize, count: usize) -> Vec<Vec<T>> {
        columns.iter().map(|column| cut(column, start, count)).collect()
    }
    ResultChunk {
        ids: cut(&chunk.ids, start, count),
        checks: each(&chunk.checks, start, count),
        reasons: each(&chunk.reasons, start, count),
        contradicted: each(&chunk.contradicted, start, count),
        carried: each(&chunk.carried, start, count),
        files: cut(&chunk.files, start, count),
        rows: cut(&chunk.rows, start, count),
    }
}

pub fn one_by_one(chunk: &ResultChunk) -> Vec<ResultChunk> {
    (0..chunk.ids.len()).map(|document| part(chunk, document, 1)).collect()
}

/// The bytes of a file of these chunks.
pub fn written(
    format: FileFormat,
    schema: &ResultSchema,
    chunks: impl IntoIterator<Item = ResultChunk>,
) -> Vec<u8> {
    let bytes = Shared::default();
    let encoder = Tabular.encoder(format, schema).unwrap();
    let mut writer = Tabular.writer(format, schema, Box::new(bytes.clone())).unwrap();
    for chunk in chunks {
        writer.write(encoder.encode(&chunk).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    bytes.0.lock().unwrap().clone()
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

//! Chunks of results, and what is written of them.
#![allow(dead_code, clippy::unwrap_used, reason = "helpers of tests, of which each target uses some")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use assay_batch::input::FileFormat;
use assay_batch::output::{
    AnswerColumn, Block, Carried, Create, Encoded, Layout, OutputError, ResultChunk, ResultSchema,
    WriteResults,
};
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

/// What is answered for one assertion: words, reasons by number, lists of contradicted claims by document.
pub fn answers(words: &[Word], reasons: &[u32], contradicted: &[(usize, u32)]) -> AnswerColumn {
    AnswerColumn {
        words: words.iter().map(|word| *word as u8).collect(),
        reasons: reasons.to_vec(),
        contradicted: contradicted.to_vec(),
    }
}

/// Three documents with every kind of value.
pub fn every_kind() -> ResultChunk {
    ResultChunk {
        ids: ["d1", "say \"hi\", you\nand; \\ you \u{1f600}", ""].into_iter().collect(),
        answers: vec![
            answers(&[Word::True, Word::False, Word::True], &[], &[(2, 1)]),
            answers(&[Word::Unknown, Word::Ambiguous, Word::Unknown], &[2, 0, 1], &[(1, 0)]),
        ],
        reasons: vec!["a, \"b\"".into(), "solver limit".into()],
        contradicted: vec![vec!["amount".into(), "stay.nights".into()], vec!["amount".into()]],
        carried: vec![
            [Carried::Text("north"), Carried::Null, Carried::Text("")].into_iter().collect(),
            [Carried::Json("12.50"), Carried::Json(r#"{"value":1,"unit":"USD"}"#), Carried::Null]
                .into_iter()
                .collect(),
        ],
        file: "in/a,b.jsonl".into(),
        rows: vec![7, u64::MAX, 1],
    }
}

/// The documents of a chunk from `start` on, `count` of them.
pub fn part(chunk: &ResultChunk, start: usize, count: usize) -> ResultChunk {
    let end = start + count;
    let answers = |column: &AnswerColumn| AnswerColumn {
        words: column.words[start..end].to_vec(),
        reasons: match column.reasons.is_empty() {
            true => Vec::new(),
            false => column.reasons[start..end].to_vec(),
        },
        contradicted: column
            .contradicted
            .iter()
            .filter(|(document, _)| (start..end).contains(document))
            .map(|(document, list)| (document - start, *list))
            .collect(),
    };
    ResultChunk {
        ids: chunk.ids.iter().skip(start).take(count).collect(),
        answers: chunk.answers.iter().map(answers).collect(),
        reasons: chunk.reasons.clone(),
        contradicted: chunk.contradicted.clone(),
        carried: chunk.carried.iter().map(|column| column.iter().skip(start).take(count).collect()).collect(),
        file: Arc::clone(&chunk.file),
        rows: chunk.rows[start..end].to_vec(),
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
    let mut writer = Tabular.writer(format, schema, Box::new(bytes.clone()), None).unwrap();
    for chunk in chunks {
        put(writer.as_mut(), encoder.encode(&Arc::new(chunk)).unwrap()).unwrap();
    }
    end(writer).unwrap();
    bytes.0.lock().unwrap().clone()
}

/// Has a writer take a chunk, and writes what ends with it.
pub fn put(writer: &mut dyn WriteResults, encoded: Encoded) -> Result<(), OutputError> {
    writer.take(encoded)?.into_iter().try_for_each(|block| write(writer, block))
}

/// Writes what is left, and ends the file.
pub fn end(mut writer: Box<dyn WriteResults>) -> Result<(), OutputError> {
    if let Some(block) = writer.rest() {
        write(writer.as_mut(), block)?;
    }
    writer.finish()
}

fn write(writer: &mut dyn WriteResults, block: Block) -> Result<(), OutputError> {
    let ready = match block {
        Block::Ready(ready) => ready,
        Block::Open(make) => make()?,
    };
    writer.write(ready)
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

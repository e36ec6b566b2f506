//! Results as JSONL and CSV: the bytes, of every kind of value.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod chunks;

use std::sync::Arc;

use assay_batch::input::FileFormat;
use assay_batch::output::Layout;
use chunks::{every_kind, one_by_one, schema, written};

#[track_caller]
fn check(format: FileFormat, layout: Layout, locate: bool, expected: &str) {
    let schema = schema(layout, locate);
    let bytes = written(format, &schema, [every_kind()]);
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), expected);
    assert_eq!(written(format, &schema, one_by_one(&every_kind())), bytes);
}

#[test]
fn jsonl_long() {
    let expected = r#"{"id":"d1","rule":"first","assertion":"first","check":"TRUE","reason_unknown":null,"contradicted":null,"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"north","amount":12.50,"file":"in/a,b.jsonl","row":7}
{"id":"d1","rule":"second","assertion":"second","check":"UNKNOWN","reason_unknown":"solver limit","contradicted":null,"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"north","amount":12.50,"file":"in/a,b.jsonl","row":7}
{"id":"say \"hi\", you\nand; \\ you 😀","rule":"first","assertion":"first","check":"FALSE","reason_unknown":null,"contradicted":null,"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":null,"amount":{"value":1,"unit":"USD"},"file":"in/a,b.jsonl","row":18446744073709551615}
{"id":"say \"hi\", you\nand; \\ you 😀","rule":"second","assertion":"second","check":"AMBIGUOUS","reason_unknown":null,"contradicted":["amount","stay.nights"],"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":null,"amount":{"value":1,"unit":"USD"},"file":"in/a,b.jsonl","row":18446744073709551615}
{"id":"","rule":"first","assertion":"first","check":"TRUE","reason_unknown":null,"contradicted":["amount"],"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"","amount":null,"file":"in/a,b.jsonl","row":1}
{"id":"","rule":"second","assertion":"second","check":"UNKNOWN","reason_unknown":"a, \"b\"","contradicted":null,"ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"","amount":null,"file":"in/a,b.jsonl","row":1}
"#;
    check(FileFormat::Jsonl, Layout::Long, true, expected);
}

#[test]
fn jsonl_wide() {
    let expected = r#"{"id":"d1","first":"TRUE","second":"UNKNOWN","ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"north","amount":12.50}
{"id":"say \"hi\", you\nand; \\ you 😀","first":"FALSE","second":"AMBIGUOUS","ruleset_hash":"9f2c","unit_library_hash":"77aa","region":null,"amount":{"value":1,"unit":"USD"}}
{"id":"","first":"TRUE","second":"UNKNOWN","ruleset_hash":"9f2c","unit_library_hash":"77aa","region":"","amount":null}
"#;
    check(FileFormat::Jsonl, Layout::Wide, false, expected);
}

#[test]
fn csv_long() {
    let expected = r#"id,rule,assertion,check,reason_unknown,contradicted,ruleset_hash,unit_library_hash,region,amount,file,row
d1,first,first,TRUE,,,9f2c,77aa,north,12.50,"in/a,b.jsonl",7
d1,second,second,UNKNOWN,solver limit,,9f2c,77aa,north,12.50,"in/a,b.jsonl",7
"say ""hi"", you
and; \ you 😀",first,first,FALSE,,,9f2c,77aa,,"{""value"":1,""unit"":""USD""}","in/a,b.jsonl",18446744073709551615
"say ""hi"", you
and; \ you 😀",second,second,AMBIGUOUS,,amount;stay.nights,9f2c,77aa,,"{""value"":1,""unit"":""USD""}","in/a,b.jsonl",18446744073709551615
,first,first,TRUE,,amount,9f2c,77aa,,,"in/a,b.jsonl",1
,second,second,UNKNOWN,"a, ""b""",,9f2c,77aa,,,"in/a,b.jsonl",1
"#;
    check(FileFormat::Csv, Layout::Long, true, expected);
}

#[test]
fn csv_wide() {
    let expected = r#"id,first,second,ruleset_hash,unit_library_hash,region,amount
d1,TRUE,UNKNOWN,9f2c,77aa,north,12.50
"say ""hi"", you
and; \ you 😀",FALSE,AMBIGUOUS,9f2c,77aa,,"{""value"":1,""unit"":""USD""}"
,TRUE,UNKNOWN,9f2c,77aa,,
"#;
    check(FileFormat::Csv, Layout::Wide, false, expected);
}

#[test]
fn without_converters_there_is_no_library_hash() {
    let schema = assay_batch::output::ResultSchema { unit_library_hash: None, ..schema(Layout::Wide, false) };
    let jsonl = String::from_utf8(written(FileFormat::Jsonl, &schema, [every_kind()])).unwrap();
    assert!(
        jsonl
            .lines()
            .all(|line| line.contains(r#","ruleset_hash":"9f2c","unit_library_hash":null,"region":"#))
    );
    let csv = String::from_utf8(written(FileFormat::Csv, &schema, [every_kind()])).unwrap();
    assert!(csv.contains("\nd1,TRUE,UNKNOWN,9f2c,,north,12.50\n"), "{csv}");
}

#[test]
fn without_documents_csv_is_its_header_and_jsonl_is_empty() {
    let schema = schema(Layout::Wide, true);
    let csv = written(FileFormat::Csv, &schema, []);
    assert_eq!(csv, b"id,first,second,ruleset_hash,unit_library_hash,region,amount,file,row\n");
    assert_eq!(written(FileFormat::Jsonl, &schema, []), b"");
}

/// A chunk that lacks a column, or values of one, is refused and never filled up.
#[test]
fn a_chunk_of_another_shape_is_refused() {
    use assay_batch::output::{Create, ResultChunk};
    type Damage = fn(&mut ResultChunk);
    let damages: [Damage; 13] = [
        |chunk| chunk.answers.truncate(1),
        |chunk| chunk.answers[1].words.truncate(2),
        |chunk| chunk.answers[1].words[0] = 4,
        |chunk| chunk.answers[0].reasons = vec![1, 0],
        |chunk| chunk.answers[1].reasons[1] = 3,
        |chunk| chunk.answers[0].contradicted[0].0 = 3,
        |chunk| chunk.answers[0].contradicted.push((1, 1)),
        |chunk| chunk.answers[0].contradicted[0].1 = 2,
        |chunk| chunk.carried[1] = chunk.carried[1].iter().take(2).collect(),
        |chunk| chunk.carried.truncate(1),
        |chunk| chunk.rows.truncate(1),
        |chunk| chunk.ids.truncate(2),
        |chunk| chunk.ids.push("one too many"),
    ];
    for format in [FileFormat::Jsonl, FileFormat::Csv, FileFormat::Parquet] {
        for layout in [Layout::Long, Layout::Wide] {
            let encoder = assay_tabular::Tabular.encoder(format, &schema(layout, true)).unwrap();
            for damage in damages {
                let mut chunk = every_kind();
                damage(&mut chunk);
                assert!(encoder.encode(&Arc::new(chunk)).is_err());
            }
        }
    }
}

#[test]
fn what_the_disk_says_is_an_error() {
    use assay_batch::output::Create;
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no space left on device"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Err(std::io::Error::other("no space left on device"))
        }
    }
    for format in [FileFormat::Jsonl, FileFormat::Csv, FileFormat::Parquet] {
        let schema = schema(Layout::Wide, false);
        let encoded =
            assay_tabular::Tabular.encoder(format, &schema).unwrap().encode(&Arc::new(every_kind())).unwrap();
        let result =
            assay_tabular::Tabular.writer(format, &schema, Box::new(Full), None).and_then(|mut writer| {
                chunks::put(writer.as_mut(), encoded)?;
                chunks::end(writer)
            });
        let message = result.unwrap_err().message;
        assert!(message.contains("no space left on device"), "{message}");
    }
}

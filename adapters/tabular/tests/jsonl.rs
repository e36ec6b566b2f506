//! JSONL in: framing, values, and what becomes of lines that are no rows.

mod common;

use assay_batch::input::MAX_ROW_BYTES;
use common::{Input, Seen, lines};

/// The rows of an input with the columns `a` and `b`.
#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    assert_eq!(lines(&Input::jsonl(input).rows()), expected);
}

#[test]
fn values_are_handed_over_as_they_stand() {
    let table = [
        (r#"{"a":1,"b":2}"#, "#1 | #2"),
        (r#"{"b":2,"c":[{"a":9}],"a":1}"#, "#1 | #2"),
        (r#"{"a":1.50,"b":-0}"#, "#1.50 | #-0"),
        (
            r#"{"a":1e999,"b":0.1000000000000000000000000000000000000001}"#,
            "#1e999 | #0.1000000000000000000000000000000000000001",
        ),
        (r#"{"a":"1.50","b":""}"#, r#""1.50" | """#),
        (r#"{"a":"é\n\u00e9\ud83d\ude00","b":" x "}"#, r#""é\né😀" | " x ""#),
        (r#"{"a":true,"b":false}"#, "true | false"),
        (r#"{"a":null}"#, "null | -"),
        ("{}", "- | -"),
        (r#"{"A":1," b":2}"#, "- | -"),
        (
            r#"{"a":{"value":1.0,"unit":"USD"},"b":[1,"x",[null]]}"#,
            r##"{value: #1.0, unit: "USD"} | [#1, "x", [null]]"##,
        ),
        (r#"{"a":{"value":1,"value":2},"b":[]}"#, "{value: #1, value: #2} | []"),
        (r#"{"a":1,"b":3,"a":2}"#, "twice #2 | #3"),
        (r#"{"a":1,"\u0061":2,"b":3,"a":3}"#, "twice #3 | #3"),
        (" { \"a\" : 1 , \"b\" : [ ] } ", "#1 | []"),
    ];
    for (line, expected) in table {
        let rows = Input::jsonl(line).rows();
        let expected = Seen { number: 1, cells: Ok(expected.to_owned()), record: format!("json {line}") };
        assert_eq!(rows, [expected], "{line}");
    }
}

#[test]
fn lines_are_told_apart() {
    check("", &[]);
    check("\n\n  \n\t\r\n", &[]);
    check("{\"a\":1}\n{\"a\":2}\n", &["1: #1 | -", "2: #2 | -"]);
    check("{\"a\":1}\n{\"a\":2}", &["1: #1 | -", "2: #2 | -"]);
    check("{\"a\":1}\r\n{\"a\":2}\r\n", &["1: #1 | -", "2: #2 | -"]);
    // A row's number is its line's.
    check("\n{\"a\":1}\n\n \r\n{\"a\":2}\n\n", &["2: #1 | -", "5: #2 | -"]);
    check("\u{feff}{\"a\":1}\n", &["1: #1 | -"]);
}

#[test]
fn a_line_end_is_no_part_of_the_record() {
    let rows = Input::jsonl("{\"a\":1}\r\nx\r\n").rows();
    assert_eq!(rows.iter().map(|row| row.record.as_str()).collect::<Vec<_>>(), ["json {\"a\":1}", "text x"]);
}

#[test]
fn a_line_that_is_no_object_is_one_malformed_row() {
    let table: [(&[u8], &str, &str); 15] = [
        (b"{\"a\":1", "the text ends inside an object", "text {\"a\":1"),
        (b"x", "expected value", "text x"),
        (b"{'a':1}", "key must be a string", "text {'a':1}"),
        (b"{\"a\":1} {", "trailing characters", "text {\"a\":1} {"),
        (b"{\"a\":1}{\"a\":2}", "trailing characters", "text {\"a\":1}{\"a\":2}"),
        (b"{\"a\":NaN}", "expected value", "text {\"a\":NaN}"),
        (b"{\"a\":+1}", "expected value", "text {\"a\":+1}"),
        (b"{\"a\":01}", "invalid number", "text {\"a\":01}"),
        (b"{\"a\":\"\\ud800\"}", "", "text {\"a\":\"\\ud800\"}"),
        (b"[1]", "a list instead of an object", "text [1]"),
        (b"null", "null instead of an object", "text null"),
        (b"\"x\"", "a text instead of an object", "text \"x\""),
        (b"{\"a\":1}\0", "trailing characters", "text {\"a\":1}\0"),
        (b"\0", "expected value", "text \0"),
        (b"{\"a\":\"\xff\"}", "bytes that are not UTF-8", "bytes [123, 34, 97, 34, 58, 34, 255, 34, 125]"),
    ];
    for (line, received, record) in table {
        let input = [b"{\"a\":1}\n", line, b"\n{\"a\":3}\n"].concat();
        let rows = Input::jsonl(input).rows();
        let shown = String::from_utf8_lossy(line);
        assert_eq!(lines(&rows), ["1: #1 | -", "2: malformed", "3: #3 | -"], "{shown}");
        let (expected, came) = rows[1].cells.clone().unwrap_err();
        assert_eq!(expected, "one JSON object on a line", "{shown}");
        assert!(came.contains(received), "{shown}: {came}");
        assert_eq!(rows[1].record, record, "{shown}");
    }
}

#[test]
fn nesting_has_an_end() {
    let line = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    check(format!("{line}\n{{\"a\":2}}\n"), &["1: malformed", "2: #2 | -"]);
}

#[test]
fn claims_may_have_a_field_of_their_own() {
    let table = [
        (r#"{"a":1,"b":2,"claims":{"x":3,"y":"z"}}"#, Ok(r##"#1 | #2 | #3 | "z""##)),
        (r#"{"claims":{"y":4}}"#, Ok("- | - | - | #4")),
        // A name means one place alone.
        (r#"{"x":1,"claims":{"a":2,"x":3}}"#, Ok("- | - | #3 | - + a=#2")),
        (
            r#"{"claims":{"x":1,"more":[1],"y":2,"and":null,"more":3}}"#,
            Ok("- | - | #1 | #2 + more=[#1] + and=null + more=#3"),
        ),
        (r#"{"claims":{"x":1,"x":2}}"#, Ok("- | - | twice #2 | -")),
        (r#"{"claims":{}}"#, Ok("- | - | - | -")),
        (r#"{"a":1}"#, Err("no such field")),
        (r#"{"claims":null}"#, Err("null")),
        (r#"{"claims":[1]}"#, Err("a list")),
        (r#"{"claims":"x"}"#, Err("a text")),
        (r#"{"claims":{"x":1},"claims":{"x":2}}"#, Err("that field twice")),
    ];
    for (line, expected) in table {
        let rows = Input::jsonl(line).claims("claims", &["x", "y"]).rows();
        let expected = expected.map(str::to_owned).map_err(|received| {
            ("an object of claims in the field `claims`".to_owned(), received.to_owned())
        });
        assert_eq!(rows, [Seen { number: 1, cells: expected, record: format!("json {line}") }], "{line}");
    }
}

#[test]
fn a_row_has_a_bound() {
    let row = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
    for end in ["\n", "\r\n"] {
        let input = [row(MAX_ROW_BYTES), row(MAX_ROW_BYTES + 1), "{\"a\":3}".to_owned()].join(end);
        let rows = Input::jsonl(input).rows();
        assert_eq!(rows.len(), 3);
        assert!(rows[0].cells.is_ok());
        let (expected, received) = rows[1].cells.clone().unwrap_err();
        assert_eq!(expected, "a row of at most 16777216 bytes");
        assert_eq!(received, "a line of 16777217 bytes");
        assert_eq!(rows[1].record, "truncated {\"a\":\"xx 16777217");
        assert_eq!(lines(&rows[2..]), ["3: #3 | -"]);
    }
    // The last line, without an end.
    let rows = Input::jsonl([&row(MAX_ROW_BYTES * 2)[..], ""].concat()).rows();
    assert_eq!(rows[0].record, "truncated {\"a\":\"xx 33554432");
}

#[test]
fn chunks_stay_small_where_rows_are_long() {
    let row = format!("{{\"a\":\"{}\"}}\n", "x".repeat(6 * 1024 * 1024));
    let input = Input::jsonl(row.repeat(8));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.jsonl");
    std::fs::write(&path, &input.bytes).unwrap();
    let mut source = input.open(&assay_batch::input::Location::File(path)).unwrap();
    let mut chunks = Vec::new();
    while let Some(chunk) = source.next(1000).unwrap() {
        chunks.push(chunk.len());
    }
    assert_eq!(chunks.iter().sum::<usize>(), 8);
    assert!(chunks.iter().all(|rows| *rows <= 4), "{chunks:?}");
}

#[test]
fn the_shape_is_the_keys_of_the_first_rows() {
    let rows = "{\"b\":1}\nnot json\n[]\n\n{\"a\":1,\"b\":{\"x\":1}}\n";
    let shape = Input::jsonl(rows).shape().unwrap().unwrap();
    assert_eq!((shape.columns, shape.nested), (vec!["b".to_owned(), "a".to_owned()], None));

    let rows = "{\"id\":1,\"claims\":{\"y\":1}}\n{\"claims\":{\"x\":1,\"y\":2}}\n{\"claims\":3}";
    let shape = Input::jsonl(rows).claims("claims", &[]).shape().unwrap().unwrap();
    assert_eq!(shape.columns, ["id", "claims"]);
    assert_eq!(shape.nested.unwrap(), ["y", "x"]);

    // The thousand and first row is not looked at.
    let rows = format!("{}{{\"b\":1}}\n", "{\"a\":1}\n".repeat(1000));
    assert_eq!(Input::jsonl(rows).shape().unwrap().unwrap().columns, ["a"]);
    assert_eq!(Input::jsonl("").shape().unwrap(), None);
    assert_eq!(Input::jsonl("not json\n").shape().unwrap(), None);
}

/// The keys of an input are found in linear time: by comparing each with each, this took minutes.
#[test]
fn a_row_of_a_hundred_thousand_keys_has_a_shape() {
    let keys: Vec<String> = (0..100_000).map(|n| format!("\"field {n}\":{n}")).collect();
    let flat = format!("{{\"a\":1,\"b\":2,{}}}\n", keys.join(","));
    let shape = Input::jsonl(flat.repeat(2)).shape().unwrap().unwrap();
    assert_eq!((shape.columns.len(), shape.nested), (100_002, None));
    let nested = format!("{{\"a\":1,\"c\":{{{}}}}}\n", keys.join(","));
    let shape = Input::jsonl(nested.repeat(2)).claims("c", &["b"]).shape().unwrap().unwrap();
    assert_eq!(shape.columns, ["a", "c"]);
    assert_eq!(shape.nested.map(|nested| nested.len()), Some(100_000));
}

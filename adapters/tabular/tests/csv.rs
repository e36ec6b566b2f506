//! CSV in: framing, headers, and what becomes of records that are no rows.

mod common;

use assay_batch::input::MAX_ROW_BYTES;
use common::{Input, Seen, lines};

/// The rows of an input with the columns `a` and `b`.
#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    assert_eq!(lines(&Input::csv(input).rows()), expected);
}

#[test]
fn cells_are_texts() {
    check("a,b\n1,2\n", &[r#"1: "1" | "2""#]);
    check("b,c,a\n1,2,3\n", &[r#"1: "3" | "1""#]);
    check("b\n1\n", &[r#"1: - | "1""#]);
    check("a,b\n,\n", &[r#"1: "" | """#]);
    check("a,b\n 1 ,\"\"\n", &[r#"1: " 1 " | """#]);
    check("a,b\n\"x,y\",\"he said \"\"no\"\"\"\n", &[r#"1: "x,y" | "he said \"no\"""#]);
    check("a,b\n\"x\ny\r\nz\",2\n", &[r#"1: "x\ny\r\nz" | "2""#]);
    check("\"a\",\"b\"\nx\"y,2\n", &[r#"1: "x\"y" | "2""#]);
    check("a,b\ntrue,null\n", &[r#"1: "true" | "null""#]);
    check("a,b\né,\0\n", &[r#"1: "é" | "\0""#]);
}

#[test]
fn records_are_told_apart_and_numbered() {
    check("a,b\n", &[]);
    check("a,b", &[]);
    check("a,b\r\n1,2\r\n3,4", &[r#"1: "1" | "2""#, r#"2: "3" | "4""#]);
    check("a,b\n\n1,2\n\r\n\n3,4\n\n", &[r#"1: "1" | "2""#, r#"2: "3" | "4""#]);
    check("a,b\n\"1\n1\",2\n3,4\n", &[r#"1: "1\n1" | "2""#, r#"2: "3" | "4""#]);
    check("\u{feff}a,b\n1,2\n", &[r#"1: "1" | "2""#]);
    check("\u{feff}\"a\",b\n1,2\n", &[r#"1: "1" | "2""#]);
}

#[test]
fn the_record_of_a_row_has_all_columns() {
    let rows = Input::csv("c,a,d,b\n1,2,,4\n").rows();
    assert_eq!(rows[0].record, r#"fields c: "1", a: "2", d: "", b: "4""#);
}

#[test]
fn the_dialect_is_the_jobs() {
    let table = [
        (b';', b'"', "a;b\n1,5;\"x;y\"\n", r#"1: "1,5" | "x;y""#),
        (b'\t', b'"', "a\tb\n1\t\"2\"\"\"\n", r#"1: "1" | "2\"""#),
        (b'|', b'\'', "a|b\n'x|y'|\"2\"\n", r#"1: "x|y" | "\"2\"""#),
    ];
    for (delimiter, quote, text, expected) in table {
        let mut input = Input::csv(text);
        (input.text.delimiter, input.text.quote) = (delimiter, quote);
        assert_eq!(lines(&input.rows()), [expected]);
    }
}

#[test]
fn a_record_that_does_not_fit_is_one_malformed_row() {
    let table: [(&[u8], &str, &str, &str); 6] = [
        (b"1", "2 fields, as the header has", "1 field", "text 1"),
        (b"1,2,3", "2 fields, as the header has", "3 fields", "text 1,2,3"),
        (b"\"1,2\"", "2 fields, as the header has", "1 field", "text \"1,2\""),
        (b"1,2,", "2 fields, as the header has", "3 fields", "text 1,2,"),
        (b"1,\xff", "a row of text in UTF-8", "bytes that are not UTF-8", "bytes [49, 44, 255]"),
        (
            b"\"\xe9\",1,2",
            "a row of text in UTF-8",
            "bytes that are not UTF-8",
            "bytes [34, 233, 34, 44, 49, 44, 50]",
        ),
    ];
    for (record, expected, received, kept) in table {
        for end in ["\n", "\r\n"] {
            let input = [
                b"a,b",
                end.as_bytes(),
                b"x,y",
                end.as_bytes(),
                record,
                end.as_bytes(),
                b"z,",
                end.as_bytes(),
            ];
            let rows = Input::csv(input.concat()).rows();
            let malformed = Seen {
                number: 2,
                cells: Err((expected.to_owned(), received.to_owned())),
                record: kept.to_owned(),
            };
            assert_eq!(rows[1], malformed);
            assert_eq!(lines(&rows), [r#"1: "x" | "y""#, "2: malformed", r#"3: "z" | """#]);
        }
    }
}

#[test]
fn a_character_cut_by_quotes_is_not_text() {
    // Without the quotes the two bytes would be an `é`.
    check(b"a,b\n\"\xc3\"\xa9,2\n", &["1: malformed"]);
}

#[test]
fn a_header_names_each_column_once() {
    let table: [(&[u8], &str); 8] = [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"a,b,a\n1,2,3\n", "`a`"),
        (b"b,a,b,a,c\n", "`a`, `b`"),
        (b"a,,b,\n", "``"),
        (b"a,\"\",\n", "``"),
        (b"a,\xff\n1,2\n", "not UTF-8"),
        (b"a,\"b\n1,2\n", "is never closed"),
    ];
    for (input, message) in table {
        let input = Input::csv(input).name("of/orders.csv");
        for error in [input.error(), input.shape().unwrap_err()] {
            assert_eq!(error.file, "of/orders.csv");
            assert!(error.message.contains(message), "{message}: {}", error.message);
        }
    }
}

/// What tables with an index column are often written as.
#[test]
fn one_column_may_have_no_name() {
    let input = Input::csv(",a,b\n0,1,2\n");
    assert_eq!(input.shape().unwrap().unwrap().columns, ["", "a", "b"]);
    let rows = input.rows();
    assert_eq!(lines(&rows), [r#"1: "1" | "2""#]);
    assert_eq!(rows[0].record, r#"fields : "0", a: "1", b: "2""#);
}

#[test]
fn the_shape_is_the_header() {
    let shape = Input::csv("b, a,\"c,d\"\n1,2\n").shape().unwrap().unwrap();
    assert_eq!(shape.columns, ["b", " a", "c,d"]);
    assert_eq!(shape.nested, None);
}

#[test]
fn a_quote_that_is_never_closed_is_one_malformed_row() {
    for open in ["\"x,3", "\"x,3\n", "\"x,3\n3,4\n", "\"x,3\r\n3,4\r\n\r\n"] {
        let rows = Input::csv(format!("a,b\n1,2\n\n{open}")).rows();
        let cells = Err((
            "a closing quote".to_owned(),
            "a quote in the row that begins at line 4 is never closed".to_owned(),
        ));
        assert_eq!(rows[1], Seen { number: 2, cells, record: format!("text {open}") });
        assert_eq!(rows.len(), 2);
    }
    // An open quote of the last column, and a quoted cell that ends the text.
    check("a,b\n1,\"2", &["1: malformed"]);
    check("a,b\n1,\"2\"", &[r#"1: "1" | "2""#]);
    check("a,b\n1,\"2\"\"", &["1: malformed"]);
    check("a,b\n1,\"\"\"\"", &[r#"1: "1" | "\"""#]);
}

#[test]
fn a_quote_that_swallows_the_rest_stops_the_run_and_names_its_line() {
    let rest = "1,2\n".repeat(5 * 1024 * 1024);
    let read = Input::csv(format!("a,b\n1,2\n3,4\n5,\"6\n{rest}")).read(2);
    assert_eq!(lines(&read.rows), [r#"1: "1" | "2""#, r#"2: "3" | "4""#]);
    let error = read.error.unwrap();
    assert_eq!(error.message, "a quote in the row that begins at line 4 is never closed");
    assert!(error.help.is_some());
}

#[test]
fn a_row_has_a_bound() {
    let long = "x".repeat(MAX_ROW_BYTES + 100);
    for record in [format!("{long},2"), format!("\"{long}\",2"), ",".repeat(MAX_ROW_BYTES + 100)] {
        let rows = Input::csv(format!("a,b\n1,2\n{record}\n3,4\n")).rows();
        assert_eq!(lines(&rows), [r#"1: "1" | "2""#, "2: malformed", r#"3: "3" | "4""#]);
        let (expected, received) = rows[1].cells.clone().unwrap_err();
        assert_eq!(expected, "a row of at most 16777216 bytes");
        assert!(received.starts_with("a row of 16777"), "{received}");
        assert!(rows[1].record.starts_with("truncated "), "{}", rows[1].record);
    }
    // At the bound, line end and all.
    let rows = Input::csv(format!("a,b\n{},2\n", "x".repeat(MAX_ROW_BYTES - 3))).rows();
    assert!(rows[0].cells.is_ok());
}

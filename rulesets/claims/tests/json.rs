//! JSON as it is read: exact, whole, and refused with a place.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

use assay_claims::{MAX_DEPTH, Raw, parse_json};

/// What a text is read as, in Rust's debug form; or the error.
fn check(json: &[u8], expected: &str) {
    let found = match parse_json(json) {
        Ok(raw) => show(&raw),
        Err(error) => format!("! {error}"),
    };
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(json));
}

fn show(raw: &Raw<'_>) -> String {
    match raw {
        Raw::Null => "null".to_owned(),
        Raw::Bool(value) => value.to_string(),
        Raw::Number(text) => format!("number {text}"),
        Raw::Text(text) => format!("{text:?}"),
        Raw::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Raw::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key:?}: {}", show(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => panic!("not of JSON: {other:?}"),
    }
}

#[test]
fn numbers_keep_their_text() {
    for text in [
        "0",
        "-0",
        "-0.0",
        "1E400",
        "1e-400",
        "1E+5",
        "0.10",
        "1.005",
        "123456789012345678901234567890123456789012345",
        "0.1000000000000000000000000000000000000000000001",
        "1e99999999999999999999",
    ] {
        check(text.as_bytes(), &format!("number {text}"));
        check(format!(" [ {text} ] ").as_bytes(), &format!("[number {text}]"));
        check(format!("{{\"a\":{text}}}").as_bytes(), &format!("{{\"a\": number {text}}}"));
    }
}

#[test]
fn keys_and_texts_are_whole() {
    check(
        br#"{"a":1,"a":2,"b":{"a":3,"a":null}}"#,
        r#"{"a": number 1, "a": number 2, "b": {"a": number 3, "a": null}}"#,
    );
    check(br#"{}"#, "{}");
    check(br#"[[],{}]"#, "[[], {}]");
    check(br#""""#, r#""""#);
    check(br#""a\"b\\c\/\u00e9\n""#, r#""a\"b\\c/é\n""#);
    check(br#""\ud83d\ude00\u0000""#, r#""😀\0""#);
    check(br#"{"\u0061mount":1,"":2}"#, r#"{"amount": number 1, "": number 2}"#);
    check("\"é\u{7f}\"".as_bytes(), "\"é\\u{7f}\"");
}

/// The library's markers for numbers and raw texts are keys like others.
#[test]
fn no_key_is_a_marker() {
    for key in ["$serde_json::private::Number", "$serde_json::private::RawValue"] {
        check(format!("{{\"{key}\":\"12\"}}").as_bytes(), &format!("{{{key:?}: \"12\"}}"));
        check(format!("[{{\"{key}\":\"[1]\"}}]").as_bytes(), &format!("[{{{key:?}: \"[1]\"}}]"));
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    check(b"", "! the text ends inside a value at line 1 column 1");
    check(b"{\"a\":1", "! the text ends inside an object at line 1 column 6");
    check(b"{\"a\":1}}", "! trailing characters at line 1 column 8");
    check(b"{\"a\":1,}", "! key must be a string at line 1 column 8");
    check(b"{\"a\":007}", "! invalid number at line 1 column 7");
    check(b"[1.]", "! invalid number at line 1 column 4");
    check(b"[+1]", "! expected value at line 1 column 2");
    check(b"[NaN]", "! expected value at line 1 column 2");
    check(b"[\n  1,\n  tru\n]", "! expected ident at line 3 column 6");
    check(b"{'a':1}", "! key must be a string at line 1 column 2");
    check("[\"é\", x]".as_bytes(), "! expected value at line 1 column 7");
    check(b"\xef\xbb\xbf1", "! expected value at line 1 column 1");
    check(
        b"[\"a\nb\"]",
        "! control character (\\u0000-\\u001F) found while parsing a string at line 1 column 3",
    );
    check(b"[\"ab\xff\"]", "! a byte that is not UTF-8 at line 1 column 5");
    check(b"[1,\n\"\xc3\"]", "! a byte that is not UTF-8 at line 2 column 2");
    check(b"\"\xed\xa0\x80\"", "! a byte that is not UTF-8 at line 1 column 2");
}

/// Half a character is found where it stands, also inside values that were skipped over at first.
#[test]
fn lone_surrogates_are_refused() {
    for (json, line, column) in [
        (r#""\ud800""#, 1, 8),
        ("{\"a\":\n  {\"b\": [1, \"x\\ud800y\"]}}", 2, 21),
        (r#"{"\udc00":1}"#, 1, 8),
        (r#"["\ud800\ud800"]"#, 1, 14),
    ] {
        let error = parse_json(json.as_bytes()).unwrap_err();
        assert!(error.message.contains("surrogate") || error.message.contains("hex escape"), "{error}");
        assert_eq!((error.line, error.column), (line, column), "{json}: {error}");
    }
    check(br#"["\x41"]"#, "! invalid escape at line 1 column 4");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse_json(nested(MAX_DEPTH).as_bytes()).is_ok());
    let error = parse_json(nested(MAX_DEPTH + 1).as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "a value nested deeper than 64 levels at line 1 column 65");
    assert_eq!(error.offset, 64);
    assert!(parse_json(nested(1_000_000).as_bytes()).is_err());
    assert!(parse_json("{\"a\":".repeat(1_000_000).as_bytes()).is_err());
}

/// Documents broken at random are refused exactly where the library's own reader of values refuses them.
#[test]
fn broken_documents() {
    const WHOLE: &str = r#"{"a": [1, -2.50e+3, {"k\u00e9y": null}], "b\\": "x\ud83d\ude00\n", "c": {"value": "12", "unit": "US$"}, "d": [[], {}, true, false]}"#;
    const PIECES: [&[u8]; 20] = [
        b"{", b"}", b"[", b"]", b":", b",", b"\"", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"e", b"-", b"0",
        b"1", b".", b" ", b"\n", b"\xff", b"null",
    ];
    let mut state = 3_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let (mut good, mut bad) = (0, 0);
    for _ in 0..60_000 {
        let mut text = WHOLE.as_bytes().to_vec();
        for _ in 0..1 + below(2) {
            let start = below(text.len());
            let end = (start + below(3)).min(text.len());
            text.splice(start..end, PIECES[below(PIECES.len())].iter().copied());
        }
        let read = parse_json(&text);
        let expected = serde_json::from_slice::<serde_json::Value>(&text);
        assert_eq!(
            read.is_ok(),
            expected.is_ok(),
            "{}: {read:?}, {expected:?}",
            String::from_utf8_lossy(&text)
        );
        match read {
            Ok(_) => good += 1,
            Err(error) => {
                bad += 1;
                assert!(error.offset <= text.len() && error.line >= 1 && error.column >= 1, "{error:?}");
            }
        }
    }
    assert!(good > 1_000 && bad > 1_000, "{good} good, {bad} bad");
}

//! Reading by column against reading row by row: the same bindings, or the row is set aside.

mod by_column;
mod common;

use assay_claims::{Missing, Reading};
use by_column::{Case, Compared};
use common::{Input, Random};

/// Values of fields in JSON, plain ones and all sorts of others.
const JSON: &[&str] = &[
    "true",
    "false",
    "null",
    "1",
    "-2",
    "0",
    "-0",
    "12.50",
    "0.125",
    "-7.25",
    "100",
    "101",
    "-101",
    "007",
    "1.",
    ".5",
    "+1",
    "1e3",
    "1E-2",
    "1e",
    "12345678901234567890",
    "123456789012345678",
    "0.000000000000000001",
    "0.0000000000000000001",
    "999999999999999999.5",
    "truth",
    "nul",
    "\"\"",
    "\"unknown\"",
    "\"travel\"",
    "\"meals\"",
    "\"Travel\"",
    "\" travel\"",
    "\"travel \"",
    "\"tra\\u0076el\"",
    "\"true\"",
    "\"FALSE\"",
    "\"yes\"",
    "\"12 USD\"",
    "\"12.5USD\"",
    "\"12 EUR\"",
    "\"12  USD\"",
    "\"12 USD \"",
    "\"12 \"",
    "\"3e2 USD\"",
    "\"1e2\"",
    "\"5 e\"",
    "\"-4.50\"",
    "\"-\"",
    "\"1,234.5\"",
    "\"1,23\"",
    "\"12,345,678\"",
    "\"1234,567\"",
    "\"NA\"",
    "\"-99\"",
    "\"NaN\"",
    "\"é\"",
    "\"a longer text than eight\"",
    "\"x\\ny\"",
    "\"\\ud800\"",
    "\"\\u00e9\"",
    "\"tab\there\"",
    "\"open",
    "{}",
    "[]",
    "[1]",
    "{\"value\":1,\"unit\":\"USD\"}",
    "{\"value\":\"3\",\"unit\":\"EUR\"}",
    "[[[[[1]]]]]",
    "{\"a\":{\"a\":[{}]}}",
];

/// What a row of JSONL may be changed by, at any place.
const PIECES: &[&[u8]] = &[
    b",",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b" ",
    b"\t",
    b"0",
    b"1",
    b".",
    b"e",
    b"-",
    b"\0",
    b"\x1f",
    b"\x7f",
    b"\xff",
    b"\xc3\xa9",
    b"\\u0061",
    b"null",
    b"\"flag\":true,",
    b"\r",
];

const KEYS: &[&str] = &["id", "flag", "amount", "ratio", "kind", "level", "note", "unit"];

fn jsonl_row(random: &mut Random, nested: bool) -> Vec<u8> {
    let space = |random: &mut Random| if random.below(30) == 0 { " " } else { "" };
    let mut outer = Vec::new();
    let mut fields = Vec::new();
    for key in KEYS {
        let plain: &[&str] = match *key {
            "id" | "note" => &["\"d1\"", "\"d2\"", "17"],
            "flag" => &["true", "false", "null"],
            "amount" => &["12.50", "\"120.00 USD\"", "3", "\"unknown\""],
            "ratio" => &["0.5", "1", "-2.25", "\"7\""],
            "kind" => &["\"travel\"", "\"meals\"", "\"lodging\""],
            "unit" => &["\"kg\"", "\"kg\"", "\"kg\"", "\"g\""],
            _ => &["5", "99.5", "null"],
        };
        let any = random.below(12) == 0;
        let values = if any { JSON } else { plain };
        let value = values[random.below(values.len())];
        let key = if random.below(200) == 0 { "fl\\u0061g" } else { key };
        let key = if random.below(60) == 0 { KEYS[random.below(KEYS.len())] } else { key };
        let field =
            format!("{}\"{key}\"{}:{}{value}{}", space(random), space(random), space(random), space(random));
        if random.below(40) > 0 {
            if nested && !["id", "note"].contains(&key) { fields.push(field) } else { outer.push(field) }
        }
    }
    if random.below(6) == 0 {
        let extra = JSON[random.below(JSON.len())];
        (if nested && random.below(2) == 0 { &mut fields } else { &mut outer })
            .push(format!("\"other\":{extra}"));
    }
    if random.below(10) == 0 && fields.len() > 1 {
        let (a, b) = (random.below(fields.len()), random.below(fields.len()));
        fields.swap(a, b);
    }
    if nested && random.below(40) > 0 {
        outer.push(format!("\"claims\":{{{}}}", fields.join(",")));
    }
    let mut row = format!("{{{}}}", outer.join(",")).into_bytes();
    if random.below(6) == 0 {
        let at = random.below(row.len());
        match random.below(3) {
            0 => drop(row.remove(at)),
            1 => row.truncate(at),
            _ => drop(row.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
        }
    }
    row
}

fn readings() -> Vec<Reading> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    vec![
        Reading::default(),
        Reading { null: words(&["", "NA", "-99"]), trim: true, ..Reading::default() },
        Reading { thousands: Some(','), nan_unknown: true, plus: true, ..Reading::default() },
        Reading { thousands: Some('\u{a0}'), decimal: ',', ..Reading::default() },
        Reading {
            thousands: Some(' '),
            true_words: words(&["yes"]),
            false_words: words(&["no"]),
            ..Reading::default()
        },
    ]
}

fn all_ways(input: impl Fn(&mut Random) -> Input, paired: &[bool], least: usize) {
    let mut random = Random(11);
    let mut total = Compared::default();
    for reading in readings() {
        for missing in [Missing::Reject, Missing::Unknown] {
            for paired in paired {
                let input = input(&mut random);
                let case = Case { reading: reading.clone(), missing, paired: *paired, strict: true };
                total.add(case.compare(&input));
                total.add(Case { strict: false, ..case }.compare(&input));
            }
        }
    }
    println!("{total:?}");
    // Neither lane is idle, and most of what is well is on the fast one.
    assert!(total.fast > least && total.slow > 100 && total.refused > 100, "{total:?}");
}

#[test]
fn flat_jsonl() {
    let input = |random: &mut Random| {
        let rows: Vec<Vec<u8>> = (0..400).map(|_| jsonl_row(random, false)).collect();
        Input::jsonl(rows.join(&b'\n')).columns(KEYS)
    };
    all_ways(input, &[false, true], 4000);
}

/// Keys in an order of their own in each row, beside more of them than a reader remembers.
#[test]
fn jsonl_of_many_keys() {
    let mut random = Random(3);
    let mut row = |number: usize| {
        let mut fields: Vec<String> = (0..20).map(|n| format!("\"field {}\":{n}", 20 * number + n)).collect();
        fields.extend(
            [("id", "\"d\""), ("flag", "true"), ("ratio", "0.5")].map(|(k, v)| format!("\"{k}\":{v}")),
        );
        fields.extend([("amount", "3"), ("kind", "\"meals\"")].map(|(k, v)| format!("\"{k}\":{v}")));
        for last in (1..fields.len()).rev() {
            fields.swap(last, random.below(last + 1));
        }
        format!("{{{}}}", fields.join(","))
    };
    // A thousand rows with twenty keys each that no other has, and then some that have the keys of others.
    let rows: Vec<String> = (0..1000).chain((0..1000).step_by(3)).map(&mut row).collect();
    let input = Input::jsonl(rows.join("\n")).columns(KEYS);
    let case = Case { reading: Reading::default(), missing: Missing::Unknown, paired: false, strict: false };
    let compared = case.compare(&input);
    assert_eq!((compared.fast, compared.slow, compared.refused), (1334, 0, 0));
}

#[test]
fn nested_jsonl() {
    let input = |random: &mut Random| {
        let rows: Vec<Vec<u8>> = (0..400).map(|_| jsonl_row(random, true)).collect();
        let mut input = Input::jsonl(rows.join(&b'\n')).columns(&["id"]);
        input = input.claims("claims", &["flag", "amount", "ratio", "kind", "level", "unit"]);
        input.wanted.columns.insert(6, input.wanted.columns[0].clone());
        input.wanted.columns[6].name = "note".to_owned();
        input
    };
    all_ways(input, &[false, true], 4000);
}

#[test]
fn csv() {
    let texts: Vec<String> = JSON.iter().map(|text| text.trim_matches('"').to_owned()).collect();
    let input = |random: &mut Random| {
        let mut text = Vec::new();
        let mut columns = KEYS.to_vec();
        if random.below(4) == 0 {
            columns.remove(random.below(columns.len()));
        }
        text.extend_from_slice(columns.join(",").as_bytes());
        text.push(b'\n');
        for _ in 0..400 {
            let fields: Vec<String> = columns
                .iter()
                .map(|key| {
                    let plain: &[&str] = match *key {
                        "flag" => &["true", "FALSE", "unknown"],
                        "amount" => &["12.50", "120.00 USD", "3", "1,234.5"],
                        "ratio" | "level" => &["0.5", "1", "-2.25", "7"],
                        "kind" => &["travel", "meals"],
                        "unit" => &["kg", "kg", "g"],
                        _ => &["d1", "d2", ""],
                    };
                    let value = match random.below(10) {
                        0 => texts[random.below(texts.len())].clone(),
                        _ => plain[random.below(plain.len())].to_owned(),
                    };
                    let quoted = random.below(10) == 0 || value.contains([',', '"', '\n']);
                    if quoted { format!("\"{}\"", value.replace('"', "\"\"")) } else { value }
                })
                .collect();
            let mut row = fields.join(",").into_bytes();
            if random.below(12) == 0 && !row.is_empty() {
                let at = random.below(row.len());
                let piece = PIECES[random.below(PIECES.len())];
                row.splice(at..at, piece.iter().copied().filter(|byte| *byte != b'"'));
            }
            text.extend(row);
            text.extend_from_slice([&b"\n"[..], b"\r\n", b"\r", b"\n\n"][random.below(4)]);
        }
        Input::csv(text).columns(KEYS)
    };
    all_ways(input, &[false, true], 2000);
}

#[test]
fn parquet() {
    let input = |random: &mut Random| {
        let bytes = by_column::parquet(random);
        Input::of(assay_batch::input::FileFormat::Parquet, "in.parquet", &bytes).columns(KEYS)
    };
    all_ways(input, &[false, true], 2000);
}

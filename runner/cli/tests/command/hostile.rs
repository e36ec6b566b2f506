//! Sources, claims and rows that would take all the time and memory there is: each is answered or refused within little of
//! both, and a refusal names its limit.

use std::fmt::Write;

use serde_json::Value;

use crate::folder::{Folder, Ran};

/// Runs a line with a gigabyte of address space and a minute, of which it needs a small part.
#[track_caller]
fn bounded(folder: &Folder, line: &str) -> Ran {
    let ran = folder.sh(&format!("ulimit -c 0; ulimit -v 1000000; timeout 60 {line}"));
    // 124 is the code of `timeout`, and no code that of a signal.
    assert!(ran.code.is_some_and(|code| code <= 3), "{line}: {:?} {}", ran.code, ran.stderr);
    ran
}

/// Words in quotes, with commas between them.
fn words(count: usize) -> String {
    (0..count).map(|word| format!("\"w{word}\"")).collect::<Vec<_>>().join(",")
}

#[test]
fn sources_are_refused_by_the_budget_that_they_pass() {
    let folder = Folder::new();
    let number = |text: &str| format!("declare n as numeric;\nassert a {{ n > {text} }};\n");
    let numbers = (0..40).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let quantified = |depth: usize| {
        let open: String = (0..depth).map(|at| format!("ForAll(x{at} in {{{numbers}}}, ")).collect();
        number(&format!("0 }};\nassert b {{ {open}n > x0{}", ")".repeat(depth)))
    };
    let nested = |open: &str, close: &str| {
        format!("declare b as boolean;\nassert a {{ {}b{} }};\n", open.repeat(50_000), close.repeat(50_000))
    };
    let vocabulary =
        |count| format!("declare e as enum {{{}}};\nassert a {{ e == \"w7\" }};\n", words(count));
    let claims: String = (0..2_001).map(|at| format!("declare b{at} as boolean;\n")).collect();
    let assertions: String = (0..5_001).map(|at| format!("assert a{at} {{ b }};\n")).collect();
    for (budget, limit, source) in [
        ("nesting", 128, nested("(", ")")),
        ("nesting", 128, nested("not ", "")),
        ("nesting", 128, nested("- ", "")),
        // 40⁴ and 40³⁰ copies.
        ("expression_nodes", 200_000, quantified(4)),
        ("expression_nodes", 200_000, quantified(30)),
        ("vocabulary_members", 10_000, vocabulary(10_001)),
        ("number_exponent", 400, number("1e-999999999")),
        ("number_exponent", 400, number("1e99999999999999999999999999")),
        ("number_digits", 1_000, number(&"1".repeat(200_000))),
        ("claims", 2_000, format!("{claims}assert a {{ b0 }};\n")),
        ("assertions", 5_000, format!("declare b as boolean;\n{assertions}")),
        ("source_bytes", 262_144, format!("{}// {}", number("1"), "x".repeat(50_000_000))),
    ] {
        folder.put("hostile.dsail", source);
        let ran = bounded(&folder, "assay compile hostile.dsail");
        let payload: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let error = &payload["error"];
        assert_eq!(
            (ran.code, error["code"].as_str(), error["budget"].as_str(), error["limit"].as_u64()),
            (Some(2), Some("BUDGET_EXCEEDED"), Some(budget), Some(limit)),
            "{}",
            &ran.stdout[..300]
        );
        assert!(error["actual"].as_u64() > Some(limit), "{error}");
        // The same for a person, and for a run.
        let ran = bounded(&folder, "assay compile hostile.dsail --format text");
        assert!(ran.code == Some(2) && ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
    folder.put("large.dsail", vocabulary(10_000));
    folder.put("large.json", "{\"e\": \"w7\"}");
    let ran = bounded(&folder, "assay check large.dsail --claims large.json --format text");
    assert!(ran.code == Some(0) && ran.stdout.starts_with("TRUE "), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn claims_are_rejected_by_the_limit_that_they_pass() {
    let folder = Folder::new();
    let amount = |value: &str| format!("{{\"amount\": {value}, \"has_receipt\": true, \"nights\": 1}}");
    let fields: String = (0..100_000).map(|field| format!("\"f{field}\": 1, ")).collect();
    for (claims, told) in [
        (amount(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))), "nested deeper than 64 levels"),
        (
            amount(&format!("{}1{}", "{\"value\": ".repeat(100_000), "}".repeat(100_000))),
            "nested deeper than 64 levels",
        ),
        (amount("1e999999999"), "an exponent is at most 400"),
        (amount("-1e-99999999999999999999"), "an exponent is at most 400"),
        (amount(&"9".repeat(1_000_000)), "digits"),
        (amount(&format!("\"{}\"", "x".repeat(10_000_000))), "a number in USD"),
        (format!("{{{fields}\"nights\": 1}}"), "\"failure_count\":10000"),
    ] {
        folder.put("hostile.json", claims);
        let ran = bounded(&folder, "assay check policy.dsail --claims hostile.json");
        assert!(
            ran.code == Some(2) && ran.stdout.contains(told),
            "{told}: {:?} {:.500}",
            ran.code,
            ran.stdout
        );
        // A refusal does not give back all that came.
        assert!(ran.stdout.len() < 50_000, "{told}: {} bytes", ran.stdout.len());
    }
}

#[test]
fn a_row_of_a_hundred_thousand_unknown_fields_is_a_row() {
    let folder = Folder::new();
    let (mut json, mut head, mut cells) = (String::new(), String::new(), String::new());
    for field in 0..100_000 {
        write!(json, "\"f{field}\": {field}, ").expect("a field");
        write!(head, "f{field},").expect("a name");
        write!(cells, "{field},").expect("a cell");
    }
    let plain = |total: u32| {
        format!(
            "\"number\": \"{total}\", \"total\": {total}, \"currency\": \"USD\", \"receipt\": true, \"nights\": 1, \"department\": \"sales\""
        )
    };
    folder.put("wide.jsonl", format!("{{{}}}\n{{{json}{}}}\n{{{}}}\n", plain(1), plain(2), plain(3)));
    let row = |total: u32| format!("{cells}{total},{total},USD,Y,1,sales\n");
    let head = format!("{head}number,total,currency,receipt,nights,department\n");
    folder.put("wide.csv", [head, row(1), row(2), row(3)].concat());
    for input in ["wide.jsonl", "wide.csv"] {
        let ran =
            bounded(&folder, &format!("assay run job.toml --input {input} --output {input}.out --threads 1"));
        assert!(ran.code == Some(0) && ran.stderr.contains("3 rows read, 3 checked"), "{}", ran.stderr);
        let results =
            std::fs::read_to_string(folder.path(&format!("{input}.out/results.csv"))).expect("results");
        assert_eq!(results.lines().count(), 4, "{results}");
    }
}

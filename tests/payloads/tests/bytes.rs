//! Payloads byte for byte: canonical, and pure.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests

use std::io::Write;
use std::process::{Command, Stdio};

use assay_service::canonical;
use assay_tests_payloads::{fixtures, payloads};
use serde_json::{Value, json};

/// What `fixtures/payloads/python_bytes.py` says of each text.
fn python(texts: &[String]) -> Vec<String> {
    let script = fixtures().join("payloads/python_bytes.py");
    let mut child = Command::new("python3")
        .arg(&script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3, which these tests hold the bytes against");
    let input: String = texts.iter().map(|text| format!("{text}\n")).collect();
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("python3 reads");
    let output = child.wait_with_output().expect("python3 ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// The payloads with a number that a float does not hold, or that Python writes with an exponent: all of them are
/// about such numbers. Everywhere else a plain `json.loads` and `json.dumps` gives the payload back.
const BEYOND_FLOATS: [&str; 4] =
    ["compile/small_numbers", "prompt_pack/small_numbers", "units/built_in", "units/project"];

#[test]
fn payloads_are_the_bytes_that_python_writes() {
    let payloads = payloads();
    let texts: Vec<String> = payloads.iter().map(|payload| payload.text.clone()).collect();
    let said = python(&texts);
    assert_eq!(said.len(), payloads.len());
    let mut wrong = Vec::new();
    for (payload, said) in payloads.iter().zip(said) {
        let float = !BEYOND_FLOATS.contains(&payload.name.as_str());
        let expected = if float { "same float" } else { "same digits" };
        if said != expected {
            wrong.push(format!("{}: {said}, not {expected}", payload.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_character_is_written_as_python_writes_it() {
    let every = (0..=0x10_ffff_u32)
        .filter_map(char::from_u32)
        .filter(|letter| !('\u{f0000}'..'\u{f0010}').contains(letter));
    let every: Vec<char> = every.collect();
    let texts: Vec<String> = every
        .chunks(4096)
        .map(|letters| {
            let text: String = letters.iter().collect();
            canonical::to_string(
                &json!({ text.clone(): text, "é": 1, "z": 2, "\u{e000}": 3, "\u{10000}": 4, "": 5 }),
            )
        })
        .collect();
    let said = python(&texts);
    assert_eq!(said.len(), texts.len());
    assert!(said.iter().all(|said| said == "same float"), "{said:?}");
}

#[test]
fn canonical_forms() {
    let cases = [
        ("{\"b\": 1, \"a\": [ ], \"B\": { }}", "{\"B\":{},\"a\":[],\"b\":1}"),
        // In UTF-16, the order of Java and JavaScript, these two stand the other way round.
        ("{\"\\ud83d\\ude00\":1,\"\\uffee\":2}", "{\"\u{ffee}\":2,\"\u{1f600}\":1}"),
        (
            "[\"\\u0000\\u001f\\u007f\\u2028\\/\\b\\f\\n\\r\\t\\\"\\\\\"]",
            "[\"\\u0000\\u001f\u{7f}\u{2028}/\\b\\f\\n\\r\\t\\\"\\\\\"]",
        ),
        (
            "[0, -0, 0.0, 1.50, 1e3, 1E-3, -2.5e-1, 12345678901234567890123]",
            "[0,0,0,1.5,1000,0.001,-0.25,12345678901234567890123]",
        ),
        ("[0.1, 100000000000000000000.5, 0.00001]", "[0.1,100000000000000000000.5,0.00001]"),
        ("[true,false,null,\"\"]", "[true,false,null,\"\"]"),
    ];
    for (input, expected) in cases {
        let value: Value = serde_json::from_str(input).expect("JSON");
        assert_eq!(canonical::to_string(&value), expected, "{input}");
    }
}

#[test]
fn payloads_are_pure() {
    let (first, second) = (payloads(), std::thread::spawn(payloads).join().expect("a thread"));
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first.text, second.text, "{}", first.name);
    }
    assert_eq!(first.len(), second.len());
}

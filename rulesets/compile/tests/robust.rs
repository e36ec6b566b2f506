//! Whatever the source, compiling answers: a ruleset whose every assertion has a formula, or a refusal with an error.

mod support;

use assay_compile::{Measures, Options, compile, resolve};
use assay_units::Library;

const SOURCES: [&str; 3] = [
    "version 1.3;\n// @ask amount What?\n// @unit amount USD\n// @range amount 0..100\ndeclare amount as numeric;\n\
     declare kind as enum {\"meals\", \"travel\"};\ndeclare grade as enum [\"low\", \"high\"];\n\
     declare ok as boolean;\ndeclare local l as numeric;\nlet l = amount / 2 + 1 \"EUR\" - -5 \"USD\";\n\
     // It holds.\nassert a [pessimistic] { Implies(amount > 75 \"USD\", And(ok, kind == \"meals\")) };\n\
     assert b { CASE kind OF \"meals\": l <= 3 \"USD\", DEFAULT: grade < \"high\" END };\n",
    "declare n as numeric;\ndeclare b as boolean;\ndeclare c as boolean;\ndeclare local m as enum {\"x\", \"y\"};\n\
     let m = IF b THEN \"x\" ELSE \"y\" END;\n\
     assert q { AtLeast(n % 2, v in Union({b, c}, Difference({True}, {c})), Not(v)) };\n\
     assert r { CountWhere(v in [n, 1, n * 2], IsMember(v, {1, 2})) == 2 };\n\
     assert s { ForAll(v in {\"x\"}, Exists(w in {m, v}, w == v)) };\n\
     assert t { IsSubset({n, 1}, Intersect({1}, {n, 2})) };\n",
    "// @unit t degC\ndeclare t as numeric;\n// @unit d d\ndeclare d as numeric;\ndeclare local x as boolean;\n\
     declare local y as boolean;\nlet x = And(t > 0 \"degF\", y);\nlet y = d <= 1 \"mo\" ;\n\
     assert u { If(x, Xor(x, y), d % 2 \"h\" == 0 \"d\") };\nassert v { CASE d OF 1 \"wk\": y, DEFAULT: True END };\n",
];

/// A small generator of numbers, so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

fn words(source: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = false;
    for letter in source.chars() {
        let is_word = letter.is_alphanumeric() || letter == '_' || letter == '.';
        match words.last_mut() {
            Some(last) if word && is_word => last.push(letter),
            _ => words.push(letter.to_string()),
        }
        word = is_word;
    }
    words
}

#[test]
fn any_source_is_answered() {
    let all: Vec<Vec<String>> = SOURCES.iter().map(|source| words(source)).collect();
    let mut random = Random(7);
    let mut compiled = 0;
    for round in 0..6_000 {
        let mut source = all[round % all.len()].clone();
        for _ in 0..1 + random.below(3) {
            let (at, other) = (random.below(source.len()), &all[random.below(all.len())]);
            let word = other[random.below(other.len())].clone();
            match random.below(4) {
                0 => drop(source.remove(at)),
                1 => source.insert(at, word),
                2 => source[at] = word,
                _ => {
                    let to = random.below(source.len());
                    source.swap(at, to);
                }
            }
        }
        let source = source.concat();
        match compile(source.as_bytes(), &Options::default()) {
            Ok(ruleset) => {
                compiled += 1;
                let measures = Measures::declared(&ruleset);
                for index in 0..ruleset.assertions.len() {
                    let formula = resolve(&ruleset, index, &measures, &Library::built_in());
                    assert!(formula.root().index() < formula.nodes().len());
                }
            }
            Err(refusal) => {
                assert!(refusal.diagnostics.iter().any(|one| one.is_error()), "{source}");
                let starts: Vec<u32> = refusal.diagnostics.iter().map(|one| one.span.start).collect();
                assert!(starts.is_sorted(), "{source}");
            }
        }
    }
    assert!(compiled > 100, "{compiled}");
}

#[test]
fn what_is_no_text_is_refused() {
    for bytes in [&b"\xff\xfe"[..], b"declare x as boolean;\0", b"\xef\xbb\xbfdeclare x as boolean;"] {
        let refusal = compile(bytes, &Options::default()).expect_err("no text");
        assert!(refusal.diagnostics.iter().any(|one| one.is_error()));
    }
}

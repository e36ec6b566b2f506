//! Whatever the bytes, parsing answers: it neither panics nor overflows the stack nor takes more than linear time.

use assay_syntax::{Diagnostic, Level, parse, render};

/// Parses bytes, renders what was found, and checks what always holds.
fn check(bytes: &[u8]) -> Vec<Diagnostic> {
    let parsed = parse(bytes);
    let rendered = render(parsed.source.as_ref(), "policy.dsail", &parsed.diagnostics, false);
    assert!(!rendered.chars().any(|c| c.is_control() && c != '\n'), "a control character: {rendered:?}");
    assert!(parsed.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start), "not in source order");
    if let Some(source) = &parsed.source {
        for diagnostic in &parsed.diagnostics {
            assert!(
                source.text().get(diagnostic.span.start as usize..diagnostic.span.end as usize).is_some()
            );
        }
    }
    parsed.diagnostics
}

/// A source that has every form of the language.
const EVERYTHING: &str = r#"version 1.3;
// @ask amount What is the total?
// @unit amount USD
// @range amount 0..5000
declare amount as numeric;
declare tier as enum ["low", "mid", "a \"high\" \\ one"];
declare kind as enum {"meal", "taxi"};
declare ok as boolean; // @context ok Look at the stamp.
declare local half as numeric;
let half = -amount / 2 + 3e2 "USD" * 1.5 % -7;

// A rule in words.
assert cap [pessimistic] { Implies(half <= 250 "USD", And(ok, Not(tier == "low"))) };
assert choice { IF kind == "meal" THEN ok ELSE If(ok, True, False) END };
assert branch { CASE tier OF "low": ok, "mid": Xor(ok, True), DEFAULT: False END };
assert some { AtLeast(2, x in {ok, tier >= "mid", True}, x) };
assert members { IsMember(kind, {"meal"}) != IsSubset(Union({1, 2}, [3]), {1}) };
assert count { CountWhere(x in {amount, half}, x > 0 "USD") <= 1 };
"#;

/// A linear congruential generator (Knuth's MMIX constants): the same sources in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn the_source_with_every_form_has_no_errors() {
    assert_eq!(check(EVERYTHING.as_bytes()), []);
}

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let length = random.below(300);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        check(&bytes);
    }
}

#[test]
fn changed_sources() {
    const PIECES: [&str; 30] = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        ":",
        "\"",
        "\\",
        "//",
        "// @unit ",
        "IF ",
        " THEN ",
        " END",
        "CASE ",
        " OF ",
        "-",
        "==",
        " and ",
        " in ",
        "And(",
        "assert ",
        "declare ",
        "let ",
        "é",
        "１",
        "\0",
        "\r\n",
    ];
    let mut random = Random(2);
    for _ in 0..4_000 {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len().max(1)).min(text.len().saturating_sub(1));
            let piece = PIECES[random.below(PIECES.len())].chars();
            match random.below(3) {
                0 if !text.is_empty() => drop(text.remove(at)),
                1 => drop(text.splice(at..at, piece).collect::<Vec<_>>()),
                _ => text.truncate(at + 1),
            }
        }
        check(text.into_iter().collect::<String>().as_bytes());
    }
}

#[test]
fn one_missing_word_gives_at_most_two_messages() {
    // Every word taken out once: the sharpest test there is of recovery.
    let tokens = EVERYTHING.split_inclusive(' ').scan(0, |at, piece| {
        let start = *at;
        *at += piece.len();
        Some(start..*at)
    });
    for gone in tokens {
        let mut text = EVERYTHING.to_owned();
        text.replace_range(gone.clone(), "");
        let found = check(text.as_bytes());
        assert!(found.len() <= 2, "without {:?}: {found:#?}", &EVERYTHING[gone]);
    }
}

#[test]
fn hostile_shapes() {
    let repeated = |piece: &str| piece.repeat(256 * 1024 / piece.len());
    for piece in [
        "(",
        "[",
        "{",
        "-",
        "- ",
        "!",
        "not ",
        "+",
        "And(",
        "IF ",
        "CASE ",
        "IF a THEN ",
        "CASE a OF \"b\": ",
        "\"",
        "'",
        "«",
        "/*",
        "\\",
        "\"\\",
        ";",
        ";\n",
        ",",
        "a ",
        "a and ",
        "a < ",
        "a = ",
        "1 ",
        "1.",
        ".5",
        "@",
        "é",
        "\0",
        "//",
        "//\n",
        "// @units\n",
        "assert ",
        "assert a {",
        "declare ",
        "assert a { ForAll(x in ",
        "assert a {};\n",
        "\n",
        "\u{feff}",
        "a(",
        "1 km/",
        "AtLeast(",
        "{a,",
        "f(a b ",
    ] {
        check(repeated(piece).as_bytes());
        check(format!("assert x {{ {}", repeated(piece).get(..200_000).unwrap_or_default()).as_bytes());
    }
}

#[test]
fn the_limit_of_nesting() {
    let nested = |open: &str, close: &str, depth: usize| {
        let source = format!(
            "declare a as boolean;\nassert x {{ {}a{} }};\n",
            open.repeat(depth),
            close.repeat(depth)
        );
        check(source.as_bytes())
    };
    for (open, close) in
        [("(", ")"), ("Not(", ")"), ("- ", ""), ("IF a THEN ", " END"), ("If(a, a, ", ")"), ("{", "}")]
    {
        assert_eq!(nested(open, close, 128), [], "{open}");
        let found = nested(open, close, 129);
        assert_eq!(found.len(), 1, "{open}: {found:?}");
        let budget = found[0].budget.clone().expect("a budget");
        assert_eq!((budget.budget, budget.limit, budget.actual), ("nesting", 128, 129));
        assert_eq!(nested(open, close, 20_000).len(), 1, "{open}");
    }
}

#[test]
fn the_limit_of_bytes() {
    let mut source = "declare a as boolean;\n".to_owned();
    source.push_str(&"// \r\n".repeat(1_000));
    let lines = source.matches('\r').count();
    source.push_str(&" ".repeat(256 * 1024 + lines - source.len()));
    assert_eq!(check(source.as_bytes()), []);
    source.push(' ');
    let found = check(source.as_bytes());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].level, Level::Error);
    assert_eq!(
        found[0].budget.as_ref().map(|budget| (budget.limit, budget.actual)),
        Some((262_144, 262_145))
    );
}

//! Every consequence that the reference lists, on both routes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_engine::{Answer, Before, Route, Settings};

/// The words of the answers, and why they were not settled.
#[track_caller]
fn check(declarations: &str, assertion: &str, claims: &str, word: &str, reason: Option<&str>) {
    let source = match assertion.starts_with('[') {
        true => format!("{declarations}\nassert it {assertion};"),
        false => format!("{declarations}\nassert it {{ {assertion} }};"),
    };
    for route in [Route::Auto, Route::Z3] {
        let settings = Settings { route, ..Settings::default() };
        let answer = answers(&source, claims, settings).remove(0);
        let seen = (answer.word.as_str(), answer.reason_unknown.as_deref());
        assert_eq!(seen, (word, reason), "{source:.2000}\n{assertion}\n{claims}\n{route:?}");
    }
}

/// The answers to one dictionary.
fn answers(source: &str, claims: &str, settings: Settings) -> Vec<Answer> {
    let ruleset = support::ruleset(source);
    let dictionary = support::dictionary(&ruleset, claims);
    support::plan(&ruleset, settings).decide_all(&[dictionary]).unwrap().remove(0)
}

const EXPENSE: &str = r#"
// @unit amount USD
declare amount as numeric;
declare has_receipt as boolean;
declare category as enum {"meals", "travel"};
declare nights as numeric;
"#;

#[test]
fn unknown_claims() {
    let unknown = r#"{"amount": null, "has_receipt": null, "category": null, "nights": null}"#;
    for (assertion, word, reason) in [
        ("Or(has_receipt, Not(has_receipt))", "TRUE", None),
        ("amount == amount", "TRUE", None),
        ("nights * nights >= 0", "TRUE", None),
        ("nights * nights == 2", "UNKNOWN", Some("unbound: nights")),
        ("nights * nights < 0", "FALSE", None),
        (r#"category != "meals""#, "UNKNOWN", Some("unbound: category")),
        (r#"category == "meals""#, "UNKNOWN", Some("unbound: category")),
        (r#"Or(category != "meals", category == "meals")"#, "TRUE", None),
        (r#"Or(category == "travel", category == "meals")"#, "TRUE", None),
        (r#"amount <= 5 "USD""#, "UNKNOWN", Some("unbound: amount")),
        (r#"[pessimistic] { amount <= 5 "USD" }"#, "FALSE", Some("unbound: amount")),
        (r#"[optimistic] { amount <= 5 "USD" }"#, "TRUE", Some("unbound: amount")),
        (r#"And(has_receipt, amount <= 5 "USD")"#, "UNKNOWN", Some("unbound: amount, has_receipt")),
    ] {
        check(EXPENSE, assertion, unknown, word, reason);
    }
}

#[test]
fn one_claim_unknown() {
    let claims = r#"{"amount": "50 USD", "has_receipt": null, "category": "meals", "nights": null}"#;
    check(EXPENSE, r#"Implies(amount > 75 "USD", has_receipt)"#, claims, "TRUE", None);
    check(
        EXPENSE,
        r#"Implies(amount > 25 "USD", has_receipt)"#,
        claims,
        "UNKNOWN",
        Some("unbound: has_receipt"),
    );
    let claims = r#"{"amount": "900 USD", "has_receipt": null, "category": "meals", "nights": null}"#;
    check(EXPENSE, r#"Implies(nights >= 2, amount / nights <= 450 "USD")"#, claims, "TRUE", None);
    check(
        EXPENSE,
        r#"Implies(nights >= 1, amount / nights <= 450 "USD")"#,
        claims,
        "UNKNOWN",
        Some("unbound: nights"),
    );
}

#[test]
fn division_by_zero() {
    let claims = r#"{"amount": "900 USD", "has_receipt": null, "category": "meals", "nights": 0}"#;
    for (assertion, word, reason) in [
        (r#"amount / nights <= 80 "USD""#, "UNKNOWN", Some("division by zero")),
        (r#"[pessimistic] { amount / nights <= 80 "USD" }"#, "FALSE", Some("division by zero")),
        ("amount / nights == amount / nights", "TRUE", None),
        (r#"amount / nights == 900 "USD" / (nights * 2)"#, "TRUE", None),
        (r#"amount / nights == 901 "USD" / nights"#, "UNKNOWN", Some("division by zero")),
        ("7 % nights == 7", "UNKNOWN", Some("division by zero")),
        ("7 % nights == 7 % (nights * 3)", "TRUE", None),
        ("7 % nights == 8 % nights", "UNKNOWN", Some("division by zero")),
        ("Implies(nights > 0, 7 % nights == 7)", "TRUE", None),
        (
            r#"Or(has_receipt, amount / nights <= 80 "USD")"#,
            "UNKNOWN",
            Some("unbound: has_receipt; division by zero"),
        ),
        ("0 * (7 / nights) == 0", "TRUE", None),
    ] {
        check(EXPENSE, assertion, claims, word, reason);
    }
}

const THREE: &str = "
// @unit total USD
declare total as numeric;
// @unit net USD
declare net as numeric;
// @unit tax USD
declare tax as numeric;
";

#[test]
fn units_that_nothing_bridges() {
    let euros = r#"{"total": "120 EUR", "net": "100 EUR", "tax": "20 EUR"}"#;
    let mixed = r#"{"total": "1 EUR", "net": "2 GBP", "tax": "20 USD"}"#;
    for (assertion, claims, word, reason) in [
        ("total == net + tax", euros, "TRUE", None),
        ("total == net", euros, "FALSE", None),
        (r#"total <= 5 "USD""#, euros, "UNKNOWN", Some("unbridged: EUR -> USD")),
        (r#"[pessimistic] { total <= 5 "USD" }"#, euros, "FALSE", Some("unbridged: EUR -> USD")),
        (r#"[optimistic] { total <= 5 "USD" }"#, euros, "TRUE", Some("unbridged: EUR -> USD")),
        (r#"Or(True, total <= 5 "USD")"#, euros, "TRUE", None),
        (r#"And(total == 5 "USD", total == 6 "USD")"#, euros, "FALSE", None),
        (
            r#"And(total <= 5 "USD", net <= 5 "USD")"#,
            mixed,
            "UNKNOWN",
            Some("unbridged: EUR -> USD, GBP -> USD"),
        ),
        (r#"Or(total <= 5 "USD", net <= 5 "USD", tax <= 20 "USD")"#, mixed, "TRUE", None),
        (r#"And(tax <= 20 "USD", total <= 5 "USD")"#, mixed, "UNKNOWN", Some("unbridged: EUR -> USD")),
    ] {
        check(THREE, assertion, claims, word, reason);
    }
}

#[test]
fn interval_conversions() {
    let declarations = "
// @unit term d
declare term as numeric;
// @unit grace d
declare grace as numeric;
";
    let month = r#"{"term": "1 mo", "grace": "1 mo"}"#;
    for (assertion, claims, word, reason) in [
        (r#"term <= 32 "d""#, month, "TRUE", None),
        (r#"term <= 27 "d""#, month, "FALSE", None),
        (r#"term <= 30 "d""#, month, "UNKNOWN", Some("interval: mo -> d")),
        (r#"[optimistic] { term <= 30 "d" }"#, month, "TRUE", Some("interval: mo -> d")),
        ("term == grace", month, "TRUE", None),
        (r#"term == 30 "d""#, r#"{"term": "30 d", "grace": "1 yr"}"#, "TRUE", None),
        (r#"grace >= 365 "d""#, r#"{"term": "1 mo", "grace": "1 yr"}"#, "TRUE", None),
        (
            r#"grace == 12 * term"#,
            r#"{"term": "1 mo", "grace": "1 yr"}"#,
            "UNKNOWN",
            Some("interval: yr -> d, mo -> d"),
        ),
    ] {
        check(declarations, assertion, claims, word, reason);
    }
}

#[test]
fn locals() {
    let declarations = "declare a as numeric; declare local free as boolean; declare local twice as numeric; let twice = 2 * a;";
    check(declarations, "Or(free, a > 1)", r#"{"a": 1}"#, "UNKNOWN", Some("undefined local: free"));
    check(
        declarations,
        "Or(free, a > 1)",
        r#"{"a": null}"#,
        "UNKNOWN",
        Some("unbound: a; undefined local: free"),
    );
    check(declarations, "twice == 2", r#"{"a": 1}"#, "TRUE", None);
    check(declarations, "twice == 2", r#"{"a": null}"#, "UNKNOWN", Some("unbound: a"));
}

/// Sizes past any use end in words, not in a crash.
#[test]
fn sizes() {
    let mut squared = "declare a as numeric; declare local l0 as numeric; let l0 = a * a;".to_owned();
    for level in 1..60 {
        let before = level - 1;
        squared += &format!("declare local l{level} as numeric; let l{level} = l{before} * l{before};");
    }
    let unknown = Some("unbound: a; solver limit");
    check(&squared, "l59 >= 0", r#"{"a": 1.5}"#, "UNKNOWN", Some("solver limit"));
    check(&squared, "[pessimistic] { l59 >= 0 }", r#"{"a": 1.5}"#, "UNKNOWN", Some("solver limit"));
    check(&squared, "l59 >= 0", r#"{"a": null}"#, "UNKNOWN", unknown);
    check(&squared, "l59 == 1", r#"{"a": -1}"#, "TRUE", None);
    check(&squared, "Or(a == 1.5, l59 >= 0)", r#"{"a": 1.5}"#, "TRUE", None);

    let mut chain = "declare a as numeric; declare local l0 as numeric; let l0 = a + 1;".to_owned();
    for level in 1..3_000 {
        let before = level - 1;
        chain += &format!(
            "declare local l{level} as numeric; let l{level} = If(a > {level}, l{before} + 1, l{before});"
        );
    }
    check(&chain, "l2999 >= a", r#"{"a": 1.5}"#, "TRUE", None);
    check(&chain, "l2999 * 0 == 0", r#"{"a": null}"#, "TRUE", None);
}

/// Small numbers whose operations take long, and questions that the solver would choke on before it counts a step.
#[test]
fn numbers_that_take_long() {
    let squares = |of: &str, name: &str, count: usize| {
        let first = format!("declare local {name}0 as numeric; let {name}0 = {of};");
        (1..count).fold(first, |text, level| {
            let before = level - 1;
            text + &format!(
                "declare local {name}{level} as numeric; let {name}{level} = {name}{before} * {name}{before};"
            )
        })
    };
    // Every sum is small enough, and there are three thousand of them to reduce.
    let harmonic: Vec<String> = (1..3_000).map(|n| format!("1 / (a + {n})")).collect();
    let number = format!(r#"{{"a": {}}}"#, "7".repeat(60));
    let sum = harmonic.join(" + ");
    check("declare a as numeric;", &format!("{sum} > 0"), &number, "UNKNOWN", Some("solver limit"));
    check("declare a as numeric;", &format!("Or(a > 1, {sum} > 0)"), &number, "TRUE", None);
    // Nearly the same: a comparison by continued fractions would go tens of thousands of levels deep.
    let near = format!("declare a as numeric; {}{}", squares("a / 7", "l", 14), squares("1 / 11", "k", 14));
    check(&near, "l13 < l13 + k13", r#"{"a": 3}"#, "TRUE", None);
    check(&near, "l13 == l13 + k13", r#"{"a": 3}"#, "FALSE", None);
    // Whole numbers cost nothing like that.
    let whole = format!("declare a as numeric; {}", squares("a", "l", 17));
    check(&whole, "l16 % 5 == 1", r#"{"a": 2}"#, "TRUE", None);
    // A coefficient of a hundred thousand digits is not asked about, nor a product of a million terms.
    let unknown = r#"{"a": 3, "x": null}"#;
    let open = format!("declare x as numeric; {near}");
    let product = format!("Not(And(x > 1, x{} == l13 * l11 + 1))", " * l13".repeat(10));
    check(&open, &product, unknown, "UNKNOWN", Some("unbound: x; solver limit"));
    let booleans: String = (0..1_200).map(|n| format!("declare b{n} as boolean;")).collect();
    let all: Vec<String> = (0..1_200).map(|n| format!("b{n}")).collect();
    let count = format!("CountWhere(y in {{{}}}, y)", all.join(", "));
    let claims: Vec<String> = all.iter().map(|name| format!("\"{name}\": null")).collect();
    let answer = answers(
        &format!("{booleans} assert it {{ {count} * ({count} + 1) != 1000001 }};"),
        &format!("{{{}}}", claims.join(", ")),
        Settings::default(),
    );
    assert_eq!(answer[0].before, Before::GaveUp);
}

/// A question past the solver's limit is given up on both routes, under every policy.
#[test]
fn giving_up() {
    let source = |policy: &str| {
        format!(
            "declare x as numeric; declare y as numeric; declare z as numeric; declare w as numeric;
             assert it {policy} {{ Not(And(x*x*x + y*y*y + z*z*z == 33 * w * w, x*y*z*w == 7, x*x + y*z == w + 1, \
             x > 0, y > x, z > y + 1)) }};"
        )
    };
    let claims = r#"{"x": null, "y": null, "z": null, "w": null}"#;
    for policy in ["", "[pessimistic]", "[optimistic]"] {
        for route in [Route::Auto, Route::Z3] {
            let settings = Settings { route, rlimit: 1_000, ..Settings::default() };
            let answer = answers(&source(policy), claims, settings).remove(0);
            assert_eq!(answer.before, Before::GaveUp);
            assert_eq!(answer.word.as_str(), "UNKNOWN");
            assert_eq!(answer.reason_unknown.as_deref(), Some("unbound: x, y, z, w; solver limit"));
        }
    }
}

/// Where the solver gives up and evaluation decides, evaluation's answer stands.
#[test]
fn evaluation_stands_where_the_solver_gives_up() {
    let source = "declare x as numeric; assert it { x * x * x + x * x == 36 };";
    for route in [Route::Auto, Route::Z3] {
        let settings = Settings { route, rlimit: 1, ..Settings::default() };
        let answer = answers(source, r#"{"x": 3}"#, settings).remove(0);
        assert_eq!(answer.before, Before::True);
    }
}

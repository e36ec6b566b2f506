//! Sources made to be large: refused with the limit named, or compiled in bounded time, memory and stack.

mod support;

use assay_compile::{Measures, Options, compile, resolve};
use assay_syntax::Budget;
use assay_units::Library;
use support::{compiled, diagnostics};

/// The limits that a source went past, in source order.
fn budgets(source: &str) -> Vec<Budget> {
    match compile(source.as_bytes(), &Options::default()) {
        Ok(_) => Vec::new(),
        Err(refusal) => refusal.diagnostics.into_iter().filter_map(|one| one.budget).collect(),
    }
}

fn budget(budget: &'static str, limit: u64, actual: u64) -> Budget {
    Budget { budget, limit, actual }
}

/// The nodes of the formula of the last assertion.
fn nodes(source: &str) -> usize {
    let ruleset = compiled(source);
    let measures = Measures::declared(&ruleset);
    resolve(&ruleset, ruleset.assertions.len() - 1, &measures, &Library::built_in()).nodes().len()
}

fn lines(range: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    range.map(line).collect()
}

#[test]
fn counts_have_limits() {
    let claims = |count| lines(0..count, |i| format!("declare c{i} as boolean;\n"));
    assert_eq!(budgets(&format!("{}assert a {{ c0 }};", claims(2_000))), []);
    assert_eq!(budgets(&format!("{}assert a {{ c0 }};", claims(2_001))), [budget("claims", 2_000, 2_001)]);

    let assertions = |count| lines(0..count, |i| format!("assert a{i} {{ b }};\n"));
    assert_eq!(budgets(&format!("declare b as boolean;\n{}", assertions(5_000))), []);
    assert_eq!(
        budgets(&format!("declare b as boolean;\n{}", assertions(5_003))),
        [budget("assertions", 5_000, 5_003)]
    );

    let members = |count| lines(0..count, |i| format!("\"{i}\",")).trim_end_matches(',').to_owned();
    let vocabulary = |count| format!("declare e as enum {{{}}};\nassert a {{ e == \"7\" }};", members(count));
    assert_eq!(budgets(&vocabulary(10_000)), []);
    assert_eq!(budgets(&vocabulary(10_001)), [budget("vocabulary_members", 10_000, 10_001)]);

    let number = |digits: usize| format!("declare n as numeric;\nassert a {{ n > {} }};", "1".repeat(digits));
    assert_eq!(budgets(&number(1_000)), []);
    assert_eq!(budgets(&number(1_001)), [budget("number_digits", 1_000, 1_001)]);
    let exponent = |exponent: u32| format!("declare n as numeric;\nassert a {{ n > 1e-{exponent} }};");
    assert_eq!(budgets(&exponent(400)), []);
    assert_eq!(budgets(&exponent(401)), [budget("number_exponent", 400, 401)]);
}

#[test]
fn unrolling_is_counted_while_it_goes_on() {
    let set = lines(0..40, |i| format!("{i},")).trim_end_matches(',').to_owned();
    let nested = |depth: usize| {
        let quantifiers = lines(0..depth, |i| format!("ForAll(x{i} in {{{set}}}, "));
        format!("declare n as numeric;\nassert a {{ {quantifiers}n > x0{} }};", ")".repeat(depth))
    };
    assert_eq!(budgets(&nested(2)), []);
    // A tower of 10^64 copies is refused as soon as the first two hundred thousand nodes are.
    for depth in [4, 40] {
        let found = budgets(&nested(depth));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].budget, found[0].limit), ("expression_nodes", 200_000));
        assert!((200_001..200_100).contains(&found[0].actual), "{found:?}");
    }
    // The errors of other statements are found all the same.
    let found = diagnostics(&format!("{}\nassert b {{ x }};", nested(40)), &Options::default());
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].starts_with("3: `x` is not declared"), "{found:?}");
}

#[test]
fn an_element_that_doubles_is_counted_before_it_is_copied() {
    let doubling = |depth: usize| {
        let quantifiers = lines(1..depth, |i| format!("ForAll(x{i} in {{x{0} + x{0}}}, ", i - 1));
        let end = ")".repeat(depth);
        format!(
            "declare n as numeric;\nassert a {{ ForAll(x0 in {{n}}, {quantifiers}x{} > 0{end} }};",
            depth - 1
        )
    };
    assert_eq!(budgets(&doubling(10)), []);
    assert_eq!(budgets(&doubling(100))[0].budget, "expression_nodes");
}

#[test]
fn sets_of_sets_are_counted() {
    let set =
        |from: usize, to: usize| lines(from..to, |i| format!("n + {i},")).trim_end_matches(',').to_owned();
    let mut sets = format!("{{{}}}", set(0, 30));
    for at in 1..30 {
        sets = format!("Difference({sets}, {{{}}})", set(at * 30, at * 30 + 30));
    }
    let source = format!("declare n as numeric;\nassert a {{ CountWhere(x in {sets}, x > 1) > 2 }};");
    assert_eq!(budgets(&source)[0].budget, "expression_nodes");
}

#[test]
fn elements_within_elements_are_bounded_in_depth() {
    // Each element is as deep as a source may nest, and has the one before it at its bottom.
    let source = |levels: usize| {
        let last = levels - 1;
        let mut body = format!("{}x{last}{} > 1", "-(1 + ".repeat(50), ")".repeat(50));
        for level in (0..levels).rev() {
            let before = if level == 0 { "n".to_owned() } else { format!("x{}", level - 1) };
            let depth = 55 - level;
            let element = format!("{}{before}{}", "-(1 + ".repeat(depth), ")".repeat(depth));
            body = format!("ForAll(x{level} in {{{element}}}, {body})");
        }
        format!("declare n as numeric;\nassert a {{ {body} }};")
    };
    assert!(nodes(&source(4)) > 0);
    let found = budgets(&source(20));
    assert!(found.iter().any(|one| (one.budget, one.limit) == ("nesting", 500)), "{found:?}");
}

#[test]
fn the_deepest_source_compiles_and_resolves_on_a_small_stack() {
    // What opens a level, what closes it, and the boolean or number that the levels make.
    let deep = [
        ("Not(", ")", "b"),
        ("And(b, Or(False, b == ", "))", "b"),
        ("If(b, b, ", ")", "b"),
        ("IF b THEN ", " END", "b"),
        ("CASE n OF 1: b, DEFAULT: ", " END", "b"),
        ("ForAll(x in {b}, ", ")", "b"),
        ("IsMember(", ", {True})", "b"),
        ("Exists(x in Difference(Intersect({b}, {", "}), {b}), x)", "b"),
        ("(1 + 2 * ", ")", "n"),
        ("-(1 - 2 % ", ")", "n"),
        ("If(b, n, 1 + 2 * ", ")", "n"),
        ("CountWhere(x in {", " > 1}, x)", "n"),
    ];
    for (open, close, bottom) in deep {
        let source = |levels: usize| {
            let body = format!("{}{bottom}{}", open.repeat(levels), close.repeat(levels));
            let body = if bottom == "n" { format!("{body} > 1") } else { body };
            format!("declare b as boolean;\ndeclare n as numeric;\nassert a {{ {body} }};")
        };
        let nested = |levels: &usize| budgets(&source(*levels)).iter().all(|one| one.budget != "nesting");
        let levels = (1..=128).rev().find(nested).expect("a level");
        assert!(levels >= 25, "{open}: {levels}");
        assert!(nodes(&source(levels)) > 0);
    }
}

#[test]
fn chains_are_flat() {
    let sum =
        |terms: usize| format!("declare n as numeric;\nassert a {{ n{} > 1 }};", " +n".repeat(terms - 1));
    assert_eq!(nodes(&sum(87_000)), 4);
    let product = format!("declare n as numeric;\nassert a {{ n{} > 1 }};", "*n".repeat(86_999));
    assert_eq!(nodes(&product), 87_000 + 2);
    let and = format!("declare b as boolean;\nassert a {{ And(b{}) }};", ",b".repeat(80_000));
    assert_eq!(nodes(&and), 2);
}

#[test]
fn a_unit_does_not_grow_without_end() {
    let km = |factors: usize| {
        format!(
            "// @unit n km\ndeclare n as numeric;\nassert a {{ n{} > 1 \"m\" }};",
            "*n".repeat(factors - 1)
        )
    };
    assert!(compile(km(99).as_bytes(), &Options::default()).is_ok());
    let found = diagnostics(&km(10_000), &Options::default());
    assert_eq!(
        found,
        ["3: the unit of this product is too large | a unit has at most 100 atoms, with exponents up to 99"]
    );
    let atoms = lines(1..20_000, |i| format!("*1\"a{i}\""));
    let found = diagnostics(&format!("assert a {{ 1{atoms} > 1 \"m\" }};"), &Options::default());
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_case_of_ten_thousand_arms_is_no_recursion() {
    let members = lines(0..10_000, |i| format!("\"{i}\",")).trim_end_matches(',').to_owned();
    let arms = lines(0..9_999, |i| format!("\"{i}\":{},", i % 2)).trim_end_matches(',').to_owned();
    let source =
        format!("declare e as enum [{members}];\nassert a {{ CASE e OF {arms}, DEFAULT: 2 END > 0 }};");
    let nodes = nodes(&source);
    assert!((29_997..30_010).contains(&nodes), "{nodes}");
    let texts = lines(0..9_999, |i| format!("{i}:\"{}\",", i % 7)).trim_end_matches(',').to_owned();
    let source = format!(
        "declare e as enum [{members}];\ndeclare n as numeric;\nassert a {{ CASE n OF {texts}, DEFAULT: \"8\" END == e }};"
    );
    assert!(compile(source.as_bytes(), &Options::default()).is_ok());
}

#[test]
fn locals_are_lowered_once_however_often_they_are_read() {
    let declare = |count: usize| lines(0..count, |i| format!("declare local x{i} as numeric;\n"));
    let double = lines(1..100, |i| format!("let x{i} = x{0} + x{0};\n", i - 1));
    let source =
        format!("declare n as numeric;\n{}let x0 = n;\n{double}assert a {{ x99 > 1 }};", declare(100));
    assert_eq!(nodes(&source), 102);
    // A chain of thousands overflows no stack, whichever way it is written.
    let count = 3_000;
    let down = lines(0..count - 1, |i| format!("let x{i} = x{}+1;\n", i + 1));
    let source = format!(
        "declare n as numeric;\n{}let x{} = n;\n{down}assert a {{ x0 > 1 }};",
        declare(count),
        count - 1
    );
    assert_eq!(nodes(&source), count + 3 - 1);
    let cycle = format!("{}{down}let x{} = x0;\nassert a {{ x0 > 1 }};", declare(count), count - 1);
    let found = diagnostics(&cycle, &Options::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`x0` -> `x1` -> "), "{found:?}");
}

#[test]
fn thousands_of_errors_are_found_in_a_moment() {
    let members = lines(0..5_000, |i| format!("\"member number {i}\",")).trim_end_matches(',').to_owned();
    let texts = lines(0..5_000, |i| format!("\"nember mumber {i}\",")).trim_end_matches(',').to_owned();
    let source = format!("declare e as enum [{members}];\nassert a {{ IsMember(e, {{{texts}}}) }};");
    let found = diagnostics(&source, &Options::default());
    assert_eq!(found.len(), 1_001);
    assert_eq!(
        found[1_000],
        "2: 4000 more findings are not listed | repair the first ones and compile again"
    );
    assert!(found[0].ends_with("the closest member is `\"member number 0\"`"), "{}", found[0]);
}

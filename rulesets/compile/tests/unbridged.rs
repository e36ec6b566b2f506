//! Which units a ruleset brings together that nothing bridges.

mod support;

use assay_compile::unbridged;
use assay_units::Library;
use support::{compiled, library};

const SOURCE: &str = "// @unit amount USD\ndeclare amount as numeric;\n// @unit nights night\ndeclare nights as numeric;\n\
                      // @unit term mo\ndeclare term as numeric;\n// @unit rate USD/mo\ndeclare rate as numeric;\n\
                      declare local l as numeric;\nlet l = amount + 1 \"EUR\";\n\
                      assert fine { And(amount > 5 \"USD\", term > 1 \"yr\", nights == 2 \"night\") };\n\
                      assert missing { And(amount > 5 \"EUR\", amount > 6 \"EUR\", nights < 3 \"kg\") };\n\
                      assert order { And(term < 30 \"d\", amount < 5 \"box\", term < 1 \"wk\") };\n\
                      assert by_local { l > 0 \"USD\" };\n\
                      assert product { rate * 3 \"d\" < 10 \"USD\" };\n";

fn check(library: &Library, expected: &[&str]) {
    let found: Vec<String> = unbridged(&compiled(SOURCE), library)
        .into_iter()
        .map(|one| format!("{}: {} -> {} {}", one.rule, one.from, one.to, one.cause.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn pairs_are_listed_once_for_each_rule() {
    check(
        &Library::built_in(),
        &[
            "missing: EUR -> USD missing",
            "missing: kg -> night missing",
            "order: mo -> d ambiguous",
            "order: box -> USD missing",
            "by_local: EUR -> USD missing",
            "product: mo -> d ambiguous",
        ],
    );
    check(
        &library(&[("EUR", "USD", "1.08"), ("box", "USD", "20")]),
        &["missing: kg -> night missing", "order: mo -> d ambiguous", "product: mo -> d ambiguous"],
    );
}

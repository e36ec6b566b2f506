//! What comments say about claims.

mod support;

use assay_compile::ClaimKind;
use assay_units::number;
use support::{check_all, compiled};

#[test]
fn annotations_describe_claims() {
    let ruleset = compiled(
        "// @ask amount What was paid?\n// @context amount Tips included.\n//@unit amount US$\n// @range amount -5..1e3\n\
         declare amount as numeric;\n// @range n 0.5..\ndeclare n as numeric;\n// @range m .. -1.5\ndeclare m as numeric;\n\
         declare has_receipt as boolean;\nassert a { has_receipt };",
    );
    let number = |text| Some(number::parse(text).expect("a number"));
    let kind = |at: usize| match &ruleset.claims[at].kind {
        ClaimKind::Numeric { unit, range } => {
            let range = range.clone().expect("a range");
            (unit.as_ref().map(ToString::to_string), range.min, range.max)
        }
        _ => panic!("a number"),
    };
    assert_eq!(ruleset.claims[0].question, "What was paid?");
    assert_eq!(ruleset.claims[0].context.as_deref(), Some("Tips included."));
    assert_eq!(kind(0), (Some("USD".to_owned()), number("-5"), number("1000")));
    assert_eq!(kind(1), (None, number("0.5"), None));
    assert_eq!(kind(2), (None, None, number("-1.5")));
    assert!(ruleset.claims[3].question.contains("has receipt"));
}

#[test]
fn annotations_that_say_nothing_are_refused() {
    let range = "a range is written `lo..hi`, and either end may be left out: `0..1000`, `-40..`, `..100`; the ends are \
                 bare numbers in the claim's unit";
    let not = |text: &str| format!("1: `{text}` is not a range | {range}");
    let (open, unit, words, dots) = (not(".."), not("0 USD..5 USD"), not("zero..one"), not("1...5"));
    check_all(
        "declare amount as numeric;\ndeclare b as boolean;\ndeclare local l as numeric;\n",
        &[
            (
                "// @unit amuont USD",
                &["1: `@unit` names `amuont`, which is not a declared claim | did you mean `amount`?"],
            ),
            (
                "// @ask other What?",
                &[
                    "1: `@ask` names `other`, which is not a declared claim | an annotation is written `// @ask CLAIM TEXT`",
                ],
            ),
            ("// @unit l USD", &["1: `@unit` names `l`, which is a local and not a claim"]),
            ("// @ask b One?\n// @ask b Two?", &["2: a second `@ask` for `b`"]),
            ("// @range b 0..1", &["1: `@range` on `b`, which is not numeric"]),
            ("// @unit b USD", &["1: `@unit` on `b`, which is not numeric"]),
            (
                "// @range amount 5..1",
                &["1: the range `5..1` is empty: its lower end is above its upper end"],
            ),
            ("// @range amount ..", &[&open]),
            ("// @range amount 0 USD..5 USD", &[&unit]),
            ("// @range amount zero..one", &[&words]),
            ("// @range amount 1...5", &[&dots]),
            ("// @range amount 0..1e500", &["1: an exponent beyond 400"]),
            (
                "// @unit amount USD per day",
                &[
                    "1: `USD per day` is not a unit: ` ` at character 4 of the unit | a unit is written like `km/h`, \
                 `USD/night` or `kg*m/s^2`, without spaces or brackets",
                ],
            ),
            // Nothing more is said of a claim whose unit could not be read.
            (
                "// @unit amount U$D\nassert a { amount > 5 \"USD\" };\nassert c { amount > 5 };",
                &[
                    "1: `U$D` is not a unit: `$` names no one currency | write the currency's ISO 4217 code, such as `USD`",
                ],
            ),
        ],
    );
}

//! Names: what may be declared, defined and used where.

mod support;

use assay_compile::Options;
use support::{check_all, compiled, diagnostics};

#[test]
fn names_are_declared_once_and_before_they_are_used() {
    check_all(
        "",
        &[
            ("assert a { x };", &["1: `x` is not declared | declare it first: `declare x as TYPE;`"]),
            (
                "declare amount as numeric;\nassert a { amont > 1 };",
                &["2: `amont` is not declared | did you mean `amount`?"],
            ),
            ("assert a { x };\ndeclare x as boolean;", &["1: `x` is used before it is declared"]),
            ("declare x as boolean;\ndeclare x as numeric;", &["2: `x` is declared twice"]),
            ("declare x as boolean;\ndeclare local x as numeric;", &["2: `x` is declared twice"]),
            ("declare local x as boolean;\ndeclare local x as boolean;", &["2: `x` is declared twice"]),
            (
                "declare x as boolean;\nassert a { x };\nassert a { Not(x) };",
                &["3: two assertions are named `a`"],
            ),
            // An assertion may share its name with a claim.
            ("declare a as boolean;\nassert a { a };", &[]),
        ],
    );
}

#[test]
fn each_use_of_an_unknown_name_is_one_error_and_no_more() {
    check_all(
        "declare b as boolean;\n",
        &[
            (
                "assert a { And(x > 5 \"USD\", x == \"meals\", b) };\nassert c { Not(x) };",
                &[
                    "1: `x` is not declared | declare it first: `declare x as TYPE;`",
                    "1: `x` is not declared | declare it first: `declare x as TYPE;`",
                    "2: `x` is not declared | declare it first: `declare x as TYPE;`",
                ],
            ),
            // A declaration with a type of another dialect is one error, and its uses are none.
            (
                "declare local l as boolean;\nlet l = x;\nassert a { l };",
                &["2: `x` is not declared | declare it first: `declare x as TYPE;`"],
            ),
        ],
    );
}

#[test]
fn locals_are_defined_once_and_without_a_cycle() {
    check_all(
        "declare b as boolean;\ndeclare local x as boolean;\ndeclare local y as boolean;\n",
        &[
            ("let x = b;\nlet y = x;\nassert a { y };", &[]),
            // A definition may stand after its use, and read a local defined later.
            ("assert a { x };\nlet x = Not(y);\nlet y = b;", &[]),
            ("let x = b;\nlet x = Not(b);", &["2: `x` is defined twice"]),
            (
                "let b = True;",
                &[
                    "1: `b` is a claim and is not defined by `let` | a claim's value comes with the claims; declare a local \
                 to give a value a name",
                ],
            ),
            ("let z = b;", &["1: `z` is not declared | declare it first: `declare local z as TYPE;`"]),
            ("let z = b;\ndeclare local z as boolean;", &["1: `z` is defined before it is declared"]),
            (
                "let x = Not(x);",
                &["1: `x` is defined by itself | a local is defined by claims and by other locals"],
            ),
            (
                "let x = y;\nlet y = And(b, x);",
                &[
                    "2: `x` is defined by itself: `x` -> `y` -> `x` | a local is defined by claims and by other locals",
                ],
            ),
            // A variable hides a local, so that this is no cycle.
            ("let x = ForAll(x in {b, True}, x);", &[]),
            ("let x = 5;", &["1: `x` is declared as a boolean and defined as a number"]),
            ("let x = \"b\";", &["1: `x` is declared as a boolean and defined as a string"]),
            // The errors of a definition that cannot be used are found all the same.
            (
                "let x = And(x, 5);",
                &[
                    "1: `x` is defined by itself | a local is defined by claims and by other locals",
                    "1: `And` needs a boolean, and this is a number | compare it with something",
                ],
            ),
        ],
    );
}

#[test]
fn what_is_odd_but_no_error_is_a_warning() {
    let warnings = |source: &str| diagnostics(source, &Options::default());
    assert_eq!(
        warnings("declare x as boolean;"),
        ["1: warning: this ruleset has no assertions | write what should hold: `assert name { ... };`"]
    );
    assert_eq!(
        warnings(
            "declare x as boolean;\ndeclare y as boolean;\ndeclare local l as boolean;\nassert a { x };"
        ),
        [
            "2: warning: the claim `y` is read by no assertion",
            "3: warning: the local `l` is never defined | nothing constrains it until it is: `let l = ...;`",
            "3: warning: the local `l` is never used",
        ]
    );
    assert_eq!(warnings("declare x as boolean;\nassert a { x };"), [""; 0]);
}

#[test]
fn the_policy_of_the_example_compiles_without_a_word() {
    let source = include_str!("../../../fixtures/parliament/policy.dsail");
    assert_eq!(diagnostics(source, &Options { require_descriptions: true }), [""; 0]);
}

#[test]
fn descriptions_are_required_where_they_are() {
    let source = "declare x as boolean;\n// It holds.\nassert a { x };\nassert b { x };";
    let options = Options { require_descriptions: true };
    assert_eq!(
        diagnostics(source, &options),
        ["4: `b` has no description | write what it asks for in a comment directly above its `assert`"]
    );
    assert_eq!(compiled(source).assertions[0].description.as_deref(), Some("It holds."));
}

#[test]
fn an_assertion_keeps_its_text_and_knows_what_it_reads() {
    let ruleset = compiled(
        "declare a as boolean;\ndeclare b as numeric;\ndeclare c as boolean;\ndeclare local open as boolean;\n\
         declare local l as boolean;\ndeclare local m as boolean;\nlet l = Or(m, b > 1);\nlet m = open;\n\
         // {\nassert first [pessimistic] // {\n  { Implies( a, // }\n    IsMember(b, {1, 2}) ) };\n\
         assert second { And(l, a) };\nassert third { ForAll(x in {a, c}, True) };",
    );
    let text = "Implies( a, // }\n    IsMember(b, {1, 2}) )";
    assert_eq!((ruleset.assertions[0].source.as_str(), ruleset.assertions[0].line), (text, 10));
    let reads = |at: usize| ruleset.assertions[at].reads.iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!((reads(0), reads(1), reads(2)), (vec![0, 1], vec![0, 1], vec![0, 2]));
    let open: Vec<Vec<usize>> =
        ruleset.assertions.iter().map(|one| one.open_locals.iter().map(|id| id.0).collect()).collect();
    assert_eq!(open, [vec![], vec![0], vec![]]);
}

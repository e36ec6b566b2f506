//! Types of every form, and where a string gets its vocabulary from.

mod support;

use support::{check_all, compiled};

const PRELUDE: &str = "declare b as boolean;\ndeclare n as numeric;\ndeclare kind as enum {\"meals\", \"travel\"};\n\
                       declare other as enum {\"travel\", \"meals\"};\ndeclare grade as enum [\"low\", \"mid\", \"high\"];\n\
                       declare rank as enum [\"high\", \"mid\", \"low\"];\ndeclare level as enum {\"low\", \"mid\", \"high\"};\n\
                       declare more as enum {\"a\", \"b\", \"c\", \"d\"};\n";

#[test]
fn logic_takes_booleans() {
    check_all(
        PRELUDE,
        &[
            ("assert a { And(b, Or(b), Not(b), Xor(b, b), Implies(b, True)) };", &[]),
            (
                "assert a { n };",
                &["1: an assertion needs a boolean, and this is a number | compare it with something"],
            ),
            ("assert a { \"meals\" };", &["1: an assertion needs a boolean, and this is a string"]),
            (
                "assert a { Not(\"true\") };",
                &["1: `Not` needs a boolean, and this is a string | write `True`"],
            ),
            (
                "assert a { Or(n, kind,\n\"x\") };",
                &[
                    "1: `Or` needs a boolean, and this is a number | compare it with something",
                    "1: `Or` needs a boolean, and this is an enum {\"meals\", \"travel\"} | compare it with something",
                    "2: `Or` needs a boolean, and this is a string",
                ],
            ),
        ],
    );
}

#[test]
fn comparisons_take_two_of_one_type() {
    check_all(
        PRELUDE,
        &[
            (
                "assert a { And(b == True, b != (n > 2), n <= 3, kind == other, grade < \"high\", \"low\" < grade) };",
                &[],
            ),
            (
                "assert a { n == b };",
                &["1: the two sides of `==` are of one type: a number does not go with a boolean"],
            ),
            (
                "assert a { n == \"5\" };",
                &[
                    "1: the two sides of `==` are of one type: a number does not go with a string | a number is written \
                   without quotes",
                ],
            ),
            (
                "assert a { b == \"True\" };",
                &[
                    "1: the two sides of `==` are of one type: a boolean does not go with a string | a boolean is `True` \
                   or `False`, without quotes",
                ],
            ),
            (
                "assert a { b < True };",
                &[
                    "1: `<` compares numbers and ordered enums, and these are booleans | compare booleans by `==` or `!=`",
                ],
            ),
            (
                "assert a { b < 5 };",
                &["1: the two sides of `<` are of one type: a boolean does not go with a number"],
            ),
            (
                "assert a { kind < other };",
                &[
                    "1: `<` compares positions, and this enum is unordered | compare its members by `==` or `!=`, or \
                   declare it with `[...]` to give them an order",
                ],
            ),
            (
                "assert a { grade == rank };",
                &[
                    "1: the two sides of `==` are of one type, and these enums have their members in different orders",
                ],
            ),
            (
                "assert a { grade == level };",
                &[
                    "1: the two sides of `==` are of one type, and one of these enums is ordered and the other is not",
                ],
            ),
            (
                "assert a { kind == more };",
                &[
                    "1: the two sides of `==` are of one type: an enum {\"meals\", \"travel\"} does not go with an enum \
                   {\"a\", \"b\", \"c\", …}",
                ],
            ),
        ],
    );
}

#[test]
fn a_string_takes_its_vocabulary_from_what_it_meets() {
    let nothing = "a string is a member of the vocabulary that it is compared with: compare it with an enum";
    let one = |line: u32, text: &str| format!("{line}: the string `{text}` meets no vocabulary | {nothing}");
    let (a1, x1) = (one(1, "\"a\""), one(1, "\"meals\""));
    let subset = one(1, "IsSubset({\"a\"}, {\"a\"})");
    check_all(
        PRELUDE,
        &[
            ("assert a { kind == \"meals\" };", &[]),
            ("assert a { If(b, \"meals\", \"travel\") == kind };", &[]),
            ("assert a { If(b, \"meals\", If(b, kind, \"travel\")) != \"travel\" };", &[]),
            ("assert a { CASE n OF 1: \"meals\", DEFAULT: \"travel\" END == kind };", &[]),
            ("assert a { IsMember(kind, {\"meals\", \"travel\"}) };", &[]),
            ("assert a { IsMember(\"meals\", {kind, other}) };", &[]),
            ("assert a { ForAll(x in {\"meals\", \"travel\"}, x != kind) };", &[]),
            ("assert a { IsSubset({\"meals\"}, Union({kind}, {\"travel\"})) };", &[]),
            ("assert a { Exists(x in Intersect({\"meals\"}, {\"travel\", \"meals\"}), x == kind) };", &[]),
            (
                "declare local l as enum {\"meals\", \"travel\"};\nlet l = \"meals\";\nassert a { l == kind };",
                &[],
            ),
            (
                "assert a { kind == \"meal\" };",
                &[
                    "1: `\"meal\"` is not a member of an enum {\"meals\", \"travel\"} | the closest member is `\"meals\"`",
                ],
            ),
            (
                "assert a { IsMember(kind, {\"Meals\",\n\"x\"}) };",
                &[
                    "1: `\"Meals\"` is not a member of an enum {\"meals\", \"travel\"} | the closest member is `\"meals\"`",
                    "2: `\"x\"` is not a member of an enum {\"meals\", \"travel\"} | the closest member is `\"meals\"`",
                ],
            ),
            (
                "declare local l as enum {\"meals\", \"travel\"};\nlet l = If(b, \"meals\",\n \"trvel\");",
                &[
                    "3: `\"trvel\"` is not a member of an enum {\"meals\", \"travel\"} | the closest member is `\"travel\"`",
                ],
            ),
            ("assert a { \"a\" == \"a\" };", &[&a1]),
            ("assert a { IsSubset({\"a\"}, {\"a\"}) };", &[&subset]),
            ("assert a { ForAll(x in {\"meals\"}, b) };", &[&x1]),
            ("assert a { CASE \"meals\" OF \"meals\": True END };", &[&x1]),
        ],
    );
}

#[test]
fn both_branches_are_of_one_type() {
    check_all(
        PRELUDE,
        &[
            ("assert a { IF b THEN n > 1 ELSE n > 2 END };", &[]),
            ("assert a { IF b THEN n ELSE n + 1 END > 2 };", &[]),
            ("assert a { IF b THEN kind ELSE \"meals\" END == other };", &[]),
            ("assert a { IF b THEN n > 1 END };", &[]),
            (
                "assert a { IF b THEN n END > 1 };",
                &[
                    "1: an IF without ELSE is a boolean, and this branch is a number | write what holds otherwise: \
                   `ELSE ... END`",
                ],
            ),
            (
                "assert a { If(n, b, n) };",
                &[
                    "1: the condition of IF needs a boolean, and this is a number | compare it with something",
                    "1: the branches of IF are of one type: a boolean does not go with a number",
                ],
            ),
        ],
    );
}

#[test]
fn case_covers_its_subject() {
    check_all(
        PRELUDE,
        &[
            ("assert a { CASE kind OF \"meals\": n > 1, \"travel\": b END };", &[]),
            ("assert a { CASE kind OF \"meals\": 1, DEFAULT: n END > 0 };", &[]),
            ("assert a { CASE n OF 1: b, 2.5: b, -3: b, DEFAULT: True END };", &[]),
            (
                "assert a { CASE more OF \"b\": b END };",
                &[
                    "1: this CASE does not cover `\"a\"`, `\"c\"`, `\"d\"` | add the missing members, or `DEFAULT: ...`",
                ],
            ),
            (
                "assert a { CASE kind OF \"meals\": b,\n\"meals\": b, DEFAULT: b END };",
                &["2: `\"meals\"` is named twice"],
            ),
            (
                "assert a { CASE kind OF \"meals\": b,\n\"trvel\": b END };",
                &[
                    "2: `\"trvel\"` is not a member of an enum {\"meals\", \"travel\"} | the closest member is `\"travel\"`",
                ],
            ),
            (
                "assert a { CASE n OF 1: b END };",
                &[
                    "1: a CASE over a number needs a DEFAULT | add what holds for every other number: `DEFAULT: ...`",
                ],
            ),
            ("assert a { CASE n OF 1: b,\n1.0: b, DEFAULT: b END };", &["2: `1.0` is named twice"]),
            (
                "assert a { CASE n OF \"x\": b, DEFAULT: b END };",
                &[
                    "1: `\"x\"` is a string, and the subject of this CASE is a number | a label is a number without quotes",
                ],
            ),
            (
                "assert a { CASE kind OF 1: b, DEFAULT: b END };",
                &[
                    "1: `1` is a number, and the subject of this CASE is an enum | a label is a member in quotes",
                ],
            ),
            (
                "assert a { CASE b OF \"x\": b, DEFAULT: b END };",
                &[
                    "1: CASE looks at an enum or a number, and this is a boolean | write `IF ... THEN ... ELSE ... END`",
                ],
            ),
            (
                "assert a { CASE kind OF \"meals\": b, \"travel\": n END };",
                &["1: the branches of CASE are of one type: a boolean does not go with a number"],
            ),
        ],
    );
}

#[test]
fn arithmetic_takes_numbers() {
    check_all(
        PRELUDE,
        &[
            ("assert a { n + 1 - 2 * n / 3 % 4 == -n };", &[]),
            ("assert a { n + b > 1 };", &["1: `+` takes numbers, and this is a boolean"]),
            (
                "assert a { n - \"5\" > 1 };",
                &["1: `-` takes numbers, and this is a string | a number is written without quotes"],
            ),
            (
                "assert a { -kind > 1 };",
                &["1: `-` takes numbers, and this is an enum {\"meals\", \"travel\"}"],
            ),
            ("assert a { n / 0 > 1 };", &["1: a division by zero"]),
            ("assert a { n * 2 % 0.0 > 1 };", &["1: a remainder by zero"]),
            ("assert a { n / -0 > 1 };", &["1: a division by zero"]),
            // An error of one operand does not hide another's, and its result is a number all the same.
            (
                "assert a { (b + n) == kind };",
                &[
                    "1: `+` takes numbers, and this is a boolean",
                    "1: the two sides of `==` are of one type: a number does not go with an enum {\"meals\", \"travel\"}",
                ],
            ),
        ],
    );
}

#[test]
fn collections_stand_where_a_set_does() {
    check_all(
        PRELUDE,
        &[
            ("assert a { IsMember(n, [1, n + 1]) };", &[]),
            ("assert a { AtLeast(n / 2, x in {b, True}, x) };", &[]),
            ("assert a { CountWhere(x in Union({1}, {n}), x > 1) == 1 };", &[]),
            (
                "assert a { {b} };",
                &[
                    "1: a collection is not a value | a collection stands only as a set argument, as in `IsMember(x, {a, \
                   b})`, or after `in`",
                ],
            ),
            (
                "assert a { Union({b}, {b}) == b };",
                &[
                    "1: a collection is not a value | a collection stands only as a set argument, as in `IsMember(x, \
                   Union(a, b))`, or after `in`",
                ],
            ),
            ("assert a { IsMember(n, n) };", &["1: `n` is not a collection | list the elements: `{a, b}`"]),
            (
                "assert a { IsMember(n, {1, b}) };",
                &["1: the elements of a collection are of one type: a number does not go with a boolean"],
            ),
            (
                "assert a { IsMember(n, {b}) };",
                &[
                    "1: the value and the elements of `IsMember` are of one type: a number does not go with a boolean",
                ],
            ),
            (
                "assert a { IsSubset({n}, {b}) };",
                &["1: the elements of two collections are of one type: a number does not go with a boolean"],
            ),
            (
                "assert a { AtLeast(b, x in {b}, x) };",
                &["1: `AtLeast` counts, and this is a boolean | a count is a number without a unit"],
            ),
            (
                "assert a { ForAll(x in {n, 1, 2, 3}, x) };",
                &[
                    "1: the condition of `ForAll` needs a boolean, and this is a number | compare it with something",
                ],
            ),
            // Once for the body, not for each element; what only one element does is found too.
            (
                "assert a { ForAll(x in {1, 2, 3}, And(x > 0, y, z > x)) };",
                &[
                    "1: `y` is not declared | declare it first: `declare y as TYPE;`",
                    "1: `z` is not declared | declare it first: `declare z as TYPE;`",
                ],
            ),
            // The body is looked at where the collection is not known.
            (
                "assert a { ForAll(x in n, And(x, y)) };",
                &[
                    "1: `n` is not a collection | list the elements: `{a, b}`",
                    "1: `y` is not declared | declare it first: `declare y as TYPE;`",
                ],
            ),
        ],
    );
}

#[test]
fn vocabularies_that_are_one_share_their_numbers() {
    let ruleset = compiled(
        "declare a as enum {\"y\", \"x\"};\ndeclare b as enum {\"x\", \"y\"};\ndeclare c as enum [\"y\", \"x\"];\n\
         assert s { And(a == b, c >= \"x\") };",
    );
    let of = |at: usize| match &ruleset.claims[at].kind {
        assay_compile::ClaimKind::Enum(kind) => kind,
        _ => panic!("an enum"),
    };
    assert_eq!(of(0).members, ["y", "x"]);
    assert_eq!(of(0).vocabulary, of(1).vocabulary);
    assert_eq!(
        (&of(0).vocabulary.members[0], &of(2).vocabulary.members[0]),
        (&"x".to_owned(), &"y".to_owned())
    );
}

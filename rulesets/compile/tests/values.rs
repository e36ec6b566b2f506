//! What assertions come to when every claim is known: the meaning of the forms, not their shape.

mod support;

use support::evaluate;

const CLAIMS: &str = "declare n as numeric;\ndeclare m as numeric;\ndeclare a as boolean;\ndeclare b as boolean;\n\
                      declare c as boolean;\ndeclare e as enum {\"x\", \"y\", \"z\"};\n\
                      declare o as enum [\"low\", \"mid\", \"high\"];\n";

/// A body and, for each dictionary of `n m a b c e o`, whether it holds.
fn check(table: &[(&str, &[(&str, bool)])]) {
    for (body, rows) in table {
        for (row, expected) in *rows {
            let names = ["n", "m", "a", "b", "c", "e", "o"];
            let given: Vec<(&str, &str)> = names.into_iter().zip(row.split(' ')).collect();
            let source = format!("{CLAIMS}assert s {{ {body} }};");
            assert_eq!(evaluate(&source, &given), *expected, "{body} for {row}");
        }
    }
}

#[test]
fn logic() {
    check(&[
        ("Xor(a, b)", &[("0 0 true false true x low", true), ("0 0 true true true x low", false)]),
        ("a == b", &[("0 0 false false true x low", true), ("0 0 true false true x low", false)]),
        ("a != b", &[("0 0 false false true x low", false), ("0 0 true false true x low", true)]),
        ("Implies(a, b)", &[("0 0 false false true x low", true), ("0 0 true false true x low", false)]),
        ("IF a THEN b END", &[("0 0 false false true x low", true), ("0 0 true false true x low", false)]),
        ("If(a, b, c)", &[("0 0 true false true x low", false), ("0 0 false false true x low", true)]),
    ]);
}

#[test]
fn enums() {
    check(&[
        ("o >= \"mid\"", &[("0 0 true true true x low", false), ("0 0 true true true x high", true)]),
        ("o < \"mid\"", &[("0 0 true true true x low", true), ("0 0 true true true x mid", false)]),
        (
            "CASE e OF \"y\": n > 1, \"x\": a, DEFAULT: o == \"high\" END",
            &[
                ("2 0 false true true y low", true),
                ("2 0 false true true x low", false),
                ("2 0 false true true z high", true),
            ],
        ),
        // The last branch of a CASE without DEFAULT is for the last label.
        (
            "CASE e OF \"z\": 1, \"x\": 2, \"y\": 3 END == n",
            &[
                ("1 0 true true true z low", true),
                ("2 0 true true true x low", true),
                ("3 0 true true true y low", true),
                ("3 0 true true true x low", false),
            ],
        ),
        (
            "If(a, \"x\", e) == \"x\"",
            &[("0 0 true true true z low", true), ("0 0 false true true z low", false)],
        ),
        (
            "IsMember(e, {\"x\", \"z\"})",
            &[("0 0 true true true z low", true), ("0 0 true true true y low", false)],
        ),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        ("n - m - 1 == 2", &[("5 2 true true true x low", true), ("5 3 true true true x low", false)]),
        ("n / m / 2 == 2", &[("8 2 true true true x low", true)]),
        ("n * 0.1 == 0.3", &[("3 0 true true true x low", true)]),
        // The remainder has the sign of its divisor.
        ("n % m == 1", &[("7 3 true true true x low", true), ("-5 3 true true true x low", true)]),
        ("n % m == -1", &[("5 -3 true true true x low", true), ("-7 -3 true true true x low", true)]),
        ("n % m == 0.5", &[("2.5 1 true true true x low", true)]),
        ("-n + m == 0", &[("4 4 true true true x low", true)]),
        (
            "CASE n OF 1: m, 2.0: m + 1, DEFAULT: 0 END == 5",
            &[
                ("1 5 true true true x low", true),
                ("2 4 true true true x low", true),
                ("3 5 true true true x low", false),
            ],
        ),
    ]);
}

#[test]
fn quantifiers_count_what_is_listed() {
    check(&[
        (
            "AtLeast(2, v in {a, b, c}, v)",
            &[("0 0 true true false x low", true), ("0 0 true false false x low", false)],
        ),
        (
            "AtMost(1, v in {a, b, c}, v)",
            &[("0 0 true true false x low", false), ("0 0 true false false x low", true)],
        ),
        (
            "ExactlyOne(v in {a, b}, v)",
            &[("0 0 true true false x low", false), ("0 0 false true false x low", true)],
        ),
        (
            "CountWhere(v in {n, m, n}, v > 1) == 2",
            &[("2 0 true true true x low", true), ("2 2 true true true x low", false)],
        ),
        (
            "ForAll(v in {n, m}, Exists(w in {1, 2}, v == w))",
            &[("1 2 true true true x low", true), ("1 3 true true true x low", false)],
        ),
    ]);
}

#[test]
fn sets_are_compared_by_value() {
    check(&[
        ("IsMember(n, {m, 3})", &[("2 2 true true true x low", true), ("2 3 true true true x low", false)]),
        (
            "IsSubset({n, m}, {1, 2})",
            &[("1 2 true true true x low", true), ("1 3 true true true x low", false)],
        ),
        (
            "IsSubset(Difference({1, n}, {n}), {1})",
            &[("7 0 true true true x low", true), ("1 0 true true true x low", true)],
        ),
        // One or two values, as the claims have it.
        (
            "CountWhere(v in Union({n}, {m}), True) == 1",
            &[("2 2 true true true x low", true), ("2 3 true true true x low", false)],
        ),
        (
            "CountWhere(v in Union({n, n}, {m}), True) == 2",
            &[("2 3 true true true x low", true), ("2 2 true true true x low", false)],
        ),
        (
            "CountWhere(v in Intersect({n, m}, {1, 2}), True) == 1",
            &[
                ("1 5 true true true x low", true),
                ("1 1 true true true x low", true),
                ("1 2 true true true x low", false),
            ],
        ),
        (
            "CountWhere(v in Difference({n, m, 9}, {9}), v > 0) == 1",
            &[
                ("1 9 true true true x low", true),
                ("1 1 true true true x low", true),
                ("1 2 true true true x low", false),
            ],
        ),
        (
            "CountWhere(v in Union(Difference({n}, {1}), {1, m}), True) == 2",
            &[
                ("1 2 true true true x low", true),
                ("2 1 true true true x low", true),
                ("2 2 true true true x low", true),
                ("3 2 true true true x low", false),
            ],
        ),
        (
            "ExactlyOne(v in Union({\"x\"}, {e, \"x\"}), v == e)",
            &[("0 0 true true true x low", true), ("0 0 true true true y low", true)],
        ),
        (
            "CountWhere(v in Intersect({If(a, \"x\", \"y\"), \"z\"}, {\"x\"}), v == e) == 1",
            &[("0 0 true true true x low", true), ("0 0 false true true x low", false)],
        ),
    ]);
}

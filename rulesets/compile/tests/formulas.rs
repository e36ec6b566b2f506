//! What an assertion becomes, for the units that its evidence came in.

mod support;

use assay_units::Library;
use support::{formula, library};

const CLAIMS: &str = "// @unit total USD\ndeclare total as numeric;\n// @unit net USD\ndeclare net as numeric;\n\
                      // @unit tax USD\ndeclare tax as numeric;\n// @unit rate USD/night\ndeclare rate as numeric;\n\
                      // @unit nights night\ndeclare nights as numeric;\n// @unit km km\ndeclare km_ as numeric;\n\
                      // @unit len m\ndeclare len as numeric;\n// @unit dist km\ndeclare dist as numeric;\n\
                      // @unit term mo\ndeclare term as numeric;\n// @unit stay d\ndeclare stay as numeric;\n\
                      // @unit temp degC\ndeclare temp as numeric;\ndeclare n as numeric;\ndeclare b as boolean;\n\
                      declare e as enum {\"y\", \"x\"};\ndeclare o as enum [\"lo\", \"hi\"];\n";

/// An assertion's body, the measures of claims, and the formula.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

fn check(library: &Library, table: &[Case<'_>]) {
    let claims = CLAIMS.replace("// @unit km km\ndeclare km_ as numeric;\n", "");
    for (body, of, expected) in table {
        let source = match body.split_once(";;") {
            Some((before, body)) => format!("{claims}{before};\nassert a {{ {body} }};"),
            None => format!("{claims}assert a {{ {body} }};"),
        };
        assert_eq!(formula(&source, of, library), *expected, "{body} with {of:?}");
    }
}

#[test]
fn operators_become_the_few_that_remain() {
    check(
        &Library::built_in(),
        &[
            ("n == 1", &[], "(n == 1)"),
            ("n != 1", &[], "not (n == 1)"),
            ("n < 1", &[], "(n < 1)"),
            ("n <= 1", &[], "(n <= 1)"),
            ("n > 1", &[], "(1 < n)"),
            ("n >= 1", &[], "(1 <= n)"),
            ("e == \"y\"", &[], "(e == #1)"),
            ("e != \"x\"", &[], "not (e == #0)"),
            ("o >= \"hi\"", &[], "(#1 <= o)"),
            ("b == (n > 1)", &[], "(b iff (1 < n))"),
            ("b != True", &[], "not (b iff true)"),
            ("Xor(b, b)", &[], "not (b iff b)"),
            ("Implies(b, n > 1)", &[], "or(not b, (1 < n))"),
            ("IF b THEN n > 1 END", &[], "or(not b, (1 < n))"),
            ("If(b, n, 2) == 1", &[], "(if(b, n, 2) == 1)"),
            ("n + 1 - 2 - n == 0", &[], "((n + 1 + -2 + -n) == 0)"),
            ("n * 2 / 3 % 4 == -n", &[], "((((n * 2) / 3) % 4) == -n)"),
            ("CASE e OF \"y\": b, \"x\": True END", &[], "if((e == #1), b, true)"),
            (
                "CASE n OF 1: \"x\", 2: e, DEFAULT: \"y\" END == e",
                &[],
                "(if((n == 1), #0, if((n == 2), e, #1)) == e)",
            ),
            ("CASE o OF \"hi\": 1, DEFAULT: n END > 0", &[], "(0 < if((o == #1), 1, n))"),
        ],
    );
}

#[test]
fn quantifiers_and_sets_unroll() {
    check(
        &Library::built_in(),
        &[
            ("ForAll(x in {1, n}, x > 0)", &[], "and((0 < 1), (0 < n))"),
            ("Exists(x in {b, b}, x)", &[], "or(b, b)"),
            ("AtLeast(n, x in {b, b, True}, x)", &[], "(n <= count(b, b, true))"),
            ("AtMost(1, x in {b}, x)", &[], "(count(b) <= 1)"),
            ("ExactlyOne(x in {b}, x)", &[], "(count(b) == 1)"),
            ("CountWhere(x in {b}, Not(x)) < 2", &[], "(count(not b) < 2)"),
            // A variable hides a claim, and an inner one an outer one.
            (
                "ForAll(n in {1, 2}, Exists(n in {n + 1}, n > 0))",
                &[],
                "and(or((0 < (1 + 1))), or((0 < (2 + 1))))",
            ),
            ("IsMember(n, {1, 2})", &[], "or((n == 1), (n == 2))"),
            ("IsMember(1, {1, n})", &[], "true"),
            ("IsMember(e, {\"x\"})", &[], "or((e == #0))"),
            ("IsMember(b, {True})", &[], "or((b iff true))"),
            ("IsSubset({n, 1}, {1, 2})", &[], "and(or((n == 1), (n == 2)), true)"),
            // Equal elements of an operation count once; listed ones each.
            ("CountWhere(x in {1, 1}, True) == 2", &[], "(count(true, true) == 2)"),
            (
                "CountWhere(x in Union({1, 1}, {2}), True) == 2",
                &[],
                "(count(true, and(not true, true), true) == 2)",
            ),
            (
                "CountWhere(x in Union({n}, {2}), True) == 2",
                &[],
                "(count(true, and(not or((2 == n)), true)) == 2)",
            ),
            ("Exists(x in Difference({n}, {2}), x > 1)", &[], "or(and(not or((n == 2)), (1 < n)))"),
            ("ForAll(x in Intersect({n}, {2}), x > 1)", &[], "and(or(not or((n == 2)), (1 < n)))"),
        ],
    );
}

#[test]
fn units_of_one_dimension_convert_the_right_side() {
    check(
        &Library::built_in(),
        &[
            ("total <= 5 \"USD\"", &[], "(total <= 5)"),
            // A literal is converted at once.
            ("len <= 100 \"cm\"", &[], "(len <= 1)"),
            ("len <= dist", &[], "(len <= (1000 * dist))"),
            ("dist <= len", &[], "(dist <= (0.001 * len))"),
            ("temp >= 14 \"degF\"", &[], "(-10 <= temp)"),
            ("temp >= 0 \"K\"", &[], "(-273.15 <= temp)"),
            ("dist + len + 1 \"m\" > 1 \"m\"", &[], "(0.001 < (dist + (0.001 * len) + 0.001))"),
            ("dist % len == 0 \"km\"", &[], "((dist % (0.001 * len)) == 0)"),
            ("If(b, dist, len) == 1 \"km\"", &[], "(if(b, dist, (0.001 * len)) == 1)"),
            (
                "CASE n OF 1: dist, 2: len, DEFAULT: 5 \"m\" END == 1 \"km\"",
                &[],
                "(if((n == 1), dist, if((n == 2), (0.001 * len), 0.005)) == 1)",
            ),
            ("CASE dist OF 500 \"m\": b, DEFAULT: True END", &[], "if((dist == 0.5), b, true)"),
            ("IsMember(dist, {500 \"m\", 1 \"km\"})", &[], "or((dist == 0.5), (dist == 1))"),
            // A product is in the unit that its factors make, or bare where all cancels.
            ("total == nights * rate", &[], "(total == (nights * rate))"),
            ("dist / len == 2", &[], "((1000 * (dist / len)) == 2)"),
            ("dist / len * total == total", &[], "(((1000 * (dist / len)) * total) == total)"),
            ("dist * 2 / len * 3 == 1", &[], "(((1000 * ((dist * 2) / len)) * 3) == 1)"),
            // A unit that is a number itself stays with its number until it meets another.
            ("2 * (n * 1 \"m/km\") > 5 \"m/km\"", &[], "(5 < (2 * (n * 1)))"),
            ("5 \"m/km\" * 2 == 0.01 \"m/cm\" * n", &[], "((5 * 2) == (100000 * (0.01 * n)))"),
            ("5 \"m/km\" / 2 \"cm/m\" == n", &[], "((0.1 * (5 / 2)) == n)"),
            ("1 / 5 \"m/km\" == n / 1 \"m/km\"", &[], "((1 / 5) == (n / 1))"),
            ("dist * len < 2 \"m^2\"", &[], "((dist * len) < 0.002)"),
            ("total / total == 1", &[], "((total / total) == 1)"),
            ("1 / nights < 2 \"USD/night\" / 1 \"USD\"", &[], "((1 / nights) < (2 / 1))"),
        ],
    );
}

#[test]
fn locals_are_lowered_in_their_unit() {
    check(
        &Library::built_in(),
        &[
            (
                "declare local l as numeric;\nlet l = len + 1 \"m\";; dist <= l",
                &[],
                "(dist <= (0.001 * (len + 1)))",
            ),
            ("declare local l as numeric;; l <= n", &[], "(l <= n)"),
            ("declare local l as enum {\"x\", \"y\"};; l == e", &[], "(l == e)"),
            (
                "declare local l as numeric;\nlet l = net + tax;; total == l",
                &[("net", "EUR"), ("tax", "EUR")],
                "(total == <EUR->USD>((net + tax)))",
            ),
        ],
    );
}

#[test]
fn units_that_nothing_bridges_meet_through_a_function() {
    check(
        &Library::built_in(),
        &[
            // An operation on values of one unit is carried out in it.
            (
                "total == net + tax",
                &[("total", "EUR"), ("net", "EUR"), ("tax", "EUR")],
                "(total == (net + tax))",
            ),
            // The foreign value is converted into the other's unit, whichever side it is on.
            ("total <= 5 \"USD\"", &[("total", "EUR")], "(<EUR->USD>(total) <= 5)"),
            ("5 \"USD\" >= total", &[("total", "EUR")], "(<EUR->USD>(total) <= 5)"),
            ("total == net", &[("net", "EUR")], "(total == <EUR->USD>(net))"),
            ("net + tax == total", &[("net", "EUR")], "((<EUR->USD>(net) + tax) == total)"),
            ("net + net + tax == total", &[("net", "EUR")], "((<EUR->USD>((net + net)) + tax) == total)"),
            ("net - tax == total", &[("tax", "EUR")], "((net + -<EUR->USD>(tax)) == total)"),
            // Where both are foreign, or neither is, the right one into the left one's.
            ("net == tax", &[("net", "EUR"), ("tax", "JPY")], "(net == <JPY->EUR>(tax))"),
            ("total <= 5 \"EUR\"", &[], "(total <= <EUR->USD>(5))"),
            ("5 \"EUR\" >= total", &[], "(<USD->EUR>(total) <= 5)"),
            ("total <= 5 \"EUR\"", &[("total", "EUR")], "(total <= 5)"),
            ("If(b, net, tax) == 1 \"USD\"", &[("net", "EUR")], "(if(b, <EUR->USD>(net), tax) == 1)"),
            ("If(b, net, tax) == 1 \"USD\"", &[("tax", "EUR")], "(if(b, net, <EUR->USD>(tax)) == 1)"),
            (
                "CASE total OF 1 \"USD\": b, 2 \"USD\": b, DEFAULT: True END",
                &[("total", "EUR")],
                "if((<EUR->USD>(total) == 1), b, if((<EUR->USD>(total) == 2), b, true))",
            ),
            ("net % tax == 0 \"USD\"", &[("net", "EUR")], "((<EUR->USD>(net) % tax) == 0)"),
            // A result of a foreign value is foreign.
            ("total == nights * rate", &[("rate", "EUR/night")], "(total == <EUR->USD>((nights * rate)))"),
            (
                "total / nights <= 450 \"USD/night\"",
                &[("total", "EUR")],
                "(<EUR/night->USD/night>((total / nights)) <= 450)",
            ),
            // A foreign unit that does not cancel meets a bare number.
            ("net / tax <= 2", &[("net", "EUR")], "(<EUR/USD->1>((net / tax)) <= 2)"),
            ("net / tax <= 2", &[("net", "EUR"), ("tax", "EUR")], "((net / tax) <= 2)"),
            ("nights <= 5 \"USD\"", &[], "(nights <= <USD->night>(5))"),
        ],
    );
}

#[test]
fn a_converter_bridges() {
    check(
        &library(&[("EUR", "USD", "1.08"), ("box", "kg", "12")]),
        &[
            ("total <= 5 \"EUR\"", &[], "(total <= 5.4)"),
            ("5 \"EUR\" >= total", &[], "((25/27 * total) <= 5)"),
            // What is a quotient of units in a source may be a number to a project.
            ("total / 1 \"EUR\" <= 2 \"USD/EUR\"", &[], "((25/27 * (total / 1)) <= 50/27)"),
        ],
    );
}

#[test]
fn intervals_convert_by_a_factor_that_multiplies() {
    check(
        &Library::built_in(),
        &[
            ("term <= 30 \"d\"", &[], "((term * [mo->d]) <= 30)"),
            ("30 \"d\" >= term", &[], "((term * [mo->d]) <= 30)"),
            ("stay <= 1 \"mo\"", &[], "(stay <= (1 * [mo->d]))"),
            ("stay <= 1 \"yr\"", &[], "(stay <= (1 * [yr->d]))"),
            ("term <= 1 \"yr\"", &[], "(term <= 12)"),
            ("term <= 1 \"h\"", &[], "(((24 * term) * [mo->d]) <= 1)"),
            ("term + stay <= 60 \"d\"", &[], "(((term * [mo->d]) + stay) <= 60)"),
            // Evidence that reaches the declared unit only by an interval is converted at once.
            ("stay <= 30 \"d\"", &[("stay", "?mo")], "((stay * [mo->d]) <= 30)"),
            ("stay == stay", &[("stay", "?mo")], "((stay * [mo->d]) == (stay * [mo->d]))"),
            ("term <= 1 \"mo\"", &[("term", "?d")], "((term / [mo->d]) <= 1)"),
            ("term <= 1 \"mo\"", &[("term", "?h")], "(((1/24 * term) / [mo->d]) <= 1)"),
        ],
    );
}

//! Units at compile time: what may meet what.

mod support;

use support::check_all;

const PRELUDE: &str = "// @unit amount USD\ndeclare amount as numeric;\n// @unit euros EUR\ndeclare euros as numeric;\n\
                       // @unit nights night\ndeclare nights as numeric;\n// @unit temp degC\ndeclare temp as numeric;\n\
                       // @unit dist km\ndeclare dist as numeric;\n// @unit run m\ndeclare run as numeric;\n\
                       declare n as numeric;\ndeclare b as boolean;\n";

#[test]
fn a_bare_number_does_not_meet_a_unit() {
    check_all(
        PRELUDE,
        &[
            (
                "assert a { amount <= 25000 };",
                &["1: `25000` has no unit, and `amount` is in `USD` | write `25000 \"USD\"`"],
            ),
            (
                "assert a { 0 < amount };",
                &["1: `0` has no unit, and `amount` is in `USD` | write `0 \"USD\"`"],
            ),
            (
                "assert a { temp > -5 };",
                &["1: `-5` has no unit, and `temp` is in `degC` | write `-5 \"degC\"`"],
            ),
            (
                "assert a { amount + 5 - 1.50 > 2 \"USD\" };",
                &[
                    "1: `5` has no unit, and `amount` is in `USD` | write `5 \"USD\"`",
                    "1: `1.50` has no unit, and `amount` is in `USD` | write `1.50 \"USD\"`",
                ],
            ),
            (
                "assert a { amount % 7 == 0 \"USD\" };",
                &["1: `7` has no unit, and `amount` is in `USD` | write `7 \"USD\"`"],
            ),
            (
                "assert a { If(b, amount, 0) > 1 \"USD\" };",
                &["1: `0` has no unit, and `amount` is in `USD` | write `0 \"USD\"`"],
            ),
            (
                "assert a { CASE amount OF 5: b, 6 \"USD\": b, DEFAULT: b END };",
                &["1: `5` has no unit, and `amount` is in `USD` | write `5 \"USD\"`"],
            ),
            (
                "assert a { CASE n OF 1: 5, DEFAULT: amount END > 1 \"USD\" };",
                &["1: `5` has no unit, and `amount` is in `USD` | write `5 \"USD\"`"],
            ),
            (
                "assert a { IsMember(amount, {1, 2}) };",
                &[
                    "1: `1` has no unit, and `amount` is in `USD` | write `1 \"USD\"`",
                    "1: `2` has no unit, and `amount` is in `USD` | write `2 \"USD\"`",
                ],
            ),
            (
                "assert a { ForAll(x in {1, 2}, amount > x) };",
                &[
                    "1: `1` has no unit, and `amount` is in `USD` | write `1 \"USD\"`",
                    "1: `2` has no unit, and `amount` is in `USD` | write `2 \"USD\"`",
                ],
            ),
            (
                "assert a { ForAll(x in {amount, euros}, x > 5) };",
                &["1: `5` has no unit, and `amount` is in `USD` | write `5 \"USD\"`"],
            ),
        ],
    );
}

#[test]
fn a_number_without_a_unit_does_not_meet_one() {
    check_all(
        PRELUDE,
        &[
            (
                "assert a { n > 5 \"km\" };",
                &["1: `n` has no unit, and `5 \"km\"` has one | declare the unit of `n`: `// @unit n km`"],
            ),
            (
                "assert a { n + amount > 1 \"USD\" };",
                &["1: `n` has no unit, and `amount` is in `USD` | declare the unit of `n`: `// @unit n USD`"],
            ),
            (
                "assert a { n * 2 > 5 \"km\" };",
                &["1: `n * 2` has no unit, and `5 \"km\"` has one | leave the unit out: `5`"],
            ),
            (
                "assert a { dist / run > 5 \"km\" };",
                &["1: `dist / run` has no unit, and `5 \"km\"` has one | leave the unit out: `5`"],
            ),
            (
                "assert a { dist / run > 5 \"m/km\" };",
                &["1: `dist / run` has no unit, and `5 \"m/km\"` has one | leave the unit out: `0.005`"],
            ),
            (
                "assert a { amount == n * n };",
                &["1: `n * n` has no unit, and `amount` is in `USD` | both have a unit or neither does"],
            ),
            (
                "assert a { AtLeast(1 \"USD\", x in {b}, x) };",
                &["1: `AtLeast` counts, and `1 \"USD\"` is in `USD` | a count has no unit"],
            ),
            (
                "declare local l as numeric;\nassert a { l == amount };",
                &[
                    "2: `l` has no unit, and `amount` is in `USD` | a local takes the unit of its definition: define `l` by \
                   a number in a unit",
                ],
            ),
        ],
    );
}

#[test]
fn units_combine_and_cancel() {
    check_all(
        PRELUDE,
        &[
            ("assert a { amount / nights <= 450 \"USD/night\" };", &[]),
            ("assert a { amount * 2 / 3 > amount };", &[]),
            ("assert a { amount / amount <= 2 };", &[]),
            ("assert a { dist / run <= 2 };", &[]),
            ("assert a { dist / run * amount == amount };", &[]),
            ("assert a { dist * run < 2 \"m^2\" };", &[]),
            ("assert a { 1 / nights < 2 \"USD/night\" / 1 \"USD\" };", &[]),
            (
                "assert a { amount / nights <= 450 };",
                &[
                    "1: `450` has no unit, and `amount / nights` is in `USD/night` | write `450 \"USD/night\"`",
                ],
            ),
            // Whether a project has a rate between two currencies is nothing that compiling knows.
            ("assert a { euros / amount <= 2 \"EUR/USD\" };", &[]),
            (
                "assert a { euros / amount <= 2 };",
                &["1: `2` has no unit, and `euros / amount` is in `EUR/USD` | write `2 \"EUR/USD\"`"],
            ),
        ],
    );
}

#[test]
fn what_nothing_bridges_compiles() {
    check_all(
        PRELUDE,
        &[
            ("assert a { amount <= 5 \"EUR\" };", &[]),
            ("assert a { amount + dist <= nights };", &[]),
            ("assert a { If(b, amount, euros) == 5 \"box\" };", &[]),
        ],
    );
}

#[test]
fn temperatures_with_an_offset_are_only_compared() {
    let help = "the zero of that scale is not zero: compare such temperatures, or declare them in `K`";
    let error = |text: &str, verb: &str| {
        format!("1: `{text}` is a temperature in `degC`, which cannot be {verb} | {help}")
    };
    let (added, negated) = (error("temp", "added or subtracted"), error("temp", "negated"));
    let (scaled, divided) = (error("temp", "scaled"), error("temp", "divided"));
    let literal = error("1 \"degC\"", "added or subtracted");
    check_all(
        PRELUDE,
        &[
            (
                "assert a { And(temp > 0 \"degC\", temp < 100 \"degF\", temp >= -18 \"degC\", temp > 1 \"K\") };",
                &[],
            ),
            ("assert a { temp + 1 \"degC\" > 0 \"degC\" };", &[&added]),
            ("assert a { 1 \"K\" - 1 \"degC\" > 0 \"K\" };", &[&literal]),
            ("assert a { -temp > 0 \"degC\" };", &[&negated]),
            ("assert a { temp * 2 > 0 \"degC\" };", &[&scaled]),
            ("assert a { 2 * temp > 0 \"degC\" };", &[&scaled]),
            ("assert a { temp % 2 \"degC\" > 0 \"degC\" };", &[&divided]),
        ],
    );
}

#[test]
fn a_local_takes_the_unit_of_its_definition() {
    check_all(
        PRELUDE,
        &[
            ("declare local l as numeric;\nlet l = amount / 2;\nassert a { l > 5 \"USD\" };", &[]),
            (
                "declare local l as numeric;\nassert a { l > 5 };\nlet l = amount / nights;",
                &["2: `5` has no unit, and `l` is in `USD/night` | write `5 \"USD/night\"`"],
            ),
            // The unit of a definition with an error is not known, and nothing more is said.
            (
                "declare local l as numeric;\nlet l = amount + x;\nassert a { l > 5 \"USD\" };",
                &["2: `x` is not declared | declare it first: `declare x as TYPE;`"],
            ),
            ("declare local l as numeric;\nassert a { l > 5 };", &[]),
        ],
    );
}

#[test]
fn a_unit_is_a_unit() {
    check_all(
        PRELUDE,
        &[
            (
                "assert a { amount > 5 \"US D\" };",
                &[
                    "1: `US D` is not a unit: ` ` at character 3 of the unit | a unit is written like `km/h`, `USD/night` or \
                   `kg*m/s^2`, without spaces or brackets",
                ],
            ),
            (
                "assert a { amount > 5 \"$\" };",
                &[
                    "1: `$` is not a unit: `$` names no one currency | write the currency's ISO 4217 code, such as `USD`",
                ],
            ),
            ("assert a { n > 5 \"m/m\" };", &["1: the unit `m/m` cancels out | leave the unit out"]),
            ("assert a { And(amount > 5 \"US$\", run > 1 \"km\") };", &[]),
        ],
    );
}

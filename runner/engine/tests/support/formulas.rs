//! Random rulesets for arithmetic: every operation, small formulas, and literals of every size.

use std::fmt::Write as _;

use fastrand::Rng;

const DECLARATIONS: &str = r#"version 1.3;
declare b0 as boolean;
declare b1 as boolean;
declare b2 as boolean;
declare n0 as numeric;
declare n1 as numeric;
declare n2 as numeric;
// @unit u0 USD
declare u0 as numeric;
// @unit m0 m
declare m0 as numeric;
// @unit m1 km
declare m1 as numeric;
// @unit d0 d
declare d0 as numeric;
declare k0 as enum {"air", "rail", "road"};
declare k1 as enum {"road", "air", "rail"};
declare o0 as enum ["low", "mid", "high", "top"];
declare o1 as enum ["low", "mid", "high", "top"];
declare local lb as boolean;
declare local ln as numeric;
declare local lk as enum {"air", "rail", "road"};
"#;

/// A ruleset of six assertions.
pub fn source(rng: &mut Rng) -> String {
    let mut source = DECLARATIONS.to_owned();
    for number in 0..6 {
        let policy = pick(rng, &["", "[pessimistic] ", "[optimistic] "]);
        let depth = rng.usize(1..=3);
        writeln!(source, "assert a{number} {policy}{{ {} }};", bool(rng, depth)).unwrap();
    }
    source
}

fn pick<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.usize(..of.len())]
}

fn bool(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        return match rng.u32(..12) {
            0 => pick(rng, &["True", "False", "lb"]).to_owned(),
            1 => pick(rng, &["u0 <= 2.5 \"USD\"", "u0 == 1 \"EUR\"", "d0 < 2 \"mo\"", "m0 <= 3 \"km\""])
                .to_owned(),
            2 => pick(rng, &["m0 <= m1", "m0 + m1 == 0.002 \"km\"", "m1 < m0 * 3", "m0 * m0 > m1 * 1 \"m\""])
                .to_owned(),
            3..6 => pick(rng, &["b0", "b1", "b2"]).to_owned(),
            6..9 => format!("{} {} {}", num(rng, 0), relation(rng), num(rng, 0)),
            _ => members(rng),
        };
    }
    let d = depth - 1;
    match rng.u32(..16) {
        0 => format!("And({}, {})", bool(rng, d), bool(rng, d)),
        1 => format!("Or({}, {}, {})", bool(rng, d), bool(rng, d), bool(rng, d)),
        2 => format!("Not({})", bool(rng, d)),
        3 => format!("Xor({}, {})", bool(rng, d), bool(rng, d)),
        4 => format!("Implies({}, {})", bool(rng, d), bool(rng, d)),
        5 => format!("If({}, {}, {})", bool(rng, d), bool(rng, d), bool(rng, d)),
        6 => format!("({}) == ({})", bool(rng, d), bool(rng, d)),
        7 => format!("AtLeast(2, x in {{{}, {}, {}}}, x)", bool(rng, d), bool(rng, d), bool(rng, d)),
        8 => members(rng),
        9 => format!(
            "CASE {} OF \"low\": {}, \"mid\": {}, DEFAULT: {} END",
            tier(rng, d),
            bool(rng, d),
            bool(rng, d),
            bool(rng, d)
        ),
        _ => format!("{} {} {}", num(rng, depth), relation(rng), num(rng, d)),
    }
}

fn relation(rng: &mut Rng) -> &'static str {
    pick(rng, &["<=", "<", "==", "!=", ">", ">="])
}

fn num(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        return match rng.u32(..8) {
            0 => literal(rng).to_owned(),
            1 => pick(rng, &["0", "ln", "1"]).to_owned(),
            _ => pick(rng, &["n0", "n1", "n2"]).to_owned(),
        };
    }
    let d = depth - 1;
    match rng.u32(..11) {
        0 => format!("({} + {} + {})", num(rng, d), num(rng, d), num(rng, d)),
        1 => format!("({} - {})", num(rng, d), num(rng, d)),
        2 | 3 => format!("({} * {})", num(rng, d), num(rng, d)),
        4 => format!("({} / {})", num(rng, d), literal(rng)),
        5 | 6 => format!("({} / (n1 + {}))", num(rng, d), num(rng, d)),
        7 => format!("(-{})", num(rng, d)),
        8 => format!("If({}, {}, {})", bool(rng, d), num(rng, d), num(rng, d)),
        9 => format!("CountWhere(x in {{{}, {}, {}}}, x)", bool(rng, d), bool(rng, d), bool(rng, d)),
        _ if rng.bool() => format!("({} % (n2 + {}))", num(rng, d), literal(rng)),
        _ => format!("CASE n0 OF 1: {}, 0.5: {}, DEFAULT: {} END", num(rng, d), num(rng, d), num(rng, d)),
    }
}

/// A number that is not zero.
fn literal(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "1",
            "2",
            "3",
            "0.5",
            "7.25",
            "0.001",
            "1e17",
            "-2",
            "1e-20",
            "1e30",
            "123456789012345678901",
            "1e60",
            "-0.3",
        ],
    )
}

fn members(rng: &mut Rng) -> String {
    match rng.u32(..4) {
        0 => format!("{} {} {}", tier(rng, 1), relation(rng), tier(rng, 1)),
        1 => format!("{} {} \"mid\"", tier(rng, 1), relation(rng)),
        2 => format!("IsMember({}, {{\"air\", \"road\"}})", way(rng)),
        _ => format!("{} == {}", way(rng), way(rng)),
    }
}

fn way(rng: &mut Rng) -> &'static str {
    pick(rng, &["k0", "k1", "k0", "k1", "lk"])
}

fn tier(rng: &mut Rng, depth: usize) -> String {
    match rng.u32(..3) {
        0 if depth > 0 => format!("If({}, {}, {})", bool(rng, depth - 1), tier(rng, 0), tier(rng, 0)),
        1 => "o1".to_owned(),
        _ => "o0".to_owned(),
    }
}

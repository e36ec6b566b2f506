//! Writing claim dictionaries at random, as JSON.

use fastrand::Rng;

/// A dictionary for the declarations of [`crate::writer`]. How many claims are unknown differs between dictionaries,
/// from none to most. Every other one is regular, with declared units and numbers of at most 18 digits, so that it fits
/// columns.
pub(crate) fn dictionary(rng: &mut Rng) -> String {
    let numbers = if rng.bool() { Numbers::Short } else { Numbers::Any };
    json(&fields(rng, numbers))
}

/// Fields as a JSON object.
pub(crate) fn json(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// Which numbers a dictionary has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Of every size and unit.
    Any,
    /// Those that a column takes, bare and small.
    Small,
    /// Those that a column takes: as large or as fine as fits, with and without the declared unit.
    Short,
}

/// The fields of a dictionary.
pub(crate) fn fields(rng: &mut Rng, numbers: Numbers) -> Vec<(&'static str, String)> {
    let unknown = *pick(rng, &[0, 0, 15, 40, 70]);
    let bool = |rng: &mut Rng| *pick(rng, &["true", "false"]);
    let mut fields = Vec::new();
    for name in
        ["b0", "b1", "b2", "n0", "n1", "n2", "u0", "u1", "m0", "m1", "d0", "t0", "k0", "k1", "o0", "o1"]
    {
        let value = match name.as_bytes() {
            _ if rng.u8(..100) < unknown => "null".to_owned(),
            [b'b', _] => bool(rng).to_owned(),
            [b'n' | b'u' | b'm' | b'd' | b't', _] if numbers == Numbers::Small => small(rng),
            [b'n', _] if numbers == Numbers::Short => short_number(rng),
            [b'n', _] => number(rng),
            [b'k', _] => format!("\"{}\"", pick(rng, &["air", "rail", "road"])),
            [b'o', _] => format!("\"{}\"", pick(rng, &["low", "mid", "high"])),
            [b'u', _] if numbers == Numbers::Short => declared(rng, "USD"),
            [b'm', b'0'] if numbers == Numbers::Short => declared(rng, "m"),
            [b'm', _] if numbers == Numbers::Short => declared(rng, "km"),
            [b'd', _] if numbers == Numbers::Short => declared(rng, "d"),
            [b't', _] if numbers == Numbers::Short => declared(rng, "degC"),
            [b'u', _] => measured(rng, &["USD", "USD", "USD", "USD", "EUR", "GBP", "kg"]),
            [b'm', _] => measured(rng, &["m", "km", "ft", "in", "nmi", "USD"]),
            [b'd', _] if rng.u8(..3) == 0 => pick(rng, &["28", "29", "30", "31", "60", "365"]).to_string(),
            [b'd', _] => measured(rng, &["d", "h", "wk", "mo", "mo", "yr", "kg"]),
            _ => measured(rng, &["degC", "degF", "K"]),
        };
        fields.push((name, value));
    }
    fields
}

fn pick<'a, T>(rng: &mut Rng, of: &'a [T]) -> &'a T {
    &of[rng.usize(..of.len())]
}

/// A short number, bare or in the claim's own unit.
fn declared(rng: &mut Rng, unit: &str) -> String {
    let number = short_number(rng);
    if rng.bool() { number } else { format!("\"{number} {unit}\"") }
}

/// A number that fits a column: mostly small, else as large or as fine as fits. Two of these multiplied, or brought to one
/// scale and multiplied, are more than 128 bits hold.
fn short_number(rng: &mut Rng) -> String {
    match rng.u8(..20) {
        0..=2 => "0".to_owned(),
        3..=12 => rng.i32(-4..=7).to_string(),
        13..=15 => pick(rng, &["2.5", "0.1", "-0.5", "1.25", "100", "12"]).to_string(),
        16 => pick(
            rng,
            &["100000000000000000", "-9223372036854775", "999999999999999999", "-999999999999999999"],
        )
        .to_string(),
        17 => pick(
            rng,
            &["0.000000000000000001", "-0.000000000000000007", "0.999999999999999999", "0.000000005"],
        )
        .to_string(),
        18 => format!("{}.{:09}", rng.i32(-99_999_999..=99_999_999), rng.u32(..1_000_000_000)),
        _ => rng.i64(-999_999_999_999_999_999..=999_999_999_999_999_999).to_string(),
    }
}

/// A number in one of some units; bare, and so in the claim's own, now and then.
fn measured(rng: &mut Rng, units: &[&str]) -> String {
    let number = number(rng);
    match rng.u8(..4) {
        0 => number,
        _ => format!("\"{number} {}\"", pick(rng, units)),
    }
}

/// Mostly small, so that equalities hold now and then; zero often; now and then with more digits than any machine word.
fn number(rng: &mut Rng) -> String {
    match rng.u8(..20) {
        0..=2 => "0".to_owned(),
        3..=15 => small(rng),
        16 => pick(rng, &["1e30", "-1e-20", "3e0", "0e5", "1E2", "7e250", "-3e-250"]).to_string(),
        17 => format!("{}.{}", rng.u64(..), rng.u64(..)),
        18 => format!("-{}{}", rng.u128(1..), rng.u128(..)),
        _ => rng.i64(..).to_string(),
    }
}

fn small(rng: &mut Rng) -> String {
    match rng.u8(..13) {
        0..10 => rng.i32(-4..=7).to_string(),
        _ => pick(rng, &["2.5", "0.1", "-0.5", "1.25", "100", "12"]).to_string(),
    }
}

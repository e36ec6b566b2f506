//! Writing claim dictionaries at random, as JSON.

use fastrand::Rng;

/// A dictionary for the declarations of [`crate::writer`]. How many claims are unknown differs between dictionaries,
/// from none to most.
pub(crate) fn dictionary(rng: &mut Rng) -> String {
    json(&fields(rng, false))
}

/// Fields as a JSON object.
pub(crate) fn json(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// The fields of a dictionary. Where it is `regular`, every value is one that a column takes.
pub(crate) fn fields(rng: &mut Rng, regular: bool) -> Vec<(&'static str, String)> {
    let unknown = *pick(rng, &[0, 0, 15, 40, 70]);
    let bool = |rng: &mut Rng| *pick(rng, &["true", "false"]);
    let mut fields = Vec::new();
    for name in
        ["b0", "b1", "b2", "n0", "n1", "n2", "u0", "u1", "m0", "m1", "d0", "t0", "k0", "k1", "o0", "o1"]
    {
        let value = match name.as_bytes() {
            _ if rng.u8(..100) < unknown => "null".to_owned(),
            [b'b', _] => bool(rng).to_owned(),
            [b'n' | b'u' | b'm' | b'd' | b't', _] if regular => small(rng),
            [b'n', _] => number(rng),
            [b'k', _] => format!("\"{}\"", pick(rng, &["air", "rail", "road"])),
            [b'o', _] => format!("\"{}\"", pick(rng, &["low", "mid", "high"])),
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
        16 => pick(rng, &["1e30", "-1e-20", "3e0", "0e5", "1E2"]).to_string(),
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

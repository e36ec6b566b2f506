//! Random texts against the grammar as a regular expression, and random numbers against arithmetic on their digits.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use assay_claims::{Binding, Raw, Reading};
use num_bigint::BigInt;
use num_traits::Pow;
use regex::Regex;
use support::{checker, claim};

/// SplitMix64: the same texts on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn digits(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    fn text(&mut self, alphabet: &[&str], most: usize) -> String {
        let count = self.below(most + 1);
        (0..count).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }
}

/// `text` is worth `digits * 10^shift`, as a text and as a number.
#[test]
fn every_decimal_is_read_exactly() {
    let checker = checker(Reading::default());
    let count = claim(&checker, "count");
    let mut random = Random(1);
    for _ in 0..20_000 {
        let whole = random.digits(30);
        let fraction = if random.below(2) == 0 { String::new() } else { random.digits(30) };
        let exponent = if random.below(2) == 0 { None } else { Some(random.below(801) as i64 - 400) };
        let minus = random.below(2) == 0;

        let mut text = format!("{}{whole}", if minus { "-" } else { "" });
        if !fraction.is_empty() {
            text.push_str(&format!(".{fraction}"));
        }
        match exponent {
            Some(exponent) if random.below(2) == 0 => text.push_str(&format!("e{exponent}")),
            Some(exponent) => text.push_str(&format!("E{exponent:+}")),
            None => {}
        }

        let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
        let digits = if minus { -digits } else { digits };
        let shift = exponent.unwrap_or(0) - fraction.len() as i64;
        let ten = |power: i64| BigInt::from(10).pow(power.max(0) as u32);
        for raw in [Raw::Number(text.as_str().into()), Raw::Text(text.as_str().into())] {
            let Ok(Binding::Number { value, .. }) = checker.bind(count, &raw) else {
                panic!("{text} is a number");
            };
            // value == digits * 10^shift, without a division.
            assert_eq!(value.numer() * ten(-shift), &digits * ten(shift) * value.denom(), "{text}");
        }
    }
}

/// A text is accepted where its whole matches the grammar, and nowhere else. Too large an exponent is another test's.
fn check_grammar(reading: Reading, grammar: &str, alphabet: &[&str]) {
    let checker = checker(reading);
    let count = claim(&checker, "count");
    let grammar = Regex::new(grammar).unwrap();
    let mut random = Random(2);
    let mut accepted = 0;
    for _ in 0..200_000 {
        let text = random.text(alphabet, 9);
        let matches = grammar.is_match(&text);
        accepted += usize::from(matches);
        let bound = checker.bind(count, &Raw::Text(text.as_str().into()));
        if let Err(failure) = &bound
            && failure.expected.contains("an exponent is at most")
        {
            continue;
        }
        assert_eq!(bound.is_ok(), matches, "{text:?}: {bound:?}");
    }
    assert!(accepted > 1_000, "only {accepted} were numbers");
}

#[test]
fn the_strict_grammar() {
    let alphabet = ["0", "7", "12", "-", "+", ".", "e", "E", " ", ",", "_", "x", "٣", "３", "kg", "\n"];
    check_grammar(Reading::default(), r"\A-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\z", &alphabet);
}

#[test]
fn the_grammar_with_reading_options() {
    let reading = Reading { thousands: Some(' '), decimal: ',', plus: true, ..Reading::default() };
    let grammar = r"\A[+-]?([0-9]{1,3}( [0-9]{3})+|[0-9]+)(,[0-9]+)?([eE][+-]?[0-9]+)?\z";
    check_grammar(reading, grammar, &["0", "7", "12", "123", " 456", "-", "+", ",", "e", " ", ".", "５"]);
}

//! Random libraries and units: what conversions must be, whatever they are.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;
use assay_units::number::{decimal, fraction, parse, parse_fraction};
use assay_units::{Bridge, Converter, Library, Rational, Unit, standards};
use num_traits::Zero;

/// A small generator with a fixed seed, so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        // SplitMix64 (Steele, Lea and Flood 2014).
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    fn rational(&mut self) -> Rational {
        let (above, below) = (self.below(2000) as i64 - 1000, self.below(500) as i64 + 1);
        Rational::new(above.into(), below.into())
    }

    /// Up to three atoms joined by `*` and `/`, most often one.
    fn unit(&mut self, atoms: &[&str]) -> Unit {
        let mut text = (*self.pick(atoms)).to_owned();
        let further = [0, 0, 0, 1, 1, 2];
        for _ in 0..*self.pick(&further) {
            text += ["*", "/"][self.below(2) as usize];
            let atom: &&str = self.pick(atoms);
            text += atom;
            if self.below(4) == 0 {
                text += "^2";
            }
        }
        Unit::parse(&text).unwrap()
    }
}

fn line(bridge: Bridge) -> Option<(Rational, Rational)> {
    match bridge {
        Bridge::Same => Some((Rational::new(1.into(), 1.into()), Rational::zero())),
        Bridge::Convertible { factor, offset } => Some((factor, offset)),
        _ => None,
    }
}

/// Up to eight converters among made-up atoms, currencies and built-in units, those that contradict nothing.
fn random_library(random: &mut Random, atoms: &[&str]) -> Library {
    let mut library = Library::built_in();
    for _ in 0..8 {
        let offset = if random.below(4) == 0 { random.rational() } else { Rational::zero() };
        let factor =
            Rational::new((random.below(50) as i64 + 1).into(), (random.below(50) as i64 + 1).into());
        let (from, to) = (random.unit(atoms), random.unit(atoms));
        let mut converters = library.converters().to_vec();
        converters.push(Converter { from, to, factor, offset, attribution: None });
        if let Ok(larger) = Library::with(converters) {
            library = larger;
        }
    }
    library
}

#[test]
fn conversions_invert_and_compose_exactly() {
    let atoms =
        ["m", "km", "L", "kg", "lb", "d", "h", "mo", "yr", "K", "degC", "degF", "USD", "EUR", "box", "night"];
    let mut random = Random(7);
    let (mut inverted, mut composed, mut converters, mut ambiguous) = (0, 0, 0, 0);
    for _ in 0..10 {
        let library = random_library(&mut random, &atoms);
        converters += library.converters().len();
        let mut units: Vec<Unit> = (0..8).map(|_| random.unit(&atoms)).collect();
        units.extend(
            library.converters().iter().flat_map(|converter| [converter.from.clone(), converter.to.clone()]),
        );
        for from in &units {
            for to in &units {
                let forth = library.bridge(from, to);
                let back = library.bridge(to, from);
                assert_eq!(forth.word(), back.word(), "{from} and {to}");
                if let (
                    Bridge::Ambiguous { interval, inverse, factor },
                    Bridge::Ambiguous { interval: same, inverse: other, factor: back },
                ) = (&forth, &back)
                {
                    assert_eq!((interval, *inverse), (same, !other), "{from} and {to}");
                    assert_eq!(factor * back, parse("1").unwrap(), "{from} and {to}");
                    ambiguous += 1;
                }
                let Some((factor, offset)) = line(forth) else { continue };
                let (factor_back, offset_back) = line(back).unwrap();
                let value = random.rational();
                let there = &value * &factor + &offset;
                assert_eq!(&there * factor_back + offset_back, value, "{from} and {to}");
                inverted += 1;
                for further in &units[..8] {
                    let Some((second, shift)) = line(library.bridge(to, further)) else { continue };
                    let (direct, offset) = line(library.bridge(from, further)).unwrap();
                    assert_eq!(&there * second + shift, &value * direct + offset, "{from}, {to}, {further}");
                    composed += 1;
                }
            }
        }
    }
    // The generator reaches what it is for.
    assert!(converters > 50, "{converters} converters");
    assert!(inverted > 500 && composed > 250, "{inverted} inverted, {composed} composed");
    assert!(ambiguous > 5, "{ambiguous} ambiguous");
}

#[test]
fn the_order_of_converters_changes_no_answer() {
    let atoms = ["m", "kg", "USD", "EUR", "box", "pallet", "degC"];
    let mut random = Random(11);
    for _ in 0..100 {
        let library = random_library(&mut random, &atoms);
        let reversed: Vec<Converter> = library.converters().iter().rev().cloned().collect();
        let reversed = Library::with(reversed).unwrap();
        assert_eq!(library.hash(), reversed.hash());
        for _ in 0..50 {
            let (from, to) = (random.unit(&atoms), random.unit(&atoms));
            assert_eq!(library.bridge(&from, &to), reversed.bridge(&from, &to), "{from} to {to}");
        }
    }
}

#[test]
fn the_text_of_a_unit_and_of_a_number_reads_back() {
    let symbols: Vec<&str> = standards()
        .iter()
        .flat_map(|standard| &standard.units)
        .map(|unit| unit.symbol.as_str())
        .chain(["night", "_x"])
        .collect();
    let mut random = Random(13);
    for _ in 0..5000 {
        let unit = random.unit(&symbols);
        if unit.atoms().any(|(_, exponent)| exponent > 0) {
            assert_eq!(Unit::parse(&unit.to_string()), Ok(unit));
        }
        let value = random.rational();
        assert_eq!(parse_fraction(&fraction(&value)), Ok(value.clone()));
        if let Some(text) = decimal(&value) {
            assert_eq!(parse(&text), Ok(value));
        }
    }
}

/// The short way of the parser, in machine integers, and the long way give the same reduced number.
#[test]
fn short_and_long_numbers_are_read_alike() {
    let mut random = Random(17);
    for _ in 0..20_000 {
        let sign = ["", "-"][random.below(2) as usize];
        let limit = 10_u64.pow(random.below(19) as u32 + 1);
        let whole = random.below(limit);
        let limit = 10_u64.pow(random.below(10) as u32 + 1);
        let decimals = random.below(limit);
        let exponent = random.below(30) as i64 - 15;
        let text = format!("{sign}{whole}.{decimals}e{exponent}");
        let long = format!("{sign}{}{whole}.{decimals}e{exponent}", "0".repeat(40));
        let (short, long) = (parse(&text).unwrap(), parse(&long).unwrap());
        assert_eq!(short, long, "{text}");
        assert_eq!(short.reduced(), short, "{text}");
        assert_eq!(short.to_string(), long.to_string(), "{text}");
    }
}

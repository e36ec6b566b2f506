//! Random arithmetic over units of length, time and speed, against arithmetic in metres and seconds.

#![allow(clippy::expect_used)]

mod support;

use assay_units::{Rational, number};
use num_traits::Zero;
use support::evaluate;

/// Claims: a name, its unit, its value, and what it measures.
const CLAIMS: [(&str, &str, &str, Dimension); 8] = [
    ("l1", "km", "1.5", Dimension::Length),
    ("l2", "ft", "40", Dimension::Length),
    ("l3", "cm", "-20", Dimension::Length),
    ("t1", "h", "0.25", Dimension::Time),
    ("t2", "s", "7", Dimension::Time),
    ("v1", "km/h", "36", Dimension::Speed),
    ("v2", "m/s", "3", Dimension::Speed),
    ("n1", "", "2", Dimension::Bare),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Dimension {
    Length,
    Time,
    Speed,
    Bare,
}

/// How many metres, seconds or metres a second a unit is.
const UNITS: [(&str, &str, Dimension); 13] = [
    ("mm", "0.001", Dimension::Length),
    ("cm", "0.01", Dimension::Length),
    ("m", "1", Dimension::Length),
    ("km", "1000", Dimension::Length),
    ("in", "0.0254", Dimension::Length),
    ("ft", "0.3048", Dimension::Length),
    ("s", "1", Dimension::Time),
    ("min", "60", Dimension::Time),
    ("h", "3600", Dimension::Time),
    ("m/s", "1", Dimension::Speed),
    ("ft/min", "0.00508", Dimension::Speed),
    ("mm*km/m/s", "1", Dimension::Speed),
    ("", "1", Dimension::Bare),
];

fn exact(text: &str) -> Rational {
    number::parse(text).expect("a number")
}

fn base(value: &str, unit: &str) -> Rational {
    if unit == "km/h" {
        return exact(value) * exact("1000") / exact("3600");
    }
    let (_, factor, _) = UNITS.iter().find(|(name, ..)| *name == unit).expect("a unit");
    exact(value) * exact(factor)
}

/// A small generator of numbers, so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<T: Copy>(&mut self, from: impl Iterator<Item = T>) -> T {
        let all: Vec<T> = from.collect();
        all[self.below(all.len())]
    }

    /// An expression of a dimension, and its value in metres and seconds.
    fn expression(&mut self, of: Dimension, depth: usize) -> (String, Rational) {
        if depth == 0 || self.below(5) == 0 {
            return self.leaf(of);
        }
        let depth = depth - 1;
        match self.below(7) {
            0 => {
                let (a, b) = (self.expression(of, depth), self.expression(of, depth));
                let c = self.expression(of, depth);
                (format!("({} + {} - {})", a.0, b.0, c.0), a.1 + b.1 - c.1)
            }
            1 => {
                let (a, n) = (self.expression(of, depth), self.expression(Dimension::Bare, depth));
                (format!("({} * {})", n.0, a.0), a.1 * n.1)
            }
            2 => {
                let (a, n) = (self.expression(of, depth), self.divisor(Dimension::Bare, depth));
                (format!("({} / {})", a.0, n.0), a.1 / n.1)
            }
            3 => {
                let a = self.expression(of, depth);
                (format!("(-({}))", a.0), -a.1)
            }
            4 => {
                let (a, b) = (self.expression(of, depth), self.divisor(of, depth));
                let floor = (&a.1 / &b.1).floor();
                (format!("({} % {})", a.0, b.0), a.1 - b.1 * floor)
            }
            5 => {
                let (condition, holds) = self.comparison(depth);
                let (a, b) = (self.expression(of, depth), self.expression(of, depth));
                (format!("If({condition}, {}, {})", a.0, b.0), if holds { a.1 } else { b.1 })
            }
            _ => self.combination(of, depth),
        }
    }

    /// An expression of two dimensions that make this one.
    fn combination(&mut self, of: Dimension, depth: usize) -> (String, Rational) {
        let (top, bottom) = match of {
            Dimension::Length => {
                let (v, t) =
                    (self.expression(Dimension::Speed, depth), self.expression(Dimension::Time, depth));
                return (format!("({} * {})", v.0, t.0), v.1 * t.1);
            }
            Dimension::Time => (Dimension::Length, Dimension::Speed),
            Dimension::Speed => (Dimension::Length, Dimension::Time),
            Dimension::Bare => {
                let of = self.pick([Dimension::Length, Dimension::Time, Dimension::Speed].into_iter());
                (of, of)
            }
        };
        let (a, b) = (self.expression(top, depth), self.divisor(bottom, depth));
        (format!("({} / {})", a.0, b.0), a.1 / b.1)
    }

    fn divisor(&mut self, of: Dimension, depth: usize) -> (String, Rational) {
        let found = self.expression(of, depth);
        if !found.1.is_zero() {
            return found;
        }
        let unit = self.pick(UNITS.iter().filter(|unit| unit.2 == of));
        (literal("3", unit.0), base("3", unit.0))
    }

    fn leaf(&mut self, of: Dimension) -> (String, Rational) {
        if self.below(2) == 0 {
            let (name, unit, value, _) = *self.pick(CLAIMS.iter().filter(|claim| claim.3 == of));
            return (name.to_owned(), base(value, unit));
        }
        let (unit, ..) = *self.pick(UNITS.iter().filter(|unit| unit.2 == of));
        let value = ["0", "1", "2.5", "-7", "12"][self.below(5)];
        (literal(value, unit), base(value, unit))
    }

    fn comparison(&mut self, depth: usize) -> (String, bool) {
        let of =
            self.pick([Dimension::Length, Dimension::Time, Dimension::Speed, Dimension::Bare].into_iter());
        let (a, b) = (self.expression(of, depth), self.expression(of, depth));
        let (sign, holds) = match self.below(6) {
            0 => ("<", a.1 < b.1),
            1 => ("<=", a.1 <= b.1),
            2 => (">", a.1 > b.1),
            3 => (">=", a.1 >= b.1),
            4 => ("==", a.1 == b.1),
            _ => ("!=", a.1 != b.1),
        };
        (format!("{} {sign} {}", a.0, b.0), holds)
    }
}

fn literal(value: &str, unit: &str) -> String {
    if unit.is_empty() { value.to_owned() } else { format!("{value} \"{unit}\"") }
}

#[test]
fn units_agree_with_arithmetic_in_one_unit() {
    let mut declarations = String::new();
    for (name, unit, ..) in CLAIMS {
        if !unit.is_empty() {
            declarations += &format!("// @unit {name} {unit}\n");
        }
        declarations += &format!("declare {name} as numeric;\n");
    }
    let given: Vec<(&str, &str)> = CLAIMS.iter().map(|(name, _, value, _)| (*name, *value)).collect();
    let mut random = Random(3);
    let mut held = 0;
    for _ in 0..2_000 {
        let (body, holds) = random.comparison(4);
        let source = format!("{declarations}assert a {{ {body} }};");
        assert_eq!(evaluate(&source, &given), holds, "{body}");
        held += usize::from(holds);
    }
    assert!((500..1_500).contains(&held), "{held}");
}

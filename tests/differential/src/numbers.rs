//! Writing numbers.

use crate::writer::{Kind, Unit, Writer};

impl Writer<'_> {
    pub(crate) fn num(&mut self, unit: Unit, depth: usize) -> String {
        if depth == 0 {
            return self.num_leaf(unit);
        }
        let below = depth - 1;
        match self.rng.u8(..16) {
            0 | 1 => {
                let (a, b) = (self.num(unit, below), self.num(unit, below));
                self.form("+", format!("({a} + {b})"))
            }
            2 | 3 => {
                let (a, b) = (self.num(unit, below), self.num(unit, below));
                self.form("-", format!("({a} - {b})"))
            }
            4 => {
                let (a, b) = (self.num(unit, below), self.num_leaf(Unit::Bare));
                self.form("*", format!("({a} * {b})"))
            }
            5 => {
                let (a, b) = (self.literal(Unit::Bare), self.num(unit, below));
                self.form("*", format!("({a} * {b})"))
            }
            6 => {
                let (a, b) = (self.num(unit, below), self.divisor());
                self.form("/", format!("({a} / {b})"))
            }
            7 if unit == Unit::Bare => {
                let of = self.pick(&[Unit::Usd, Unit::Length, Unit::Time]);
                // Of claims only: months by days, or one currency by another, are no bare number.
                let (a, b) = (self.claim(of), self.claim(of));
                self.form("/", format!("({a} / {b})"))
            }
            7 => {
                let (a, b) = (self.num(unit, below), self.claim(unit));
                self.form("%", format!("({a} % {b})"))
            }
            8 => {
                let (a, b) = (self.num(unit, below), self.literal(unit));
                self.form("%", format!("({a} % {b})"))
            }
            9 => {
                let a = self.num(unit, below);
                self.form("unary -", format!("-({a})"))
            }
            10 | 11 => {
                let (c, a, b) = (self.bool(below), self.num(unit, below), self.num(unit, below));
                self.form("If of numbers", format!("If({c}, {a}, {b})"))
            }
            12 => self.case(Kind::Num(unit), below),
            13 if unit == Unit::Bare => self.count_where(below),
            _ => self.num_leaf(unit),
        }
    }

    pub(crate) fn num_leaf(&mut self, unit: Unit) -> String {
        if let Some(name) = self.name(Kind::Num(unit)) {
            return name;
        }
        if self.once_in(3) { self.literal(unit) } else { self.claim(unit) }
    }

    fn claim(&mut self, unit: Unit) -> String {
        match unit {
            Unit::Bare => {
                let claim = self.pick(&["n0", "n1", "n2"]);
                self.form("numeric claim", claim)
            }
            Unit::Usd => {
                let claim = self.pick(&["u0", "u1"]);
                self.form("claim with a unit", claim)
            }
            Unit::Length => {
                let claim = self.pick(&["m0", "m1"]);
                self.form("claim with a unit", claim)
            }
            Unit::Time => self.form("claim with a unit", "d0"),
        }
    }

    /// A literal that is not zero.
    pub(crate) fn literal(&mut self, unit: Unit) -> String {
        let number = self.pick(&["1", "2", "3", "2.5", "0.1", "12", "1e2", "-4", "-0.5", "7"]);
        match unit {
            Unit::Bare => self.form("number", number),
            Unit::Usd if self.once_in(6) => {
                self.form("literal that nothing bridges", format!("{number} \"EUR\""))
            }
            Unit::Usd => self.form("number with a unit", format!("{number} \"USD\"")),
            Unit::Length => {
                let other = self.pick(&["m", "km", "ft", "cm"]);
                let form = if other == "m" { "number with a unit" } else { "literal in another unit" };
                self.form(form, format!("{number} \"{other}\""))
            }
            Unit::Time if self.once_in(3) => {
                let other = self.pick(&["mo", "yr"]);
                self.form("literal of an interval", format!("{number} \"{other}\""))
            }
            Unit::Time if self.once_in(2) => {
                let days = self.pick(&["29", "30", "60", "365"]);
                self.form("number with a unit", format!("{days} \"d\""))
            }
            Unit::Time => {
                let other = self.pick(&["d", "h", "wk"]);
                let form = if other == "d" { "number with a unit" } else { "literal in another unit" };
                self.form(form, format!("{number} \"{other}\""))
            }
        }
    }

    /// A bare number that may be zero, unless it is a literal.
    fn divisor(&mut self) -> String {
        if self.once_in(2) { self.claim(Unit::Bare) } else { self.literal(Unit::Bare) }
    }
}

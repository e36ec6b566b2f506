//! What becomes of two numbers that meet.
//!
//! Of one unit: nothing. Of two that convert: the right one is converted into the left one's unit, by an interval in the
//! direction in which its factor multiplies, so that a comparison stays linear. Of two that nothing bridges: the
//! one that is foreign is converted into the other's unit by an unconstrained function, or the right one into the left
//! one's where both are foreign or neither is.

use num_traits::{One, Zero};

use assay_units::{Bridge, Interval, Rational, Unit};

use super::{Lowering, Measured};
use crate::formula::{NumRef, Unbridged};

/// How a number of one unit becomes one of another.
#[derive(Debug, Clone)]
pub(super) enum Conversion {
    /// `number * factor + offset`
    Exact { factor: Rational, offset: Rational },
    /// `number * factor` times the interval's factor, or by it.
    Interval { interval: Interval, inverse: bool, factor: Rational },
    /// An unconstrained function.
    Unbridged(Unbridged),
}

/// What becomes of the two numbers of a meeting, and how the result is measured.
#[derive(Debug)]
pub(super) struct Meeting {
    pub(super) left: Option<Conversion>,
    pub(super) right: Option<Conversion>,
    pub(super) result: Measured,
}

impl Lowering<'_> {
    /// What becomes of two numbers that meet.
    pub(super) fn meeting(&self, left: &Measured, right: &Measured) -> Meeting {
        let foreign = left.foreign || right.foreign;
        if left.unit == right.unit {
            return Meeting {
                left: None,
                right: None,
                result: Measured { unit: left.unit.clone(), foreign },
            };
        }
        let in_left = Measured { unit: left.unit.clone(), foreign };
        match self.conversion(&right.unit, &left.unit) {
            Some(to_left @ Conversion::Interval { inverse: true, .. }) => {
                match self.conversion(&left.unit, &right.unit) {
                    Some(to_right @ Conversion::Interval { inverse: false, .. }) => {
                        let result = Measured { unit: right.unit.clone(), foreign };
                        Meeting { left: Some(to_right), right: None, result }
                    }
                    _ => Meeting { left: None, right: Some(to_left), result: in_left },
                }
            }
            Some(to_left) => Meeting { left: None, right: Some(to_left), result: in_left },
            None if left.foreign && !right.foreign => {
                Meeting { left: Some(unbridged(left, right)), right: None, result: right.clone() }
            }
            None => Meeting { left: None, right: Some(unbridged(right, left)), result: left.clone() },
        }
    }

    /// The conversion that the library gives from one unit to another, if it gives one.
    pub(super) fn conversion(&self, from: &Unit, to: &Unit) -> Option<Conversion> {
        match self.library.bridge(from, to) {
            Bridge::Same => Some(Conversion::Exact { factor: Rational::one(), offset: Rational::zero() }),
            Bridge::Convertible { factor, offset } => Some(Conversion::Exact { factor, offset }),
            Bridge::Ambiguous { interval, inverse, factor } => {
                Some(Conversion::Interval { interval, inverse, factor })
            }
            Bridge::UnknownUnit { .. } | Bridge::NoPath => None,
        }
    }

    /// Converts a number. A literal is converted at once.
    pub(super) fn convert(&mut self, number: NumRef, conversion: Option<&Conversion>) -> NumRef {
        match conversion {
            None => number,
            Some(Conversion::Exact { factor, offset }) => {
                if let Some(value) = self.builder.constant(number) {
                    let value = value * factor + offset;
                    return self.builder.num(value);
                }
                let scaled = self.scale(number, factor);
                if offset.is_zero() {
                    return scaled;
                }
                let offset = self.builder.num(offset.clone());
                self.builder.sum([scaled, offset])
            }
            Some(Conversion::Interval { interval, inverse, factor }) => {
                let scaled = self.scale(number, factor);
                let unknown = self.builder.factor(interval);
                match inverse {
                    true => self.builder.div(scaled, unknown),
                    false => self.builder.mul(scaled, unknown),
                }
            }
            Some(Conversion::Unbridged(pair)) => self.builder.unbridged(pair, number),
        }
    }

    /// A number times an exact factor.
    pub(super) fn scale(&mut self, number: NumRef, factor: &Rational) -> NumRef {
        if factor.is_one() {
            return number;
        }
        if let Some(value) = self.builder.constant(number) {
            let value = value * factor;
            return self.builder.num(value);
        }
        let factor = self.builder.num(factor.clone());
        self.builder.mul(factor, number)
    }
}

fn unbridged(from: &Measured, to: &Measured) -> Conversion {
    Conversion::Unbridged(Unbridged { from: from.unit.to_string(), to: to.unit.to_string() })
}

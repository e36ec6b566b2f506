//! What becomes of two numbers that meet.
//!
//! Of one unit: nothing. Of two that convert: the right one is converted into the left one's unit, by an interval in the
//! direction in which its factor multiplies, so that a comparison stays linear. Of two that nothing bridges: the
//! one that is foreign is converted into the other's unit by an unconstrained function, or the right one into the left
//! one's where both are foreign or neither is.

use num_traits::{One, Zero};

use assay_units::{Bridge, Rational, Unit};

use super::{Lowering, Measured};
use crate::formula::{NumRef, Unbridged};
use crate::trace::{Converted, How};

/// A conversion between two units.
#[derive(Debug, Clone)]
pub(super) struct Conversion {
    pub(super) from: Unit,
    pub(super) to: Unit,
    pub(super) how: How,
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
            Some(to_left @ Conversion { how: How::Interval { inverse: true, .. }, .. }) => {
                match self.conversion(&left.unit, &right.unit) {
                    Some(to_right @ Conversion { how: How::Interval { inverse: false, .. }, .. }) => {
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
        let how = match self.library.bridge(from, to) {
            Bridge::Same => How::Exact { factor: Rational::one(), offset: Rational::zero() },
            Bridge::Convertible { factor, offset } => How::Exact { factor, offset },
            Bridge::Ambiguous { interval, inverse, factor } => How::Interval { interval, inverse, factor },
            Bridge::UnknownUnit { .. } | Bridge::NoPath => return None,
        };
        Some(Conversion { from: from.clone(), to: to.clone(), how })
    }

    /// Converts a number. A literal is converted at once.
    pub(super) fn convert(&mut self, number: NumRef, conversion: Option<&Conversion>) -> NumRef {
        let Some(conversion) = conversion else { return number };
        let converted = self.converted(number, conversion);
        if let Some(tracer) = &mut self.tracer {
            let Conversion { from, to, how } = conversion.clone();
            tracer.converted(Converted { from, to, before: number.index(), after: converted.index(), how });
        }
        converted
    }

    fn converted(&mut self, number: NumRef, conversion: &Conversion) -> NumRef {
        match &conversion.how {
            How::Exact { factor, offset } => {
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
            How::Interval { interval, inverse, factor } => {
                let scaled = self.scale(number, factor);
                let unknown = self.builder.factor(interval);
                match inverse {
                    true => self.builder.div(scaled, unknown),
                    false => self.builder.mul(scaled, unknown),
                }
            }
            How::Unbridged => {
                let Conversion { from, to, .. } = conversion;
                let pair = Unbridged { from: from.to_string(), to: to.to_string() };
                self.builder.unbridged(&pair, number)
            }
        }
    }

    /// A number times an exact factor.
    fn scale(&mut self, number: NumRef, factor: &Rational) -> NumRef {
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
    Conversion { from: from.unit.clone(), to: to.unit.clone(), how: How::Unbridged }
}

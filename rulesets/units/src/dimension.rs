//! What units reduce to, and the relations that converters add between dimensions.
//!
//! A unit reduces to a *dimension* (whole exponents over bases: metre, kilogram, second, month, bit,
//! kelvin, each currency, each atom of no library) and a factor. A converter without an offset says
//! that a quotient of two dimensions is a number: `EUR/USD = 27/25`. What follows from a set of such
//! relations is what their products and quotients give: the dimensions that become numbers are a
//! lattice of integer vectors. [`Relations`] keeps a basis of it in echelon form, each row with its
//! number, so that the number of any dimension in the lattice is found by elimination, and is unique.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use num_traits::One;

use crate::{BuiltIn, Rational, Unit, standard};

/// Exponents over bases, none of them zero.
type Dimension = BTreeMap<Arc<str>, i64>;

/// The most bits that a factor may come to, some 20,000 digits. Only hostile exponents get there.
const MAX_BITS: u64 = 1 << 16;

/// `factor * dimension`: what a unit reduces to.
#[derive(Debug, Clone)]
struct Quantity {
    dimension: Dimension,
    factor: Rational,
}

/// The basis of all that the converters relate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relations {
    /// Quantities that equal the number one, each under its first base, whose exponent is positive.
    rows: BTreeMap<Arc<str>, Arc<Quantity>>,
}

/// Why a relation cannot be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It contradicts what is known.
    Contradiction,
    /// Its numbers would grow beyond all use.
    TooLarge,
}

impl Relations {
    /// The number that `unit` is, where its dimensions cancel: `km/m` is 1000.
    pub(crate) fn number(&self, unit: &Unit) -> Option<Rational> {
        let mut left = Quantity::of(unit)?;
        while let Some((base, exponent)) = left.first() {
            let row = self.rows.get(&base)?;
            let step = row.exponent(&base);
            if exponent % step != 0 {
                return None;
            }
            left.multiply(row, -(exponent / step))?;
        }
        Some(left.factor)
    }

    /// Whether some power of `unit` is a number.
    pub(crate) fn fixes_a_power(&self, unit: &Unit) -> bool {
        let Some(mut left) = Quantity::of(unit) else { return false };
        while let Some((base, exponent)) = left.first() {
            let Some(row) = self.rows.get(&base) else { return false };
            let step = row.exponent(&base);
            let mut raised = Quantity::one();
            let powers = raised.multiply(&left, step).and_then(|()| raised.multiply(row, -exponent));
            if powers.is_none() {
                return false;
            }
            left = raised;
        }
        true
    }

    /// Adds the relation that one `from` is `factor` of `to`.
    pub(crate) fn relate(&self, from: &Unit, to: &Unit, factor: &Rational) -> Result<Self, Refused> {
        let quotient = from.div(to);
        let mut new = Quantity::of(&quotient).ok_or(Refused::TooLarge)?;
        new.factor /= factor;
        let mut next = self.clone();
        while let Some((base, _)) = new.first() {
            let Some(row) = next.rows.get(&base) else {
                next.rows.insert(base, Arc::new(new.leading_positive().ok_or(Refused::TooLarge)?));
                next.tidy().ok_or(Refused::TooLarge)?;
                return Ok(next);
            };
            // Euclid on the two exponents of the base: what the rows generate stays as it is, and
            // the new one loses the base.
            let mut row = Quantity::clone(row);
            while new.exponent(&base) != 0 {
                let times = row.exponent(&base) / new.exponent(&base);
                row.multiply(&new, -times).ok_or(Refused::TooLarge)?;
                std::mem::swap(&mut row, &mut new);
            }
            next.rows.insert(base, Arc::new(row.leading_positive().ok_or(Refused::TooLarge)?));
        }
        if !new.factor.is_one() {
            return Err(Refused::Contradiction);
        }
        next.tidy().ok_or(Refused::TooLarge)?;
        Ok(next)
    }

    /// Brings every exponent of a base that has a row of its own to no more than that row's, as the Hermite normal form
    /// does: without it, the numbers of random relations grow beyond all use.
    fn tidy(&mut self) -> Option<()> {
        let pivots: Vec<Arc<str>> = self.rows.keys().cloned().collect();
        for pivot in pivots.iter().rev() {
            let row = self.rows.get(pivot)?;
            if row.dimension.iter().all(|(base, exponent)| self.excess(base, *exponent) == 0) {
                continue;
            }
            let mut row = Quantity::clone(row);
            let mut after = Arc::clone(pivot);
            while let Some((base, exponent)) = row.next_after(&after) {
                let times = self.excess(&base, exponent);
                if times != 0 {
                    row.multiply(self.rows.get(&base)?, -times)?;
                }
                after = base;
            }
            self.rows.insert(Arc::clone(pivot), Arc::new(row));
        }
        Some(())
    }

    /// How often the row of `base` goes into an exponent of it that is larger than the row's own.
    fn excess(&self, base: &Arc<str>, exponent: i64) -> i64 {
        match self.rows.get(base).map(|row| row.exponent(base)) {
            Some(step) if exponent.abs() > step => exponent / step,
            _ => 0,
        }
    }
}

impl Quantity {
    fn one() -> Self {
        Self { dimension: Dimension::new(), factor: Rational::one() }
    }

    /// What `unit` reduces to, offsets left aside; `None` where its factor is beyond all use.
    fn of(unit: &Unit) -> Option<Self> {
        if unit.is_oversized() {
            return None;
        }
        let mut quantity = Self::one();
        for (atom, exponent) in unit.atoms() {
            let of_one = match standard::built_in(atom) {
                Some(BuiltIn { base, factor, .. }) => Self {
                    dimension: base.atoms().map(|(base, by)| (base.into(), by.into())).collect(),
                    factor: factor.clone(),
                },
                None => Self { dimension: Dimension::from([(atom.into(), 1)]), ..Self::one() },
            };
            quantity.multiply(&of_one, exponent.into())?;
        }
        Some(quantity)
    }

    fn first(&self) -> Option<(Arc<str>, i64)> {
        self.dimension.first_key_value().map(|(base, exponent)| (Arc::clone(base), *exponent))
    }

    fn next_after(&self, base: &Arc<str>) -> Option<(Arc<str>, i64)> {
        let range = (Bound::Excluded(base), Bound::Unbounded);
        let (base, exponent) = self.dimension.range::<Arc<str>, _>(range).next()?;
        Some((Arc::clone(base), *exponent))
    }

    fn exponent(&self, base: &str) -> i64 {
        self.dimension.get(base).copied().unwrap_or(0)
    }

    /// This quantity or its inverse, whichever has a positive exponent of its first base.
    fn leading_positive(self) -> Option<Self> {
        if self.first().is_none_or(|(_, exponent)| exponent > 0) {
            return Some(self);
        }
        let mut inverse = Self::one();
        inverse.multiply(&self, -1)?;
        Some(inverse)
    }

    /// Multiplies by `other` to a power; `None` where that grows beyond all use.
    fn multiply(&mut self, other: &Quantity, power: i64) -> Option<()> {
        for (base, exponent) in &other.dimension {
            let sum = self.exponent(base).checked_add(exponent.checked_mul(power)?)?;
            if sum == 0 {
                self.dimension.remove(base);
            } else {
                self.dimension.insert(Arc::clone(base), sum);
            }
        }
        if !other.factor.is_one() {
            let size = bits(&other.factor).checked_mul(power.unsigned_abs())?;
            if size.checked_add(bits(&self.factor))? > MAX_BITS {
                return None;
            }
            self.factor *= other.factor.pow(i32::try_from(power).ok()?);
        }
        Some(())
    }
}

fn bits(value: &Rational) -> u64 {
    value.numer().bits() + value.denom().bits()
}

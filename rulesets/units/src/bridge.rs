//! What a pair of units answers.

use crate::Rational;

/// A conversion whose factor is only known to lie between two bounds, both of them possible:
/// `1 from = f to` with `low <= f <= high`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The symbol of the larger unit, `mo` or `yr`.
    pub from: String,
    /// The symbol of the smaller one, `d`.
    pub to: String,
    /// The least factor.
    pub low: Rational,
    /// The greatest factor.
    pub high: Rational,
}

/// How a value in one unit becomes a value in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// The units are equal.
    Same,
    /// `to_value = from_value * factor + offset`, exactly.
    Convertible {
        /// The factor, never zero or negative.
        factor: Rational,
        /// The offset, in the unit converted to.
        offset: Rational,
    },
    /// `to_value = from_value * factor * f`, or `/ f` where `inverse`, for one `f` of the interval.
    Ambiguous {
        /// The interval that `f` lies in.
        interval: Interval,
        /// Whether `f` divides.
        inverse: bool,
        /// The exact part of the factor.
        factor: Rational,
    },
    /// Nothing converts them, and these atoms that stand between them are of no library.
    UnknownUnit {
        /// The atoms, in byte order.
        atoms: Vec<String>,
    },
    /// Every atom is known, and nothing converts them.
    NoPath,
}

impl Bridge {
    /// The word for it on the wire: `same`, `convertible`, `ambiguous`, `unknown_unit` or `no_path`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Convertible { .. } => "convertible",
            Self::Ambiguous { .. } => "ambiguous",
            Self::UnknownUnit { .. } => "unknown_unit",
            Self::NoPath => "no_path",
        }
    }
}

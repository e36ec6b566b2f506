//! Exact numbers with units.
//!
//! A [`Unit`] is a product of atoms (`USD/night`). A [`Library`] says what the atoms mean: six
//! built-in [`standards`], each a data file of exact rationals with its sources, and the converters
//! that a project adds (`EUR` to `USD` at 1.08). For any two units it answers with a [`Bridge`]: the
//! same, convertible by a factor, convertible only by a factor that lies in an [`Interval`] (a month
//! is 28 to 31 days), unknown, or not convertible.
//!
//! Nothing here is ever rounded: numbers are [`Rational`]s, read by the grammar of [`number`].

mod bridge;
mod closest;
mod converter;
mod dimension;
mod library;
mod node;
pub mod number;
mod read;
mod standard;
mod unit;

pub use bridge::{Bridge, Interval};
pub use converter::{Converter, ConverterError};
pub use library::Library;
pub use read::{Format, read_converters};
pub use standard::{BuiltIn, Standard, standards};
pub use unit::{MAX_EXPONENT, Unit, UnitError};

/// An exact number: a reduced fraction of two whole numbers of any size.
pub type Rational = num_rational::BigRational;

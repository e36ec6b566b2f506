//! skeleton
use crate::{Rational, Unit};
use std::sync::Arc;
/// A built-in standard.
#[derive(Debug, Clone)]
pub struct Standard {
    /// Its name.
    pub name: String,
    /// Where its factors come from.
    pub source: String,
    /// Its units.
    pub units: Vec<BuiltIn>,
}
/// A built-in unit.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// Its symbol.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// Its other spellings.
    pub aliases: Vec<String>,
    /// The base unit.
    pub base: Unit,
    /// `base_value = value * factor + offset`.
    pub factor: Rational,
    /// See `factor`.
    pub offset: Rational,
    /// The definition that gives the factor.
    pub source: String,
}
/// The six.
pub fn standards() -> &'static [Standard] {
    &[]
}
pub(crate) fn symbol_of(atom: &str) -> Arc<str> {
    atom.into()
}

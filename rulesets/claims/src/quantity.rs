//! What a numeric claim was worth, told for people.

use assay_units::{Bridge, Unit};

/// How the number of one claim was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The value as it was sent: `120 EUR`, `1e3`; a pair as its value, a space and its unit.
    pub submitted: String,
    /// The literal it became, before any conversion: `120 "EUR"`, `1000`.
    pub bound: String,
    /// The claim's declared unit.
    pub measured_in: Option<Unit>,
    /// How its unit meets the declared one, where the two differ.
    pub conversion: Option<Conversion>,
}

/// Two units that differ and what the library says of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The submitted unit.
    pub from: Unit,
    /// The declared unit.
    pub to: Unit,
    /// The library's answer: `bridge.word()` is the wire's `status`; never `same`.
    pub bridge: Bridge,
}

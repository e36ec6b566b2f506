//! Which units a ruleset brings together that nothing bridges.

use assay_units::Library;

use crate::Ruleset;

/// Two units that meet in a rule and that nothing bridges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnbridgedUnits {
    /// The assertion they meet in.
    pub rule: String,
    /// The unit that would be converted.
    pub from: String,
    /// The unit that it would be converted to.
    pub to: String,
    /// Why nothing bridges them.
    pub cause: Cause,
}

/// Why two units are not bridged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// No conversion is known.
    Missing,
    /// The conversion is an interval, such as months to days.
    Ambiguous,
}

impl Cause {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Missing => "missing",
            Cause::Ambiguous => "ambiguous",
        }
    }
}

/// The pairs of units that each assertion brings together and that `library` does not bridge, with every claim in its
/// declared unit: each pair once for each rule, in source order.
pub fn unbridged(ruleset: &Ruleset, library: &Library) -> Vec<UnbridgedUnits> {
    let _ = (ruleset, library);
    Vec::new()
}

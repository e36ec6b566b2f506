//! In which unit the evidence of each claim came: what [`crate::resolve`] needs to know of it, and all it needs.

use assay_units::Unit;

use crate::Ruleset;
use crate::typed::ClaimId;

/// The unit that the number of one claim is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The claim's declared unit, or none where it has none. Unknown claims and claims that are not numeric are this.
    Declared,
    /// This unit, which nothing converts to the declared one.
    Foreign(Unit),
    /// This unit, which converts to the declared one by an interval factor only.
    Interval(Unit),
}

/// The measures of all claims of a ruleset. Two dictionaries with equal measures ask the same formulas.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Measures(Vec<Measure>);

impl Measures {
    /// Every claim in its declared unit.
    pub fn declared(ruleset: &Ruleset) -> Measures {
        Measures(vec![Measure::Declared; ruleset.claims.len()])
    }

    /// The measures in the order of the claims; a claim past the end is in its declared unit.
    pub fn new(measures: Vec<Measure>) -> Measures {
        Measures(measures)
    }

    /// The measure of one claim.
    pub fn of(&self, claim: ClaimId) -> &Measure {
        self.0.get(claim.0).unwrap_or(&Measure::Declared)
    }

    /// Sets the measure of one claim; a claim that the ruleset does not have is let go.
    pub fn set(&mut self, claim: ClaimId, measure: Measure) {
        if let Some(place) = self.0.get_mut(claim.0) {
            *place = measure;
        }
    }
}

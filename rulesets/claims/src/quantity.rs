//! What a numeric claim was worth, told for people.

use assay_compile::ClaimKind;
use assay_units::{Bridge, Unit, number};

use crate::amount::Amount;
use crate::expected::quote;
use crate::{Checker, ClaimId, Raw};

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

impl Checker {
    /// How the number of a claim was read: `None` where the claim is not numeric, or `raw` is undetermined or
    /// refused.
    pub fn quantity(&self, claim: ClaimId, raw: &Raw<'_>) -> Option<Quantity> {
        let ClaimKind::Numeric { unit: declared, .. } = &self.ruleset().claims.get(claim.0)?.kind else {
            return None;
        };
        self.read(claim, raw).ok()?;
        let Amount { value, unit } = self.amount(raw).ok()??;
        let from = match unit {
            Some(text) => Some(Unit::parse(text).ok()?),
            None => declared.clone(),
        };
        let mut bound = number::plain(&value);
        if let Some(unit) = &from {
            bound = format!("{bound} {}", quote(&unit.to_string()));
        }
        let conversion = match (from, declared) {
            (Some(from), Some(to)) if from != *to => {
                Some(Conversion { bridge: self.library().bridge(&from, to), from, to: to.clone() })
            }
            _ => None,
        };
        Some(Quantity { submitted: submitted(raw)?, bound, measured_in: declared.clone(), conversion })
    }
}

/// A numeric value as it was sent, on one line.
fn submitted(raw: &Raw<'_>) -> Option<String> {
    match raw {
        Raw::Number(text) | Raw::Text(text) => Some(text.to_string()),
        Raw::Object(fields) => {
            let part = |name: &str| {
                let (_, part) = fields.iter().find(|(key, _)| key == name)?;
                submitted(part)
            };
            Some(format!("{} {}", part("value")?, part("unit")?))
        }
        _ => None,
    }
}

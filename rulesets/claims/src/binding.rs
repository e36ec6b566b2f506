//! What values become.

use assay_compile::typed::ClaimId;
use assay_compile::{Measure, Measures};
use assay_units::Rational;

/// What one claim is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Binding {
    /// Nothing: it was not determined, and its variable is free.
    Unknown,
    /// A boolean.
    Bool(bool),
    /// An exact number.
    Number {
        /// The number, in the unit that `measure` names.
        value: Rational,
        /// The unit: the claim's own after an exact conversion, or another where no exact conversion is known.
        measure: Measure,
    },
    /// A member of the claim's vocabulary, in the shared numbering (`EnumKind::vocabulary`).
    Member(u32),
}

impl Binding {
    /// The unit that its number is in; whatever is no number is in the declared one.
    pub fn measure(&self) -> &Measure {
        match self {
            Binding::Number { measure, .. } => measure,
            _ => &Measure::Declared,
        }
    }
}

/// The bindings of every claim of a ruleset, in declared order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dictionary {
    bindings: Vec<Binding>,
}

impl Dictionary {
    /// The bindings of the claims in their declared order.
    pub fn new(bindings: Vec<Binding>) -> Dictionary {
        Dictionary { bindings }
    }

    /// The binding of one claim; a claim past the end is unknown.
    pub fn get(&self, claim: ClaimId) -> &Binding {
        self.bindings.get(claim.0).unwrap_or(&Binding::Unknown)
    }

    /// Binds one claim; a claim past the end is let go.
    pub fn set(&mut self, claim: ClaimId, binding: Binding) {
        if let Some(place) = self.bindings.get_mut(claim.0) {
            *place = binding;
        }
    }

    /// All bindings, in declared order.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Whether every number is in its claim's declared unit: the ordinary case.
    pub fn is_declared(&self) -> bool {
        self.bindings.iter().all(|binding| *binding.measure() == Measure::Declared)
    }

    /// The units of all bindings.
    pub fn measures(&self) -> Measures {
        Measures::new(self.bindings.iter().map(|binding| binding.measure().clone()).collect())
    }
}

//! The value of every part of an assertion.

use assay_claims::Evidence;
use assay_claims::{Binding, Measure};
use assay_compile::trace;
use assay_compile::trace::{Converted, Part};
use assay_units::Rational;

use crate::Plan;
use crate::evaluate::{Value, Values, values};
use crate::explain::with_contradicted_open;

/// How many parts are listed.
const LISTED: usize = 400;

/// The parts of an assertion with their values.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// In the order in which they are written.
    pub list: Vec<Step>,
    /// Whether there are more.
    pub more: bool,
}

/// A part and its value.
#[derive(Debug, Clone)]
pub struct Step {
    /// The part.
    pub part: Part,
    /// Its value.
    pub value: Shown,
    /// The conversions of what stands directly in it.
    pub conversions: Vec<Conversion>,
}

/// A conversion with the number before and after it, where they are known.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The conversion.
    pub converted: Converted,
    /// The number before.
    pub before: Shown,
    /// The number after.
    pub after: Shown,
}

/// A value that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// It depends on something that is not known.
    Unknown,
    /// A number too large to be computed with.
    TooLarge,
    /// A boolean.
    Bool(bool),
    /// A number.
    Num(Rational),
    /// A member of a vocabulary, by number.
    Member(u32),
}

impl Shown {
    /// The value as evidence in the claim's own unit would bind it.
    pub(crate) fn binding(&self) -> Option<Binding> {
        Some(match self {
            Shown::Bool(value) => Binding::Bool(*value),
            Shown::Num(value) => Binding::Number { value: value.clone(), measure: Measure::Declared },
            Shown::Member(number) => Binding::Member(*number),
            Shown::Unknown | Shown::TooLarge => return None,
        })
    }
}

/// The parts of an assertion under the evidence.
pub(crate) fn steps(plan: &Plan, assertion: usize, evidence: &Evidence) -> Steps {
    let trace = trace(plan.ruleset(), assertion, &evidence.first().measures(), plan.library());
    let open = with_contradicted_open(evidence);
    let values = values(&trace.formula, &open);
    let (parts, more) = trace.parts(LISTED);
    let step = |part: Part| {
        let conversion = |converted: &Converted| Conversion {
            before: shown(&values, converted.before),
            after: shown(&values, converted.after),
            converted: converted.clone(),
        };
        let conversions = part.conversions.iter().map(conversion).collect();
        Step { value: shown(&values, part.node), conversions, part }
    };
    Steps { list: parts.into_iter().map(step).collect(), more }
}

fn shown(values: &Values<'_>, node: usize) -> Shown {
    match values.at(node) {
        Value::Open => Shown::Unknown,
        Value::TooLarge => Shown::TooLarge,
        Value::Bool(value) => Shown::Bool(*value),
        Value::Num(value) => Shown::Num(value.as_ref().clone()),
        Value::Member(number) => Shown::Member(*number),
    }
}

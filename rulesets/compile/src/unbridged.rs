//! Which units a ruleset brings together that nothing bridges.

use std::collections::BTreeSet;

use assay_units::Library;

use crate::formula::{IntervalId, Node, UnbridgedId};
use crate::{Measures, Ruleset, resolve};

/// Two units that meet in a rule and that nothing bridges, or only an interval.
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
/// declared unit: each pair once for each assertion, assertions in source order and pairs in the order they are met in.
pub fn unbridged(ruleset: &Ruleset, library: &Library) -> Vec<UnbridgedUnits> {
    let measures = Measures::declared(ruleset);
    let mut found = Vec::new();
    for (index, assertion) in ruleset.assertions.iter().enumerate() {
        let formula = resolve(ruleset, index, &measures, library);
        let mut seen = BTreeSet::new();
        for node in formula.nodes() {
            let (from, to, cause) = match node {
                Node::Unbridged(UnbridgedId(id), _) if seen.insert((Cause::Missing.as_str(), *id)) => {
                    let Some(pair) = formula.unbridged().get(*id as usize) else { continue };
                    (&pair.from, &pair.to, Cause::Missing)
                }
                Node::Factor(IntervalId(id)) if seen.insert((Cause::Ambiguous.as_str(), *id)) => {
                    let Some(interval) = formula.intervals().get(*id as usize) else { continue };
                    (&interval.from, &interval.to, Cause::Ambiguous)
                }
                _ => continue,
            };
            let (rule, from, to) = (assertion.name.clone(), from.clone(), to.clone());
            found.push(UnbridgedUnits { rule, from, to, cause });
        }
    }
    found
}

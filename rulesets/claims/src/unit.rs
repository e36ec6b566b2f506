//! Units of evidence: how a submitted unit meets the one that a claim declares.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use assay_compile::Measure;
use assay_units::{Bridge, Library, Rational, Unit};
use num_traits::Zero;

use crate::failure::Why;

/// How many spellings of units are remembered for a claim: more than documents use, few enough to be bounded.
const REMEMBERED: usize = 256;

/// The declared unit of one claim, and what is known by now of the units its values came in.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) unit: Unit,
    /// Its canonical text: how nearly all values spell it.
    text: String,
    /// Routes by the unit's text, so that each is asked of the library once. A route depends on nothing else,
    /// so who comes first makes no difference.
    routes: RwLock<HashMap<Box<str>, Arc<Route>>>,
}

/// What becomes of a number that came in some unit.
#[derive(Debug)]
enum Route {
    /// It is converted: `value * factor`, and the offset added where there is one.
    Convert { factor: Rational, offset: Option<Rational> },
    /// It stays as it is.
    Keep(Measure),
}

impl Declared {
    pub(crate) fn new(unit: Unit) -> Declared {
        Declared { text: unit.to_string(), unit, routes: RwLock::default() }
    }

    /// Whether `text` is the canonical text of this unit.
    pub(crate) fn is_spelled(&self, text: &str) -> bool {
        text == self.text
    }

    /// The number in the unit that it is measured in, from `value` in the unit that `text` names.
    pub(crate) fn measure(
        &self,
        value: Rational,
        text: &str,
        library: &Library,
    ) -> Result<(Rational, Measure), Why> {
        if self.is_spelled(text) {
            return Ok((value, Measure::Declared));
        }
        let route = self.route(text, library)?;
        Ok(match &*route {
            Route::Convert { factor, offset } => {
                let scaled = value * factor;
                let converted = match offset {
                    Some(offset) => scaled + offset,
                    None => scaled,
                };
                (converted, Measure::Declared)
            }
            Route::Keep(measure) => (value, measure.clone()),
        })
    }

    fn route(&self, text: &str, library: &Library) -> Result<Arc<Route>, Why> {
        let known = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(route) = known.get(text) {
            return Ok(route.clone());
        }
        drop(known);
        let route = Arc::new(self.find(text, library)?);
        let mut known = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < REMEMBERED {
            known.insert(text.into(), route.clone());
        }
        Ok(route)
    }

    fn find(&self, text: &str, library: &Library) -> Result<Route, Why> {
        let unit = Unit::parse(text).map_err(Why::Unit)?;
        match library.bridge(&unit, &self.unit) {
            Bridge::Same => Ok(Route::Keep(Measure::Declared)),
            Bridge::Convertible { factor, offset } => Ok(Route::Convert {
                factor,
                // Adding a zero fraction costs as much as any other.
                offset: Some(offset).filter(|offset| !offset.is_zero()),
            }),
            Bridge::Ambiguous { .. } => Ok(Route::Keep(Measure::Interval(unit))),
            Bridge::NoPath | Bridge::UnknownUnit { .. } => self.foreign(unit, library),
        }
    }

    /// A unit that nothing converts is kept, but for a typo and for a temperature.
    fn foreign(&self, unit: Unit, library: &Library) -> Result<Route, Why> {
        let own = |atom: &str| self.unit.atoms().any(|(known, _)| known == atom);
        let unknown: Vec<String> = unit
            .atoms()
            .map(|(atom, _)| atom)
            .filter(|atom| !library.knows(atom) && !own(atom))
            .map(str::to_owned)
            .collect();
        if !unknown.is_empty() {
            Err(Why::UnknownUnit(unknown))
        } else if library.has_offset(&unit) {
            Err(Why::Temperature)
        } else {
            Ok(Route::Keep(Measure::Foreign(unit)))
        }
    }
}

//! A ruleset that is ready to be decided.

use std::sync::Arc;

use assay_claims::Dictionary;
use assay_compile::Ruleset;
use assay_units::Library;

use crate::{Answer, EngineError, Settings};

/// A ruleset with a unit library and settings, ready to be decided: shared between threads.
#[derive(Debug)]
pub struct Plan {
    ruleset: Arc<Ruleset>,
    library: Library,
    settings: Settings,
}

impl Plan {
    /// Resolves every assertion for claims in their declared units and translates it for the solver.
    ///
    /// # Errors
    /// Where the solver that is linked is too old, or where the translation refuses an assertion.
    pub fn new(ruleset: Arc<Ruleset>, library: Library, settings: Settings) -> Result<Plan, EngineError> {
        Ok(Plan { ruleset, library, settings })
    }

    /// Decides every assertion for every dictionary: one list of answers for each dictionary, in the order of the
    /// assertions.
    ///
    /// # Errors
    /// Where an engine fails; then there are no answers.
    pub fn decide_all(&self, dictionaries: &[Dictionary]) -> Result<Vec<Vec<Answer>>, EngineError> {
        let _ = (&self.ruleset, &self.library, &self.settings, dictionaries);
        unimplemented!()
    }

    /// Decides dictionaries again on the other route (with [`Route::Auto`](crate::Route::Auto), by the solver alone) and
    /// compares. Where one of the two gave up there is nothing to compare.
    ///
    /// # Errors
    /// The first disagreement, or where an engine fails.
    pub fn cross_check<'a>(
        &self,
        decided: impl IntoIterator<Item = (&'a Dictionary, &'a [Answer])>,
    ) -> Result<(), EngineError> {
        let _ = decided.into_iter();
        unimplemented!()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

//! What a misspelt text was meant to be, within reason.

use crate::limits;

/// Finds the nearest of several spellings, until it has compared so many that the rest are not worth the time:
/// the first errors of a source name what was meant, the ten thousandth does not.
#[derive(Debug, Default)]
pub(crate) struct Speller {
    /// The letters compared so far, pair by pair.
    compared: usize,
}

impl Speller {
    /// [`assay_spelling::near`], while there is time.
    pub(crate) fn near<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let found = assay_spelling::near(text, self.affordable(text, candidates));
        found.filter(|_| self.has_time())
    }

    /// [`assay_spelling::closest`], while there is time.
    pub(crate) fn closest<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let found = assay_spelling::closest(text, self.affordable(text, candidates));
        found.filter(|_| self.has_time())
    }

    fn affordable<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> impl Iterator<Item = &'c str> {
        candidates.into_iter().take_while(move |candidate| {
            self.compared = self.compared.saturating_add(1 + text.len() * candidate.len());
            self.has_time()
        })
    }

    fn has_time(&self) -> bool {
        self.compared <= limits::SPELLINGS
    }
}

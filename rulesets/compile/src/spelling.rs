//! What a misspelt text was meant to be.

use crate::limits;

/// Finds the nearest of several spellings, until it has compared so many that the rest are not worth the time:
/// the first errors of a source name what was meant, the ten thousandth does not.
#[derive(Debug, Default)]
pub(crate) struct Speller {
    /// The letters compared so far, pair by pair.
    compared: usize,
}

impl Speller {
    /// The candidate that `text` is nearest to: the same but for case, else the fewest edits away, the first of equals.
    pub(crate) fn closest<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        self.closest_with_distance(text, candidates).map(|(_, candidate)| candidate)
    }

    /// The candidate that `text` is likely a slip for: another case of it, one edit away in a text of three or more
    /// letters, or two in one of six or more.
    pub(crate) fn near<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let allowed = match text.chars().count() {
            0..3 => 0,
            3..6 => 1,
            _ => 2,
        };
        let closest = self.closest_with_distance(text, candidates);
        closest.filter(|(distance, _)| *distance <= allowed).map(|(_, candidate)| candidate)
    }

    fn closest_with_distance<'c>(
        &mut self,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<(usize, &'c str)> {
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            self.compared = self.compared.saturating_add(1 + text.len() * candidate.len());
            if self.compared > limits::SPELLINGS {
                return None;
            }
            let distance = distance(text, candidate);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, candidate));
            }
        }
        best
    }
}

fn distance(text: &str, candidate: &str) -> usize {
    match text.eq_ignore_ascii_case(candidate) {
        true => 0,
        false => strsim::osa_distance(text, candidate),
    }
}

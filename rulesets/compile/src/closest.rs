//! The nearest of several spellings.

/// The candidate that `text` is nearest to: the same but for case, else the fewest edits away, the first of equals.
pub(crate) fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates.into_iter().min_by_key(|candidate| distance(text, candidate))
}

/// The candidate that `text` is likely a slip for: one edit away, two in a text of six or more letters, or another
/// case of it.
pub(crate) fn near<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = if text.chars().count() < 6 { 1 } else { 2 };
    closest(text, candidates).filter(|candidate| distance(text, candidate) <= allowed)
}

fn distance(text: &str, candidate: &str) -> usize {
    if text.eq_ignore_ascii_case(candidate) {
        return 0;
    }
    // A text of megabytes against a vocabulary of thousands is no question of spelling.
    if text.len().max(candidate.len()) > 200 {
        return text.len().abs_diff(candidate.len()).max(200);
    }
    strsim::osa_distance(text, candidate)
}

//! The nearest of several spellings.

/// The candidate that `text` is nearest to: the same but for case, else the fewest edits away, the first of equals.
pub(crate) fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates.into_iter().min_by_key(|candidate| distance(text, candidate))
}

/// The candidate that `text` is likely a slip for: another case of it, one edit away in a text of three or more letters,
/// or two in one of six or more.
pub(crate) fn near<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match text.chars().count() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
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

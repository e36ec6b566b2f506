//! The nearest of some names to one that was not found.

/// The candidate that `text` was most likely meant to be: equal but for case, spaces, `-` and `_`, or one or two slips of the
/// pen away (one, where the name is short). The first of equals.
pub(crate) fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(text);
    let allowed = if wanted.chars().count() <= 4 { 1 } else { 2 };
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(text: &str) -> String {
    text.chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '_' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

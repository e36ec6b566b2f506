//! The nearest spelling, for messages.

/// No name of more characters is looked for: it is no misspelling of anything, and looking takes time.
const LONGEST: usize = 64;

/// The candidate that `text` is a near spelling of: equal but for case and white space, or off by up to a third of its
/// characters. Of equally near ones the first.
pub(crate) fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = text.trim().to_lowercase();
    let length = wanted.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let allowed = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let limit = best.map_or(allowed + 1, |(distance, _)| distance);
        // A spelling differs by at least its difference in length.
        if candidate.chars().take(LONGEST * 2).count().abs_diff(length) >= limit {
            continue;
        }
        let distance = strsim::osa_distance(&wanted, &candidate.trim().to_lowercase());
        if distance < limit {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    // A text is not near what shares no character with it.
    best.filter(|(distance, _)| *distance < length).map(|(_, candidate)| candidate)
}

//! The nearest spelling, for messages.

/// No name of more characters is looked for: it is no misspelling of anything, and looking takes time.
const LONGEST: usize = 64;

/// The candidate that `text` is a near spelling of: equal but for case and white space, or off by up to a third of its
/// characters. Of equally near ones the first.
pub(crate) fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = text.trim().to_lowercase();
    let shape = Shape::of(&wanted)?;
    // A text is not near what shares no character with it.
    let allowed = (shape.length / 3).max(1).min(shape.length - 1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let limit = best.map_or(allowed, |(distance, _)| distance - 1);
        let spelling = candidate.trim();
        if Shape::of(spelling).is_none_or(|other| shape.least_distance(&other) > limit) {
            continue;
        }
        let distance = strsim::osa_distance(&wanted, &spelling.to_lowercase());
        if distance <= limit {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// What a glance at a spelling tells: its length, and which characters it has, in 64 buckets and in lower case.
struct Shape {
    length: usize,
    buckets: u64,
}

impl Shape {
    /// `None` for a spelling that is empty or too long to be looked at.
    fn of(text: &str) -> Option<Shape> {
        let (mut length, mut buckets) = (0, 0);
        for character in text.chars().flat_map(char::to_lowercase) {
            length += 1;
            buckets |= 1 << (u32::from(character) % 64);
            if length > LONGEST {
                return None;
            }
        }
        (length > 0).then_some(Shape { length, buckets })
    }

    /// Two spellings are at least so far apart: an edit changes the length by one at most, and takes one character
    /// away and brings one at most.
    fn least_distance(&self, other: &Shape) -> usize {
        let missing = (self.buckets & !other.buckets).count_ones();
        let new = (other.buckets & !self.buckets).count_ones();
        self.length.abs_diff(other.length).max(missing.max(new) as usize)
    }
}

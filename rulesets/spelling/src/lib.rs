//! What a misspelt text was meant to be: the one rule behind every "did you mean".
//!
//! Two texts are so many *slips* apart: letters left out, put in, written for another, or swapped with their neighbour.
//! Case, white space and the marks `-`, `_` and `.` do not count, so `Is_member` is `IsMember`. One is *near* the other
//! where the slips are at most a third of the letters of the longer one; below three letters that is none, since there
//! everything is a slip away from everything.
//!
//! The nearest is the one with the fewest slips; of equals the one that is nearest as it is written, case and marks
//! included; and of those the first. So the same candidates in the same order give the same answer.

/// A text of more letters is a misspelling of nothing, and comparing it takes time.
const LONGEST: usize = 64;

/// The candidate that `text` is most likely meant to be, if one is near.
pub fn near<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    near_by(text, candidates, |candidate| candidate)
}

/// The item whose spelling `text` is most likely meant to be, if one is near.
pub fn near_by<T>(
    text: &str,
    items: impl IntoIterator<Item = T>,
    spelling: impl Fn(&T) -> &str,
) -> Option<T> {
    let length = letters(text).take(LONGEST + 1).count();
    if length == 0 || length > LONGEST {
        return None;
    }
    nearest(text, items, spelling, |longer| longer / 3)
}

/// The candidate that `text` is nearest to, however far that is.
pub fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest(text, candidates, |candidate| candidate, |_| usize::MAX)
}

/// How many slips two texts are apart.
pub fn slips(one: &str, other: &str) -> usize {
    strsim::osa_distance(&folded(one), &folded(other))
}

/// The nearest item among those that are apart by no more slips than are allowed for the longer one's letters.
fn nearest<T>(
    text: &str,
    items: impl IntoIterator<Item = T>,
    spelling: impl Fn(&T) -> &str,
    allowed: impl Fn(usize) -> usize,
) -> Option<T> {
    let wanted = Glance::at(text);
    let folded_text = folded(text);
    let mut best: Option<((usize, usize), T)> = None;
    for item in items {
        let spelling = spelling(&item);
        let glance = Glance::at(spelling);
        let least = best.as_ref().map_or(usize::MAX, |((slips, _), _)| *slips);
        let most = allowed(wanted.letters.max(glance.letters)).min(least);
        if wanted.least_slips(&glance) > most {
            continue;
        }
        let slips = strsim::osa_distance(&folded_text, &folded(spelling));
        if slips > most {
            continue;
        }
        let rank = (slips, strsim::osa_distance(text, spelling));
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, item));
        }
    }
    best.map(|(_, item)| item)
}

/// The letters of a text that count.
fn letters(text: &str) -> impl Iterator<Item = char> {
    let counts = |letter: &char| !(letter.is_whitespace() || matches!(letter, '-' | '_' | '.'));
    text.chars().filter(counts).flat_map(char::to_lowercase)
}

fn folded(text: &str) -> String {
    letters(text).collect()
}

/// What a glance at a text tells, so that most candidates need no closer look.
struct Glance {
    letters: usize,
    /// Which letters it has, in 64 buckets.
    buckets: u64,
}

impl Glance {
    fn at(text: &str) -> Glance {
        letters(text).fold(Glance { letters: 0, buckets: 0 }, |glance, letter| Glance {
            letters: glance.letters + 1,
            buckets: glance.buckets | 1 << (u32::from(letter) % 64),
        })
    }

    /// Two texts are at least so many slips apart: a slip changes the length by one at most, and takes one letter away
    /// and brings one at most.
    fn least_slips(&self, other: &Glance) -> usize {
        let gone = (self.buckets & !other.buckets).count_ones();
        let new = (other.buckets & !self.buckets).count_ones();
        self.letters.abs_diff(other.letters).max(gone.max(new) as usize)
    }
}

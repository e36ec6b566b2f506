//! The four words.

/// What a check answers for one assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// It holds.
    True,
    /// It is violated.
    False,
    /// A claim it needs was not determined.
    Unknown,
    /// Its evidence contradicts itself.
    Ambiguous,
}

impl Word {
    /// Every word, in the order in which tallies are listed.
    pub const ALL: [Word; 4] = [Word::True, Word::False, Word::Unknown, Word::Ambiguous];

    /// The word as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Word::True => "TRUE",
            Word::False => "FALSE",
            Word::Unknown => "UNKNOWN",
            Word::Ambiguous => "AMBIGUOUS",
        }
    }
}

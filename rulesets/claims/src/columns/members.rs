//! The members of a vocabulary, found by their text in a few instructions.

use assay_compile::EnumKind;

/// The members with their shared numbers, in a table that is at most half full.
#[derive(Debug)]
pub(super) struct Table {
    members: Vec<Box<str>>,
    /// One more than the number of a member, or 0; a member stands at the first free place from its hash on.
    places: Vec<u32>,
}

impl Table {
    pub fn new(kind: &EnumKind) -> Table {
        let members: Vec<Box<str>> =
            kind.vocabulary.members.iter().map(|member| member.as_str().into()).collect();
        let mut places = vec![0; (members.len() * 2).next_power_of_two().max(2)];
        let mask = places.len() - 1;
        for (member, number) in members.iter().zip(1..) {
            let mut at = hash(member.as_bytes()) & mask;
            while places.get(at).is_some_and(|taken| *taken != 0) {
                at = (at + 1) & mask;
            }
            if let Some(place) = places.get_mut(at) {
                *place = number;
            }
        }
        Table { members, places }
    }

    /// The number of a member.
    #[inline]
    pub fn get(&self, text: &str) -> Option<u32> {
        let mask = self.places.len() - 1;
        let mut at = hash(text.as_bytes()) & mask;
        loop {
            let number = self.places.get(at)?.checked_sub(1)?;
            if self.members.get(number as usize).is_some_and(|member| **member == *text) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }
}

/// From the length, the first eight bytes and the last eight: members that agree in these are told apart by comparing.
/// (Documents cannot choose the members, so no more is needed against clashes.)
#[inline]
fn hash(text: &[u8]) -> usize {
    let word = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
    let (first, last) = match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) => (word(*first), word(*last)),
        _ => (text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
    };
    let mixed = (first ^ last.rotate_left(29) ^ text.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize
}

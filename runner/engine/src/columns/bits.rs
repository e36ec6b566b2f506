//! One bit for each row of a block.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// How many rows are evaluated together: so few that everything about them stays in the processor's cache.
pub(super) const BLOCK: usize = 1024;

/// How many words hold their bits.
pub(super) const WORDS: usize = BLOCK / 64;

/// A bit for each row of a block, the first row's in the lowest bit of the first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits(pub(super) [u64; WORDS]);

impl Bits {
    pub(super) const NONE: Bits = Bits([0; WORDS]);
    pub(super) const ALL: Bits = Bits([u64::MAX; WORDS]);

    pub(super) fn of(value: bool) -> Bits {
        if value { Bits::ALL } else { Bits::NONE }
    }

    pub(super) fn any(&self) -> bool {
        self.0.iter().any(|word| *word != 0)
    }

    pub(super) fn at(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    /// The rows in which `holds`.
    #[inline(always)]
    pub(super) fn where_true(mut holds: impl FnMut(usize) -> bool) -> Bits {
        let mut bits = Bits::NONE;
        for (number, word) in bits.0.iter_mut().enumerate() {
            // First a byte for each row, which vectorises, then eight bytes at a time into eight bits.
            let mut bytes = [0u8; 64];
            for (offset, byte) in bytes.iter_mut().enumerate() {
                *byte = u8::from(holds(number * 64 + offset));
            }
            for (place, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
                let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                *word |= packed << (place * 8);
            }
        }
        bits
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $operator:tt) => {
        impl $trait for Bits {
            type Output = Bits;
            fn $method(mut self, other: Bits) -> Bits {
                self.$assign_method(other);
                self
            }
        }
        impl $assign for Bits {
            fn $assign_method(&mut self, other: Bits) {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    *word $operator other;
                }
            }
        }
    };
}
operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &=);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |=);

impl Not for Bits {
    type Output = Bits;
    fn not(mut self) -> Bits {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

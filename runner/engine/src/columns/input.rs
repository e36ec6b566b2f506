//! The claims of a chunk as blocks are loaded from them.

use std::borrow::Cow;

use arrow_buffer::BooleanBuffer;
use assay_claims::{ClaimColumn, ClaimColumns};

use super::bits::{BLOCK, Bits, WORDS};

/// The claims of a chunk.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) rows: usize,
    pub(super) claims: Vec<Claim<'a>>,
}

/// The bindings of a claim. Bits are in words, and there are whole blocks of them.
#[derive(Debug)]
pub(super) enum Claim<'a> {
    Unknown,
    Bool { values: Vec<u64>, known: Vec<u64> },
    Member { numbers: Cow<'a, [u32]>, known: Vec<u64> },
    Number { unscaled: Cow<'a, [i128]>, scale: u8, known: Vec<u64> },
}

impl<'a> Input<'a> {
    pub(super) fn new(columns: &'a ClaimColumns) -> Input<'a> {
        let claims = columns.columns.iter().map(|column| match column {
            ClaimColumn::Unknown => Claim::Unknown,
            ClaimColumn::Bool { values, known } => Claim::Bool { values: words(values), known: words(known) },
            ClaimColumn::Member { numbers, known } => {
                Claim::Member { numbers: Cow::Borrowed(numbers), known: words(known) }
            }
            ClaimColumn::Number { unscaled, scale, known } => {
                Claim::Number { unscaled: Cow::Borrowed(unscaled), scale: *scale, known: words(known) }
            }
        });
        Input { rows: columns.rows, claims: claims.collect() }
    }

    /// These rows alone.
    pub(super) fn gather(&self, rows: &[usize]) -> Input<'static> {
        let bits = |words: &[u64]| gather(words, rows);
        let claims = self.claims.iter().map(|claim| match claim {
            Claim::Unknown => Claim::Unknown,
            Claim::Bool { values, known } => Claim::Bool { values: bits(values), known: bits(known) },
            Claim::Member { numbers, known } => Claim::Member {
                numbers: Cow::Owned(rows.iter().map(|row| numbers[*row]).collect()),
                known: bits(known),
            },
            Claim::Number { unscaled, scale, known } => Claim::Number {
                unscaled: Cow::Owned(rows.iter().map(|row| unscaled[*row]).collect()),
                scale: *scale,
                known: bits(known),
            },
        });
        Input { rows: rows.len(), claims: claims.collect() }
    }

    pub(super) fn scale(&self, claim: usize) -> u8 {
        match self.claims.get(claim) {
            Some(Claim::Number { scale, .. }) => *scale,
            _ => 0,
        }
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.rows.div_ceil(BLOCK)
    }

    /// The rows of a block that there are: all but in the last block.
    pub(super) fn live(&self, block: usize) -> Bits {
        let rows = self.rows - block * BLOCK;
        if rows >= BLOCK { Bits::ALL } else { Bits::where_true(|row| row < rows) }
    }
}

impl Claim<'_> {
    /// Whether the claim is bound in a row.
    pub(super) fn is_known(&self, row: usize) -> bool {
        match self {
            Claim::Unknown => false,
            Claim::Bool { known, .. } | Claim::Member { known, .. } | Claim::Number { known, .. } => {
                known[row / 64] >> (row % 64) & 1 == 1
            }
        }
    }
}

/// The bits in words, in whole blocks.
pub(super) fn words(bits: &BooleanBuffer) -> Vec<u64> {
    let mut words = Vec::with_capacity(bits.len().div_ceil(BLOCK) * WORDS + 1);
    words.extend(bits.bit_chunks().iter_padded());
    words.resize(bits.len().div_ceil(BLOCK) * WORDS, 0);
    words
}

/// The bits of these rows alone, in whole blocks.
pub(super) fn gather(words: &[u64], rows: &[usize]) -> Vec<u64> {
    let mut gathered = vec![0; rows.len().div_ceil(BLOCK) * WORDS];
    for (to, from) in rows.iter().enumerate() {
        gathered[to / 64] |= (words[from / 64] >> (from % 64) & 1) << (to % 64);
    }
    gathered
}

/// The bits of one block.
pub(super) fn block(words: &[u64], number: usize) -> Bits {
    let words = words.get(number * WORDS..).and_then(|words| words.first_chunk());
    words.map_or(Bits::NONE, |words| Bits(*words))
}

/// The values of one block.
pub(super) fn slice<T>(values: &[T], number: usize) -> &[T] {
    let from = (number * BLOCK).min(values.len());
    &values[from..values.len().min(from + BLOCK)]
}

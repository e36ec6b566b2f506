//! Bits that are set one by one.

use arrow_buffer::{BooleanBuffer, Buffer};

/// As many bits as there are rows, none of them set at first.
#[derive(Debug, Clone)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    rows: usize,
}

impl Bits {
    pub fn new(rows: usize) -> Bits {
        Bits { bytes: vec![0; rows.div_ceil(8)], rows }
    }

    /// Sets a bit; past the end there is none.
    #[inline]
    pub fn set(&mut self, row: usize) {
        if let Some(byte) = self.bytes.get_mut(row / 8) {
            *byte |= 1 << (row % 8);
        }
    }

    /// Whether a bit is set.
    #[inline]
    pub fn get(&self, row: usize) -> bool {
        self.bytes.get(row / 8).is_some_and(|byte| byte >> (row % 8) & 1 == 1)
    }

    /// Sets every bit.
    pub fn fill(&mut self) {
        self.bytes.fill(u8::MAX);
    }

    /// Sets the bits that are set in `these` and not in `but`.
    pub fn add(&mut self, these: &Bits, but: &Bits) {
        for ((byte, these), but) in self.bytes.iter_mut().zip(&these.bytes).zip(&but.bytes) {
            *byte |= these & !but;
        }
    }

    pub fn finish(self) -> BooleanBuffer {
        BooleanBuffer::new(Buffer::from_vec(self.bytes), 0, self.rows)
    }
}

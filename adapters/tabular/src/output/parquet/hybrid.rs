//! Parquet's hybrid of run lengths and bit packing: small numbers, as pages hold them for levels and for
//! places in a dictionary.
//!
//! The format is <https://parquet.apache.org/docs/file-format/data-pages/encodings/#run-length-encoding--bit-packing-hybrid-rle--3>.
//! The library writes it value by value and behind a hash table; here what is written is known to be runs or not.

/// How many bits the numbers below `count` take.
pub(super) fn width(count: usize) -> u8 {
    // At least one: a width of none is allowed, and yet some readers refuse it.
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as u8
}

/// Writes numbers of one width.
pub(super) struct Hybrid<'a> {
    out: &'a mut Vec<u8>,
    width: u8,
    /// Numbers that are to be packed: whole groups of eight, but for the last.
    packed: Vec<u32>,
}

impl<'a> Hybrid<'a> {
    /// A writer of numbers of `width` bits: from 1 to 32.
    pub fn new(out: &'a mut Vec<u8>, width: u8) -> Hybrid<'a> {
        Hybrid { out, width, packed: Vec::new() }
    }

    /// Writes a number `count` times.
    pub fn run(&mut self, number: u32, mut count: usize) {
        // A group of eight that was begun is filled first.
        let begun = self.packed.len() % 8;
        let fill = if begun == 0 { 0 } else { (8 - begun).min(count) };
        self.packed.extend(std::iter::repeat_n(number, fill));
        count -= fill;
        if count < 8 {
            self.packed.extend(std::iter::repeat_n(number, count));
            return;
        }
        self.flush();
        varint(self.out, (count as u64) << 1);
        let bytes = number.to_le_bytes();
        self.out.extend_from_slice(bytes.get(..usize::from(self.width).div_ceil(8)).unwrap_or(&bytes));
    }

    /// Writes what is waiting.
    pub fn finish(mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        if !self.packed.is_empty() {
            pack(self.out, self.width, self.packed.len(), self.packed.iter().copied());
            self.packed.clear();
        }
    }
}

/// Writes `count` numbers of `width` bits, packed whatever they are: they must fill whole groups of eight where more
/// is written after them.
pub(super) fn pack(out: &mut Vec<u8>, width: u8, count: usize, numbers: impl Iterator<Item = u32>) {
    let groups = count.div_ceil(8);
    varint(out, (groups as u64) << 1 | 1);
    let end = out.len() + groups * usize::from(width);
    out.reserve(groups * usize::from(width) + 8);
    let (mut word, mut bits) = (0_u64, 0_u32);
    for number in numbers.take(count) {
        word |= u64::from(number) << bits;
        bits += u32::from(width);
        if bits >= 32 {
            out.extend_from_slice(&(word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
        }
    }
    out.extend_from_slice(&word.to_le_bytes());
    out.resize(end, 0);
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

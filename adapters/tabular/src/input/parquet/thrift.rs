//! As much of Thrift's compact protocol as a footer needs: what is looked for is read, and the rest is walked past.
//!
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

/// Bytes that are no Thrift.
#[derive(Debug)]
pub(super) struct Garbled;

/// The kinds of values.
pub(super) mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const SET: u8 = 10;
    pub const MAP: u8 = 11;
    pub const STRUCT: u8 = 12;
}

/// How deep values may stand in values: a footer has no more than ten levels.
const MAX_DEPTH: usize = 32;

/// Values that are still to be read.
pub(super) struct Thrift<'b> {
    rest: &'b [u8],
    depth: usize,
}

impl<'b> Thrift<'b> {
    pub fn new(bytes: &'b [u8]) -> Thrift<'b> {
        Thrift { rest: bytes, depth: 0 }
    }

    /// How many bytes are still to be read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The fields of a struct: `field` is given the id and the kind of each, and has to read it.
    pub fn fields(
        &mut self,
        field: &mut dyn FnMut(&mut Thrift<'b>, i64, u8) -> Result<(), Garbled>,
    ) -> Result<(), Garbled> {
        self.deeper(|thrift| {
            let mut id = 0_i64;
            loop {
                let head = thrift.byte()?;
                if head == 0 {
                    return Ok(());
                }
                id = match head >> 4 {
                    0 => thrift.integer()?,
                    delta => id.checked_add(i64::from(delta)).ok_or(Garbled)?,
                };
                field(thrift, id, head & 0x0f)?;
            }
        })
    }

    /// The elements of a list: `element` is given the kind of each, and has to read it.
    pub fn list(
        &mut self,
        element: &mut dyn FnMut(&mut Thrift<'b>, u8) -> Result<(), Garbled>,
    ) -> Result<(), Garbled> {
        self.deeper(|thrift| {
            let head = thrift.byte()?;
            let size = match head >> 4 {
                15 => thrift.number()?,
                size => u64::from(size),
            };
            (0..thrift.possible(size)?).try_for_each(|_| element(thrift, head & 0x0f))
        })
    }

    /// An integer of 16, 32 or 64 bits.
    pub fn integer(&mut self) -> Result<i64, Garbled> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// Bytes, or a text.
    pub fn bytes(&mut self) -> Result<&'b [u8], Garbled> {
        let length = self.number()?;
        self.take(self.possible(length)?)
    }

    /// Walks past a field.
    pub fn skip(&mut self, kind: u8) -> Result<(), Garbled> {
        match kind {
            // The kind of the field is its value.
            kind::TRUE | kind::FALSE => Ok(()),
            kind => self.skip_element(kind),
        }
    }

    /// Walks past an element of a list, or a key or a value of a map.
    fn skip_element(&mut self, kind: u8) -> Result<(), Garbled> {
        match kind {
            kind::TRUE | kind::FALSE | kind::BYTE => self.byte().map(|_| ()),
            kind::I16 | kind::I32 | kind::I64 => self.number().map(|_| ()),
            kind::DOUBLE => self.take(8).map(|_| ()),
            kind::BINARY => self.bytes().map(|_| ()),
            kind::LIST | kind::SET => self.list(&mut |thrift, kind| thrift.skip_element(kind)),
            kind::MAP => self.deeper(|thrift| {
                let size = thrift.number()?;
                let kinds = if size == 0 { 0 } else { thrift.byte()? };
                (0..thrift.possible(size)?).try_for_each(|_| {
                    thrift.skip_element(kinds >> 4)?;
                    thrift.skip_element(kinds & 0x0f)
                })
            }),
            kind::STRUCT => self.fields(&mut |thrift, _, kind| thrift.skip(kind)),
            _ => Err(Garbled),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Thrift<'b>) -> Result<T, Garbled>) -> Result<T, Garbled> {
        if self.depth == MAX_DEPTH {
            return Err(Garbled);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// A size that the bytes which are left can hold: whatever it counts, each takes a byte at least.
    fn possible(&self, size: u64) -> Result<usize, Garbled> {
        usize::try_from(size).ok().filter(|size| *size <= self.left()).ok_or(Garbled)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], Garbled> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Garbled)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Garbled> {
        self.take(1)?.first().copied().ok_or(Garbled)
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Result<u64, Garbled> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Garbled)
    }
}

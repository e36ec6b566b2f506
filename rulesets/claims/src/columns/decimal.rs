//! Short decimals, from their bytes to machine integers.

/// A decimal of at most 18 digits: `unscaled / 10^scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The digits as a whole number, with the sign.
    pub unscaled: i64,
    /// How many of the digits are behind the point, at most 18.
    pub scale: u8,
    /// How many bytes of the text it is.
    pub length: usize,
}

/// The most digits, so that they fit an `i64`, and at any scale up to [`MAX_SCALE`](super::MAX_SCALE) an `i128`.
const MAX_DIGITS: usize = 18;

/// The decimal `-?[0-9]+(\.[0-9]+)?` that `text` begins with. An exponent behind it is not read: whoever accepts the number must
/// look at what follows. `None` where there is none, or one of more than 18 digits.
#[inline]
pub fn decimal(text: &[u8]) -> Option<Decimal> {
    Marks { decimal: b'.', thousands: None }.read(text)
}

/// What the parts of a number are told apart by, where it is one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    pub decimal: u8,
    pub thousands: Option<u8>,
}

impl Marks {
    /// The longest number that `text` begins with, read as [`Reading::split`](crate::Reading) does.
    #[inline]
    pub fn read(self, text: &[u8]) -> Option<Decimal> {
        let negative = text.first() == Some(&b'-');
        let start = usize::from(negative);
        let mut digits = Digits { size: 0, count: 0 };
        let mut at = digits.read(text, start);
        if at == start {
            return None;
        }
        if let Some(mark) = self.thousands
            && at - start <= 3
        {
            while text.get(at) == Some(&mark) {
                let mut group = digits;
                if group.read(text, at + 1) != at + 4 {
                    break;
                }
                digits = group;
                at += 4;
            }
        }
        let mut scale = 0;
        if text.get(at) == Some(&self.decimal) {
            let end = digits.read(text, at + 1);
            scale = end - at - 1;
            at = if scale == 0 { at } else { end };
        }
        if digits.count > MAX_DIGITS {
            return None;
        }
        // 18 digits at most, so neither is cut.
        let size = digits.size as i64;
        Some(Decimal { unscaled: if negative { -size } else { size }, scale: scale as u8, length: at })
    }
}

#[derive(Clone, Copy)]
struct Digits {
    /// Wrong where there are more than 18 of them.
    size: u64,
    count: usize,
}

impl Digits {
    /// Reads digits on from `at`, and says where they end.
    #[inline]
    fn read(&mut self, text: &[u8], at: usize) -> usize {
        let mut end = at;
        while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
        {
            self.size = self.size.wrapping_mul(10).wrapping_add(u64::from(digit));
            end += 1;
        }
        self.count += end - at;
        end
    }
}

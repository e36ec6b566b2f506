//! Lines of regular JSON, straight into columns.
//!
//! A scanner of its own, for speed, that reads no more than what it can be sure of: what it does not know (an escape in a
//! wanted text, a deep nesting, anything malformed) sets the line aside, and the line is then read by
//! [`parse_json`](assay_claims::parse_json). So it may give up anywhere, but what it accepts must be JSON.

use assay_claims::decimal;

use super::Columns;
use crate::input::sink::Sink;

/// How deep values that nobody wants may nest here.
const MAX_DEPTH: usize = 16;

/// Scans the lines of a chunk.
pub(super) struct Scanner<'a, 's> {
    columns: &'a Columns,
    sink: &'s mut Sink<'a>,
    strict: bool,
    /// The keys of rows so far in their order, and of claims objects: those of the next are mostly the same.
    keys: [Vec<Key>; 2],
}

/// How many keys are remembered at most.
const REMEMBERED: usize = 256;

/// A key of a row before.
struct Key {
    /// It and its colon as they stood: `"amount":`.
    text: Vec<u8>,
    target: Target,
}

/// What the value of a key is for.
#[derive(Clone, Copy)]
enum Target {
    Place(usize),
    Claims,
    Nothing,
    /// A field of the claims object that nothing reads, where that is a failure.
    Extra,
}

/// The row, or its claims object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Row,
    Claims,
}

/// One line.
struct Line<'a> {
    text: &'a str,
    bytes: &'a [u8],
    row: usize,
    /// Whether the claims object was there.
    claims: bool,
}

impl<'a, 's> Scanner<'a, 's> {
    pub fn new(columns: &'a Columns, sink: &'s mut Sink<'a>, strict: bool) -> Scanner<'a, 's> {
        Scanner { columns, sink, strict, keys: [Vec::new(), Vec::new()] }
    }

    /// Reads a line into a row, or sets the row aside.
    pub fn line(&mut self, row: usize, text: &str) {
        let mut line = Line { text, bytes: text.as_bytes(), row, claims: false };
        let read = self.whole(&mut line);
        if read.is_none() || (self.columns.claims_field.is_some() && !line.claims) {
            self.sink.columns.set_aside(row);
        }
        self.sink.end_row(row);
    }

    fn whole(&mut self, line: &mut Line<'_>) -> Option<()> {
        let at = self.object(line, line.space(0), Level::Row)?;
        (line.space(at) == line.bytes.len()).then_some(())
    }

    /// Reads the object at `at`, and says where it ends.
    fn object(&mut self, line: &mut Line<'_>, at: usize, level: Level) -> Option<usize> {
        let mut at = line.space(line.expect(at, b'{')?);
        if line.byte(at) == Some(b'}') {
            return Some(at + 1);
        }
        let mut next = 0;
        loop {
            let (target, value) = self.key(line, at, level, &mut next)?;
            at = match target {
                Target::Place(place) => self.value(line, value, place)?,
                Target::Claims if line.claims => return None,
                Target::Claims => {
                    line.claims = true;
                    self.object(line, value, Level::Claims)?
                }
                Target::Nothing => line.skip(value, 0)?,
                Target::Extra => return None,
            };
            if line.byte(at) != Some(b',') {
                at = line.space(at);
            }
            match line.byte(at)? {
                b',' => at = if line.byte(at + 1) == Some(b'"') { at + 1 } else { line.space(at + 1) },
                b'}' => return Some(at + 1),
                _ => return None,
            }
        }
    }

    /// The key at `at`, and where its value begins. `next` is the remembered key that is expected.
    #[inline]
    fn key(&mut self, line: &Line<'_>, at: usize, level: Level, next: &mut usize) -> Option<(Target, usize)> {
        let keys = &self.keys[level as usize];
        let rest = line.bytes.get(at..)?;
        let here = |key: &&Key| rest.starts_with(&key.text);
        let mut known = keys.get(*next).filter(here);
        if known.is_none()
            && let Some(found) = keys.iter().position(|key| here(&key))
        {
            *next = found;
            known = keys.get(found);
        }
        let Some(known) = known else { return self.new_key(line, at, level, next) };
        *next += 1;
        Some((known.target, line.space(at + known.text.len())))
    }

    /// A key that no row before had, as it is written here.
    #[cold]
    fn new_key(
        &mut self,
        line: &Line<'_>,
        at: usize,
        level: Level,
        next: &mut usize,
    ) -> Option<(Target, usize)> {
        let (name, end) = line.string(at)?;
        let colon = line.expect(line.space(end), b':')?;
        let claims_field = self.columns.claims_field.as_deref();
        let target = match level {
            Level::Row if claims_field == Some(name) => Target::Claims,
            Level::Row => self.columns.top.of(name).map_or(Target::Nothing, Target::Place),
            Level::Claims => match self.columns.claims.of(name) {
                Some(place) => Target::Place(place),
                None if self.strict => Target::Extra,
                None => Target::Nothing,
            },
        };
        let text = line.bytes.get(at..colon)?.to_vec();
        let keys = &mut self.keys[level as usize];
        if keys.len() == REMEMBERED {
            keys.clear();
        }
        let place = keys.len().min(*next);
        keys.insert(place, Key { text, target });
        *next = place + 1;
        Some((target, line.space(colon)))
    }

    /// Reads the value at `at` into its place, and says where it ends.
    #[inline]
    fn value(&mut self, line: &Line<'_>, at: usize, place: usize) -> Option<usize> {
        let (fits, end) = match line.byte(at)? {
            b'"' => {
                let (text, end) = line.string(at)?;
                (self.sink.text(place, line.row, text), end)
            }
            b'-' | b'0'..=b'9' => {
                let found = decimal(line.bytes.get(at..)?);
                // What follows a short number is most often no part of it.
                let short = found.filter(|found| {
                    let digits = if line.byte(at) == Some(b'-') { at + 1 } else { at };
                    let zero = line.byte(digits) == Some(b'0')
                        && line.byte(digits + 1).is_some_and(|next| next.is_ascii_digit());
                    !zero && !matches!(line.byte(at + found.length), Some(b'.' | b'e' | b'E'))
                });
                let end = match short {
                    Some(short) => at + short.length,
                    None => line.number(at)?,
                };
                (self.sink.number(place, line.row, line.text.get(at..end)?, short), end)
            }
            b't' => (self.sink.boolean(place, line.row, true), line.word(at, b"true")?),
            b'f' => (self.sink.boolean(place, line.row, false), line.word(at, b"false")?),
            b'n' => (self.sink.null(place, line.row), line.word(at, b"null")?),
            _ => return None,
        };
        fits.then_some(end)
    }
}

impl<'a> Line<'a> {
    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    #[inline]
    fn expect(&self, at: usize, byte: u8) -> Option<usize> {
        (self.byte(at)? == byte).then_some(at + 1)
    }

    /// The end of the white space at `at`.
    #[inline]
    fn space(&self, at: usize) -> usize {
        let mut end = at;
        while matches!(self.byte(end), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            end += 1;
        }
        end
    }

    #[inline]
    fn word(&self, at: usize, word: &[u8]) -> Option<usize> {
        self.bytes.get(at..)?.starts_with(word).then_some(at + word.len())
    }

    /// The string at `at`, which has no escapes, and where it ends.
    #[inline]
    fn string(&self, at: usize) -> Option<(&'a str, usize)> {
        let start = self.expect(at, b'"')?;
        let end = self.plain(start);
        (self.byte(end)? == b'"').then_some((self.text.get(start..end)?, end + 1))
    }

    /// The first byte from `at` on that is not plainly part of a string: a quote, a backslash, a control character or the
    /// end.
    #[inline]
    fn plain(&self, at: usize) -> usize {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // Eight bytes at a time. The lowest byte that is marked is one of these; higher ones may be marked by a carry.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
        let mut at = at;
        while let Some(chunk) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*chunk);
            let quote = zero(word ^ (ONES * b'"' as u64));
            let backslash = zero(word ^ (ONES * b'\\' as u64));
            let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
            let marked = quote | backslash | control;
            if marked != 0 {
                return at + marked.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while self.byte(at).is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= 0x20) {
            at += 1;
        }
        at
    }

    /// Where the number at `at` ends.
    fn number(&self, at: usize) -> Option<usize> {
        let digits = |at: usize| {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (count > 0).then_some(at + count)
        };
        let start = if self.byte(at)? == b'-' { at + 1 } else { at };
        let mut end = digits(start)?;
        if self.byte(start)? == b'0' && end > start + 1 {
            return None;
        }
        if self.byte(end) == Some(b'.') {
            end = digits(end + 1)?;
        }
        if let Some(b'e' | b'E') = self.byte(end) {
            let sign = matches!(self.byte(end + 1), Some(b'+' | b'-'));
            end = digits(end + 1 + usize::from(sign))?;
        }
        Some(end)
    }

    /// Where a value ends that nobody wants.
    fn skip(&self, at: usize, depth: usize) -> Option<usize> {
        match self.byte(at)? {
            b'"' => self.skip_string(at),
            b'-' | b'0'..=b'9' => self.number(at),
            b't' => self.word(at, b"true"),
            b'f' => self.word(at, b"false"),
            b'n' => self.word(at, b"null"),
            open @ (b'{' | b'[') if depth < MAX_DEPTH => {
                let close = if open == b'{' { b'}' } else { b']' };
                let mut at = self.space(at + 1);
                if self.byte(at)? == close {
                    return Some(at + 1);
                }
                loop {
                    if open == b'{' {
                        let colon = self.space(self.skip_string(at)?);
                        at = self.space(self.expect(colon, b':')?);
                    }
                    at = self.space(self.skip(at, depth + 1)?);
                    match self.byte(at)? {
                        b',' => at = self.space(at + 1),
                        byte if byte == close => return Some(at + 1),
                        _ => return None,
                    }
                }
            }
            _ => None,
        }
    }

    /// Where a string ends that may have escapes, but for those of surrogates.
    fn skip_string(&self, at: usize) -> Option<usize> {
        let mut at = self.expect(at, b'"')?;
        loop {
            at = self.plain(at);
            match self.byte(at)? {
                b'"' => return Some(at + 1),
                b'\\' => match self.byte(at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                    b'u' => {
                        let digits = self.bytes.get(at + 2..at + 6)?;
                        let hex = digits.iter().all(u8::is_ascii_hexdigit);
                        let surrogate =
                            matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
                        if !hex || surrogate {
                            return None;
                        }
                        at += 6;
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

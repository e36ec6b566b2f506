//! Lines of regular JSON, straight into columns.
//!
//! A scanner of its own, for speed, that reads no more than what it can be sure of: what it does not know (an escape in a
//! wanted text, a deep nesting, anything malformed) sets the line aside, and the line is then read by
//! [`parse_json`](assay_claims::parse_json). So it may give up anywhere, but what it accepts must be JSON.

use std::collections::HashMap;

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
    /// The keys of rows so far, and of claims objects.
    keys: [Keys; 2],
}

/// How many keys are remembered at most.
const REMEMBERED: usize = 4096;

/// The keys of objects so far. Those of the next are mostly the same, in the same order.
#[derive(Default)]
struct Keys {
    list: Vec<Key>,
    places: HashMap<Vec<u8>, usize>,
    /// The one that an object began with last.
    first: usize,
}

/// A key of an object before.
struct Key {
    /// It and its colon as they stood: `"amount":`.
    text: Vec<u8>,
    target: Target,
    /// The place of the key that followed it last.
    next: usize,
}

impl Keys {
    /// The place of the key that is expected after another, or at first.
    fn expected(&mut self, before: Option<usize>) -> &mut usize {
        match before.and_then(|before| self.list.get_mut(before)) {
            Some(key) => &mut key.next,
            None => &mut self.first,
        }
    }

    /// The place of a key as it stands, with its colon.
    fn place(&self, text: &[u8]) -> Option<usize> {
        self.places.get(text).copied()
    }

    /// Remembers a key; its place. Where there are too many, all others are forgotten.
    fn remember(&mut self, text: &[u8], target: Target) -> usize {
        if self.list.len() == REMEMBERED {
            *self = Keys::default();
        }
        let place = self.list.len();
        self.places.insert(text.to_vec(), place);
        self.list.push(Key { text: text.to_vec(), target, next: place + 1 });
        place
    }
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
        Scanner { columns, sink, strict, keys: Default::default() }
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
        let mut before = None;
        loop {
            let (target, value) = self.key(line, at, level, &mut before)?;
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

    /// What the key at `at` is for, and where its value begins. `before` is the place of the key before it, and then its own.
    #[inline]
    fn key(
        &mut self,
        line: &Line<'_>,
        at: usize,
        level: Level,
        before: &mut Option<usize>,
    ) -> Option<(Target, usize)> {
        let keys = &mut self.keys[level as usize];
        let place = *keys.expected(*before);
        let rest = line.bytes.get(at..)?;
        match keys.list.get(place).filter(|key| rest.starts_with(&key.text)) {
            Some(key) => {
                *before = Some(place);
                Some((key.target, line.space(at + key.text.len())))
            }
            None => self.unexpected(line, at, level, before),
        }
    }

    /// The same of a key that did not follow the one before it the last time.
    #[cold]
    fn unexpected(
        &mut self,
        line: &Line<'_>,
        at: usize,
        level: Level,
        before: &mut Option<usize>,
    ) -> Option<(Target, usize)> {
        let (name, end) = line.string(at)?;
        let colon = line.expect(line.space(end), b':')?;
        let text = line.bytes.get(at..colon)?;
        let place = match self.keys[level as usize].place(text) {
            Some(place) => place,
            None => {
                let target = self.target(name, level);
                self.keys[level as usize].remember(text, target)
            }
        };
        let keys = &mut self.keys[level as usize];
        *keys.expected(*before) = place;
        *before = Some(place);
        Some((keys.list.get(place)?.target, line.space(colon)))
    }

    /// What the value of a name is for.
    fn target(&self, name: &str, level: Level) -> Target {
        let claims_field = self.columns.claims_field.as_deref();
        match level {
            Level::Row if claims_field == Some(name) => Target::Claims,
            Level::Row => self.columns.top.of(name).map_or(Target::Nothing, Target::Place),
            Level::Claims => match self.columns.claims.of(name) {
                Some(place) => Target::Place(place),
                None if self.strict => Target::Extra,
                None => Target::Nothing,
            },
        }
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

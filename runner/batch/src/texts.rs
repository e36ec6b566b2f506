//! Texts by column: one string with the places where each ends.

use serde::{Deserialize, Serialize};

/// Many texts, held as one: they cost their bytes and no allocation each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Room for so many texts of so many bytes together.
    pub fn with_capacity(texts: usize, bytes: usize) -> Texts {
        Texts { bytes: String::with_capacity(bytes), ends: Vec::with_capacity(texts) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes they have together.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    /// Appends a text in pieces: what `write` adds to the string it is given. (It only ever adds.)
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Appends the texts from `from` up to `to` of others, as many of them as there are.
    pub fn append(&mut self, others: &Texts, from: usize, to: usize) {
        let to = to.min(others.len());
        let first = others.start(from);
        let Some(last) = to.checked_sub(1).filter(|last| *last >= from) else { return };
        let end = others.ends.get(last).copied().unwrap_or(first);
        let before = self.bytes.len();
        self.bytes.push_str(others.bytes.get(first..end).unwrap_or_default());
        let ends = others.ends.get(from..to).unwrap_or_default();
        self.ends.extend(ends.iter().map(|end| end - first + before));
    }

    /// Forgets all but the first so many.
    pub fn truncate(&mut self, texts: usize) {
        if texts < self.ends.len() {
            self.bytes.truncate(self.start(texts));
            self.ends.truncate(texts);
        }
    }

    /// Forgets all, and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// One of them; none past the end.
    pub fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        self.bytes.get(self.start(at)..end)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let text = self.bytes.get(start..*end).unwrap_or_default();
            start = *end;
            text
        })
    }

    fn start(&self, at: usize) -> usize {
        let before = at.checked_sub(1);
        before.map_or(0, |before| self.ends.get(before).copied().unwrap_or(self.bytes.len()))
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Texts {
        let mut all = Texts::default();
        texts.into_iter().for_each(|text| all.push(text));
        all
    }
}

//! Where the values of wanted columns go when a chunk is decoded by column.

use assay_batch::input::{Decoded, Layout, TextCell, TextColumn};
use assay_claims::{ClaimId, Columns, Decimal};

/// Takes values by the place of their column, row after row, and hands each to the claims and texts that it is for. Whatever
/// answers `false` has set the row aside: nothing else of the row matters then.
pub(super) struct Sink<'a> {
    pub columns: Columns<'a>,
    uses: Vec<Uses>,
    texts: Vec<TextColumn>,
    /// By place, one more than the last row that had a value there.
    seen: Vec<usize>,
    /// How many places the row has had values for.
    count: usize,
}

/// What the values at a place are for.
#[derive(Clone, Default)]
pub(super) struct Uses {
    pub claims: Vec<ClaimId>,
    pub units: Vec<ClaimId>,
    pub texts: Vec<usize>,
}

impl<'a> Sink<'a> {
    /// For so many rows, of so many wanted columns.
    pub fn new(layout: &'a Layout<'_>, rows: usize, places: usize) -> Sink<'a> {
        let mut uses = vec![Uses::default(); places];
        for (claim, place) in layout.claims.iter().enumerate() {
            if let Some(uses) = uses.get_mut(place.value) {
                uses.claims.push(ClaimId(claim));
            }
            if let Some(uses) = place.unit.and_then(|unit| uses.get_mut(unit)) {
                uses.units.push(ClaimId(claim));
            }
        }
        for (text, place) in layout.texts.iter().enumerate() {
            if let Some(uses) = uses.get_mut(*place) {
                uses.texts.push(text);
            }
        }
        Sink {
            columns: layout.start(rows),
            uses,
            texts: layout.texts.iter().map(|_| TextColumn::with_capacity(rows)).collect(),
            seen: vec![0; places],
            count: 0,
        }
    }

    /// What the values at a place are for.
    pub fn uses(&self, place: usize) -> Uses {
        self.uses.get(place).cloned().unwrap_or_default()
    }

    /// Begins the value at a place. `false`: the row has one already.
    #[inline]
    fn first(&mut self, place: usize, row: usize) -> bool {
        let is_first =
            self.seen.get_mut(place).is_some_and(|seen| std::mem::replace(seen, row + 1) != row + 1);
        if is_first {
            self.count += 1;
        } else {
            self.columns.set_aside(row);
        }
        is_first
    }

    /// A text.
    #[inline]
    pub fn text(&mut self, place: usize, row: usize, text: &str) -> bool {
        if !self.first(place, row) {
            return false;
        }
        let Some(uses) = self.uses.get(place) else { return true };
        let mut fits = true;
        for claim in &uses.claims {
            fits &= self.columns.text(*claim, row, text);
        }
        for claim in &uses.units {
            self.columns.unit(*claim, row, text);
        }
        self.keep(place, TextCell::Text(text));
        fits
    }

    /// A number with its text, and what it is where it is short.
    #[inline]
    pub fn number(&mut self, place: usize, row: usize, text: &str, number: Option<Decimal>) -> bool {
        if !self.first(place, row) {
            return false;
        }
        let Some(uses) = self.uses.get(place) else { return true };
        let mut fits = true;
        for claim in &uses.claims {
            fits &= match number {
                Some(Decimal { unscaled, scale, .. }) => self.columns.number(*claim, row, unscaled, scale),
                None => false,
            };
        }
        if !fits {
            self.columns.set_aside(row);
        }
        self.keep(place, TextCell::Json(text));
        fits
    }

    /// A boolean.
    #[inline]
    pub fn boolean(&mut self, place: usize, row: usize, value: bool) -> bool {
        if !self.first(place, row) {
            return false;
        }
        let Some(uses) = self.uses.get(place) else { return true };
        let mut fits = true;
        for claim in &uses.claims {
            fits &= self.columns.boolean(*claim, row, value);
        }
        self.keep(place, TextCell::Json(if value { "true" } else { "false" }));
        fits
    }

    /// A null: its claims are unknown.
    #[inline]
    pub fn null(&mut self, place: usize, row: usize) -> bool {
        if !self.first(place, row) {
            return false;
        }
        self.keep(place, TextCell::Null);
        true
    }

    #[inline]
    fn keep(&mut self, place: usize, cell: TextCell<'_>) {
        let Some(uses) = self.uses.get(place) else { return };
        for text in &uses.texts {
            if let Some(texts) = self.texts.get_mut(*text) {
                texts.push(cell);
            }
        }
    }

    /// Adds to a column of texts, for a reader that reads by column.
    pub fn push_text(&mut self, text: usize, cell: TextCell<'_>) {
        if let Some(texts) = self.texts.get_mut(text) {
            texts.push(cell);
        }
    }

    /// Ends a row: what it has no value for is missing.
    #[inline]
    pub fn end_row(&mut self, row: usize) {
        if std::mem::take(&mut self.count) == self.seen.len() {
            return;
        }
        let lacking = self.seen.iter().zip(&self.uses).filter(|(seen, _)| **seen != row + 1);
        if lacking.into_iter().any(|(_, uses)| !uses.claims.is_empty()) {
            self.columns.missing(row);
        }
        for texts in self.texts.iter_mut().filter(|texts| texts.len() <= row) {
            texts.push(TextCell::Missing);
        }
    }

    /// Everything, with the numbers of the rows.
    pub fn finish(self, numbers: Vec<u64>) -> Decoded {
        Decoded { claims: self.columns.finish(), texts: self.texts, numbers }
    }
}

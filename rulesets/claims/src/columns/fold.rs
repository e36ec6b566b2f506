//! The rows of each document, folded into one, and the further rows of its choices.
//!
//! Nothing is copied until all is known: a column of the result is the column of the rows with each of its cells taken
//! from one of them.

use std::ops::Range;

use arrow_buffer::BooleanBuffer;

use super::documents::Contradicted;
use super::{ClaimColumn, ClaimColumns};
use crate::{Checker, ClaimId};

/// The rows of documents, while they are folded.
#[derive(Debug)]
pub(super) struct Folded {
    documents: usize,
    /// By document.
    aside: Vec<bool>,
    /// By claim, for each row of the result: the row that its cell is taken from. Empty for a claim that is not known in
    /// any row.
    taken: Vec<Vec<usize>>,
    /// The contradictions, by document and claim.
    found: Vec<Contradiction>,
    /// For all of them, one after the other: a row for each distinct value.
    values: Vec<usize>,
    /// How many rows the result has.
    rows: usize,
}

/// A claim of a document that has several values.
#[derive(Debug, Clone)]
struct Contradiction {
    document: usize,
    claim: ClaimId,
    values: Range<usize>,
}

impl Folded {
    /// Folds columns. `starts` holds the first row of each document.
    pub(super) fn new(rows: &ClaimColumns, starts: &[usize]) -> Folded {
        let ends = starts.iter().skip(1).copied().chain([rows.rows]);
        let spans: Vec<Range<usize>> = starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
        let is_aside = |span: &Range<usize>| span.clone().any(|row| rows.set_aside.value(row));
        let any_aside = rows.set_aside.count_set_bits() > 0;
        let aside = spans.iter().map(|span| any_aside && is_aside(span)).collect();
        let mut folded = Folded {
            documents: starts.len(),
            aside,
            taken: Vec::with_capacity(rows.columns.len()),
            found: Vec::new(),
            values: Vec::new(),
            rows: starts.len(),
        };
        for (claim, column) in rows.columns.iter().enumerate() {
            let claim = ClaimId(claim);
            match column {
                ClaimColumn::Unknown => folded.taken.push(Vec::new()),
                ClaimColumn::Bool { values, known } => {
                    folded.claim(claim, &spans, known, |a, b| values.value(a) == values.value(b));
                }
                ClaimColumn::Member { numbers, known } => {
                    folded.claim(claim, &spans, known, |a, b| numbers.get(a) == numbers.get(b));
                }
                ClaimColumn::Number { unscaled, known, .. } => {
                    folded.claim(claim, &spans, known, |a, b| unscaled.get(a) == unscaled.get(b));
                }
            }
        }
        // Claim after claim they are in order already, and runs are merged.
        folded.found.sort_by_key(|found| (found.document, found.claim));
        folded
    }

    /// Finds the first known value of a claim for each document, and the claim's contradictions.
    fn claim(
        &mut self,
        claim: ClaimId,
        spans: &[Range<usize>],
        known: &BooleanBuffer,
        same: impl Fn(usize, usize) -> bool,
    ) {
        let mut taken = Vec::with_capacity(spans.len());
        for (document, span) in spans.iter().enumerate() {
            let mut rows = span.clone().filter(|row| known.value(*row));
            let first = rows.next().unwrap_or(span.start);
            taken.push(first);
            let Some(second) = rows.find(|row| !same(first, *row)) else { continue };
            if self.aside.get(document).is_some_and(|aside| *aside) {
                continue;
            }
            let from = self.values.len();
            self.values.extend([first, second]);
            for row in rows {
                let new = |values: &[usize]| values.iter().all(|value| !same(*value, row));
                if self.values.get(from..).is_some_and(new) {
                    self.values.push(row);
                }
            }
            self.found.push(Contradiction { document, claim, values: from..self.values.len() });
        }
        self.taken.push(taken);
    }

    /// Adds the further rows of contradicted documents, at most `room` in all. Documents of more than `most` choices, and
    /// those that there is no room for, are set aside.
    pub(super) fn expand(
        &mut self,
        checker: &Checker,
        most: usize,
        room: usize,
    ) -> (Vec<Contradicted>, Vec<ClaimId>) {
        let (mut contradicted, mut claims) = (Vec::new(), Vec::new());
        let mut further: Vec<usize> = Vec::new();
        let mut changed: Vec<(ClaimId, usize, usize)> = Vec::new();
        let found = std::mem::take(&mut self.found);
        let mut digits = Digits::default();
        for of_document in found.chunk_by(|a, b| a.document == b.document) {
            let Some(document) = of_document.first().map(|found| found.document) else { continue };
            let digits = digits.of(checker, of_document);
            let rows = digits.iter().map(|digit| digit.choices).max().unwrap_or(1);
            if rows > most || further.len() + rows > room {
                self.set_aside(document);
                continue;
            }
            let own = self.documents + further.len();
            for (choice, row) in (1..rows).zip(own..) {
                let each = of_document.iter().zip(digits);
                changed.extend(each.filter_map(|(found, digit)| {
                    let value = found.values.start + choice / digit.stride % found.values.len();
                    Some((found.claim, row, *self.values.get(value)?))
                }));
                further.push(document);
            }
            let from = claims.len();
            claims.extend(of_document.iter().map(|found| found.claim));
            let (claims, further) = (from..claims.len(), own..self.documents + further.len());
            contradicted.push(Contradicted { document, claims, further });
        }
        self.add_rows(&further, &changed);
        (contradicted, claims)
    }

    fn set_aside(&mut self, document: usize) {
        if let Some(aside) = self.aside.get_mut(document) {
            *aside = true;
        }
    }

    /// Adds rows that are those of documents but for some cells: of a claim and a row, from another row.
    fn add_rows(&mut self, further: &[usize], changed: &[(ClaimId, usize, usize)]) {
        for taken in self.taken.iter_mut().filter(|taken| !taken.is_empty()) {
            let rows: Vec<usize> =
                further.iter().filter_map(|document| taken.get(*document)).copied().collect();
            taken.extend(rows);
        }
        for (claim, row, from) in changed {
            if let Some(cell) = self.taken.get_mut(claim.0).and_then(|taken| taken.get_mut(*row)) {
                *cell = *from;
            }
        }
        self.rows = self.documents + further.len();
    }

    /// The columns of the documents and their further rows.
    pub(super) fn columns(&self, rows: &ClaimColumns) -> ClaimColumns {
        let columns = rows.columns.iter().zip(&self.taken).map(|(column, taken)| {
            let is_set = |of: &BooleanBuffer, at: usize| taken.get(at).is_some_and(|row| of.value(*row));
            let bits = |of: &BooleanBuffer| BooleanBuffer::collect_bool(taken.len(), |at| is_set(of, at));
            match column {
                ClaimColumn::Unknown => ClaimColumn::Unknown,
                ClaimColumn::Bool { values, known } => {
                    ClaimColumn::Bool { values: bits(values), known: bits(known) }
                }
                ClaimColumn::Member { numbers, known } => {
                    ClaimColumn::Member { numbers: gather(numbers, taken), known: bits(known) }
                }
                ClaimColumn::Number { unscaled, scale, known } => ClaimColumn::Number {
                    unscaled: gather(unscaled, taken),
                    scale: *scale,
                    known: bits(known),
                },
            }
        });
        let is_aside = |row: usize| self.aside.get(row).is_some_and(|aside| *aside);
        ClaimColumns {
            rows: self.rows,
            columns: columns.collect(),
            set_aside: BooleanBuffer::collect_bool(self.rows, is_aside),
        }
    }
}

fn gather<T: Copy + Default>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|row| values.get(*row).copied().unwrap_or_default()).collect()
}

/// How a contradicted claim counts through the choices of its document: the number of a choice, divided by the
/// stride, is the number of its value, from the first one again where there are no more.
#[derive(Debug, Clone)]
struct Digit {
    stride: usize,
    /// How many choices the claims have that hang together with it.
    choices: usize,
}

/// Counts the choices of one document after the other, and uses its room again.
#[derive(Debug, Default)]
struct Digits {
    /// By contradicted claim: the number that it is a digit of.
    numbers: Vec<usize>,
    digits: Vec<Digit>,
}

impl Digits {
    /// The digits of the contradicted claims of one document. Claims that an assertion reads together belong to one number,
    /// and so do those that such claims hang together with; other claims count beside each other.
    fn of(&mut self, checker: &Checker, found: &[Contradiction]) -> &[Digit] {
        let Digits { numbers, digits } = self;
        numbers.clear();
        numbers.extend(0..found.len());
        for (at, b) in found.iter().enumerate() {
            for (before, a) in found.iter().enumerate().take(at) {
                let [a_number, b_number] = [before, at].map(|place| numbers.get(place).copied());
                if a_number != b_number && checker.read_together(a.claim, b.claim) {
                    let joined = numbers.iter_mut().filter(|number| Some(**number) == b_number);
                    joined.for_each(|number| *number = a_number.unwrap_or_default());
                }
            }
        }
        digits.clear();
        digits.extend(numbers.iter().enumerate().map(|(at, number)| {
            let mut digit = Digit { stride: 1, choices: 1 };
            let same = found.iter().zip(&*numbers).enumerate().filter(|(_, (_, other))| *other == number);
            for (place, (other, _)) in same {
                if checker.readers(other.claim).is_empty() {
                    continue;
                }
                digit.choices = digit.choices.saturating_mul(other.values.len());
                if place < at {
                    digit.stride = digit.stride.saturating_mul(other.values.len());
                }
            }
            digit
        }));
        digits
    }
}

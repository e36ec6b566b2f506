//! Columns while they are filled.

use super::bits::Bits;
use super::lane::{Fit, Lane};
use super::{ClaimColumn, ClaimColumns, MAX_SCALE};
use crate::{Checker, ClaimId, Missing};

/// The claims of some rows by column, while a reader fills them: value by value in any order, at most one value
/// for each claim and row. A claim that nothing is said of is unknown.
#[derive(Debug)]
pub struct Columns<'a> {
    lanes: &'a [Lane],
    missing: Missing,
    rows: usize,
    /// By claim.
    cells: Vec<Cells>,
    /// By claim: where its unit column names the declared unit, if it has such a column.
    units: Vec<Option<Bits>>,
    set_aside: Bits,
}

#[derive(Debug)]
enum Cells {
    Empty,
    Bool { values: Bits, known: Bits },
    Member { numbers: Vec<u32>, known: Bits },
    Number { unscaled: Vec<i128>, scale: u8, known: Bits },
}

impl Checker {
    /// Columns for the claims of `rows` rows. `paired` names the claims whose unit is in a column of its own.
    pub fn columns(&self, rows: usize, missing: Missing, paired: impl Fn(ClaimId) -> bool) -> Columns<'_> {
        let units = |claim: usize| paired(ClaimId(claim)).then(|| Bits::new(rows));
        Columns {
            lanes: self.lanes(),
            missing,
            rows,
            cells: self.lanes().iter().map(|_| Cells::Empty).collect(),
            units: (0..self.lanes().len()).map(units).collect(),
            set_aside: Bits::new(rows),
        }
    }
}

impl Columns<'_> {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Binds a text, whatever its row: for what many rows share.
    #[inline]
    pub fn bind_text(&self, claim: ClaimId, text: &str) -> Fit {
        let paired = self.units.get(claim.0).is_some_and(Option::is_some);
        self.lanes.get(claim.0).map_or(Fit::Unknown, |lane| lane.text(text, paired))
    }

    /// A text. `false`: it does not fit, and its row is set aside.
    #[inline]
    pub fn text(&mut self, claim: ClaimId, row: usize, text: &str) -> bool {
        let fit = self.bind_text(claim, text);
        self.put(claim, row, fit)
    }

    /// A boolean of a format that has booleans. `false`: it does not fit, and its row is set aside.
    #[inline]
    pub fn boolean(&mut self, claim: ClaimId, row: usize, value: bool) -> bool {
        let fit = self.lanes.get(claim.0).map_or(Fit::Unknown, |lane| lane.boolean(value));
        self.put(claim, row, fit)
    }

    /// The number `unscaled / 10^scale`, of at most 18 digits and at most that scale, of a format that has numbers.
    /// `false`: it does not fit, and its row is set aside.
    #[inline]
    pub fn number(&mut self, claim: ClaimId, row: usize, unscaled: i64, scale: u8) -> bool {
        let fit = self.lanes.get(claim.0).map_or(Fit::Unknown, |lane| lane.number(unscaled, scale));
        self.put(claim, row, fit)
    }

    /// The numbers of the rows from `first` on, all at one scale: `unscaled / 10^scale`, `None` where one is null.
    pub fn numbers(
        &mut self,
        claim: ClaimId,
        first: usize,
        scale: u8,
        numbers: impl Iterator<Item = Option<i128>>,
    ) {
        let (Some(lane), Some(cells)) = (self.lanes.get(claim.0), self.cells.get_mut(claim.0)) else {
            return;
        };
        let Some((least, greatest)) = lane.bounds(scale) else {
            for (row, number) in (first..).zip(numbers) {
                if number.is_some() {
                    self.set_aside.set(row);
                }
            }
            return;
        };
        let Some((unscaled, known, factor)) = cells.numbers(self.rows, scale) else { return };
        let places = unscaled.get_mut(first..).unwrap_or_default();
        for ((place, row), number) in places.iter_mut().zip(first..).zip(numbers) {
            let Some(number) = number else { continue };
            if least <= number && number <= greatest {
                *place = if factor == 1 { number } else { number * factor };
                known.set(row);
            } else {
                self.set_aside.set(row);
            }
        }
    }

    /// What a text of a unit column says of the claim's value in its row.
    #[inline]
    pub fn unit(&mut self, claim: ClaimId, row: usize, text: &str) {
        if let (Some(lane), Some(Some(units))) = (self.lanes.get(claim.0), self.units.get_mut(claim.0))
            && lane.is_unit(text)
        {
            units.set(row);
        }
    }

    /// Nothing at all, where there should be a claim's value. `false`: the row is set aside.
    #[inline]
    pub fn missing(&mut self, row: usize) -> bool {
        if self.missing == Missing::Reject {
            self.set_aside.set(row);
        }
        self.missing == Missing::Unknown
    }

    /// Sets a row aside.
    #[inline]
    pub fn set_aside(&mut self, row: usize) {
        self.set_aside.set(row);
    }

    /// Sets every row aside.
    pub fn set_all_aside(&mut self) {
        self.set_aside.fill();
    }

    /// Whether a row is set aside by now.
    #[inline]
    pub fn is_set_aside(&self, row: usize) -> bool {
        self.set_aside.get(row)
    }

    /// Puts a bound value into its place. `false`: it does not fit, and its row is set aside.
    #[inline]
    pub fn put(&mut self, claim: ClaimId, row: usize, fit: Fit) -> bool {
        let Some(cells) = self.cells.get_mut(claim.0) else { return true };
        match fit {
            Fit::Unknown => {}
            Fit::Bool(value) => {
                if let Some((values, known)) = cells.booleans(self.rows) {
                    if value {
                        values.set(row);
                    }
                    known.set(row);
                }
            }
            Fit::Member(member) => {
                if let Some((numbers, known)) = cells.members(self.rows)
                    && let Some(place) = numbers.get_mut(row)
                {
                    *place = member;
                    known.set(row);
                }
            }
            Fit::Number { unscaled: number, scale } => {
                if let Some((unscaled, known, factor)) = cells.numbers(self.rows, scale)
                    && let Some(place) = unscaled.get_mut(row)
                {
                    *place = i128::from(number) * factor;
                    known.set(row);
                }
            }
            Fit::SetAside => {
                self.set_aside.set(row);
                return false;
            }
        }
        true
    }

    /// The columns.
    pub fn finish(mut self) -> ClaimColumns {
        let columns = self.cells.into_iter().zip(self.units).map(|(cells, units)| match cells {
            Cells::Empty => ClaimColumn::Unknown,
            Cells::Bool { values, known } => {
                ClaimColumn::Bool { values: values.finish(), known: known.finish() }
            }
            Cells::Member { numbers, known } => ClaimColumn::Member { numbers, known: known.finish() },
            Cells::Number { unscaled, scale, known } => {
                if let Some(units) = units {
                    // Other units, or none.
                    self.set_aside.add(&known, &units);
                }
                ClaimColumn::Number { unscaled, scale, known: known.finish() }
            }
        });
        let columns = columns.collect();
        ClaimColumns { rows: self.rows, columns, set_aside: self.set_aside.finish() }
    }
}

/// A claim's cells are of its own kind only: its lane sees to that.
impl Cells {
    #[inline]
    fn booleans(&mut self, rows: usize) -> Option<(&mut Bits, &mut Bits)> {
        if let Cells::Empty = self {
            *self = Cells::Bool { values: Bits::new(rows), known: Bits::new(rows) };
        }
        match self {
            Cells::Bool { values, known } => Some((values, known)),
            _ => None,
        }
    }

    #[inline]
    fn members(&mut self, rows: usize) -> Option<(&mut Vec<u32>, &mut Bits)> {
        if let Cells::Empty = self {
            *self = Cells::Member { numbers: vec![0; rows], known: Bits::new(rows) };
        }
        match self {
            Cells::Member { numbers, known } => Some((numbers, known)),
            _ => None,
        }
    }

    /// The cells, at `scale` at least, and what a number of that scale is to be multiplied by.
    #[inline]
    fn numbers(&mut self, rows: usize, scale: u8) -> Option<(&mut Vec<i128>, &mut Bits, i128)> {
        if let Cells::Empty = self {
            *self = Cells::Number { unscaled: vec![0; rows], scale, known: Bits::new(rows) };
        }
        match self {
            Cells::Number { unscaled, scale: own, known } => {
                if scale > *own {
                    rescale(unscaled, power(scale - *own));
                    *own = scale;
                }
                Some((unscaled, known, power(*own - scale)))
            }
            _ => None,
        }
    }
}

/// Every number fits at the largest scale (a lane takes no other), so at any.
#[cold]
fn rescale(unscaled: &mut [i128], factor: i128) {
    unscaled.iter_mut().for_each(|number| *number *= factor);
}

const POWERS: [i128; MAX_SCALE as usize + 1] = {
    let mut powers = [1; MAX_SCALE as usize + 1];
    let mut scale = 1;
    while scale < powers.len() {
        powers[scale] = powers[scale - 1] * 10;
        scale += 1;
    }
    powers
};

#[inline]
fn power(scale: u8) -> i128 {
    POWERS.get(usize::from(scale)).copied().unwrap_or(1)
}

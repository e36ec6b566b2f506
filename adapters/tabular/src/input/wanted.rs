//! Where the wanted columns are looked for.

use std::collections::HashMap;

use assay_batch::input::{Cell, Wanted};
use assay_claims::Raw;

/// The wanted columns by name, in one place of a row: in the row itself, or in its claims object.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    by_name: HashMap<String, usize>,
    wanted: usize,
}

impl Slots {
    /// The columns that are looked for in the row itself (or in its claims object).
    pub fn new(wanted: &Wanted, in_claims: bool) -> Slots {
        let columns = wanted.columns.iter().enumerate();
        let here = columns.filter(|(_, column)| column.in_claims == in_claims);
        let by_name = here.map(|(slot, column)| (column.name.clone(), slot)).collect();
        Slots { by_name, wanted: wanted.columns.len() }
    }

    /// The slot of a column's name.
    pub fn of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// For each wanted column, its position in a table that has these columns.
    pub fn positions<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Option<usize>> {
        let mut positions = vec![None; self.wanted];
        for (at, name) in names.enumerate() {
            if let Some(position) = self.of(name).and_then(|slot| positions.get_mut(slot)) {
                *position = Some(at);
            }
        }
        positions
    }
}

/// Puts a value into its slot; a second one shows that there were two.
pub(super) fn put<'a>(cells: &mut [Cell<'a>], slot: usize, value: Raw<'a>) {
    if let Some(cell) = cells.get_mut(slot) {
        *cell = match cell {
            Cell::Missing => Cell::One(value),
            Cell::One(_) | Cell::Repeated(_) => Cell::Repeated(value),
        };
    }
}

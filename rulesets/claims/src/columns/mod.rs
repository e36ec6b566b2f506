//! The claims of many documents by column: what readers of regular data fill and the columnar engine reads.
//!
//! A column holds bindings, not raw values: numbers are exact and in their claim's declared unit, members are numbered as
//! the compiler numbers them, and what is not known is not bound. Whatever does not fit (a foreign unit, a number of
//! too many digits, a value that is refused) is not squeezed in: its row is marked as *set aside* and goes through
//! [`Checker`](crate::Checker) value by value.
//!
//! A reader asks a checker for [`Columns`] and fills them. `lane` binds single values without making anything of them
//! that would have to be allocated, `decimal` reads their numbers and `members` finds their members. Where rows are the
//! evidence of documents, `documents` makes columns of documents from those of rows.

mod bits;
mod builder;
mod decimal;
mod documents;
mod fold;
mod lane;
mod members;

pub(crate) use self::lane::Lane;

pub use self::builder::Columns;
pub use self::decimal::{Decimal, decimal};
pub use self::documents::{ContradictedDocument, DocumentColumns};
pub use self::lane::Fit;

use arrow_buffer::BooleanBuffer;
use assay_units::Rational;

use crate::{Binding, Dictionary, Measure};

/// The claims of the documents of one chunk.
#[derive(Debug, Clone)]
pub struct ClaimColumns {
    /// How many documents there are: the length of every column.
    pub rows: usize,
    /// One for each claim, in declared order.
    pub columns: Vec<ClaimColumn>,
    /// The rows that do not fit: their values in the columns mean nothing.
    pub set_aside: BooleanBuffer,
}

impl ClaimColumns {
    /// The bindings of one row. They mean nothing where the row is set aside.
    pub fn dictionary(&self, row: usize) -> Dictionary {
        Dictionary::new(self.columns.iter().map(|column| column.binding(row)).collect())
    }
}

impl ClaimColumn {
    /// The binding in one row; past the end there is none.
    pub fn binding(&self, row: usize) -> Binding {
        let is_known = |known: &BooleanBuffer| row < known.len() && known.value(row);
        let bound = match self {
            ClaimColumn::Unknown => None,
            ClaimColumn::Bool { values, known } => {
                (is_known(known) && row < values.len()).then(|| Binding::Bool(values.value(row)))
            }
            ClaimColumn::Member { numbers, known } => {
                numbers.get(row).filter(|_| is_known(known)).map(|number| Binding::Member(*number))
            }
            ClaimColumn::Number { unscaled, scale, known } => {
                unscaled.get(row).filter(|_| is_known(known)).map(|unscaled| {
                    let power = num_traits::pow(Rational::from_integer(10.into()), usize::from(*scale));
                    let value = Rational::from_integer((*unscaled).into()) / power;
                    Binding::Number { value, measure: Measure::Declared }
                })
            }
        };
        bound.unwrap_or(Binding::Unknown)
    }
}

/// The bindings of one claim.
#[derive(Debug, Clone)]
pub enum ClaimColumn {
    /// Bound in no row.
    Unknown,
    /// Booleans.
    Bool {
        /// The values; not looked at where they are not known.
        values: BooleanBuffer,
        /// Where the claim is bound.
        known: BooleanBuffer,
    },
    /// Members of the claim's vocabulary.
    Member {
        /// The shared numbers of the members; not looked at where they are not known.
        numbers: Vec<u32>,
        /// Where the claim is bound.
        known: BooleanBuffer,
    },
    /// Decimals in the claim's declared unit: `unscaled / 10^scale`.
    Number {
        /// The unscaled values; not looked at where they are not known.
        unscaled: Vec<i128>,
        /// The one scale of all of them, at most [`MAX_SCALE`].
        scale: u8,
        /// Where the claim is bound.
        known: BooleanBuffer,
    },
}

/// The largest scale of a column of numbers.
pub const MAX_SCALE: u8 = 18;

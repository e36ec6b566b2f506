//! Dictionaries and rows: all claims at once.

use std::borrow::Cow;

use crate::{Checker, Dictionary, Raw, Rejection};

/// What a row has for one claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Given<'a> {
    /// Nothing: no field, no column.
    Missing,
    /// A value.
    One(&'a Raw<'a>),
    /// A value and, from a column of its own, its unit.
    Pair {
        /// The value.
        value: &'a Raw<'a>,
        /// The unit, as a text or null.
        unit: &'a Raw<'a>,
    },
    /// Its key more than once; the last value.
    Repeated(&'a Raw<'a>),
}

/// What a missing claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// A failure.
    #[default]
    Reject,
    /// Undetermined.
    Unknown,
}

impl Checker {
    /// Reads a dictionary: every declared claim once, and nothing else.
    ///
    /// # Errors
    /// Every failing field.
    pub fn dictionary(&self, fields: &[(Cow<'_, str>, Raw<'_>)]) -> Result<Dictionary, Rejection> {
        let _ = fields;
        Ok(Dictionary::new(Vec::new()))
    }

    /// Reads a row: what it has for each claim in declared order, and fields that are no claim, in their order.
    /// Claims past the end of `cells` are missing.
    ///
    /// # Errors
    /// Every failing field.
    pub fn row<'a>(
        &self,
        cells: impl IntoIterator<Item = Given<'a>>,
        extra: &[(Cow<'_, str>, Raw<'_>)],
        missing: Missing,
    ) -> Result<Dictionary, Rejection> {
        let _ = (cells.into_iter().count(), extra, missing);
        Ok(Dictionary::new(Vec::new()))
    }
}

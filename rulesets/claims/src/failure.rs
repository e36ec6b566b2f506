//! What a refusal says: the field, what would have been accepted, what came.

use assay_compile::{Claim, LISTED_FAILURES};
use assay_units::{Library, Rational, UnitError};

use crate::expected::expected;
use crate::received::received;
use crate::{Raw, Reading};

/// One field that failed. The keys of the wire are the names of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The name of the claim, or of the field that is none.
    pub field: String,
    /// What would have been accepted, and why this was not where that is not plain.
    pub expected: String,
    /// What came, cut to 100 characters: a text as it is, other values as JSON, `nothing` where nothing came.
    pub received: String,
}

/// Every failure of one dictionary or row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rejection {
    /// The failures: declared claims in their order, then other fields in theirs; 50 at most.
    pub failures: Vec<Failure>,
    /// How many there are in all.
    pub failure_count: usize,
}

impl Rejection {
    /// A rejection without a failure yet.
    pub(crate) fn new() -> Rejection {
        Rejection { failures: Vec::new(), failure_count: 0 }
    }

    /// Counts a failure, and lists it while there is room: only then is it put in words.
    pub(crate) fn add(&mut self, failure: impl FnOnce() -> Failure) {
        self.failure_count += 1;
        if self.failures.len() < LISTED_FAILURES {
            self.failures.push(failure());
        }
    }
}

/// Why a value was refused. Cheap: it is put in words only where it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// It has none of the accepted forms.
    Form,
    /// The claim has no value at all.
    Missing,
    /// The field is there more than once.
    Repeated,
    /// A list in a list.
    List,
    /// As many units as there are values, where both are lists.
    Units,
    /// A NaN or an infinity.
    NotFinite,
    /// A text of too many characters.
    TooLong,
    /// A number of too many digits.
    TooManyDigits,
    /// A number of too large an exponent.
    ExponentTooLarge,
    /// A unit, where the claim has none.
    NoUnit,
    /// A unit that cannot be read.
    Unit(UnitError),
    /// A unit of atoms that nothing knows.
    UnknownUnit(Vec<String>),
    /// A temperature with an offset, where the claim is of another dimension.
    Temperature,
    /// A pair with a value and a null for its unit.
    NullUnit,
    /// A pair of other keys, or of a unit that is no text.
    Pair,
    /// A pair whose value is not one number.
    PairValue,
    /// A number out of range; the number it was converted to, where it was.
    OutOfRange(Option<Rational>),
}

/// Puts the refusal of a claim's value in words.
pub(crate) fn failure(
    claim: &Claim,
    library: &Library,
    reading: &Reading,
    raw: Option<&Raw<'_>>,
    why: &Why,
) -> Failure {
    Failure {
        field: claim.name.clone(),
        expected: expected(claim, library, reading, raw, why),
        received: raw.map_or_else(|| "nothing".to_owned(), received),
    }
}

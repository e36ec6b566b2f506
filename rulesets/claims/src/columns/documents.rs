//! Rows by document: where several rows are the evidence of one document, their columns become columns of documents.
//!
//! Rows that agree fold into one: a claim's value is the first that is known, whatever is unknown beside it. Where
//! the values of a claim differ it is contradicted, and the document is decided by choices: beside its own row,
//! which holds the first value of everything, it gets *further* rows that hold the other choices. Claims that no
//! assertion reads together vary side by side, so that a document has as many rows as its largest set of claims that hang
//! together has choices, and every assertion still meets every choice of the claims that it reads.

use std::ops::Range;

use super::ClaimColumns;
use super::fold::Folded;
use crate::evidence::Value;
use crate::{Binding, Checker, ClaimId, Evidence};

/// The most choices of a document that are rows of columns. Others are set aside.
const MOST_CHOICES: usize = 64;

/// How many further rows there are for each row at most. Documents beyond are set aside: memory is bounded by the rows.
const FURTHER: usize = 4;

/// The claims of documents by column. Documents that are set aside (one of their rows is, or they have too many choices)
/// go the way of [`Evidence`] as a whole, and what is here of them means nothing.
#[derive(Debug, Clone)]
pub struct DocumentColumns {
    /// First a row for each document, in their order, with the first value of each claim; then the further rows. The rows
    /// of documents that are set aside are set aside.
    pub columns: ClaimColumns,
    /// How many documents there are.
    pub documents: usize,
    contradicted: Vec<Contradicted>,
    /// The contradicted claims of all documents, one document after the other.
    claims: Vec<ClaimId>,
}

/// A document whose evidence contradicts itself.
#[derive(Debug, Clone)]
pub(super) struct Contradicted {
    pub(super) document: usize,
    pub(super) claims: Range<usize>,
    pub(super) further: Range<usize>,
}

/// A document whose evidence contradicts itself, as [`DocumentColumns::contradicted`] tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContradictedDocument<'a> {
    /// Its number.
    pub document: usize,
    /// The contradicted claims, in declared order.
    pub claims: &'a [ClaimId],
    /// The further rows of its choices. Each assertion meets every choice of the claims that it reads in the document's
    /// own row and these, some of them more than once.
    pub further: Range<usize>,
}

impl DocumentColumns {
    /// The documents that are contradicted and not set aside, in order.
    pub fn contradicted(&self) -> impl Iterator<Item = ContradictedDocument<'_>> {
        self.contradicted.iter().map(|each| self.told(each))
    }

    /// The evidence of a document, for deciding it alone: its distinct values, and not how many rows gave each.
    pub fn evidence(&self, document: usize) -> Evidence {
        let mut evidence = Evidence::from(self.columns.dictionary(document));
        if let Ok(at) = self.contradicted.binary_search_by_key(&document, |each| each.document)
            && let Some(contradicted) = self.contradicted.get(at).map(|each| self.told(each))
        {
            for claim in contradicted.claims {
                let Some(column) = self.columns.columns.get(claim.0) else { continue };
                for row in contradicted.further.clone() {
                    match column.binding(row) {
                        Binding::Unknown => {}
                        binding => evidence.add_declared(*claim, Value::one(binding)),
                    }
                }
            }
        }
        evidence
    }

    fn told(&self, of: &Contradicted) -> ContradictedDocument<'_> {
        let claims = self.claims.get(of.claims.clone()).unwrap_or_default();
        ContradictedDocument { document: of.document, claims, further: of.further.clone() }
    }
}

impl Checker {
    /// Makes columns of documents from the columns of their rows. `starts` holds the first row of each document, in order
    /// and from 0 on; a document goes on until the next one starts. No document has more than `max_choices` choices in
    /// columns.
    pub fn documents(&self, rows: ClaimColumns, starts: &[usize], max_choices: u32) -> DocumentColumns {
        let documents = starts.len();
        if documents == rows.rows {
            // Every row is a document.
            return DocumentColumns {
                columns: rows,
                documents,
                contradicted: Vec::new(),
                claims: Vec::new(),
            };
        }
        let mut folded = Folded::new(&rows, starts);
        let most = MOST_CHOICES.min(usize::try_from(max_choices).unwrap_or(usize::MAX));
        let (contradicted, claims) = folded.expand(self, most, FURTHER * rows.rows);
        DocumentColumns { columns: folded.columns(&rows), documents, contradicted, claims }
    }

    /// Whether an assertion reads both claims.
    pub(super) fn read_together(&self, a: ClaimId, b: ClaimId) -> bool {
        self.readers(a).iter().any(|assertion| self.readers(b).binary_search(assertion).is_ok())
    }
}

//! From the rows of choices to the documents that they are of.
//!
//! The first rows are those of the documents, and nearly always they are all there is to a document. Where one is
//! contradicted, the choices in its further rows are folded into its own row: they agree, or the document is AMBIGUOUS.

use std::ops::Range;

use assay_claims::{ClaimColumns, DocumentColumns, Evidence};
use assay_compile::Ruleset;
use assay_compile::typed::ClaimId;

use super::Found;

/// The documents of a chunk.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    columns: Columns<'a>,
    /// For each assertion, the documents of which it reads contradicted claims, in order, with these.
    contradicted: Vec<Vec<Choices>>,
    lists: ClaimLists,
}

/// The choices of a document of which an assertion reads contradicted claims.
#[derive(Debug)]
struct Choices {
    document: usize,
    further: Range<usize>,
    /// The number of the list of these claims.
    claims: u32,
}

/// Lists of claims, each of them once: few are distinct, however many documents are contradicted.
#[derive(Debug, Default)]
struct ClaimLists {
    lists: Vec<Vec<ClaimId>>,
    /// For no claim, and then for each list: the lists with one more claim at the end.
    longer: Vec<Vec<(ClaimId, u32)>>,
}

impl ClaimLists {
    /// The number of the list that has a claim more at its end, or of that claim alone.
    fn with(&mut self, list: Option<u32>, claim: ClaimId) -> u32 {
        let at = list.map_or(0, |list| list as usize + 1);
        if self.longer.is_empty() {
            self.longer.push(Vec::new());
        }
        if let Some((_, longer)) = self.longer[at].iter().find(|(last, _)| *last == claim) {
            return *longer;
        }
        let number = self.lists.len() as u32;
        let mut longer = list.map_or_else(Vec::new, |list| self.lists[list as usize].clone());
        longer.push(claim);
        self.lists.push(longer);
        self.longer.push(Vec::new());
        self.longer[at].push((claim, number));
        number
    }
}

#[derive(Debug)]
enum Columns<'a> {
    /// Each row is a document.
    Rows(&'a ClaimColumns),
    Documents(&'a DocumentColumns),
}

impl<'a> Documents<'a> {
    /// Every row is a document.
    pub(super) fn rows(columns: &'a ClaimColumns) -> Documents<'a> {
        Documents { columns: Columns::Rows(columns), contradicted: Vec::new(), lists: ClaimLists::default() }
    }

    pub(super) fn new(documents: &'a DocumentColumns, ruleset: &Ruleset) -> Documents<'a> {
        let mut readers = vec![Vec::new(); ruleset.claims.len()];
        for (number, assertion) in ruleset.assertions.iter().enumerate() {
            for claim in &assertion.reads {
                readers[claim.0].push(number);
            }
        }
        let mut lists = ClaimLists::default();
        let mut contradicted: Vec<Vec<Choices>> = ruleset.assertions.iter().map(|_| Vec::new()).collect();
        for document in documents.contradicted() {
            for claim in document.claims {
                for reader in readers.get(claim.0).into_iter().flatten() {
                    let of_reader = &mut contradicted[*reader];
                    match of_reader.last_mut() {
                        Some(last) if last.document == document.document => {
                            last.claims = lists.with(Some(last.claims), *claim);
                        }
                        _ => of_reader.push(Choices {
                            document: document.document,
                            further: document.further.clone(),
                            claims: lists.with(None, *claim),
                        }),
                    }
                }
            }
        }
        Documents { columns: Columns::Documents(documents), contradicted, lists }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        match self.columns {
            Columns::Rows(columns) => columns.rows,
            Columns::Documents(documents) => documents.documents,
        }
    }

    /// What the row path decides.
    pub(super) fn evidence(&self, document: usize) -> Evidence {
        match self.columns {
            Columns::Rows(columns) => columns.dictionary(document).into(),
            Columns::Documents(documents) => documents.evidence(document),
        }
    }

    /// The documents of which an assertion reads contradicted claims, with the numbers of the lists of these.
    pub(super) fn claims(&self, assertion: usize) -> Vec<(usize, u32)> {
        let contradicted = self.contradicted.get(assertion).into_iter().flatten();
        contradicted.map(|of| (of.document, of.claims)).collect()
    }

    /// The lists of contradicted claims, by number.
    pub(super) fn lists(&self) -> Vec<Vec<ClaimId>> {
        self.lists.lists.clone()
    }

    /// Folds what was found of choices into the rows of their documents, and leaves these rows alone.
    pub(super) fn fold(&self, found: &mut [Found]) {
        for (found, contradicted) in found.iter_mut().zip(&self.contradicted) {
            for of in contradicted {
                found.fold(of);
            }
        }
        if let Columns::Documents(documents) = self.columns {
            found.iter_mut().for_each(|found| found.keep(documents.documents));
        }
    }
}

impl Found {
    /// What all rows of a document come to. A document whose choices are still open without differing is for the row path
    /// as a whole.
    fn fold(&mut self, of: &Choices) {
        let is = |words: &[u64], row: usize| words[row / 64] >> (row % 64) & 1 == 1;
        let any = |words: &[u64]| is(words, of.document) || of.further.clone().any(|row| is(words, row));
        let answers = [&self.holds, &self.fails, &self.unknown].map(|words| any(words));
        let differ = answers.iter().filter(|any| **any).count() > 1;
        let open = !differ && any(&self.rows);
        let (word, bit) = (of.document / 64, 1 << (of.document % 64));
        let set = |words: &mut Vec<u64>, value: bool| {
            if value {
                words[word] |= bit;
            } else {
                words[word] &= !bit;
            }
        };
        let settled = !differ && !open;
        for (words, any) in [&mut self.holds, &mut self.fails, &mut self.unknown].into_iter().zip(answers) {
            set(words, any && settled);
        }
        set(&mut self.ambiguous, differ);
        set(&mut self.rows, open);
    }

    /// Forgets all but the first rows.
    fn keep(&mut self, rows: usize) {
        for words in
            [&mut self.holds, &mut self.fails, &mut self.unknown, &mut self.ambiguous, &mut self.rows]
        {
            words.truncate(rows.div_ceil(64));
            if let Some(last) = words.last_mut()
                && !rows.is_multiple_of(64)
            {
                *last &= (1 << (rows % 64)) - 1;
            }
        }
    }
}

//! The documents of one row group, by column, until there are enough of them.

use std::collections::HashMap;
use std::sync::Arc;

use assay_batch::output::{CarriedColumn, Layout, ResultChunk, ResultSchema, Texts};
use serde::{Deserialize, Serialize};

/// Documents that a row group is made of.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Group {
    pub documents: usize,
    pub ids: Texts,
    /// Whether results say why: wide ones only have words.
    says_why: bool,
    /// For each assertion: words by their places.
    pub words: Vec<Vec<u8>>,
    /// For each assertion: reasons by their numbers in `reason_texts` from 1; 0 for none. Shorter than the documents
    /// where the last have none.
    pub reasons: Vec<Vec<u32>>,
    pub reason_texts: Numbered,
    /// For each assertion: documents in order, with the numbers of lists of contradicted claims.
    pub contradicted: Vec<Vec<(usize, u32)>>,
    pub claim_lists: ClaimLists,
    pub carried: Vec<CarriedColumn>,
    pub files: Vec<u32>,
    pub file_names: Numbered,
    pub rows: Vec<u64>,
}

impl Group {
    pub fn new(schema: &ResultSchema) -> Group {
        let assertions = schema.assertions.len();
        Group {
            says_why: schema.layout == Layout::Long,
            words: vec![Vec::new(); assertions],
            reasons: vec![Vec::new(); assertions],
            contradicted: vec![Vec::new(); assertions],
            carried: vec![CarriedColumn::default(); schema.carry.len()],
            ..Default::default()
        }
    }

    /// Adds documents of a chunk: from `from` up to `to`.
    pub fn add(&mut self, chunk: &ResultChunk, from: usize, to: usize) {
        self.ids.append(&chunk.ids, from, to);
        for (words, answers) in self.words.iter_mut().zip(&chunk.answers) {
            words.extend_from_slice(answers.words.get(from..to).unwrap_or_default());
        }
        if self.says_why {
            self.add_why(chunk, from, to);
        }
        for (column, of) in self.carried.iter_mut().zip(&chunk.carried) {
            column.append(of, from, to);
        }
        if let Some(rows) = chunk.rows.get(from..to) {
            let file = self.file_names.number(&chunk.file);
            self.files.extend(std::iter::repeat_n(file, rows.len()));
            self.rows.extend_from_slice(rows);
        }
        self.documents += to - from;
    }

    /// Adds reasons and contradicted claims.
    fn add_why(&mut self, chunk: &ResultChunk, from: usize, to: usize) {
        let reasons: Vec<u32> =
            chunk.reasons.iter().map(|reason| self.reason_texts.number(reason) + 1).collect();
        let lists: Vec<u32> = chunk.contradicted.iter().map(|list| self.claim_lists.number(list)).collect();
        for (at, answers) in chunk.answers.iter().enumerate() {
            if let (Some(column), Some(of)) = (self.reasons.get_mut(at), answers.reasons.get(from..to)) {
                column.resize(self.documents, 0);
                let number = |reason: &u32| (*reason as usize).checked_sub(1).and_then(|at| reasons.get(at));
                column.extend(of.iter().map(|reason| number(reason).copied().unwrap_or(0)));
            }
            let within = answers.contradicted.iter().filter(|(document, _)| (from..to).contains(document));
            if let Some(column) = self.contradicted.get_mut(at) {
                column.extend(within.filter_map(|(document, list)| {
                    Some((document - from + self.documents, *lists.get(*list as usize)?))
                }));
            }
        }
    }
}

/// Distinct lists of claims, numbered as they came.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "(Vec<Vec<u32>>, Numbered)", into = "(Vec<Vec<u32>>, Numbered)")]
pub(super) struct ClaimLists {
    /// The claims of each list by their numbers.
    pub lists: Vec<Vec<u32>>,
    pub claims: Numbered,
    numbers: HashMap<Vec<u32>, u32>,
}

impl ClaimLists {
    fn number(&mut self, list: &[Arc<str>]) -> u32 {
        let list: Vec<u32> = list.iter().map(|claim| self.claims.number(claim)).collect();
        *self.numbers.entry(list).or_insert_with_key(|list| {
            self.lists.push(list.clone());
            (self.lists.len() - 1) as u32
        })
    }
}

impl From<(Vec<Vec<u32>>, Numbered)> for ClaimLists {
    fn from((lists, claims): (Vec<Vec<u32>>, Numbered)) -> ClaimLists {
        let numbers = lists.iter().cloned().zip(0..).collect();
        ClaimLists { lists, claims, numbers }
    }
}

impl From<ClaimLists> for (Vec<Vec<u32>>, Numbered) {
    fn from(of: ClaimLists) -> (Vec<Vec<u32>>, Numbered) {
        (of.lists, of.claims)
    }
}

/// Distinct texts, numbered as they came.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Arc<str>>", into = "Vec<Arc<str>>")]
pub(super) struct Numbered {
    pub texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Numbered {
    pub fn number(&mut self, text: &Arc<str>) -> u32 {
        *self.numbers.entry(Arc::clone(text)).or_insert_with(|| {
            self.texts.push(Arc::clone(text));
            (self.texts.len() - 1) as u32
        })
    }
}

impl From<Vec<Arc<str>>> for Numbered {
    fn from(texts: Vec<Arc<str>>) -> Numbered {
        let numbers = texts.iter().cloned().zip(0..).collect();
        Numbered { texts, numbers }
    }
}

impl From<Numbered> for Vec<Arc<str>> {
    fn from(numbered: Numbered) -> Vec<Arc<str>> {
        numbered.texts
    }
}

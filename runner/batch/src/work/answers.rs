//! The answers of a chunk's documents, by column.

use std::collections::HashMap;
use std::sync::Arc;

use assay_claims::ClaimId;
use assay_engine::{Answer, ColumnAnswers, Word};

use crate::events::Tally;
use crate::output::AnswerColumn;

/// The answers of a chunk's documents, put together from what columns and single documents were answered.
pub(super) struct Answered {
    /// For each assertion, with a place for each document.
    pub columns: Vec<AnswerColumn>,
    /// The texts of reasons that the columns point at.
    pub reasons: Vec<Arc<str>>,
    /// The lists of contradicted claims that the columns point at.
    pub contradicted: Vec<Vec<Arc<str>>>,
    /// What was answered, for each assertion.
    pub tallies: Vec<Tally>,
    numbers: HashMap<Arc<str>, u32>,
    documents: usize,
}

impl Answered {
    /// Places for the answers of so many documents.
    pub fn new(assertions: usize, documents: usize) -> Answered {
        let column = || AnswerColumn { words: vec![Word::Unknown as u8; documents], ..Default::default() };
        Answered {
            columns: (0..assertions).map(|_| column()).collect(),
            reasons: Vec::new(),
            contradicted: Vec::new(),
            tallies: vec![Tally::default(); assertions],
            numbers: HashMap::new(),
            documents,
        }
    }

    /// What columns were answered. Documents that were set aside still have to be put in.
    pub fn by_column(answers: ColumnAnswers, claims: &[Arc<str>]) -> Answered {
        let tallies = answers.assertions.iter().map(|column| Tally {
            words: column.counts,
            by_policy: column.by_policy,
            solver_decided: column.solver_decided,
            solver_gave_up: column.gave_up.len() as u64,
        });
        let numbers = (1..).zip(&answers.reasons).map(|(number, reason)| (Arc::clone(reason), number));
        Answered {
            tallies: tallies.collect(),
            numbers: numbers.collect(),
            columns: answers
                .assertions
                .into_iter()
                .map(|column| AnswerColumn {
                    words: column.words,
                    reasons: column.reasons,
                    contradicted: column.contradicted,
                })
                .collect(),
            reasons: answers.reasons,
            contradicted: answers.contradicted.iter().map(|list| names(list, claims)).collect(),
            documents: answers.rows,
        }
    }

    /// Makes places for so many documents before all others.
    pub fn put_before(&mut self, documents: usize) {
        for column in &mut self.columns {
            column.words.splice(0..0, std::iter::repeat_n(Word::Unknown as u8, documents));
            if !column.reasons.is_empty() {
                column.reasons.splice(0..0, std::iter::repeat_n(0, documents));
            }
            column.contradicted.iter_mut().for_each(|(document, _)| *document += documents);
        }
        self.documents += documents;
    }

    /// Puts in the answers of a document.
    pub fn put(&mut self, document: usize, answers: &[Answer], claims: &[Arc<str>]) {
        for ((column, tally), answer) in self.columns.iter_mut().zip(&mut self.tallies).zip(answers) {
            tally.count(answer);
            if let Some(word) = column.words.get_mut(document) {
                *word = answer.word as u8;
            }
            if let Some(reason) = &answer.reason_unknown {
                column.reasons.resize(self.documents, 0);
                let number = *self.numbers.entry(Arc::clone(reason)).or_insert_with(|| {
                    self.reasons.push(Arc::clone(reason));
                    self.reasons.len() as u32
                });
                if let Some(place) = column.reasons.get_mut(document) {
                    *place = number;
                }
            }
            if !answer.contradicted.is_empty() {
                let place = column.contradicted.partition_point(|(before, _)| *before < document);
                column.contradicted.insert(place, (document, self.contradicted.len() as u32));
                self.contradicted.push(names(&answer.contradicted, claims));
            }
        }
    }

    /// Takes out documents, which are named in order: those that turned out to be refused.
    pub fn take_out(&mut self, documents: &[usize]) {
        let Some(first) = documents.first() else { return };
        for column in &mut self.columns {
            take_out(&mut column.words, documents);
            take_out(&mut column.reasons, documents);
            for (document, _) in column.contradicted.iter_mut().filter(|(document, _)| document > first) {
                *document -= documents.partition_point(|out| out < document);
            }
        }
        self.documents -= documents.len();
    }
}

/// The names of some claims.
fn names(of: &[ClaimId], claims: &[Arc<str>]) -> Vec<Arc<str>> {
    of.iter().filter_map(|claim| claims.get(claim.0).cloned()).collect()
}

/// Takes out the values at some places, which are in order; none of an empty column.
pub(super) fn take_out<T: Copy>(values: &mut Vec<T>, places: &[usize]) {
    let mut places = places.iter().copied().peekable();
    let mut at = 0;
    values.retain(|_| {
        let out = places.next_if_eq(&at).is_some();
        at += 1;
        !out
    });
}

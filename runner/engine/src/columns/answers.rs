//! The answers of a chunk, by column.

use std::sync::Arc;

use assay_compile::Ruleset;
use assay_compile::typed::ClaimId;
use assay_syntax::ast::UnknownPolicy;

use super::documents::Documents;
use super::input::Input;
use super::reasons::Texts;
use super::{Found, ones};
use crate::{Answer, Before, DecidedBy, Word};

/// The answers to every assertion for the rows of a chunk, or for its documents where these have several rows. Rows that were set aside hold UNKNOWN without a reason and
/// are not counted: whoever set them aside decides them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnAnswers {
    /// How many rows there are.
    pub rows: usize,
    /// One for each assertion, in source order.
    pub assertions: Vec<AssertionColumn>,
    /// The distinct texts of reasons.
    pub reasons: Vec<Arc<str>>,
    /// The distinct lists of contradicted claims, each in declared order.
    pub contradicted: Vec<Vec<ClaimId>>,
}

/// The answers to one assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssertionColumn {
    /// A [`Word`] for each row, as its place in [`Word::ALL`].
    pub words: Vec<u8>,
    /// Why a row was not settled: the place of the text in [`ColumnAnswers::reasons`], from 1; 0 for no reason. Empty where
    /// no row has a reason.
    pub reasons: Vec<u32>,
    /// How often each word was answered, in the order of [`Word::ALL`].
    pub counts: [u64; 4],
    /// How many TRUE and FALSE the unknown policy made of an UNKNOWN.
    pub by_policy: u64,
    /// How many answers the solver settled.
    pub solver_decided: u64,
    /// The rows that were given up, in order.
    pub gave_up: Vec<usize>,
    /// The rows of which the assertion reads contradicted claims, in order, each with the place of these in
    /// [`ColumnAnswers::contradicted`].
    pub contradicted: Vec<(usize, u32)>,
}

impl AssertionColumn {
    /// The answer of a row before the policy was applied; `None` past the end.
    pub fn before(&self, row: usize) -> Option<Before> {
        let word = self.words.get(row)?;
        let settled = self.reasons.get(row).is_none_or(|reason| *reason == 0);
        Some(match *word {
            word if settled && word == Word::True as u8 => Before::True,
            word if settled && word == Word::False as u8 => Before::False,
            word if word == Word::Ambiguous as u8 => Before::Ambiguous,
            _ if self.gave_up.binary_search(&row).is_ok() => Before::GaveUp,
            _ => Before::Unknown,
        })
    }
}

impl ColumnAnswers {
    /// The contradicted claims of a row that an assertion reads.
    pub fn contradicted(&self, assertion: &AssertionColumn, row: usize) -> &[ClaimId] {
        let found = assertion.contradicted.binary_search_by_key(&row, |(row, _)| *row);
        let list = found.ok().and_then(|at| assertion.contradicted.get(at));
        list.and_then(|(_, list)| self.contradicted.get(*list as usize)).map_or(&[][..], Vec::as_slice)
    }

    /// The reason of a row for an assertion.
    pub fn reason(&self, assertion: usize, row: usize) -> Option<&Arc<str>> {
        let number = *self.assertions.get(assertion)?.reasons.get(row)?;
        self.reasons.get((number as usize).checked_sub(1)?)
    }

    /// The answers of one row, in the order of the assertions; none past the end. Who decided is not kept by row: it is
    /// said to be evaluation.
    pub fn row(&self, row: usize) -> Vec<Answer> {
        let answers = self.assertions.iter().enumerate().filter_map(|(assertion, column)| {
            Some(Answer {
                before: column.before(row)?,
                word: *Word::ALL.get(usize::from(*column.words.get(row)?))?,
                reason_unknown: self.reason(assertion, row).cloned(),
                contradicted: self.contradicted(column, row).to_vec(),
                by: DecidedBy::Evaluation,
            })
        });
        answers.collect()
    }
}

/// Answers as they are found.
#[derive(Debug)]
pub(super) struct Collected<'a> {
    ruleset: &'a Ruleset,
    input: &'a Input<'a>,
    documents: &'a Documents<'a>,
    columns: Vec<AssertionColumn>,
    texts: Texts<'a>,
}

impl<'a> Collected<'a> {
    pub(super) fn new(
        ruleset: &'a Ruleset,
        input: &'a Input<'a>,
        documents: &'a Documents<'a>,
    ) -> Collected<'a> {
        Collected { ruleset, input, documents, columns: Vec::new(), texts: Texts::new(ruleset) }
    }

    /// Adds what columns found of the next assertion.
    pub(super) fn add(&mut self, found: &Found) {
        let Some(assertion) = self.ruleset.assertions.get(self.columns.len()) else { return };
        let unknown = match assertion.policy {
            UnknownPolicy::Neutral => Word::Unknown,
            UnknownPolicy::Pessimistic => Word::False,
            UnknownPolicy::Optimistic => Word::True,
        };
        let rows = self.documents.count();
        let mut column = AssertionColumn {
            words: spread(found, unknown, rows),
            reasons: Vec::new(),
            counts: [0; 4],
            by_policy: 0,
            solver_decided: 0,
            gave_up: Vec::new(),
            contradicted: self.documents.claims(self.columns.len()),
        };
        let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let open = count(&found.unknown);
        column.counts[Word::True as usize] += count(&found.holds);
        column.counts[Word::False as usize] += count(&found.fails);
        column.counts[Word::Ambiguous as usize] += count(&found.ambiguous);
        column.counts[unknown as usize] += open;
        if unknown != Word::Unknown {
            column.by_policy += open;
        }
        if open > 0 {
            column.reasons = vec![0; rows];
            let place = |row: usize, number| column.reasons[row] = number;
            self.texts.unbound(assertion, self.input, ones(&found.unknown), place);
        }
        self.columns.push(column);
    }

    /// Places an answer of the row path. The rows of an assertion come in order.
    pub(super) fn place(&mut self, assertion: usize, row: usize, answer: Answer) {
        let Some(column) = self.columns.get_mut(assertion) else { return };
        column.words[row] = answer.word as u8;
        column.counts[answer.word as usize] += 1;
        column.by_policy += u64::from(answer.before == Before::Unknown && answer.word != Word::Unknown);
        match (answer.before, answer.by) {
            (Before::GaveUp, _) => column.gave_up.push(row),
            (_, DecidedBy::Solver) => column.solver_decided += 1,
            (_, DecidedBy::Evaluation) => {}
        }
        if let Some(reason) = answer.reason_unknown {
            if column.reasons.is_empty() {
                column.reasons = vec![0; self.documents.count()];
            }
            column.reasons[row] = self.texts.number(reason);
        }
    }

    pub(super) fn finish(self) -> ColumnAnswers {
        ColumnAnswers {
            rows: self.documents.count(),
            assertions: self.columns,
            reasons: self.texts.into_list(),
            contradicted: self.documents.lists(),
        }
    }
}

/// A byte for each row: `unknown` where it is shown to be so, the plain word where it is settled or AMBIGUOUS, and
/// UNKNOWN elsewhere.
fn spread(found: &Found, unknown: Word, rows: usize) -> Vec<u8> {
    // The word is UNKNOWN less or more what the row's bits say, eight rows at a time: no byte borrows from the next.
    let (neutral, [holds, fails]) = (Word::Unknown as u64, [2, 1]);
    let by_policy = neutral - unknown as u64;
    let mut words = Vec::with_capacity(rows + 64);
    let each = found.holds.iter().zip(&found.fails).zip(&found.unknown).zip(&found.ambiguous);
    for (((is, not), open), differ) in each {
        let mut sixty_four = [0u8; 64];
        for (place, eight) in sixty_four.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let byte = |word: u64| u64::from((word >> (place * 8)) as u8);
            let taken = SPREAD[byte(*is) as usize] * holds
                + SPREAD[byte(*not) as usize] * fails
                + SPREAD[byte(*open) as usize] * by_policy;
            let added = SPREAD[byte(*differ) as usize] * (Word::Ambiguous as u64 - neutral);
            *eight = (neutral * EACH + added - taken).to_le_bytes();
        }
        words.extend_from_slice(&sixty_four);
    }
    words.truncate(rows);
    words
}

/// One in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Eight bits as eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[bits] |= ((bits as u64 >> bit) & 1) << (bit * 8);
            bit += 1;
        }
        bits += 1;
    }
    table
};

//! Whole questions: an assertion, and beside it what the claims that it reads are bound to.
//!
//! Documents repeat: a category and a number of nights come up again and again. So each distinct question is asked once
//! in a block, and its answer is remembered for later ones.

use std::collections::HashMap;
use std::sync::Arc;

use assay_claims::{Binding, Dictionary};

use crate::decide::Decider;
use crate::solver::{Question, ask_together};
use crate::worker::Worker;
use crate::{Before, EngineError};

/// What makes two whole questions the same: the assertion, and the bindings of the claims that it reads.
pub(crate) type Key = (usize, Vec<Binding>);

/// Whole questions in the order in which they came up.
#[derive(Debug, Default)]
pub(crate) struct Wholes<'d> {
    list: Vec<Whole<'d>>,
    known: HashMap<Arc<Key>, usize>,
}

#[derive(Debug)]
struct Whole<'d> {
    key: Arc<Key>,
    /// One of the dictionaries that ask it.
    dictionary: &'d Dictionary,
    answer: Option<Before>,
}

impl<'d> Wholes<'d> {
    /// The number of a question.
    pub(crate) fn add(
        &mut self,
        decider: &Decider<'_>,
        assertion: usize,
        dictionary: &'d Dictionary,
    ) -> usize {
        let reads = decider.reads(assertion).iter();
        let key: Key = (assertion, reads.map(|claim| dictionary.get(*claim).clone()).collect());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (number, key) = (self.list.len(), Arc::new(key));
        self.list.push(Whole { key: Arc::clone(&key), dictionary, answer: None });
        self.known.insert(key, number);
        number
    }

    /// Answers all of them, from memory or together.
    ///
    /// # Errors
    /// Where a formula cannot be translated.
    pub(crate) fn ask(&mut self, decider: &Decider<'_>, worker: &mut Worker) -> Result<(), EngineError> {
        for whole in &mut self.list {
            whole.answer = worker.recall_whole(&whole.key);
        }
        let mut open: Vec<&mut Whole<'_>> =
            self.list.iter_mut().filter(|whole| whole.answer.is_none()).collect();
        // Questions with the same formula are best neighbours.
        open.sort_by_key(|whole| whole.key.0);
        let asked: Vec<Question<'_>> = open
            .iter()
            .map(|whole| Question {
                assertion: decider.name(whole.key.0),
                formula: decider.formula(whole.key.0, whole.dictionary, worker),
                evidence: Some(whole.dictionary),
            })
            .collect();
        for (whole, answer) in open.iter_mut().zip(ask_together(&asked, decider.settings.rlimit)?) {
            if answer != Before::GaveUp {
                worker.remember_whole(&whole.key, answer, decider.settings.memory);
                whole.answer = Some(answer);
            }
        }
        Ok(())
    }

    /// The answer of a question; none where the solver gave up.
    pub(crate) fn answer(&self, number: usize) -> Option<Before> {
        self.list.get(number)?.answer
    }
}

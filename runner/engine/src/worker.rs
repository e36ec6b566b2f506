//! What one thread keeps between the dictionaries that it decides. Nothing here changes an answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use assay_claims::Measure;
use assay_compile::formula::Formula;

use crate::Before;

/// How many formulas are kept for units that are not the declared ones.
const FORMULAS: usize = 1_000;

/// How many nodes a question may have for its answer to be remembered.
const REMEMBERED_NODES: usize = 1_000;

/// The memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    /// By assertion and the measures of the claims that it reads.
    formulas: HashMap<(usize, Vec<Measure>), Arc<Formula>>,
    /// What the solver answered.
    answers: HashMap<Arc<Formula>, Before>,
}

impl Worker {
    /// The formula of an assertion for these measures, made on demand.
    pub(crate) fn formula(
        &mut self,
        assertion: usize,
        measures: Vec<Measure>,
        resolve: impl FnOnce() -> Formula,
    ) -> Arc<Formula> {
        let key = (assertion, measures);
        if let Some(known) = self.formulas.get(&key) {
            return Arc::clone(known);
        }
        if self.formulas.len() >= FORMULAS {
            self.formulas.clear();
        }
        Arc::clone(self.formulas.entry(key).or_insert_with(|| Arc::new(resolve())))
    }

    /// What the solver answered to a question, where that is remembered.
    pub(crate) fn recall(&self, question: &Formula) -> Option<Before> {
        self.answers.get(question).copied()
    }

    /// Remembers an answer; where `most` are remembered, all of them are let go first.
    pub(crate) fn remember(&mut self, question: &Arc<Formula>, answer: Before, most: usize) {
        if most == 0 || question.nodes().len() > REMEMBERED_NODES {
            return;
        }
        if self.answers.len() >= most {
            self.answers.clear();
        }
        self.answers.insert(Arc::clone(question), answer);
    }
}

/// Workers that no thread uses at the moment.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    idle: Mutex<Vec<Worker>>,
}

impl Workers {
    /// Lends a worker to `use_it`, and takes it back.
    pub(crate) fn lend<T>(&self, use_it: impl FnOnce(&mut Worker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_default();
        let result = use_it(&mut worker);
        idle().push(worker);
        result
    }
}

//! What one thread keeps between the dictionaries that it decides. Nothing here changes an answer.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use assay_claims::Measure;
use assay_compile::formula::Formula;
use assay_faults::reason;

use z3::SatResult;

use crate::apart::{Apart, Process};
use crate::solver::{NoAnswer, check};
use crate::whole::Key;
use crate::{Before, Settings};

/// How many formulas are kept for units that are not the declared ones.
const FORMULAS: usize = 1_000;

/// How many nodes the formulas of one memory have together at most.
const NODES: usize = 500_000;

/// How many checks are remembered that have no answer.
const ENDED: usize = 1_000;

/// The checks that ended a process, of what can fail and of what can hold: all workers know of them, so that none asks for
/// ever the same that hangs.
type Ended = Arc<[Mutex<Memory<Formula, NoAnswer>>; 2]>;

/// The memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    /// Where what is hard is asked, if not here.
    apart: Option<Apart>,
    /// The process in which it is, once there is one.
    process: Option<Process>,
    ended: Ended,
    /// By assertion and the measures of the claims that it reads.
    formulas: Memory<(usize, Vec<Measure>), Arc<Formula>>,
    /// What the solver answered.
    answers: Memory<Arc<Formula>, Before>,
    /// What it answered to whole assertions with the evidence beside them.
    wholes: Memory<Arc<Key>, Before>,
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
        if let Some(known) = self.formulas.entries.get(&key) {
            return Arc::clone(known);
        }
        let formula = Arc::new(resolve());
        self.formulas.keep(key, Arc::clone(&formula), formula.nodes().len(), FORMULAS);
        formula
    }

    /// A check in a context of its own: in another process, if there is a program for it.
    ///
    /// # Errors
    /// Why it has no answer.
    pub(crate) fn check_apart(
        &mut self,
        formula: &Formula,
        holds: bool,
        rlimit: u32,
    ) -> Result<SatResult, NoAnswer> {
        let Some(apart) = &self.apart else { return check(formula, holds, rlimit) };
        let [can_fail, can_hold] = &*self.ended;
        let ended = if holds { can_hold } else { can_fail };
        let ended = || ended.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = ended().entries.get(formula) {
            return Err(known.clone());
        }
        let process = match self.process.take() {
            Some(process) => process,
            None => Process::start(apart)
                .map_err(|error| NoAnswer(format!("the solver cannot be started: {}", reason(&error))))?,
        };
        match process.check(formula, holds, rlimit, apart.patience) {
            Ok(result) => {
                self.process = Some(process);
                Ok(result)
            }
            Err(problem) => {
                let problem = NoAnswer(format!("the solver {problem}"));
                let nodes = formula.nodes().len();
                ended().keep(formula.clone(), problem.clone(), nodes, ENDED);
                Err(problem)
            }
        }
    }

    /// What the solver answered to a question, where that is remembered.
    pub(crate) fn recall(&self, question: &Formula) -> Option<Before> {
        self.answers.entries.get(question).copied()
    }

    /// Remembers an answer; `most` are remembered at most.
    pub(crate) fn remember(&mut self, question: &Arc<Formula>, answer: Before, most: usize) {
        self.answers.keep(Arc::clone(question), answer, question.nodes().len(), most);
    }

    /// What the solver answered to a whole question, where that is remembered.
    pub(crate) fn recall_whole(&self, question: &Key) -> Option<Before> {
        self.wholes.entries.get(question).copied()
    }

    /// Remembers the answer to a whole question; `most` are remembered at most.
    pub(crate) fn remember_whole(&mut self, question: &Arc<Key>, answer: Before, most: usize) {
        self.wholes.keep(Arc::clone(question), answer, question.1.len() + 1, most);
    }
}

/// A memory that is bounded by its number of entries and by their size: where it is full, it starts anew.
#[derive(Debug)]
struct Memory<K, V> {
    entries: HashMap<K, V>,
    nodes: usize,
}

impl<K, V> Default for Memory<K, V> {
    fn default() -> Memory<K, V> {
        Memory { entries: HashMap::new(), nodes: 0 }
    }
}

impl<K: Eq + Hash, V> Memory<K, V> {
    fn keep(&mut self, key: K, value: V, nodes: usize, most: usize) {
        if nodes > NODES || most == 0 {
            return;
        }
        if self.entries.len() >= most || self.nodes + nodes > NODES {
            self.entries.clear();
            self.nodes = 0;
        }
        self.nodes += nodes;
        self.entries.insert(key, value);
    }
}

/// Workers that no thread uses at the moment.
#[derive(Debug)]
pub(crate) struct Workers {
    idle: Mutex<Vec<Worker>>,
    apart: Option<Apart>,
    ended: Ended,
}

impl Workers {
    /// None so far.
    pub(crate) fn new(settings: &Settings) -> Workers {
        Workers { idle: Mutex::default(), apart: settings.apart.clone(), ended: Ended::default() }
    }

    /// Lends a worker to `use_it`, and takes it back.
    pub(crate) fn lend<T>(&self, use_it: impl FnOnce(&mut Worker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(|| Worker {
            apart: self.apart.clone(),
            ended: Arc::clone(&self.ended),
            ..Worker::default()
        });
        let result = use_it(&mut worker);
        idle().push(worker);
        result
    }
}

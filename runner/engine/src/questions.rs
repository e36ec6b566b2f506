//! The distinct questions that evaluation leaves open, and their answers.

use std::collections::HashMap;
use std::sync::Arc;

use assay_compile::formula::Formula;

use crate::candidates::Candidates;
use crate::linear::{Hardness, hardness};
use crate::solver::{Question, ask_alone, ask_together};
use crate::worker::Worker;
use crate::{Before, EngineError, Settings};

/// Questions in the order in which they came up.
#[derive(Debug)]
pub(crate) struct Questions<'s> {
    settings: &'s Settings,
    candidates: &'s Candidates,
    list: Vec<Open>,
    known: HashMap<Arc<Formula>, usize>,
}

/// One question.
#[derive(Debug)]
struct Open {
    /// An assertion that it comes from.
    assertion: usize,
    formula: Arc<Formula>,
    hardness: Hardness,
    /// Candidates show that it is UNKNOWN.
    shown: bool,
    answer: Option<Before>,
}

impl<'s> Questions<'s> {
    pub(crate) fn new(settings: &'s Settings, candidates: &'s Candidates) -> Questions<'s> {
        Questions { settings, candidates, list: Vec::new(), known: HashMap::new() }
    }

    /// The number of a question.
    pub(crate) fn add(&mut self, assertion: usize, question: Formula) -> usize {
        if let Some(&known) = self.known.get(&question) {
            return known;
        }
        let (number, hardness, formula) = (self.list.len(), hardness(&question), Arc::new(question));
        let shown = self.candidates.show_unknown(&formula);
        self.list.push(Open { assertion, formula: Arc::clone(&formula), hardness, shown, answer: None });
        self.known.insert(formula, number);
        number
    }

    /// A question as it is asked.
    pub(crate) fn formula(&self, number: usize) -> Option<&Arc<Formula>> {
        self.list.get(number).map(|open| &open.formula)
    }

    /// Whether a question may be asked in a context that others were asked in.
    pub(crate) fn is_easy(&self, number: usize) -> bool {
        self.list.get(number).is_some_and(|open| open.hardness == Hardness::Linear)
    }

    /// Whether a question is UNKNOWN without the solver being asked.
    pub(crate) fn is_shown(&self, number: usize) -> bool {
        self.list.get(number).is_some_and(|open| open.shown)
    }

    /// Answers the easy questions that no candidates answer, from memory or together. Those that are given up stay without an answer.
    pub(crate) fn ask_easy<'n>(
        &mut self,
        worker: &mut Worker,
        name: impl Fn(usize) -> &'n str,
    ) -> Result<(), EngineError> {
        for open in self.list.iter_mut().filter(|open| !open.shown) {
            open.answer = worker.recall(&open.formula);
        }
        let mut easy: Vec<&mut Open> = self
            .list
            .iter_mut()
            .filter(|open| !open.shown && open.answer.is_none() && open.hardness == Hardness::Linear)
            .collect();
        if easy.is_empty() {
            return Ok(());
        }
        let asked: Vec<Question<'_>> = easy
            .iter()
            .map(|open| Question {
                assertion: name(open.assertion),
                formula: Arc::clone(&open.formula),
                evidence: None,
            })
            .collect();
        for (open, answer) in easy.iter_mut().zip(ask_together(&asked, self.settings.rlimit)?) {
            if answer != Before::GaveUp {
                worker.remember(&open.formula, answer, self.settings.memory);
                open.answer = Some(answer);
            }
        }
        Ok(())
    }

    /// The answer of a question: the one it has, else from memory, else asked alone.
    pub(crate) fn ask_alone(
        &mut self,
        number: usize,
        worker: &mut Worker,
        name: &str,
    ) -> Result<Before, EngineError> {
        let Some(open) = self.list.get_mut(number) else { return Ok(Before::GaveUp) };
        if open.hardness == Hardness::Hopeless {
            return Ok(Before::GaveUp);
        }
        if let Some(known) = open.answer.or_else(|| worker.recall(&open.formula)) {
            open.answer = Some(known);
            return Ok(known);
        }
        let answer = ask_alone(name, &open.formula, self.settings.rlimit, worker)?;
        worker.remember(&open.formula, answer, self.settings.memory);
        open.answer = Some(answer);
        Ok(answer)
    }
}

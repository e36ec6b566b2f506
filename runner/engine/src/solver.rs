//! Asking Z3.
//!
//! A question is two checks: whether the assertion can fail, and whether it can hold. Each check is bounded by the
//! solver's own count of its steps (`rlimit`), never by time, with fixed seeds and no logic named, so that an answer
//! depends on nothing but the question.
//!
//! Under one limit, a solver with a history and a fresh one differ on hard questions. So easy questions are asked
//! [together](ask_together) in one context, and a question that is hard, or that was given up there, is asked
//! [alone](ask_alone) in contexts of its own, and where that is wanted in [another process](crate::apart); then only that
//! answer counts.

use std::sync::Arc;

use assay_claims::{Binding, ClaimId, Dictionary};
use assay_compile::formula::Formula;
use assay_faults::{BrokeDown, caught};
use z3::ast::Bool;
use z3::{Config, Params, SatResult, Solver, with_z3_config};

use crate::linear::{Hardness, hardness};
use crate::translate::{Misfit, Translation, bindings, translate};
use crate::worker::Worker;
use crate::{Before, EngineError};

/// How many questions a context is used for. Each costs some bytes that only the end of the context gives back.
const QUESTIONS: usize = 10_000;

/// A question, and the evidence where it is not in the formula already.
#[derive(Debug, Clone)]
pub(crate) struct Question<'a> {
    /// The name of the assertion that it comes from, for errors.
    pub(crate) assertion: &'a str,
    pub(crate) formula: Arc<Formula>,
    pub(crate) evidence: Option<&'a Dictionary>,
}

/// Asks questions one after the other in one context. Questions with the same formula are best neighbours: the formula
/// is translated once.
///
/// # Errors
/// Where a formula cannot be translated.
pub(crate) fn ask_together(questions: &[Question<'_>], rlimit: u32) -> Result<Vec<Before>, EngineError> {
    let mut answers = Vec::with_capacity(questions.len());
    for questions in questions.chunks(QUESTIONS) {
        answers.extend(in_context(|| in_one_context(questions, rlimit))??);
    }
    Ok(answers)
}

/// Does some work in a context of its own. The solver's binding breaks down where it has no memory, so that even making
/// the context may fail.
///
/// # Errors
/// Where it broke down.
pub(crate) fn in_context<T: Send + Sync>(work: impl FnOnce() -> T + Send + Sync) -> Result<T, EngineError> {
    caught(|| with_z3_config(&Config::new(), work))
        .map_err(|BrokeDown { place }| EngineError::BrokeDown { problem: format!("broke down at {place}") })
}

fn in_one_context(questions: &[Question<'_>], rlimit: u32) -> Result<Vec<Before>, EngineError> {
    let solver = solver(rlimit);
    // Of the latest formula: its translation, where it is one that the solver is asked about.
    let mut latest: Option<(&Arc<Formula>, Option<Translation>)> = None;
    let mut answers = Vec::with_capacity(questions.len());
    for Question { assertion, formula, evidence } in questions {
        let translation = match latest.take() {
            Some((known, translation)) if Arc::ptr_eq(known, formula) => translation,
            _ if hardness(formula) == Hardness::Hopeless => None,
            _ => Some(translate(formula).map_err(|problem| problem.in_assertion(assertion))?),
        };
        answers.push(match &translation {
            Some(translation) => ask(&solver, formula, translation, *evidence)?,
            None => Before::GaveUp,
        });
        latest = Some((formula, translation));
    }
    Ok(answers)
}

fn ask(
    solver: &Solver,
    formula: &Formula,
    translation: &Translation,
    evidence: Option<&Dictionary>,
) -> Result<Before, EngineError> {
    solver.push();
    assert_all(solver, &translation.bounds);
    if let Some(dictionary) = evidence {
        assert_all(solver, &bindings(formula, translation, dictionary));
    }
    let answer = settle(|holds| {
        solver.push();
        solver.assert(translation.claim(holds));
        let result = solver.check();
        solver.pop(1);
        Ok(result)
    });
    solver.pop(1);
    answer
}

/// Asks a question in contexts of its own, one for each check.
///
/// # Errors
/// Where it has no answer.
pub(crate) fn ask_alone(
    assertion: &str,
    formula: &Formula,
    rlimit: u32,
    worker: &mut Worker,
) -> Result<Before, EngineError> {
    let hardness = hardness(formula);
    settle(|holds| check_alone(assertion, formula, hardness, holds, rlimit, worker))
}

/// Whether a formula can hold; `None` where the solver gives up. Asked in a context of its own.
///
/// # Errors
/// Where it has no answer.
pub(crate) fn can_hold(
    assertion: &str,
    formula: &Formula,
    rlimit: u32,
    worker: &mut Worker,
) -> Result<Option<bool>, EngineError> {
    Ok(match check_alone(assertion, formula, hardness(formula), true, rlimit, worker)? {
        SatResult::Sat => Some(true),
        SatResult::Unsat => Some(false),
        SatResult::Unknown => None,
    })
}

/// One check in a context of its own: of what is hard, where it can be ended.
fn check_alone(
    assertion: &str,
    formula: &Formula,
    hardness: Hardness,
    holds: bool,
    rlimit: u32,
    worker: &mut Worker,
) -> Result<SatResult, EngineError> {
    let result = match hardness {
        Hardness::Linear => check(formula, holds, rlimit),
        _ => worker.check_apart(formula, holds, rlimit),
    };
    result.map_err(|NoAnswer(problem)| EngineError::Unanswered { assertion: assertion.to_owned(), problem })
}

/// Why a check has no answer.
#[derive(Debug, Clone)]
pub(crate) struct NoAnswer(pub(crate) String);

/// Whether a formula can hold, or whether it can fail, in this process and a context of its own.
///
/// # Errors
/// Where it cannot be translated, or where there is not enough memory.
pub(crate) fn check(formula: &Formula, holds: bool, rlimit: u32) -> Result<SatResult, NoAnswer> {
    let checked = in_context(|| {
        let translation = translate(formula).map_err(|Misfit(problem)| NoAnswer(problem))?;
        let solver = solver(rlimit);
        assert_all(&solver, &translation.bounds);
        solver.assert(translation.claim(holds));
        let result = solver.check();
        // Memory is no limit that an answer may depend on.
        let why = if result == SatResult::Unknown { solver.get_reason_unknown() } else { None };
        match why.filter(|why| why.contains("mem")) {
            Some(why) => Err(NoAnswer(format!("the solver ran out of memory ({why})"))),
            None => Ok(result),
        }
    });
    checked.unwrap_or_else(|broke| Err(NoAnswer(broke.to_string())))
}

/// Asks, in contexts of its own, whether an assertion holds for every choice of one value for each of some claims, or
/// fails for every one: all choices are one question, in which each claim is one of its values. `None` where neither
/// is shown.
///
/// # Errors
/// Where a formula cannot be translated.
pub(crate) fn ask_for_all(
    assertion: &str,
    formula: &Formula,
    evidence: &Dictionary,
    claims: &[(ClaimId, &[&Binding])],
    rlimit: u32,
) -> Result<Option<bool>, EngineError> {
    let never = |holds: bool| {
        in_context(|| {
            let translation = translate(formula).map_err(|problem| problem.in_assertion(assertion))?;
            let solver = solver(rlimit);
            assert_all(&solver, &translation.bounds);
            assert_all(&solver, &bindings(formula, &translation, evidence));
            for (claim, values) in claims {
                let mut alone = Dictionary::new(vec![Binding::Unknown; evidence.bindings().len()]);
                let mut each = Vec::with_capacity(values.len());
                for value in *values {
                    alone.set(*claim, (*value).clone());
                    each.extend(bindings(formula, &translation, &alone));
                }
                // A claim that the formula does not mention has no variable, and so no equality.
                if !each.is_empty() {
                    solver.assert(Bool::or(&each));
                }
            }
            solver.assert(translation.claim(holds));
            Ok::<_, EngineError>(solver.check() == SatResult::Unsat)
        })?
    };
    Ok(match never(false)? {
        true => Some(true),
        false => never(true)?.then_some(false),
    })
}

/// The answer from whether an assertion can fail (`false`) and whether it can hold; the second is asked where it matters.
fn settle(mut check: impl FnMut(bool) -> Result<SatResult, EngineError>) -> Result<Before, EngineError> {
    let fails = check(false)?;
    if fails == SatResult::Unsat {
        return Ok(Before::True);
    }
    Ok(match (fails, check(true)?) {
        (_, SatResult::Unsat) => Before::False,
        (SatResult::Sat, SatResult::Sat) => Before::Unknown,
        _ => Before::GaveUp,
    })
}

/// A solver in the current context, bounded and with fixed seeds.
pub(crate) fn solver(rlimit: u32) -> Solver {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", rlimit);
    params.set_u32("random_seed", 0);
    // It bounds each product of unknowns by linear programs whose work `rlimit` does not count: a question that gives up
    // in a moment without it takes minutes.
    params.set_bool("arith.nl.optimize_bounds", false);
    solver.set_params(&params);
    solver
}

pub(crate) fn assert_all(solver: &Solver, claims: &[Bool]) {
    for claim in claims {
        solver.assert(claim);
    }
}

//! The one comparison: the answers to a pair against an evaluator.

use assay_engine::{Answer, Before, complete};
use fastrand::Rng;

use crate::guess::{Completed, Guess, pinned};
use crate::pair::RLIMIT;
use crate::{Evaluator, Pair};

/// How many completions at random a settled answer must stand.
const GUESSES: usize = 4;

/// How many models are asked for where one has no rational numbers.
const MODELS: usize = 12;

/// What an evaluator and an answer do not agree on.
#[derive(Debug, PartialEq, Eq)]
pub enum Difference {
    /// The two routes give different words or reasons.
    Routes,
    /// Columns give another word or reason than dictionaries.
    Columns,
    /// Evaluation settles it otherwise than the solver.
    Settled,
    /// A completion of the evidence makes it otherwise than the solver's TRUE or FALSE.
    Completion,
    /// Of an UNKNOWN, the model that should make the assertion hold, or fail, makes it the other when it is replayed.
    Replay,
    /// Of an UNKNOWN, the solver has no model of one kind.
    NoModel,
    /// Of an UNKNOWN, no model of one kind has rational numbers only, so that nothing can be replayed.
    Irrational,
}

/// Compares the answers to a pair with what an evaluator makes of it. An UNKNOWN is replayed under two completions, one
/// that makes the assertion hold and one that does not; a TRUE or FALSE that evaluation leaves open must stand under
/// completions at random.
///
/// # Errors
/// What they do not agree on.
pub fn difference(pair: &Pair, evaluator: Evaluator) -> Result<(), Difference> {
    let before = pair.solver.before;
    let gave_up = |before: Before| before == Before::GaveUp;
    let shown = |answer: &Answer| (answer.before, answer.word, answer.reason_unknown.clone());
    if shown(&pair.auto) != shown(&pair.solver) && !gave_up(before) && !gave_up(pair.auto.before) {
        return Err(Difference::Routes);
    }
    // The two give up on the same questions, so this is compared always.
    if pair.columns.as_ref().is_some_and(|columns| shown(columns) != shown(&pair.auto)) {
        return Err(Difference::Columns);
    }
    let word = |value: bool| if value { Before::True } else { Before::False };
    let settled = evaluator.evaluate(&pair.formula, &pair.evidence);
    if settled.is_some_and(|value| word(value) != before && !gave_up(before)) {
        return Err(Difference::Settled);
    }
    let mut rng = Rng::with_seed(pair.formula.nodes().len() as u64);
    match before {
        Before::True | Before::False if settled.is_none() => {
            for _ in 0..GUESSES {
                let guess = Guess::new(&pair.formula, &mut rng);
                let value = evaluator.evaluate(&pair.formula, &Completed(&pair.evidence, &guess));
                if value.map(word) != Some(before) {
                    return Err(Difference::Completion);
                }
            }
            Ok(())
        }
        Before::Unknown => {
            replay(pair, true, evaluator, &mut rng)?;
            replay(pair, false, evaluator, &mut rng)
        }
        _ => Ok(()),
    }
}

/// Asks for a completion under which the assertion holds, or fails, and replays it.
fn replay(pair: &Pair, holds: bool, evaluator: Evaluator, rng: &mut Rng) -> Result<(), Difference> {
    let mut none_rational = Difference::NoModel;
    for attempt in 0..MODELS {
        let evidence = match attempt {
            0 => pair.evidence.clone(),
            _ => pinned(&pair.formula, &pair.evidence, rng),
        };
        match complete(&pair.formula, &evidence, holds, RLIMIT) {
            // Of a hard question it may give up finding a model, and find one where some unknowns are given.
            None => {}
            Some(found) => match evaluator.evaluate(&pair.formula, &Completed(&evidence, &found)) {
                Some(value) if value == holds => return Ok(()),
                Some(_) => return Err(Difference::Replay),
                None => none_rational = Difference::Irrational,
            },
        }
    }
    Err(none_rational)
}

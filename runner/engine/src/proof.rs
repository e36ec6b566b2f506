//! What the engine shows of itself before it is trusted.

use assay_claims::{Binding, Dictionary, Measure};
use assay_compile::formula::{Builder, Formula, Relation, Var};
use assay_compile::typed::ClaimId;
use assay_units::Rational;
use std::sync::Arc;

use crate::solver::{Question, ask_alone, ask_together};
use crate::worker::Worker;
use crate::{Before, EngineError, Settings};

/// The oldest version of the solver that has what the bindings call.
const OLDEST: [u32; 3] = [4, 13, 3];

/// The version of the solver that is linked: `5.4.1`.
pub fn solver_version() -> String {
    let full = z3::full_version();
    let number = full.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    number.unwrap_or(full).split('.').take(3).collect::<Vec<_>>().join(".")
}

/// Whether the solver that is linked is one that the engine works with.
pub(crate) fn new_enough() -> Result<(), EngineError> {
    let found = solver_version();
    let numbers: Vec<u32> = found.split('.').map_while(|number| number.parse().ok()).collect();
    if numbers.as_slice() >= OLDEST.as_slice() { Ok(()) } else { Err(EngineError::SolverTooOld { found }) }
}

/// Asks the solver, on the calling thread, a question that must come out TRUE and one that must come out FALSE, in
/// each of the two ways in which it is asked.
///
/// A question without evidence would come out UNKNOWN, and that is what a broken solver answers too.
///
/// # Errors
/// Where the solver is too old or answers something else.
pub fn prove() -> Result<(), EngineError> {
    new_enough()?;
    let rlimit = Settings::default().rlimit;
    let amount = Binding::Number { value: Rational::from_integer(120.into()), measure: Measure::Declared };
    let evidence = Dictionary::new(vec![amount, Binding::Bool(false)]);
    let bound = [
        ("`amount <= 25000` with 120", Arc::new(within(25_000)), Before::True),
        ("`amount > 75` implies a receipt, with 120 and none", Arc::new(receipt_over(75)), Before::False),
    ];
    for (question, formula, expected) in bound {
        let asked = Question { assertion: question, formula, evidence: Some(&evidence) };
        expect(question, ask_together(&[asked], rlimit)?.first().copied(), expected)?;
    }
    let free = [
        ("`x * x >= 0` for every x", square_at_least(0), Before::True),
        ("`x * x < -1` for every x", square_below(-1), Before::False),
    ];
    for (question, formula, expected) in free {
        expect(question, Some(ask_alone(question, &formula, rlimit, &mut Worker::default())?), expected)?;
    }
    Ok(())
}

fn expect(question: &'static str, answer: Option<Before>, expected: Before) -> Result<(), EngineError> {
    match answer.unwrap_or(Before::GaveUp) {
        answer if answer == expected => Ok(()),
        answer => Err(EngineError::Unproven { question, answer }),
    }
}

const AMOUNT: Var = Var::Claim(ClaimId(0));
const RECEIPT: Var = Var::Claim(ClaimId(1));

/// `amount <= limit`
fn within(limit: i64) -> Formula {
    let mut builder = Builder::new();
    let (amount, limit) = (builder.num_var(AMOUNT), builder.num(Rational::from_integer(limit.into())));
    let within = builder.compare(Relation::Le, amount, limit);
    builder.finish(within)
}

/// `Implies(amount > limit, receipt)`
fn receipt_over(limit: i64) -> Formula {
    let mut builder = Builder::new();
    let (amount, limit) = (builder.num_var(AMOUNT), builder.num(Rational::from_integer(limit.into())));
    let (within, receipt) = (builder.compare(Relation::Le, amount, limit), builder.bool_var(RECEIPT));
    let root = builder.or([within, receipt]);
    builder.finish(root)
}

/// `x * x >= limit`
fn square_at_least(limit: i64) -> Formula {
    let mut builder = Builder::new();
    let (x, limit) = (builder.num_var(AMOUNT), builder.num(Rational::from_integer(limit.into())));
    let square = builder.mul(x, x);
    let root = builder.compare(Relation::Le, limit, square);
    builder.finish(root)
}

/// `x * x < limit`
fn square_below(limit: i64) -> Formula {
    let mut builder = Builder::new();
    let (x, limit) = (builder.num_var(AMOUNT), builder.num(Rational::from_integer(limit.into())));
    let square = builder.mul(x, x);
    let root = builder.compare(Relation::Lt, square, limit);
    builder.finish(root)
}

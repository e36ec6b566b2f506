//! The texts at the leaves: units and numbers.

use assay_syntax::{Diagnostic, Span};
use assay_units::number::{self, NumberError};
use assay_units::{Rational, Unit};

use crate::limits;

/// Reads a unit's text.
pub(crate) fn unit(text: &str, span: Span) -> Result<Unit, Box<Diagnostic>> {
    let shown = text.escape_debug();
    match Unit::parse(text) {
        Ok(unit) if unit.is_one() => Err(Box::new(
            Diagnostic::error(span, format!("the unit `{shown}` cancels out")).help("leave the unit out"),
        )),
        Ok(unit) => Ok(unit),
        Err(problem) => {
            let message = format!("`{shown}` is not a unit: {problem}");
            Err(Box::new(Diagnostic::error(span, message).help(problem.help())))
        }
    }
}

fn refused(problem: NumberError, span: Span) -> Diagnostic {
    match problem {
        NumberError::Malformed => Diagnostic::error(span, "not a number"),
        NumberError::TooManyDigits { actual } => limits::exceeded(
            span,
            "digits in a number",
            "number_digits",
            number::MAX_DIGITS as u64,
            actual as u64,
        ),
        NumberError::ExponentTooLarge { actual } => {
            let limit = u64::from(number::MAX_EXPONENT);
            Diagnostic::error(span, format!("an exponent beyond {limit}")).budget(
                "number_exponent",
                limit,
                u64::from(actual),
            )
        }
    }
}

/// Reads a number of the source.
pub(crate) fn number(digits: &str, span: Span) -> Result<Rational, Box<Diagnostic>> {
    number::parse(digits).map_err(|problem| Box::new(refused(problem, span)))
}

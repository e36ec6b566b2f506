//! Units while typing: what is in which unit, and that bare numbers and numbers with a unit do not meet.
//!
//! Only the built-in standards are asked, so that whether a source compiles does not depend on a project's converters.
//! Two units that nothing bridges are no error here.

use assay_syntax::{Diagnostic, Span};
use assay_units::{MAX_EXPONENT, Unit, number};

use super::{Typer, Value};
use crate::limits;
use crate::names::Meaning;
use crate::typed::{Num, NumKind};

/// The unit of a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum UnitOf {
    /// Not known, for an error that is reported.
    #[default]
    Unknown,
    /// A bare number.
    Bare,
    /// A number in a unit.
    In(Unit),
}

/// A number that meets others, as far as units are concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand<'n> {
    unit: &'n UnitOf,
    span: Span,
    form: Form,
}

/// What an author would repair a missing unit in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Literal,
    Name(Meaning),
    Other,
}

impl<'n> Operand<'n> {
    /// A number and its unit.
    pub(super) fn of(number: &Num, unit: &'n UnitOf) -> Operand<'n> {
        let form = match number.kind {
            NumKind::Literal(..) => Form::Literal,
            NumKind::Claim(id) => Form::Name(Meaning::Claim(id)),
            NumKind::Local(id) => Form::Name(Meaning::Local(id)),
            _ => Form::Other,
        };
        Operand { unit, span: number.span, form }
    }

    /// The part of a product that an operator has on its left.
    pub(super) fn so_far(span: Span, unit: &'n UnitOf) -> Operand<'n> {
        Operand { unit, span, form: Form::Other }
    }
}

impl Typer<'_> {
    /// Checks that these numbers, which meet, all have a unit or all have none; the first unit there is.
    pub(super) fn agree<'n>(&mut self, numbers: impl Iterator<Item = Operand<'n>> + Clone) -> UnitOf {
        let united = numbers.clone().find_map(|number| match number.unit {
            UnitOf::In(unit) => Some((number, unit)),
            _ => None,
        });
        let Some((reference, unit)) = united else {
            let known = numbers.into_iter().all(|number| *number.unit == UnitOf::Bare);
            return if known { UnitOf::Bare } else { UnitOf::Unknown };
        };
        for number in numbers {
            if *number.unit == UnitOf::Bare {
                self.bare_meets_unit(number, reference, unit);
            }
        }
        UnitOf::In(unit.clone())
    }

    fn bare_meets_unit(&mut self, bare: Operand<'_>, united: Operand<'_>, unit: &Unit) {
        let (bare_text, united_text) = (self.quoted(bare.span), self.quoted(united.span));
        let message = match united.form {
            Form::Literal => format!("{bare_text} has no unit, and {united_text} has one"),
            _ => format!("{bare_text} has no unit, and {united_text} is in `{unit}`"),
        };
        let help = match (bare.form, united.form) {
            (Form::Literal, _) => {
                format!("write `{} \"{unit}\"`", self.source.slice(bare.span))
            }
            (Form::Name(meaning), _) => {
                let name = &self.names.declared(meaning).name.name;
                match meaning {
                    Meaning::Claim(_) => format!("declare the unit of `{name}`: `// @unit {name} {unit}`"),
                    Meaning::Local(_) => {
                        format!(
                            "a local takes the unit of its definition: define `{name}` by a number in a unit"
                        )
                    }
                }
            }
            (Form::Other, Form::Literal) => format!("leave the unit out: `{}`", self.bare(united.span, unit)),
            _ => "both have a unit or neither does".to_owned(),
        };
        self.report(
            Diagnostic::error(bare.span, message).help(help).related(united.span, format!("in `{unit}`")),
        );
    }

    /// Refuses an operation on a temperature with an offset; whether it did.
    pub(super) fn refuse_offset(&mut self, verb: &str, span: Span, unit: &UnitOf) -> bool {
        match unit {
            UnitOf::In(unit) if self.library.has_offset(unit) => {
                let message =
                    format!("{} is a temperature in `{unit}`, which cannot be {verb}", self.quoted(span));
                let help =
                    "the zero of that scale is not zero: compare such temperatures, or declare them in `K`";
                self.report(Diagnostic::error(span, message).help(help));
                true
            }
            _ => false,
        }
    }

    /// The number of an expression that counts something and so has no unit.
    pub(super) fn unitless(&mut self, value: Value, span: Span, who: &str) -> Num {
        match value {
            Value::Num(number, UnitOf::In(unit)) => {
                let message = format!("{who} counts, and {} is in `{unit}`", self.quoted(number.span));
                self.report(Diagnostic::error(span, message).help("a count has no unit"));
                number
            }
            Value::Num(number, _) => number,
            other => {
                if !matches!(other, Value::Unknown) {
                    let message = format!("{who} counts, and this is {}", self.in_words(&other));
                    self.report(Diagnostic::error(span, message).help("a count is a number without a unit"));
                }
                super::value::no_num(span)
            }
        }
    }

    /// The unit of a product or (`inverse`) a quotient: none where all dimensions cancel.
    pub(super) fn combined(&mut self, left: &UnitOf, right: &UnitOf, inverse: bool, span: Span) -> UnitOf {
        let (left, right) = match (left, right) {
            (UnitOf::Unknown, _) | (_, UnitOf::Unknown) => return UnitOf::Unknown,
            (UnitOf::Bare, UnitOf::Bare) => return UnitOf::Bare,
            (UnitOf::In(unit), UnitOf::Bare) => return UnitOf::In(unit.clone()),
            (UnitOf::Bare, UnitOf::In(unit)) if inverse => return UnitOf::In(Unit::one().div(unit)),
            (UnitOf::Bare, UnitOf::In(unit)) => return UnitOf::In(unit.clone()),
            (UnitOf::In(left), UnitOf::In(right)) => (left, right),
        };
        let unit = if inverse { left.div(right) } else { left.mul(right) };
        if unit.is_one() {
            return UnitOf::Bare;
        }
        if unit.atoms().count() > limits::ATOMS
            || unit.atoms().any(|(_, exponent)| exponent.abs() > MAX_EXPONENT)
        {
            let message = "the unit of this product is too large";
            let help =
                format!("a unit has at most {} atoms, with exponents up to {MAX_EXPONENT}", limits::ATOMS);
            self.report(Diagnostic::error(span, message).help(help));
            return UnitOf::Unknown;
        }
        match self.library.dimensionless(&unit) {
            Some(_) => UnitOf::Bare,
            None => UnitOf::In(unit),
        }
    }

    /// The number of an operand of arithmetic.
    pub(super) fn operand(&mut self, value: Value, span: Span, operator: &str) -> (Num, UnitOf) {
        match value {
            Value::Num(number, unit) => (number, unit),
            other => {
                if !matches!(other, Value::Unknown) {
                    let message =
                        format!("`{operator}` takes numbers, and this is {}", self.in_words(&other));
                    let problem = Diagnostic::error(span, message);
                    self.report(match other {
                        Value::Text(_) => problem.help("a number is written without quotes"),
                        _ => problem,
                    });
                }
                (super::value::no_num(span), UnitOf::Unknown)
            }
        }
    }

    /// What a literal with a unit is as a bare number: its digits, or its value where its unit is a number itself.
    fn bare(&self, literal: Span, unit: &Unit) -> String {
        let digits = self.source.slice(literal).split('"').next().unwrap_or_default().trim();
        match (self.library.dimensionless(unit), number::parse(digits)) {
            (Some(factor), Ok(value)) => {
                let value = value * factor;
                number::decimal(&value).unwrap_or_else(|| format!("{} / {}", value.numer(), value.denom()))
            }
            _ => digits.to_owned(),
        }
    }
}

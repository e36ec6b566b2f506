//! From a value of any form to a number and the unit that it came with.

use assay_compile::UNKNOWN;
use assay_units::Rational;
use assay_units::number::{self, MAX_TEXT, NumberError};

use crate::failure::Why;
use crate::{Checker, Raw};

/// A number that was read, and the unit that it came with.
#[derive(Debug)]
pub(crate) struct Amount<'a> {
    pub(crate) value: Rational,
    pub(crate) unit: Option<&'a str>,
}

impl Checker {
    /// The number of a numeric claim; `None` where it was not determined.
    pub(crate) fn amount<'a>(&self, raw: &'a Raw<'_>) -> Result<Option<Amount<'a>>, Why> {
        match raw {
            Raw::Null => Ok(None),
            Raw::Number(text) => alone(text).map(Some),
            Raw::NotFinite(_) if self.reading().nan_unknown => Ok(None),
            Raw::NotFinite(_) => Err(Why::NotFinite),
            Raw::Text(text) => {
                let text = self.text(text)?;
                if self.is_undetermined(text) || self.reading().is_unknown_nan(text) {
                    return Ok(None);
                }
                let (number, rest) = self.reading().split(text).ok_or(Why::Form)?;
                let unit = match rest.strip_prefix(' ').unwrap_or(rest) {
                    "" if rest.is_empty() => None,
                    "" => return Err(Why::Form),
                    unit => Some(unit),
                };
                let value = number::parse(&number).map_err(too_large)?;
                Ok(Some(Amount { value, unit }))
            }
            Raw::Object(fields) => match fields.as_slice() {
                [(a, value), (b, unit)] if a == "value" && b == "unit" => self.pair_amount(value, unit),
                [(a, unit), (b, value)] if a == "unit" && b == "value" => self.pair_amount(value, unit),
                _ => Err(Why::Pair),
            },
            Raw::List(_) => Err(Why::List),
            Raw::Bool(_) | Raw::Other(_) => Err(Why::Form),
        }
    }

    /// The number of a pair, which is one number alone, and its unit.
    pub(crate) fn pair_amount<'a>(
        &self,
        value: &'a Raw<'_>,
        unit: &'a Raw<'_>,
    ) -> Result<Option<Amount<'a>>, Why> {
        let amount = match value {
            Raw::List(_) | Raw::Object(_) => return Err(Why::PairValue),
            value => self.amount(value).map_err(|why| match why {
                Why::Form => Why::PairValue,
                why => why,
            })?,
        };
        let Some(Amount { value, unit: None }) = amount else {
            return if amount.is_some() { Err(Why::PairValue) } else { Ok(None) };
        };
        let unit = match unit {
            Raw::Null => return Err(Why::NullUnit),
            Raw::Text(text) => self.text(text)?,
            _ => return Err(Why::Pair),
        };
        if self.reading().is_null(unit) {
            return Err(Why::NullUnit);
        }
        Ok(Some(Amount { value, unit: Some(unit) }))
    }

    /// The text that is read, where it is not too long to be looked at.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Result<&'t str, Why> {
        if text.len() > MAX_TEXT && text.chars().nth(MAX_TEXT).is_some() {
            return Err(Why::TooLong);
        }
        Ok(self.reading().trimmed(text))
    }

    /// Whether a trimmed text says that a value was not determined.
    pub(crate) fn is_undetermined(&self, text: &str) -> bool {
        text == UNKNOWN || self.reading().is_null(text)
    }
}

/// A number of a format that has numbers.
fn alone(text: &str) -> Result<Amount<'_>, Why> {
    let value = number::parse(text).map_err(too_large)?;
    Ok(Amount { value, unit: None })
}

fn too_large(error: NumberError) -> Why {
    match error {
        NumberError::Malformed => Why::Form,
        NumberError::TooManyDigits { .. } => Why::TooManyDigits,
        NumberError::ExponentTooLarge { .. } => Why::ExponentTooLarge,
    }
}

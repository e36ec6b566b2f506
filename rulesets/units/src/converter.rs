//! skeleton
use crate::{Rational, Unit};
use std::fmt;
/// `to = from * factor + offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converter {
    /// The unit converted from.
    pub from: Unit,
    /// The unit converted to.
    pub to: Unit,
    /// The factor.
    pub factor: Rational,
    /// The offset.
    pub offset: Rational,
    /// Who supplied it, beside the hash.
    pub attribution: Option<String>,
}
/// What is wrong with one converter, or with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConverterError {
    /// Which of the list, from 0; `None` for the file as a whole.
    pub index: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}
impl fmt::Display for ConverterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for ConverterError {}
/// The format of a converters file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// TOML.
    Toml,
}
/// Reads a converters file.
/// # Errors
/// All.
pub fn read_converters(
    _text: &str,
    _format: Format,
) -> Result<Vec<Converter>, Vec<ConverterError>> {
    Ok(Vec::new())
}

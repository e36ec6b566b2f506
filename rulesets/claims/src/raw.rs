//! A value as a reader found it, before anything is decided about it.

use std::borrow::Cow;

/// One value of one field, of any input format. Readers make these and judge nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw<'a> {
    /// A null of the format: JSON `null`, a null of a Parquet column.
    Null,
    /// `true` or `false` of JSON or of a boolean column.
    Bool(bool),
    /// The exact text of a JSON number, or of a number of a typed column (the shortest decimal that
    /// round-trips, for floats). Never a text that merely looks like a number.
    Number(Cow<'a, str>),
    /// A NaN or an infinity of a float column: `NaN`, `inf`, `-inf`.
    NotFinite(&'static str),
    /// A text: a JSON string, unescaped; a CSV cell; a Parquet string.
    Text(Cow<'a, str>),
    /// A JSON object or a Parquet struct, fields in their order, duplicates kept.
    Object(Vec<(Cow<'a, str>, Raw<'a>)>),
    /// A JSON array or a Parquet list.
    List(Vec<Raw<'a>>),
    /// A value of a kind no claim accepts (a timestamp column, bytes), as a text to show.
    Other(Cow<'a, str>),
}

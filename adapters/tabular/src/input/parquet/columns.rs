//! The columns of a batch, straight into columns of claims.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use assay_batch::input::TextCell;
use assay_claims::{ClaimId, Columns, Fit, MAX_SCALE, Raw, decimal};

use super::values::column;
use crate::input::sink::Sink;

/// Puts the column at a place of the rows from `first` on where it is wanted.
pub(super) fn put(sink: &mut Sink<'_>, place: usize, first: usize, array: &ArrayRef) {
    let uses = sink.uses(place);
    for claim in uses.claims {
        claims(&mut sink.columns, claim, first, array);
    }
    for claim in uses.units {
        units(&mut sink.columns, claim, first, array);
    }
    for text in uses.texts {
        texts(sink, text, first, array);
    }
}

/// Puts where a column is wanted that the file does not have.
pub(super) fn put_missing(sink: &mut Sink<'_>, place: usize) {
    let uses = sink.uses(place);
    for row in 0..sink.columns.rows() {
        if !uses.claims.is_empty() {
            sink.columns.missing(row);
        }
        for text in &uses.texts {
            sink.push_text(*text, TextCell::Missing);
        }
    }
}

fn claims(columns: &mut Columns<'_>, claim: ClaimId, first: usize, array: &ArrayRef) {
    use DataType::{
        Boolean, Decimal32, Decimal64, Decimal128, Dictionary, Float64, Int8, Int16, Int32, Int64, Null,
        UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
    };
    macro_rules! numbers {
        ($type:ty, $scale:expr) => {{
            let values = array.as_primitive::<$type>();
            columns.numbers(claim, first, $scale, values.iter().map(|value| value.map(i128::from)))
        }};
    }
    let scale = |scale: i8| u8::try_from(scale).ok().filter(|scale| *scale <= MAX_SCALE);
    match array.data_type() {
        Null => {}
        Boolean => {
            for (row, value) in (first..).zip(array.as_boolean()) {
                if let Some(value) = value {
                    columns.boolean(claim, row, value);
                }
            }
        }
        Int8 => numbers!(Int8Type, 0),
        Int16 => numbers!(Int16Type, 0),
        Int32 => numbers!(Int32Type, 0),
        Int64 => numbers!(Int64Type, 0),
        UInt8 => numbers!(UInt8Type, 0),
        UInt16 => numbers!(UInt16Type, 0),
        UInt32 => numbers!(UInt32Type, 0),
        UInt64 => numbers!(UInt64Type, 0),
        Decimal32(_, own) if let Some(scale) = scale(*own) => numbers!(Decimal32Type, scale),
        Decimal64(_, own) if let Some(scale) = scale(*own) => numbers!(Decimal64Type, scale),
        Decimal128(_, own) if let Some(scale) = scale(*own) => numbers!(Decimal128Type, scale),
        Float64 => {
            let other = column(array);
            for (row, value) in array.as_primitive::<Float64Type>().iter().enumerate() {
                match value.map(short) {
                    None => {}
                    Some(Some((unscaled, scale))) => {
                        columns.number(claim, first + row, unscaled, scale);
                    }
                    Some(None) => raw(columns, claim, first + row, &other.value(row)),
                }
            }
        }
        Utf8View => {
            for (row, value) in (first..).zip(array.as_string_view()) {
                if let Some(value) = value {
                    columns.text(claim, row, value);
                }
            }
        }
        Utf8 => {
            for (row, value) in (first..).zip(array.as_string::<i32>()) {
                if let Some(value) = value {
                    columns.text(claim, row, value);
                }
            }
        }
        Dictionary(..) if let Some(entries) = entries(columns, claim, array) => {
            let keys = array.as_any_dictionary().normalized_keys();
            for (row, key) in keys.into_iter().enumerate() {
                if array.is_valid(row) {
                    columns.put(claim, first + row, entries.get(key).copied().unwrap_or(Fit::SetAside));
                }
            }
        }
        _ => {
            let other = column(array);
            for row in 0..array.len() {
                raw(columns, claim, first + row, &other.value(row));
            }
        }
    }
}

/// What each text of a dictionary is bound to, where there are fewer of them than rows.
fn entries(columns: &Columns<'_>, claim: ClaimId, array: &ArrayRef) -> Option<Vec<Fit>> {
    let values = array.as_any_dictionary_opt()?.values();
    let values = values.as_string_opt::<i32>()?;
    let bind = |value: Option<&str>| value.map_or(Fit::Unknown, |text| columns.bind_text(claim, text));
    (!values.is_empty() && values.len() <= array.len()).then(|| values.iter().map(bind).collect())
}

/// A value of a type that is not looked at in any special way.
fn raw(columns: &mut Columns<'_>, claim: ClaimId, row: usize, value: &Raw<'_>) {
    match value {
        Raw::Null => {}
        Raw::Bool(value) => {
            columns.boolean(claim, row, *value);
        }
        Raw::Text(text) => {
            columns.text(claim, row, text);
        }
        Raw::Number(text) => match decimal(text.as_bytes()) {
            Some(found) if found.length == text.len() => {
                columns.number(claim, row, found.unscaled, found.scale);
            }
            _ => columns.set_aside(row),
        },
        Raw::NotFinite(_) | Raw::Object(_) | Raw::List(_) | Raw::Other(_) => columns.set_aside(row),
    }
}

/// The shortest decimal that is read back as this double, as an unscaled number and its scale, where that takes few
/// digits behind the point.
///
/// A double has at most one decimal of up to 15 digits: two of them never lie within one double's reach. So a decimal of
/// so few digits that is read back as this double, as the correctly rounded quotient says, is the shortest one.
fn short(value: f64) -> Option<(i64, u8)> {
    let powers = [1.0, 10.0, 100.0, 1_000.0, 10_000.0, 100_000.0];
    powers.iter().zip(0..).find_map(|(power, scale)| {
        let unscaled = (value * power).round();
        (unscaled.abs() < 1e15 && unscaled / power == value).then_some((unscaled as i64, scale))
    })
}

fn units(columns: &mut Columns<'_>, claim: ClaimId, first: usize, array: &ArrayRef) {
    let values = column(array);
    for row in 0..array.len() {
        if let Raw::Text(text) = values.value(row) {
            columns.unit(claim, first + row, &text);
        }
    }
}

fn texts(sink: &mut Sink<'_>, text: usize, first: usize, array: &ArrayRef) {
    if let Some(values) = array.as_string_view_opt() {
        for value in values {
            sink.push_text(text, value.map_or(TextCell::Null, TextCell::Text));
        }
        return;
    }
    let values = column(array);
    for row in 0..array.len() {
        match values.value(row) {
            Raw::Null => sink.push_text(text, TextCell::Null),
            Raw::Text(value) | Raw::Other(value) => sink.push_text(text, TextCell::Text(&value)),
            Raw::NotFinite(value) => sink.push_text(text, TextCell::Text(value)),
            Raw::Number(value) => sink.push_text(text, TextCell::Json(&value)),
            Raw::Bool(value) => sink.push_text(text, TextCell::Json(if value { "true" } else { "false" })),
            Raw::Object(_) | Raw::List(_) => {
                sink.columns.set_aside(first + row);
                sink.push_text(text, TextCell::Missing);
            }
        }
    }
}

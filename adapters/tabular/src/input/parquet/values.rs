//! The values of an Arrow column, exactly.

use std::borrow::Cow;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, OffsetSizeTrait};
use arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use assay_claims::Raw;

/// A column, ready to give its values.
pub(super) struct Column<'a> {
    array: &'a dyn Array,
    read: Box<dyn Fn(usize) -> Raw<'a> + 'a>,
}

impl<'a> Column<'a> {
    /// The value of a row.
    pub fn value(&self, row: usize) -> Raw<'a> {
        if self.array.is_null(row) { Raw::Null } else { (self.read)(row) }
    }
}

/// Prepares a column.
pub(crate) fn column<'a>(array: &'a ArrayRef) -> Column<'a> {
    use DataType::{
        Boolean, Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, FixedSizeList, Float16, Float32,
        Float64, Int8, Int16, Int32, Int64, LargeList, LargeListView, LargeUtf8, List, ListView, Null,
        Struct, UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
    };
    macro_rules! integer {
        ($type:ty) => {{
            let values = array.as_primitive::<$type>();
            Box::new(move |row| number(values.value(row).to_string()))
        }};
    }
    // The text of a decimal is its digits with a point set into them: exact, whatever the scale.
    macro_rules! decimal {
        ($type:ty, $scale:expr) => {{
            let (values, scale) = (array.as_primitive::<$type>(), *$scale);
            Box::new(move |row| number(with_point(&values.value(row).to_string(), scale)))
        }};
    }
    let read: Box<dyn Fn(usize) -> Raw<'a> + 'a> = match array.data_type() {
        Null => Box::new(|_| Raw::Null),
        Boolean => {
            let values = array.as_boolean();
            Box::new(move |row| Raw::Bool(values.value(row)))
        }
        Int8 => integer!(Int8Type),
        Int16 => integer!(Int16Type),
        Int32 => integer!(Int32Type),
        Int64 => integer!(Int64Type),
        UInt8 => integer!(UInt8Type),
        UInt16 => integer!(UInt16Type),
        UInt32 => integer!(UInt32Type),
        UInt64 => integer!(UInt64Type),
        Decimal32(_, scale) => decimal!(Decimal32Type, scale),
        Decimal64(_, scale) => decimal!(Decimal64Type, scale),
        Decimal128(_, scale) => decimal!(Decimal128Type, scale),
        Decimal256(_, scale) => decimal!(Decimal256Type, scale),
        Float16 => {
            let values = array.as_primitive::<Float16Type>();
            Box::new(move |row| {
                let value = values.value(row).to_f32();
                if value.is_finite() {
                    number(shortest_half(value))
                } else {
                    float(value, f32::is_finite, f32::is_nan)
                }
            })
        }
        Float32 => {
            let values = array.as_primitive::<Float32Type>();
            Box::new(move |row| float(values.value(row), f32::is_finite, f32::is_nan))
        }
        Float64 => {
            let values = array.as_primitive::<Float64Type>();
            Box::new(move |row| float(values.value(row), f64::is_finite, f64::is_nan))
        }
        Utf8 => texts::<i32>(array),
        LargeUtf8 => texts::<i64>(array),
        Utf8View => {
            let values = array.as_string_view();
            Box::new(move |row| Raw::Text(Cow::Borrowed(values.value(row))))
        }
        Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            // Without values all keys are null, and the keys would not be told.
            let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            let values = column(dictionary.values());
            Box::new(move |row| keys.get(row).map_or(Raw::Null, |key| values.value(*key)))
        }
        Struct(_) => {
            let parts = array.as_struct();
            let names = parts.column_names();
            let columns: Vec<_> = parts.columns().iter().map(column).collect();
            Box::new(move |row| {
                let fields = names.iter().zip(&columns);
                Raw::Object(fields.map(|(name, column)| (Cow::Borrowed(*name), column.value(row))).collect())
            })
        }
        List(_) => lists::<i32>(array),
        LargeList(_) => lists::<i64>(array),
        ListView(_) => list_views::<i32>(array),
        LargeListView(_) => list_views::<i64>(array),
        FixedSizeList(_, size) => {
            let values = array.as_fixed_size_list();
            let size = usize::try_from(*size).unwrap_or(0);
            let items = column(values.values());
            Box::new(move |row| Raw::List((row * size..(row + 1) * size).map(|at| items.value(at)).collect()))
        }
        other => {
            let formatter = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default()).ok();
            let name = other.to_string();
            Box::new(move |row| {
                let text = formatter.as_ref().and_then(|formatter| formatter.value(row).try_to_string().ok());
                Raw::Other(Cow::Owned(text.unwrap_or_else(|| format!("a value of type {name}"))))
            })
        }
    };
    Column { array: array.as_ref(), read }
}

fn texts<'a, O: OffsetSizeTrait>(array: &'a ArrayRef) -> Box<dyn Fn(usize) -> Raw<'a> + 'a> {
    let values = array.as_string::<O>();
    Box::new(move |row| Raw::Text(Cow::Borrowed(values.value(row))))
}

fn lists<'a, O: OffsetSizeTrait>(array: &'a ArrayRef) -> Box<dyn Fn(usize) -> Raw<'a> + 'a> {
    let values = array.as_list::<O>();
    let items = column(values.values());
    Box::new(move |row| {
        let offsets = values.value_offsets();
        let at = |row: usize| offsets.get(row).map_or(0, |offset| offset.as_usize());
        Raw::List((at(row)..at(row + 1)).map(|item| items.value(item)).collect())
    })
}

fn list_views<'a, O: OffsetSizeTrait>(array: &'a ArrayRef) -> Box<dyn Fn(usize) -> Raw<'a> + 'a> {
    let values = array.as_list_view::<O>();
    let items = column(values.values());
    Box::new(move |row| {
        let of = |places: &[O]| places.get(row).map_or(0, |place| place.as_usize());
        let start = of(values.value_offsets());
        Raw::List((start..start + of(values.value_sizes())).map(|item| items.value(item)).collect())
    })
}

fn number(text: String) -> Raw<'static> {
    Raw::Number(Cow::Owned(text))
}

/// The shortest decimal that round-trips at the float's own width, without an exponent.
fn float<T: std::fmt::Display + Copy>(
    value: T,
    is_finite: fn(T) -> bool,
    is_nan: fn(T) -> bool,
) -> Raw<'static> {
    if is_finite(value) {
        return number(value.to_string());
    }
    let text = value.to_string();
    Raw::NotFinite(match (is_nan(value), text.starts_with('-')) {
        (true, _) => "NaN",
        (false, false) => "inf",
        (false, true) => "-inf",
    })
}

/// The shortest decimal that is read back as the same half-precision float.
fn shortest_half(value: f32) -> String {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    // Five significant digits tell any two halves apart. A double holds any five digits closely enough, and prints them.
    let rounded = (0..5).filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok());
    let same = |decimal: &f64| Half::from_f64(*decimal).to_f32() == value;
    rounded.into_iter().find(same).map_or_else(|| value.to_string(), |decimal| decimal.to_string())
}

/// `digits` with the point `scale` places from the right; a negative scale adds zeros.
fn with_point(digits: &str, scale: i8) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    match usize::try_from(scale) {
        Ok(0) => format!("{sign}{digits}"),
        Ok(scale) => {
            let padded = format!("{digits:0>width$}", width = scale + 1);
            let (whole, fraction) = padded.split_at(padded.len() - scale);
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) => format!("{sign}{digits}{}", "0".repeat(usize::from(scale.unsigned_abs()))),
    }
}

//! What converts, and by what factor.

use assay_compile::exact;
use assay_units::number::fraction;
use assay_units::{Bridge, Converter, Interval, Library, Rational, Unit, standards};
use serde_json::{Map, Value, json};

use crate::canonical;
use crate::error::Error;
use crate::rulesets::{Approval, approval};
use crate::versions::versions;

/// The payload of the unit library: the built-in standards and the project's converters.
pub fn units(library: &Library) -> String {
    canonical::to_string(&json!({
        "ok": true,
        "standards": standards().iter().map(standard).collect::<Vec<_>>(),
        "converters": converters(library),
        "unit_library_hash": library.hash(),
        "versions": versions(),
    }))
}

fn standard(standard: &assay_units::Standard) -> Value {
    let units = standard.units.iter().map(|unit| {
        let mut fields = Map::new();
        fields.insert("symbol".to_owned(), json!(unit.symbol));
        fields.insert("name".to_owned(), json!(unit.name));
        fields.insert("aliases".to_owned(), json!(unit.aliases));
        fields.insert("base".to_owned(), json!(unit.base.to_string()));
        fields.insert("source".to_owned(), json!(unit.source));
        put_conversion(&mut fields, &unit.factor, &unit.offset);
        Value::Object(fields)
    });
    json!({
        "name": standard.name,
        "source": standard.source,
        "units": units.collect::<Vec<_>>(),
        "intervals": standard.intervals.iter().map(interval).collect::<Vec<_>>(),
    })
}

fn interval(interval: &Interval) -> Value {
    let mut fields = Map::new();
    fields.insert("from".to_owned(), json!(interval.from));
    fields.insert("to".to_owned(), json!(interval.to));
    put_number(&mut fields, "low", &interval.low);
    put_number(&mut fields, "high", &interval.high);
    Value::Object(fields)
}

fn converters(library: &Library) -> Vec<Value> {
    library.converters().iter().map(converter).collect()
}

fn converter(converter: &Converter) -> Value {
    let mut fields = Map::new();
    fields.insert("from".to_owned(), json!(converter.from.to_string()));
    fields.insert("to".to_owned(), json!(converter.to.to_string()));
    put_conversion(&mut fields, &converter.factor, &converter.offset);
    fields.insert("attribution".to_owned(), json!(converter.attribution));
    Value::Object(fields)
}

/// The payload of one pair of units: its `status` is `same`, `convertible`, `ambiguous`, `unknown_unit` or
/// `no_path`, each with what there is to say about it.
///
/// # Errors
/// `BAD_REQUEST` where a text is no unit.
pub fn bridge(library: &Library, from: &str, to: &str) -> Result<String, Error> {
    let (from, to) = match (Unit::parse(from), Unit::parse(to)) {
        (Ok(from), Ok(to)) => (from, to),
        (from, to) => {
            let wrong = [("from_unit", from.err()), ("to_unit", to.err())];
            let wrong = wrong.into_iter().filter_map(|(name, error)| {
                error.map(|error| format!("`{name}`: {error}; {}", error.help()))
            });
            return Err(Error::BadRequest(wrong.collect::<Vec<_>>().join("; ")));
        }
    };
    let found = library.bridge(&from, &to);
    let mut fields = Map::new();
    fields.insert("ok".to_owned(), json!(true));
    fields.insert("from_unit".to_owned(), json!(from.to_string()));
    fields.insert("to_unit".to_owned(), json!(to.to_string()));
    fields.insert("status".to_owned(), json!(found.word()));
    match &found {
        Bridge::Same | Bridge::NoPath => {}
        Bridge::Convertible { factor, offset } => put_conversion(&mut fields, factor, offset),
        Bridge::Ambiguous { interval: bounds, inverse, factor } => {
            let (low, high) = if *inverse {
                (factor / &bounds.high, factor / &bounds.low)
            } else {
                (factor * &bounds.low, factor * &bounds.high)
            };
            put_number(&mut fields, "low", &low);
            put_number(&mut fields, "high", &high);
            fields.insert("interval".to_owned(), interval(bounds));
        }
        Bridge::UnknownUnit { atoms } => {
            let unknown = atoms.iter().map(|atom| json!({ "unit": atom, "closest": library.closest(atom) }));
            fields.insert("unknown_units".to_owned(), unknown.collect());
        }
    }
    fields.insert("unit_library_hash".to_owned(), json!(library.hash()));
    fields.insert("versions".to_owned(), versions());
    Ok(canonical::to_string(&Value::Object(fields)))
}

/// The payload after a converter was added: the library as it is now and, where that changed results that somebody
/// signed for, a `warning` that says so and the `approvals` it is about.
pub fn converter_added(library: &Library, previous: Option<&str>, affected: &[Approval<'_>]) -> String {
    let mut fields = Map::new();
    fields.insert("ok".to_owned(), json!(true));
    fields.insert("converters".to_owned(), json!(converters(library)));
    fields.insert("unit_library_hash".to_owned(), json!(library.hash()));
    fields.insert("previous_unit_library_hash".to_owned(), json!(previous));
    if library.hash() != previous && !affected.is_empty() {
        let count = affected.len();
        let (approvals, were) =
            if count == 1 { ("approval was", "it does") } else { ("approvals were", "they do") };
        fields.insert(
            "warning".to_owned(),
            json!(format!(
                "the unit library changed, and with it what a check may answer: {count} {approvals} given while the \
                 previous library was in force, and {were} not cover this one"
            )),
        );
        fields.insert("approvals".to_owned(), affected.iter().map(approval).collect());
    }
    fields.insert("versions".to_owned(), versions());
    canonical::to_string(&Value::Object(fields))
}

/// `factor` and, where it is not zero, `offset`: `to = from * factor + offset`.
pub(crate) fn put_conversion(fields: &mut Map<String, Value>, factor: &Rational, offset: &Rational) {
    put_number(fields, "factor", factor);
    if *offset != Rational::from_integer(0.into()) {
        put_number(fields, "offset", offset);
    }
}

/// A number under `name`, where a decimal is exact, and as a reduced fraction under `name_exact`, always.
pub(crate) fn put_number(fields: &mut Map<String, Value>, name: &str, value: &Rational) {
    if let Some(decimal) = exact(value) {
        fields.insert(name.to_owned(), decimal);
    }
    fields.insert(format!("{name}_exact"), json!(fraction(value)));
}

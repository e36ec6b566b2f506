//! What a payload tells of claims whose evidence contradicts itself.

use assay_claims::{Binding, ClaimId, Evidence, Measure, Told, Value};
use assay_compile::{ClaimKind, Measures, Ruleset};
use assay_units::number;
use serde_json::json;

/// The most combinations of units that are looked through for an assertion.
const COMBINATIONS: usize = 4_096;

/// Claims with their distinct values, how many pieces of evidence gave each, and where these came from, as far as
/// sources are named.
pub(crate) fn claims(ruleset: &Ruleset, evidence: &Evidence, claims: &[ClaimId]) -> serde_json::Value {
    let each = claims.iter().map(|claim| {
        let values = evidence.told(*claim).map_or(&[][..], |Told { values, .. }| values);
        let values: Vec<serde_json::Value> = values.iter().map(|told| value(ruleset, *claim, told)).collect();
        json!({ "claim": ruleset.claim(*claim).name, "values": values })
    });
    serde_json::Value::Array(each.collect())
}

fn value(ruleset: &Ruleset, claim: ClaimId, told: &Value) -> serde_json::Value {
    let kind = &ruleset.claim(claim).kind;
    let shown = match (&told.binding, &told.quantity, kind) {
        (_, Some(quantity), _) => json!(quantity.submitted),
        (Binding::Bool(value), ..) => json!(value),
        (Binding::Member(number), _, ClaimKind::Enum(of)) => {
            json!(of.vocabulary.members.get(*number as usize))
        }
        (Binding::Number { value, measure }, _, ClaimKind::Numeric { unit, .. }) => {
            let number = number::decimal(value).unwrap_or_else(|| number::fraction(value));
            let unit = match measure {
                Measure::Declared => unit.as_ref(),
                Measure::Foreign(unit) | Measure::Interval(unit) => Some(unit),
            };
            json!(unit.map_or_else(|| number.clone(), |unit| format!("{number} {unit}")))
        }
        _ => serde_json::Value::Null,
    };
    let mut fields = serde_json::Map::new();
    fields.insert("value".to_owned(), shown);
    fields.insert("pieces".to_owned(), json!(told.pieces));
    if !told.sources.is_empty() {
        let source =
            |(source, pieces): &(std::sync::Arc<str>, u32)| json!({ "source": **source, "pieces": pieces });
        fields.insert("sources".to_owned(), told.sources.iter().map(source).collect());
    }
    serde_json::Value::Object(fields)
}

/// The combinations of units that an assertion may meet, where the values of its contradicted claims came in several:
/// those of the first values to begin with, and no others where there are too many.
pub(crate) fn combinations(evidence: &Evidence, reads: &[ClaimId]) -> Vec<Measures> {
    let first = evidence.first().measures();
    let mut all = vec![first.clone()];
    for claim in reads.iter().filter(|claim| evidence.is_contradicted(**claim)) {
        let mut measures: Vec<&Measure> = Vec::new();
        for value in evidence.values(*claim) {
            if !measures.contains(&value.measure()) {
                measures.push(value.measure());
            }
        }
        if all.len() * measures.len() > COMBINATIONS {
            return vec![first];
        }
        let others = measures.into_iter().skip(1).flat_map(|measure| {
            all.iter().map(move |combination| {
                let mut combination = combination.clone();
                combination.set(*claim, measure.clone());
                combination
            })
        });
        let others: Vec<Measures> = others.collect();
        all.extend(others);
    }
    all
}

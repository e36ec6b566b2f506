//! The payload of a check, written straight to its canonical bytes.
//!
//! A batch may publish a payload for each of millions of documents, so what is the same for all of them (names, sources,
//! hashes, versions) is written once, and each document adds its answers and claims between. The one-shot check
//! writes through the same code: its bytes are the batch's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use assay_claims::{Conversion, Dictionary, Evidence, Measure, Quantity};
use assay_compile::typed::ClaimId;
use assay_compile::{Measures, Ruleset, resolve};
use assay_engine::{Answer, Decisive};
use assay_units::{Bridge, Library};
use serde_json::{Map, Value, json};

use crate::canonical::{self, write_list, write_text};
use crate::contradicted;
use crate::error::Error;
use crate::units::put_conversion;
use crate::versions::versions;

/// How many combinations of foreign units are remembered; beyond them the memory starts anew.
const REMEMBERED_MEASURES: usize = 1_000;

/// One document that was decided.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// What its claims are bound to, with how their numbers [were read](assay_claims::Checker::quote).
    pub evidence: &'a Evidence,
    /// The answers, one for each assertion in source order.
    pub answers: &'a [Answer],
}

/// Writes the payloads of checks of one ruleset with one unit library. Shared between threads.
#[derive(Debug)]
pub struct CheckWriter {
    ruleset: Arc<Ruleset>,
    library: Library,
    /// For each assertion, what follows its answer: its name; and what follows its reason: its source.
    pieces: Vec<Pieces>,
    /// What follows the rules.
    tail: String,
    /// For claims in their declared units.
    declared: Arc<[Pairs]>,
    foreign: Mutex<HashMap<Measures, Arc<[Pairs]>>>,
}

#[derive(Debug)]
struct Pieces {
    name: String,
    source: String,
    policy: String,
    rule: String,
}

/// The `unbridged_units` member of an assertion with its comma, or nothing.
type Pairs = String;

impl CheckWriter {
    /// A writer for `ruleset` and `library`.
    pub fn new(ruleset: Arc<Ruleset>, library: Library) -> CheckWriter {
        let text = |text: &str| canonical::to_string(&json!(text));
        let pieces = ruleset.assertions.iter().map(|assertion| Pieces {
            name: format!(",\"name\":{}", text(&assertion.name)),
            source: format!(",\"source\":{}", text(&assertion.source)),
            policy: format!(",\"unknown_policy\":{}", text(assertion.policy.as_str())),
            rule: format!("}}],\"rule\":{}}}", text(&assertion.name)),
        });
        let tail = format!(
            ",\"ruleset_hash\":{},\"unit_library_hash\":{},\"versions\":{}}}",
            text(&ruleset.hash),
            canonical::to_string(&json!(library.hash())),
            canonical::to_string(&versions()),
        );
        let declared = pairs(&ruleset, &Measures::declared(&ruleset), &library);
        CheckWriter { pieces: pieces.collect(), tail, declared, foreign: Mutex::default(), ruleset, library }
    }

    /// Appends the payload of one document, without a line feed.
    ///
    /// # Errors
    /// `ENGINE_ERROR` where the answers are not exactly those that the manifest advertises; nothing is appended then.
    pub fn write(&self, out: &mut String, document: &Document<'_>) -> Result<(), Error> {
        self.write_with(out, document, &[])
    }

    /// The same, with what would settle the answers that are open.
    pub(crate) fn write_with(
        &self,
        out: &mut String,
        document: &Document<'_>,
        decisive: &[Option<Decisive>],
    ) -> Result<(), Error> {
        let (advertised, answered) = (self.pieces.len(), document.answers.len());
        if advertised != answered {
            return Err(Error::Engine(format!(
                "the engine answered {answered} assertions, and the ruleset has {advertised}; no answer is given"
            )));
        }
        out.push_str("{\"claims\":");
        self.claims(out, document);
        out.push_str(",\"ok\":true,\"rules\":");
        let pairs = self.pairs(document.evidence);
        write_list(
            out,
            self.pieces.iter().zip(document.answers).zip(pairs.iter()).enumerate(),
            |out, (at, ((pieces, answer), pairs))| {
                let decisive = decisive.get(at).and_then(Option::as_ref);
                self.assertion(out, pieces, document.evidence, answer, pairs, decisive);
            },
        );
        out.push_str(&self.tail);
        Ok(())
    }

    fn claims(&self, out: &mut String, document: &Document<'_>) {
        let named = |out: &mut String, bound: bool| {
            let claims = self.ruleset.claims.iter().enumerate();
            let claims = claims.filter(|(at, _)| is_bound(document.evidence.first(), ClaimId(*at)) == bound);
            write_list(out, claims, |out, (_, claim)| write_text(out, &claim.name));
        };
        out.push_str("{\"bound\":");
        named(out, true);
        out.push_str(",\"quantities\":");
        write_list(out, document.evidence.quantities(), |out, (claim, quantity)| {
            canonical::write(out, &quantity_value(&self.ruleset.claim(claim).name, quantity));
        });
        out.push_str(",\"unbound\":");
        named(out, false);
        out.push('}');
    }

    fn assertion(
        &self,
        out: &mut String,
        pieces: &Pieces,
        evidence: &Evidence,
        answer: &Answer,
        pairs: &str,
        decisive: Option<&Decisive>,
    ) {
        out.push_str("{\"assertions\":[{\"check\":\"");
        out.push_str(answer.word.as_str());
        out.push('"');
        if !answer.contradicted.is_empty() {
            out.push_str(",\"contradicted\":");
            canonical::write(out, &contradicted::claims(&self.ruleset, evidence, &answer.contradicted));
        }
        if let Some(decisive) = decisive {
            out.push_str(",\"decisive\":");
            canonical::write(out, &crate::explain::decisive(&self.ruleset, decisive));
        }
        out.push_str(&pieces.name);
        if let Some(reason) = &answer.reason_unknown {
            out.push_str(",\"reason_unknown\":");
            write_text(out, reason);
        }
        out.push_str(&pieces.source);
        out.push_str(pairs);
        out.push_str(&pieces.policy);
        out.push_str(&pieces.rule);
    }

    fn pairs(&self, evidence: &Evidence) -> Arc<[Pairs]> {
        if evidence.is_declared() {
            return Arc::clone(&self.declared);
        }
        let mut contradicted = evidence.contradicted().iter().flat_map(|claim| evidence.values(*claim));
        if contradicted.any(|value| *value.measure() != Measure::Declared) {
            let each = self.ruleset.assertions.iter().enumerate().map(|(number, assertion)| {
                let measures = contradicted::combinations(evidence, &assertion.reads);
                pairs_of(&self.ruleset, number, &measures, &self.library)
            });
            return each.collect();
        }
        let measures = evidence.first().measures();
        let known = |memory: &HashMap<Measures, Arc<[Pairs]>>| memory.get(&measures).map(Arc::clone);
        if let Some(pairs) = known(&self.foreign.lock().unwrap_or_else(PoisonError::into_inner)) {
            return pairs;
        }
        let found = pairs(&self.ruleset, &measures, &self.library);
        let mut memory = self.foreign.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.len() >= REMEMBERED_MEASURES {
            memory.clear();
        }
        memory.insert(measures, Arc::clone(&found));
        found
    }
}

/// For each assertion, the pairs of units that meet in it and that no exact factor bridges, with the claims in these
/// units.
fn pairs(ruleset: &Ruleset, measures: &Measures, library: &Library) -> Arc<[Pairs]> {
    let each = 0..ruleset.assertions.len();
    each.map(|assertion| pairs_of(ruleset, assertion, std::slice::from_ref(measures), library)).collect()
}

/// The pairs of units of one assertion, with the claims in any of these combinations of units.
fn pairs_of(ruleset: &Ruleset, assertion: usize, combinations: &[Measures], library: &Library) -> Pairs {
    let mut pairs: Vec<Value> = Vec::new();
    for measures in combinations {
        let formula = resolve(ruleset, assertion, measures, library);
        let missing = formula.unbridged().iter().map(|pair| (&pair.from, &pair.to, "missing"));
        let ambiguous =
            formula.intervals().iter().map(|interval| (&interval.from, &interval.to, "ambiguous"));
        for (from, to, cause) in missing.chain(ambiguous) {
            let pair = json!({ "from": from, "to": to, "cause": cause });
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    if pairs.is_empty() {
        return String::new();
    }
    format!(",\"unbridged_units\":{}", canonical::to_string(&Value::Array(pairs)))
}

fn is_bound(dictionary: &Dictionary, claim: ClaimId) -> bool {
    *dictionary.get(claim) != assay_claims::Binding::Unknown
}

fn quantity_value(claim: &str, quantity: &Quantity) -> Value {
    let mut fields = Map::new();
    fields.insert("claim".to_owned(), json!(claim));
    fields.insert("submitted".to_owned(), json!(quantity.submitted));
    fields.insert("bound".to_owned(), json!(quantity.bound));
    fields.insert("measured_in".to_owned(), json!(quantity.measured_in.as_ref().map(ToString::to_string)));
    if let Some(conversion) = &quantity.conversion {
        fields.insert("conversion".to_owned(), conversion_value(conversion));
    }
    Value::Object(fields)
}

fn conversion_value(conversion: &Conversion) -> Value {
    let mut fields = Map::new();
    fields.insert("from".to_owned(), json!(conversion.from.to_string()));
    fields.insert("to".to_owned(), json!(conversion.to.to_string()));
    fields.insert("by".to_owned(), json!("engine"));
    fields.insert("status".to_owned(), json!(conversion.bridge.word()));
    if let Bridge::Convertible { factor, offset } = &conversion.bridge {
        put_conversion(&mut fields, factor, offset);
    }
    Value::Object(fields)
}

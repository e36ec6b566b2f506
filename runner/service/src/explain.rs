//! The payload of an explanation, and the words that it shares with the text for people.

use std::cmp::Ordering;

use assay_claims::{Binding, ClaimId, Evidence, Measure};
use assay_compile::trace::{How, Said};
use assay_compile::typed::{LocalId, Vocabulary};
use assay_compile::{ClaimKind, Ruleset, Sort};
use assay_engine::{Completed, Conversion, Decisive, Explanation, Shown, Step, Supposed, Unshown};
use assay_units::{Rational, Unit, number};
use serde_json::{Map, Value, json};

use crate::canonical;
use crate::contradicted;
use crate::error::Error;
use crate::operations::{Prepared, engine};
use crate::units::{put_conversion, put_number};
use crate::versions::versions;

/// How many assertions a message lists.
const LISTED: usize = 10;

/// Explained answers.
#[derive(Debug)]
pub struct Explained {
    /// What the claims were bound to.
    pub evidence: Evidence,
    /// The assertions, by their place in the ruleset, with the explanations of their answers.
    pub explanations: Vec<(usize, Explanation)>,
    /// The payload.
    pub payload: String,
}

impl Prepared {
    /// Explains the answers for a claim dictionary, given as the bytes of its JSON: to every assertion, or to the named
    /// one.
    ///
    /// # Errors
    /// As [`Prepared::check`]; and `BAD_REQUEST` where the ruleset has no assertion of the name.
    pub fn explain(&self, claims: &[u8], name: Option<&str>) -> Result<Explained, Error> {
        let assertions = &self.ruleset().assertions;
        let wanted =
            assertions.iter().enumerate().filter(|(_, each)| name.is_none_or(|name| each.name == name));
        let wanted: Vec<usize> = wanted.map(|(at, _)| at).collect();
        if let (Some(name), true) = (name, wanted.is_empty()) {
            return Err(Error::BadRequest(no_assertion(self.ruleset(), name)));
        }
        let evidence = self.evidence(claims)?;
        let explain = |at: usize| Ok((at, self.plan().explain(at, &evidence).map_err(engine)?));
        let explanations = wanted.into_iter().map(explain).collect::<Result<Vec<_>, Error>>()?;
        let each = explanations.iter().map(|(at, each)| explanation(self.ruleset(), &evidence, *at, each));
        let payload = canonical::to_string(&json!({
            "ok": true,
            "explanations": each.collect::<Vec<_>>(),
            "ruleset_hash": self.ruleset().hash,
            "unit_library_hash": self.library().hash(),
            "versions": versions(),
        }));
        Ok(Explained { evidence, explanations, payload })
    }
}

fn no_assertion(ruleset: &Ruleset, name: &str) -> String {
    let names: Vec<String> =
        ruleset.assertions.iter().take(LISTED).map(|each| format!("`{}`", each.name)).collect();
    let more = if ruleset.assertions.len() > LISTED { ", …" } else { "" };
    match names.is_empty() {
        true => format!("the ruleset has no assertion `{name}`: it has none"),
        false => format!("the ruleset has no assertion `{name}`: it has {}{more}", names.join(", ")),
    }
}

fn explanation(ruleset: &Ruleset, evidence: &Evidence, at: usize, of: &Explanation) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    let names = |claims: &[ClaimId]| -> Vec<&str> {
        claims.iter().map(|claim| ruleset.claim(*claim).name.as_str()).collect()
    };
    if let Some(assertion) = ruleset.assertions.get(at) {
        put("name", json!(assertion.name));
        put("source", json!(assertion.source));
        put("description", json!(assertion.description));
        put("unknown_policy", json!(assertion.policy.as_str()));
    }
    put("check", json!(of.answer.word.as_str()));
    put("before_policy", json!(of.answer.before.as_str()));
    if let Some(reason) = &of.answer.reason_unknown {
        put("reason_unknown", json!(&**reason));
    }
    put("parts", of.steps.list.iter().map(|step| part(ruleset, step)).collect());
    put("more_parts", json!(of.steps.more));
    if let Some(mattered) = &of.mattered {
        put("mattered", json!(names(mattered)));
    }
    if !of.answer.contradicted.is_empty() {
        put("contradicted", contradicted::claims(ruleset, evidence, &of.answer.contradicted));
    }
    if let Some([holds, fails]) = &of.completions {
        put("completions", json!({ "holds": completed(ruleset, holds), "fails": completed(ruleset, fails) }));
    }
    if let Some(choices) = &of.choices {
        let choice = |choice: &assay_engine::Choice| {
            let values = choice.values.iter().map(|(claim, value)| bound(ruleset, *claim, value));
            json!({ "before_policy": choice.before.as_str(), "values": values.collect::<Vec<_>>() })
        };
        put("choices", choices.iter().map(choice).collect());
    }
    if let Some(found) = &of.decisive {
        put("decisive", decisive(ruleset, found));
        let enough = of.enough.iter().map(|enough| {
            let mut value = bound(ruleset, enough.claim, &enough.value);
            value["holds"] = json!(enough.holds);
            value
        });
        put("enough", enough.collect());
    }
    Value::Object(fields)
}

/// Decisive sets as payloads have them.
pub(crate) fn decisive(ruleset: &Ruleset, found: &Decisive) -> Value {
    let names = |set: &Vec<ClaimId>| -> Vec<String> {
        set.iter().map(|claim| ruleset.claim(*claim).name.clone()).collect()
    };
    json!({ "sets": found.sets.iter().map(names).collect::<Vec<_>>(), "complete": found.complete })
}

fn part(ruleset: &Ruleset, step: &Step) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("depth", json!(step.part.depth));
    match &step.part.said {
        Said::Claim(id) => put("claim", json!(ruleset.claim(*id).name)),
        Said::Local(_) => put("local", json!(said(ruleset, &step.part.said))),
        Said::Written { span, given } => {
            if let Some((variable, element)) = given {
                let (variable, element) = (one_line(ruleset, *variable), one_line(ruleset, *element));
                put("given", json!({ "variable": variable, "element": element }));
            }
            put("source", json!(one_line(ruleset, *span)))
        }
        Said::Count | Said::Chosen => put("what", json!(said(ruleset, &step.part.said))),
    };
    put("value", plain(&step.value, step.part.vocabulary.as_deref()));
    if step.value == Shown::TooLarge {
        put("too_large", json!(true));
    }
    if let Some(unit) = step.part.unit.as_ref().filter(|unit| !unit.is_one()) {
        put("unit", json!(unit.to_string()));
    }
    if !step.conversions.is_empty() {
        put("conversions", step.conversions.iter().map(conversion).collect());
    }
    Value::Object(fields)
}

fn conversion(of: &Conversion) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("from", json!(of.converted.from.to_string()));
    put("to", json!(of.converted.to.to_string()));
    put("before", plain(&of.before, None));
    put("after", plain(&of.after, None));
    match &of.converted.how {
        How::Exact { factor, offset } => {
            put("status", json!("convertible"));
            put_conversion(&mut fields, factor, offset);
        }
        How::Interval { interval, inverse, factor } => {
            put("status", json!("ambiguous"));
            put("one", json!(interval.from));
            put("in", json!(interval.to));
            put("divides", json!(inverse));
            put_number(&mut fields, "low", &interval.low);
            put_number(&mut fields, "high", &interval.high);
            put_number(&mut fields, "factor", factor);
        }
        How::Unbridged => {
            put("status", json!("no_path"));
        }
    }
    Value::Object(fields)
}

fn completed(ruleset: &Ruleset, completed: &Completed) -> Value {
    match completed {
        Ok(supposed) => {
            json!({ "supposing": supposed.iter().map(|each| supposing(ruleset, each)).collect::<Vec<_>>() })
        }
        Err(why) => json!({ "not_shown": unshown(why) }),
    }
}

fn supposing(ruleset: &Ruleset, supposed: &Supposed) -> Value {
    match supposed {
        Supposed::Claim(id, value) => bound(ruleset, *id, value),
        Supposed::Local(id, value) => {
            json!({ "local": local_name(ruleset, *id), "value": plain(value, local_vocabulary(ruleset, *id)) })
        }
        Supposed::Factor(interval, value) => {
            json!({ "one": interval.from, "in": interval.to, "value": number::plain(value) })
        }
    }
}

fn local_name(ruleset: &Ruleset, local: LocalId) -> &str {
    ruleset.locals.get(local.0).map(|local| local.name.as_str()).unwrap_or_default()
}

fn local_vocabulary(ruleset: &Ruleset, local: LocalId) -> Option<&Vocabulary> {
    match ruleset.locals.get(local.0).map(|local| &local.sort) {
        Some(Sort::Member(vocabulary)) => Some(vocabulary),
        _ => None,
    }
}

fn bound(ruleset: &Ruleset, claim: ClaimId, binding: &Binding) -> Value {
    let mut fields = json!({ "claim": ruleset.claim(claim).name, "value": plain(&shown(binding), vocabulary(ruleset, claim)) });
    if let Some(unit) = unit_of(ruleset, claim, binding) {
        fields["unit"] = json!(unit.to_string());
    }
    fields
}

fn plain(value: &Shown, vocabulary: Option<&Vocabulary>) -> Value {
    match value {
        Shown::Unknown | Shown::TooLarge => Value::Null,
        Shown::Bool(value) => json!(value),
        Shown::Num(value) => json!(number::plain(value)),
        Shown::Member(number) => json!(member(*number, vocabulary)),
    }
}

fn member(number: u32, vocabulary: Option<&Vocabulary>) -> Option<&str> {
    vocabulary?.members.get(number as usize).map(String::as_str)
}

fn vocabulary(ruleset: &Ruleset, claim: ClaimId) -> Option<&Vocabulary> {
    match &ruleset.claim(claim).kind {
        ClaimKind::Enum(of) => Some(&of.vocabulary),
        _ => None,
    }
}

fn unit(ruleset: &Ruleset, claim: ClaimId) -> Option<&Unit> {
    match &ruleset.claim(claim).kind {
        ClaimKind::Numeric { unit, .. } => unit.as_ref(),
        _ => None,
    }
}

fn unit_of<'a>(ruleset: &'a Ruleset, claim: ClaimId, binding: &'a Binding) -> Option<&'a Unit> {
    match binding {
        Binding::Number { measure: Measure::Foreign(unit) | Measure::Interval(unit), .. } => Some(unit),
        _ => unit(ruleset, claim),
    }
}

fn shown(binding: &Binding) -> Shown {
    match binding {
        Binding::Unknown => Shown::Unknown,
        Binding::Bool(value) => Shown::Bool(*value),
        Binding::Number { value, .. } => Shown::Num(value.clone()),
        Binding::Member(number) => Shown::Member(*number),
    }
}

/// The text of a span on one line.
fn one_line(ruleset: &Ruleset, span: assay_syntax::Span) -> String {
    let lines = ruleset.source.slice(span).lines().map(without_comment);
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// A line of a source without the comment at its end. What looks like one within quotes is none.
fn without_comment(line: &str) -> &str {
    let quotes = |before: &str| before.replace("\\\\", "").replace("\\\"", "").matches('"').count();
    let mut comment = line.match_indices("//").map(|(at, _)| line.split_at(at).0);
    comment.find(|before| quotes(before).is_multiple_of(2)).unwrap_or(line)
}

/// What a part says, for a person: its text, or its name.
pub fn said(ruleset: &Ruleset, said: &Said) -> String {
    match said {
        Said::Claim(id) => ruleset.claim(*id).name.clone(),
        Said::Local(id) => local_name(ruleset, *id).to_owned(),
        Said::Written { span, given: None } => one_line(ruleset, *span),
        Said::Written { span, given: Some((variable, element)) } => {
            let (variable, element) = (one_line(ruleset, *variable), one_line(ruleset, *element));
            let text = one_line(ruleset, *span);
            match text == variable {
                true => format!("{variable} = {element}"),
                false => format!("{variable} = {element}: {text}"),
            }
        }
        Said::Count => "how many hold".to_owned(),
        Said::Chosen => "what is chosen".to_owned(),
    }
}

/// The value of a part, for a person.
pub fn value(step: &Step) -> String {
    text(&step.value, step.part.unit.as_ref(), step.part.vocabulary.as_deref())
}

/// The value of a claim, for a person: `120 USD`, `True`, `"meals"`.
pub fn claim_value(ruleset: &Ruleset, claim: ClaimId, binding: &Binding) -> String {
    text(&shown(binding), unit_of(ruleset, claim, binding), vocabulary(ruleset, claim))
}

/// One thing that is supposed, for a person: `nights = 2 night`.
pub fn supposed(ruleset: &Ruleset, supposed: &Supposed) -> String {
    match supposed {
        Supposed::Claim(id, value) => {
            format!("{} = {}", ruleset.claim(*id).name, claim_value(ruleset, *id, value))
        }
        Supposed::Local(id, value) => {
            format!("{} = {}", local_name(ruleset, *id), text(value, None, local_vocabulary(ruleset, *id)))
        }
        Supposed::Factor(interval, value) => {
            format!("1 {} = {} {}", interval.from, readable(value), interval.to)
        }
    }
}

/// Why no completion is shown, for a person.
pub fn unshown(why: &Unshown) -> String {
    match why {
        Unshown::Unbridged(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
            format!(
                "no value of a claim shows it: it turns on a conversion that nothing gives ({})",
                pairs.join(", ")
            )
        }
        Unshown::DivisionByZero => "no value of a claim shows it: it turns on a division by zero".to_owned(),
        Unshown::NotFound => "no values that are fractions were found within the solver's limit".to_owned(),
    }
}

/// How a number was converted, for a person.
pub fn converted(of: &Conversion) -> String {
    let (from, to) = (&of.converted.from, &of.converted.to);
    let side = |value: &Shown, unit: &Unit| match value {
        Shown::Num(_) => text(value, Some(unit), None),
        _ if unit.is_one() => "a bare number".to_owned(),
        _ => unit.to_string(),
    };
    let (before, after) = (side(&of.before, from), side(&of.after, to));
    match &of.converted.how {
        How::Exact { factor, offset } => format!("{before} = {after} ({})", affine(factor, offset)),
        How::Interval { interval, .. } => format!(
            "{before} in {to}: 1 {} is {} to {} {}",
            interval.from,
            readable(&interval.low),
            readable(&interval.high),
            interval.to
        ),
        How::Unbridged => format!("nothing converts {before} to {to}"),
    }
}

/// What an exact conversion does, for a person: `* 5/9 - 160/9`.
pub fn affine(factor: &Rational, offset: &Rational) -> String {
    let zero = Rational::default();
    let factor = readable(factor);
    match offset.cmp(&zero) {
        Ordering::Equal => format!("* {factor}"),
        Ordering::Greater => format!("* {factor} + {}", readable(offset)),
        Ordering::Less => format!("* {factor} - {}", readable(&-offset)),
    }
}

fn text(value: &Shown, unit: Option<&Unit>, vocabulary: Option<&Vocabulary>) -> String {
    match value {
        Shown::Unknown => "unknown".to_owned(),
        Shown::TooLarge => "too large".to_owned(),
        Shown::Bool(true) => "True".to_owned(),
        Shown::Bool(false) => "False".to_owned(),
        Shown::Num(value) => match unit.filter(|unit| !unit.is_one()) {
            Some(unit) => format!("{} {unit}", readable(value)),
            None => readable(value),
        },
        Shown::Member(number) => format!("{:?}", member(*number, vocabulary).unwrap_or_default()),
    }
}

/// How many characters an exact number may have to be shown whole.
const WHOLE: usize = 24;

/// A number for a person: exact where it is short or whole, else `about` it, cut after six decimals.
pub fn readable(value: &Rational) -> String {
    if let Some(decimal) = number::decimal(value).filter(|decimal| decimal.len() <= WHOLE) {
        return decimal;
    }
    let fraction = number::fraction(value);
    if fraction.len() <= WHOLE / 2 {
        return fraction;
    }
    let million = Rational::from_integer(1_000_000.into());
    let cut = (value * &million).trunc() / million;
    let text = number::plain(&cut);
    if cut == *value { text } else { format!("about {text}") }
}

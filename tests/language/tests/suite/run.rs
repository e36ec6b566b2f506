//! Runs one case through the public boundaries, from bytes to answers.

use std::sync::Arc;

use assay_claims::{Checker, Evidence, Raw, Reading, parse_json};
use assay_compile::{Options, Ruleset, compile, unbridged};
use assay_syntax::render;
use assay_units::{ConverterError, Format, Library, read_converters};

use super::case::{Case, ReadingOptions, Refuses};
use super::decide::decide;

/// What became of a case.
pub enum Outcome {
    /// Everything was accepted.
    Accepted { ruleset: Arc<Ruleset>, library: Library, evidence: Option<Evidence> },
    /// Something was refused: what, how many errors, the fields that failed, and what is said.
    Refused { what: Refuses, errors: usize, fields: Vec<String>, says: String },
}

/// Runs a case as far as it goes.
pub fn run(case: &Case) -> Outcome {
    match stages(case) {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

fn stages(case: &Case) -> Result<Outcome, Outcome> {
    let library = library(case)?;
    let options = Options { require_descriptions: case.require_descriptions };
    let ruleset = compile(&case.source(), &options).map_err(|refusal| Outcome::Refused {
        what: Refuses::Source,
        errors: refusal.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count(),
        fields: Vec::new(),
        says: render(refusal.source.as_ref(), "policy.dsail", &refusal.diagnostics, false),
    })?;
    let ruleset = Arc::new(ruleset);
    let mut evidence = None;
    if let Some(claims) = &case.claims {
        let reading = case.reading.clone().map(reading).unwrap_or_default();
        let checker =
            Checker::new(ruleset.clone(), library.clone(), reading).map_err(|error| Outcome::Refused {
                what: Refuses::Reading,
                errors: 1,
                fields: Vec::new(),
                says: said(&error.message, error.help.as_deref()),
            })?;
        let mut joined = bind(&checker, claims)?;
        for row in &case.more {
            joined.join(bind(&checker, row)?, &library);
        }
        evidence = Some(joined);
    }
    Ok(Outcome::Accepted { ruleset, library, evidence })
}

fn library(case: &Case) -> Result<Library, Outcome> {
    let Some(text) = &case.converters else { return Ok(Library::built_in()) };
    read_converters(text, Format::Toml).and_then(Library::with).map_err(|errors| Outcome::Refused {
        what: Refuses::Converters,
        errors: errors.len(),
        fields: Vec::new(),
        says: errors.iter().map(converter_error).collect(),
    })
}

fn reading(options: ReadingOptions) -> Reading {
    let strict = Reading::default();
    Reading {
        trim: options.trim.unwrap_or(strict.trim),
        thousands: options.thousands.or(strict.thousands),
        decimal: options.decimal.unwrap_or(strict.decimal),
        plus: options.plus.unwrap_or(strict.plus),
        list: strict.list,
        null: options.null.unwrap_or(strict.null),
        true_words: options.true_words.unwrap_or(strict.true_words),
        false_words: options.false_words.unwrap_or(strict.false_words),
        nan_unknown: options.nan.is_some_and(|nan| nan == "unknown"),
    }
}

fn bind(checker: &Checker, claims: &str) -> Result<Evidence, Outcome> {
    let refused = |errors, fields, says| Outcome::Refused { what: Refuses::Claims, errors, fields, says };
    let raw = parse_json(claims.as_bytes()).map_err(|error| refused(1, Vec::new(), format!("{error}\n")))?;
    let Raw::Object(fields) = raw else {
        return Err(refused(1, Vec::new(), "the claims are no JSON object\n".to_owned()));
    };
    checker.dictionary(&fields).map_err(|rejection| {
        let line = |failure: &assay_claims::Failure| {
            format!("{}: expected {}, received {}\n", failure.field, failure.expected, failure.received)
        };
        let fields = rejection.failures.iter().map(|failure| failure.field.clone()).collect();
        refused(rejection.failure_count, fields, rejection.failures.iter().map(line).collect())
    })
}

fn converter_error(error: &ConverterError) -> String {
    let number = error.index.map(|index| format!("converter {}", index + 1));
    let pair = error.pair.as_ref().map(|(from, to)| format!("`{from}` to `{to}`"));
    let place: Vec<String> = number.into_iter().chain(pair).collect();
    let message = said(&error.message, error.help.as_deref());
    if place.is_empty() { message } else { format!("{}: {message}", place.join(", ")) }
}

fn said(message: &str, help: Option<&str>) -> String {
    match help {
        None => format!("{message}\n"),
        Some(help) => format!("{message}\n  help: {help}\n"),
    }
}

/// What is not as a case says, in a line each; and what was said where it was refused.
pub fn check(case: &Case) -> (Vec<String>, Option<String>) {
    let mut wrong = Vec::new();
    let mut demand = |holds: bool, say: String| {
        if !holds {
            wrong.push(say);
        }
    };
    match run(case) {
        Outcome::Refused { what, errors, fields, says } => {
            demand(case.refused() == Some(what), format!("refused ({what:?}):\n{says}"));
            if what == Refuses::Source {
                let expected = case.errors.unwrap_or(1);
                demand(errors == expected, format!("{errors} errors, not {expected}:\n{says}"));
            }
            demand(fields == case.fields, format!("the fields {fields:?} fail, not {:?}", case.fields));
            for part in &case.says {
                demand(says.contains(part), format!("nothing says {part:?}:\n{says}"));
            }
            (wrong, Some(says))
        }
        Outcome::Accepted { ruleset, library, evidence } => {
            demand(case.refused().is_none(), "accepted".to_owned());
            if let Some(expected) = &case.warns {
                let found: Vec<String> = ruleset
                    .warnings
                    .iter()
                    .map(|warning| {
                        render(Some(&ruleset.source), "policy.dsail", std::slice::from_ref(warning), false)
                    })
                    .collect();
                let met = found.len() == expected.len()
                    && found.iter().zip(expected).all(|(warning, part)| warning.contains(part));
                demand(met, format!("warns {found:#?}, not {expected:?}"));
            }
            if let Some(hash) = &case.hash {
                demand(*hash == ruleset.hash, format!("the hash is {}", ruleset.hash));
            }
            for (name, description) in &case.descriptions {
                let assertion = ruleset.assertions.iter().find(|assertion| assertion.name == *name);
                let found = assertion.map(|assertion| assertion.description.clone().unwrap_or_default());
                demand(found.as_ref() == Some(description), format!("`{name}` is described by {found:?}"));
            }
            if let Some(expected) = &case.unbridged {
                let found: Vec<String> = unbridged(&ruleset, &library)
                    .iter()
                    .map(|pair| format!("{}: {} -> {}", pair.rule, pair.from, pair.to))
                    .collect();
                demand(found == *expected, format!("unbridged are {found:?}"));
            }
            match (evidence, &case.answers) {
                (Some(evidence), Some(_)) => {
                    for answered in decide(ruleset, library, &evidence, case.max_choices) {
                        demand(
                            Some(&answered.words) == case.answers.as_ref(),
                            format!("answers {answered:?}"),
                        );
                        for (name, reason) in &case.reasons {
                            let found = answered.reasons.get(name);
                            demand(found == Some(reason), format!("the reason of `{name}` is {found:?}"));
                        }
                        demand(
                            answered.contradicted == case.contradicted,
                            format!("contradicted are {:?}", answered.contradicted),
                        );
                    }
                }
                (None, None) => {}
                (Some(_), None) => demand(case.reasons.is_empty(), "`reasons` without `answers`".to_owned()),
                (None, Some(_)) => demand(false, "`answers` without `claims`".to_owned()),
            }
            (wrong, None)
        }
    }
}

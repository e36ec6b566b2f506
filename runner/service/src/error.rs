//! What an operation refuses, and the envelope that says so on the wire.

use assay_claims::Rejection;
use assay_compile::{GRAMMAR_GUIDE, Refusal};
use serde_json::{Map, Value, json};

use crate::canonical;
use crate::diagnostics::diagnostics;
use crate::versions::versions;

/// Why an operation has no payload.
#[derive(Debug, Clone)]
pub enum Error {
    /// The source does not compile: `COMPILE_FAILED`, or `BUDGET_EXCEEDED` where it went past a limit.
    Compile(Refusal),
    /// The claim dictionary is refused: `VALIDATION_REJECTED`.
    Rejected(Rejection),
    /// No ruleset of this name or hash is stored: `RULESET_NOT_FOUND`.
    NotFound(String),
    /// The arguments make no sense: `BAD_REQUEST`.
    BadRequest(String),
    /// The engine could not answer, and gives no answer rather than part of one: `ENGINE_ERROR`.
    Engine(String),
}

impl Error {
    /// The code of the contract.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Compile(refusal) if refusal.diagnostics.iter().any(|each| each.budget.is_some()) => {
                "BUDGET_EXCEEDED"
            }
            Error::Compile(_) => "COMPILE_FAILED",
            Error::Rejected(_) => "VALIDATION_REJECTED",
            Error::NotFound(_) => "RULESET_NOT_FOUND",
            Error::BadRequest(_) => "BAD_REQUEST",
            Error::Engine(_) => "ENGINE_ERROR",
        }
    }

    /// The message, one line.
    pub fn message(&self) -> String {
        match self {
            Error::Compile(refusal) => compile_message(refusal),
            Error::Rejected(rejection) => rejection_message(rejection),
            Error::NotFound(message) | Error::BadRequest(message) | Error::Engine(message) => message.clone(),
        }
    }

    /// The envelope, `{"ok":false,"error":{…},"versions":{…}}`, as canonical JSON.
    pub fn envelope(&self) -> String {
        let mut error = Map::new();
        let mut set = |name: &str, value: Value| {
            error.insert(name.to_owned(), value);
        };
        set("code", json!(self.code()));
        set("message", json!(self.message()));
        match self {
            Error::Compile(refusal) => {
                set("diagnostics", json!(diagnostics(&refusal.diagnostics, refusal.source.as_ref())));
                set("hint", json!(GRAMMAR_GUIDE));
                if let Some(passed) = refusal.diagnostics.iter().find_map(|each| each.budget.as_ref()) {
                    set("budget", json!(passed.budget));
                    set("limit", json!(passed.limit));
                    set("actual", json!(passed.actual));
                }
            }
            Error::Rejected(rejection) => {
                let failures = rejection.failures.iter().map(|failure| {
                    json!({ "field": failure.field, "expected": failure.expected, "received": failure.received })
                });
                set("failures", failures.collect());
                set("failure_count", json!(rejection.failure_count));
            }
            Error::NotFound(_) | Error::BadRequest(_) | Error::Engine(_) => {}
        }
        canonical::to_string(&json!({ "ok": false, "error": error, "versions": versions() }))
    }
}

fn compile_message(refusal: &Refusal) -> String {
    let errors = refusal.diagnostics.iter().filter(|each| each.is_error());
    let first = errors.clone().next();
    let line = match (&refusal.source, first) {
        (Some(source), Some(first)) => {
            format!(", the first in line {}", source.position(first.span.start).line)
        }
        _ => String::new(),
    };
    match errors.count() {
        1 => format!(
            "the source does not compile: {}",
            first.map(|each| each.message.as_str()).unwrap_or_default()
        ),
        count => format!("the source does not compile: {count} errors{line}"),
    }
}

fn rejection_message(rejection: &Rejection) -> String {
    let (count, listed) = (rejection.failure_count, rejection.failures.len());
    let fields = if count == 1 { "1 field is".to_owned() } else { format!("{count} fields are") };
    let cut = if listed < count { format!("; the first {listed} are listed") } else { String::new() };
    format!("{fields} refused, and nothing was checked{cut}")
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Error {}

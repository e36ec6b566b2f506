//! The operations: arguments in, payloads out. Every door calls these and publishes what they return.

use std::sync::Arc;

use assay_claims::{Checker, Evidence, Raw, Reading, parse_json};
use assay_compile::{
    INTEGRITY_RULE, Options, Refusal, Ruleset, UnbridgedUnits, assembly_notes, claim_schema, manifest,
    prompts, review, summary, unbridged, validation_contract,
};
use assay_engine::{Answer, Decisive, EngineError, Plan, Settings};
use assay_syntax::{Diagnostic, Span};
use assay_units::Library;
use serde_json::{Value, json};

use crate::canonical;
use crate::check::{CheckWriter, Document};
use crate::diagnostics;
use crate::error::Error;
use crate::versions::versions;

/// A ruleset that both front ends accepted, with a unit library: ready to be described and to answer.
#[derive(Debug)]
pub struct Prepared {
    ruleset: Arc<Ruleset>,
    library: Library,
    unbridged: Vec<UnbridgedUnits>,
    plan: Plan,
    checker: Checker,
    writer: CheckWriter,
}

/// A dictionary that was checked.
#[derive(Debug)]
pub struct Checked {
    /// What its claims were bound to, with how its numbers were read.
    pub evidence: Evidence,
    /// The answers, one for each assertion in source order.
    pub answers: Vec<Answer>,
    /// What would settle the answers that are open, where that was asked for.
    pub decisive: Vec<Option<Decisive>>,
    /// The payload.
    pub payload: String,
}

impl Prepared {
    /// Compiles a source and translates every assertion for the solver.
    ///
    /// # Errors
    /// `COMPILE_FAILED` or `BUDGET_EXCEEDED` with every diagnostic, also where the two front ends disagree;
    /// `ENGINE_ERROR` where the solver cannot be started.
    pub fn new(
        source: &[u8],
        options: &Options,
        library: &Library,
        settings: Settings,
    ) -> Result<Prepared, Error> {
        let ruleset = Arc::new(assay_compile::compile(source, options).map_err(Error::Compile)?);
        let plan = Plan::new(Arc::clone(&ruleset), library.clone(), settings)
            .map_err(|error| unplanned(&ruleset, error))?;
        let checker = Checker::new(Arc::clone(&ruleset), library.clone(), Reading::default())
            .map_err(|error| Error::Engine(error.message))?;
        Ok(Prepared {
            unbridged: unbridged(&ruleset, library),
            writer: CheckWriter::new(Arc::clone(&ruleset), library.clone()),
            library: library.clone(),
            ruleset,
            plan,
            checker,
        })
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The plan by which it is decided.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The unit library.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The pairs of units that meet in a rule and that nothing bridges.
    pub fn unbridged(&self) -> &[UnbridgedUnits] {
        &self.unbridged
    }

    /// The payload of a compile.
    pub fn compile_payload(&self) -> String {
        canonical::to_string(&self.compile_value())
    }

    pub(crate) fn compile_value(&self) -> Value {
        let ruleset = &*self.ruleset;
        let pairs = self.unbridged.iter().map(|pair| {
            json!({ "rule": pair.rule, "from": pair.from, "to": pair.to, "cause": pair.cause.as_str() })
        });
        json!({
            "ok": true,
            "ruleset_hash": ruleset.hash,
            "source": ruleset.source.text(),
            "manifest": manifest(ruleset),
            "review": review(ruleset),
            "summary": summary(ruleset),
            "claim_schema": claim_schema(ruleset),
            "validation_contract": validation_contract(ruleset),
            "unbridged_units": pairs.collect::<Vec<_>>(),
            "diagnostics": self.warnings(),
            "unit_library_hash": self.library.hash(),
            "versions": versions(),
        })
    }

    /// The warnings of the source and those of its units, by line.
    fn warnings(&self) -> Vec<Value> {
        let mut warnings = diagnostics::diagnostics(&self.ruleset.warnings, Some(&self.ruleset.source));
        warnings.extend(self.unbridged.iter().map(|pair| diagnostics::unbridged(pair, &self.ruleset)));
        warnings.sort_by_key(|warning| warning["line"].as_u64());
        warnings
    }

    /// The payload of the prompt pack.
    pub fn prompt_pack(&self) -> String {
        let ruleset = &*self.ruleset;
        canonical::to_string(&json!({
            "ok": true,
            "ruleset_hash": ruleset.hash,
            "integrity_rule": INTEGRITY_RULE,
            "prompts": prompts(ruleset),
            "claim_schema": claim_schema(ruleset),
            "validation_contract": validation_contract(ruleset),
            "assembly_notes": assembly_notes(ruleset),
            "versions": versions(),
        }))
    }

    /// Checks a claim dictionary, given as the bytes of its JSON.
    ///
    /// # Errors
    /// `BAD_REQUEST` where the bytes are no JSON object, `VALIDATION_REJECTED` with every failing field, `ENGINE_ERROR`
    /// where the engine has no answer for every assertion.
    pub fn check(&self, claims: &[u8]) -> Result<Checked, Error> {
        self.checked(claims, false)
    }

    /// A check whose payload also says what would settle each answer that is open: `decisive`.
    ///
    /// # Errors
    /// As [`Prepared::check`].
    pub fn check_decisive(&self, claims: &[u8]) -> Result<Checked, Error> {
        self.checked(claims, true)
    }

    fn checked(&self, claims: &[u8], with_decisive: bool) -> Result<Checked, Error> {
        let evidence = self.evidence(claims)?;
        let answers = self.plan.decide_all(std::slice::from_ref(&evidence)).map_err(engine)?;
        let [answers] = <[_; 1]>::try_from(answers)
            .map_err(|_| Error::Engine("the engine did not answer for exactly one document".to_owned()))?;
        let decisive = answers.iter().enumerate().map(|(assertion, answer)| match with_decisive {
            true => self.plan.decisive(assertion, &evidence, answer).map_err(engine),
            false => Ok(None),
        });
        let decisive = decisive.collect::<Result<Vec<_>, Error>>()?;
        let mut payload = String::new();
        let document = Document { evidence: &evidence, answers: &answers };
        self.writer.write_with(&mut payload, &document, &decisive)?;
        Ok(Checked { evidence, answers, decisive, payload })
    }

    /// What a claim dictionary is bound to, with how its numbers were read.
    pub(crate) fn evidence(&self, claims: &[u8]) -> Result<Evidence, Error> {
        let raw = parse_json(claims)
            .map_err(|error| Error::BadRequest(format!("the claims are not JSON: {error}")))?;
        let Raw::Object(fields) = &raw else {
            return Err(Error::BadRequest(
                "the claims are not a JSON object of claim names and values".to_owned(),
            ));
        };
        let mut evidence = self.checker.dictionary(fields).map_err(Error::Rejected)?;
        self.checker.quote(&mut evidence, self.checker.given(fields));
        Ok(evidence)
    }
}

/// A compile: see [`Prepared::new`] and [`Prepared::compile_payload`].
///
/// # Errors
/// As [`Prepared::new`].
pub fn compile(source: &[u8], options: &Options, library: &Library) -> Result<String, Error> {
    Ok(Prepared::new(source, options, library, Settings::default())?.compile_payload())
}

/// A prompt pack: see [`Prepared::prompt_pack`].
///
/// # Errors
/// As [`Prepared::new`].
pub fn prompt_pack(source: &[u8], library: &Library) -> Result<String, Error> {
    Ok(Prepared::new(source, &Options::default(), library, Settings::default())?.prompt_pack())
}

/// A check: see [`Prepared::check`].
///
/// # Errors
/// As [`Prepared::new`] and [`Prepared::check`].
pub fn check(source: &[u8], library: &Library, claims: &[u8]) -> Result<String, Error> {
    Ok(Prepared::new(source, &Options::default(), library, Settings::default())?.check(claims)?.payload)
}

/// What a plan that cannot be made says. A ruleset that compiles and that the solver's translation refuses is refused
/// before anybody relies on it; anything else is a fault of the engine.
fn unplanned(ruleset: &Ruleset, error: EngineError) -> Error {
    let EngineError::Translation { assertion, .. } = &error else { return engine(error) };
    let line = ruleset.assertions.iter().find(|each| each.name == *assertion).map_or(1, |each| each.line);
    let before = ruleset.source.text().split_inclusive('\n').take((line as usize).saturating_sub(1));
    let start = before.map(str::len).sum::<usize>() as u32;
    let diagnostic = Diagnostic::error(Span { start, end: start }, error.to_string())
        .help("this is a fault of the engine and not of the source: please report it with the source");
    Error::Compile(Refusal { source: Some(ruleset.source.clone()), diagnostics: vec![diagnostic] })
}

pub(crate) fn engine(error: EngineError) -> Error {
    Error::Engine(error.to_string())
}

//! Decides a document on both routes.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_claims::Evidence;
use assay_compile::Ruleset;
use assay_engine::{Plan, Route, Settings};
use assay_units::Library;

/// The answers of one route, by assertion.
#[derive(Debug)]
#[allow(dead_code, reason = "the route is read where a failure is printed")]
pub struct Answered {
    pub route: Route,
    pub words: BTreeMap<String, String>,
    pub reasons: BTreeMap<String, String>,
    /// The contradicted claims of the assertions that read some.
    pub contradicted: BTreeMap<String, Vec<String>>,
}

/// Decides by evaluation with the solver behind it, and by the solver alone.
pub fn decide(
    ruleset: Arc<Ruleset>,
    library: Library,
    evidence: &Evidence,
    max_choices: Option<u32>,
) -> Vec<Answered> {
    [Route::Auto, Route::Z3]
        .map(|route| {
            let usual = Settings::default();
            let max_choices = max_choices.unwrap_or(usual.max_choices);
            let settings = Settings { route, max_choices, ..usual };
            let plan =
                Plan::new(ruleset.clone(), library.clone(), settings).expect("a plan of a compiled ruleset");
            let answers = plan.decide_all(std::slice::from_ref(evidence)).expect("answers");
            let answers = answers.into_iter().next().expect("the answers of the one document");
            let named = ruleset.assertions.iter().zip(answers);
            let mut answered = Answered {
                route,
                words: BTreeMap::new(),
                reasons: BTreeMap::new(),
                contradicted: BTreeMap::new(),
            };
            for (assertion, answer) in named {
                if !answer.contradicted.is_empty() {
                    let names = answer.contradicted.iter().map(|claim| ruleset.claim(*claim).name.clone());
                    answered.contradicted.insert(assertion.name.clone(), names.collect());
                }
                answered.words.insert(assertion.name.clone(), answer.word.as_str().to_owned());
                if let Some(reason) = &answer.reason_unknown {
                    answered.reasons.insert(assertion.name.clone(), reason.to_string());
                }
            }
            answered
        })
        .into()
}

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
}

/// Decides by evaluation with the solver behind it, and by the solver alone.
pub fn decide(ruleset: Arc<Ruleset>, library: Library, evidence: &Evidence) -> Vec<Answered> {
    [Route::Auto, Route::Z3]
        .map(|route| {
            let settings = Settings { route, ..Settings::default() };
            let plan =
                Plan::new(ruleset.clone(), library.clone(), settings).expect("a plan of a compiled ruleset");
            let answers = plan.decide_all(std::slice::from_ref(evidence)).expect("answers");
            let answers = answers.into_iter().next().expect("the answers of the one document");
            let named = ruleset.assertions.iter().zip(answers);
            let mut answered = Answered { route, words: BTreeMap::new(), reasons: BTreeMap::new() };
            for (assertion, answer) in named {
                answered.words.insert(assertion.name.clone(), answer.word.as_str().to_owned());
                if let Some(reason) = &answer.reason_unknown {
                    answered.reasons.insert(assertion.name.clone(), reason.to_string());
                }
            }
            answered
        })
        .into()
}

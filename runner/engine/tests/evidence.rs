//! Contradicted evidence: what does not show in the cases of the reference.
// Helpers fail a test by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fmt::Write;

use assay_engine::{Before, DecidedBy, EngineError, Route, Settings, Word};
use support::{dictionary, plan, ruleset};

/// Ten numbers that are summed up.
fn sum(assertions: &str) -> String {
    let mut source = "version 1.3;\ndeclare u as numeric;\n".to_owned();
    for at in 0..10 {
        let _ = writeln!(source, "declare x{at} as numeric;");
    }
    let sum: Vec<String> = (0..10).map(|at| format!("x{at}")).collect();
    format!("{source}{}", assertions.replace("SUM", &sum.join(" + ")))
}

/// Ten claims of three values each: 59,049 choices.
fn claims(u: &str) -> String {
    let each: Vec<String> = (0..10).map(|at| format!("\"x{at}\": [1, 2, 3]")).collect();
    format!("{{\"u\": {u}, {}}}", each.join(", "))
}

#[test]
fn many_choices_are_one_question_where_they_agree() {
    let ruleset =
        ruleset(&sum("assert none { Not(And(u > SUM, u < 0)) }; assert all { And(u > SUM, u < 0) };"));
    let evidence = dictionary(&ruleset, &claims("null"));
    for route in [Route::Auto, Route::Z3] {
        let settings = Settings { route, max_choices: 100_000, ..Settings::default() };
        let answers = plan(&ruleset, settings).decide_all(std::slice::from_ref(&evidence)).unwrap();
        let words: Vec<(Word, DecidedBy)> =
            answers[0].iter().map(|answer| (answer.word, answer.by)).collect();
        assert_eq!(words, [(Word::True, DecidedBy::Solver), (Word::False, DecidedBy::Solver)]);
        assert!(answers[0].iter().all(|answer| answer.contradicted.len() == 10));
    }
}

#[test]
fn the_last_choice_counts() {
    // All but one of 59,049 choices hold.
    let ruleset = ruleset(&sum("assert below { SUM < 30 }; assert within { SUM <= 30 };"));
    let evidence = dictionary(&ruleset, &claims("0"));
    let settings = Settings { max_choices: 100_000, ..Settings::default() };
    let answers = plan(&ruleset, settings).decide_all(std::slice::from_ref(&evidence)).unwrap();
    let words: Vec<Word> = answers[0].iter().map(|answer| answer.word).collect();
    assert_eq!(words, [Word::Ambiguous, Word::True]);
    let few = plan(&ruleset, Settings::default()).decide_all(&[evidence]).unwrap();
    let told: Vec<_> = few[0].iter().map(|answer| (answer.word, answer.reason_unknown.as_deref())).collect();
    assert_eq!(told, [(Word::Ambiguous, Some("too many choices")); 2]);
}

#[test]
fn a_cross_check_decides_contradicted_documents_again() {
    let ruleset = ruleset(&sum("assert small { SUM + u < 12 }; assert positive { SUM > 0 };"));
    let mut claims = claims("[1, null]");
    for at in 2..10 {
        claims = claims.replace(&format!("\"x{at}\": [1, 2, 3]"), &format!("\"x{at}\": [1, 1.0]"));
    }
    let evidence = dictionary(&ruleset, &claims);
    for route in [Route::Auto, Route::Z3] {
        let plan = plan(&ruleset, Settings { route, ..Settings::default() });
        let mut answers = plan.decide_all(std::slice::from_ref(&evidence)).unwrap().remove(0);
        assert_eq!((answers[0].word, answers[1].word), (Word::Ambiguous, Word::True));
        assert_eq!(plan.cross_check([(&evidence, answers.as_slice())]), Ok(()));
        answers[0].before = Before::True;
        let checked = plan.cross_check([(&evidence, answers.as_slice())]);
        assert!(matches!(checked, Err(EngineError::Disagreement { .. })), "{checked:?}");
    }
}

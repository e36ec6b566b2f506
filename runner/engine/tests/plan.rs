//! A plan: what it promises whatever it is asked and in whatever order.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::sync::Arc;

use assay_claims::{Binding, Dictionary, Evidence, Measure};
use assay_compile::typed::{Bool, ClaimId};
use assay_engine::{
    Answer, Before, DecidedBy, EngineError, Plan, Route, Settings, Word, prove, solver_version,
};
use assay_units::{Library, Rational};

const SOURCE: &str = r#"
// @unit amount USD
declare amount as numeric;
declare nights as numeric;
declare receipt as boolean;
declare tier as enum ["low", "mid", "high"];
assert cap { amount <= 500 "USD" };
assert rate { Implies(nights >= 2, amount / nights <= 450 "USD") };
assert evidence { Implies(amount > 75 "USD", receipt) };
assert step [pessimistic] { IF tier >= "mid" THEN receipt END };
assert mixed [optimistic] { CASE tier OF "low": amount < 10 "USD", "mid": nights % 2 == 0, "high": receipt END };
assert cube { nights * nights * nights <= 27 };
"#;

/// A dictionary for each number: every claim is now and then unknown, and amounts are now and then in a foreign unit.
fn dictionaries(count: usize) -> Vec<Evidence> {
    let ruleset = support::ruleset(SOURCE);
    let json = |n: usize| {
        let amount = match n % 5 {
            0 => "null".to_owned(),
            1 => format!("\"{} EUR\"", n % 900),
            _ => format!("\"{} USD\"", n * 7 % 900),
        };
        let nights = if n.is_multiple_of(3) { "null".to_owned() } else { (n % 4).to_string() };
        let receipt = ["true", "false", "null"][n / 3 % 3];
        let tier = ["\"low\"", "\"mid\"", "\"high\"", "null"][n / 2 % 4];
        format!(r#"{{"amount": {amount}, "nights": {nights}, "receipt": {receipt}, "tier": {tier}}}"#)
    };
    (0..count).map(|n| support::dictionary(&ruleset, &json(n))).collect()
}

fn plan(settings: Settings) -> Plan {
    support::plan(&support::ruleset(SOURCE), settings)
}

#[test]
fn an_answer_depends_on_its_own_dictionary_only() {
    let dictionaries = dictionaries(300);
    let expected = plan(Settings::default()).decide_all(&dictionaries).unwrap();
    let words = |word: Word| expected.iter().flatten().filter(|answer| answer.word == word).count();
    assert!(words(Word::True) > 300 && words(Word::False) > 300 && words(Word::Unknown) > 100);

    let backwards: Vec<Evidence> = dictionaries.iter().rev().cloned().collect();
    let plan = plan(Settings::default());
    for _ in 0..2 {
        let mut answers = plan.decide_all(&backwards).unwrap();
        answers.reverse();
        assert_eq!(answers, expected);
    }
    for (dictionary, expected) in dictionaries.iter().zip(&expected) {
        assert_eq!(
            plan.decide_all(std::slice::from_ref(dictionary)).unwrap(),
            std::slice::from_ref(expected)
        );
    }
    let threads: Vec<Vec<Vec<Answer>>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| plan.decide_all(&dictionaries).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(threads.iter().all(|answers| *answers == expected));
}

#[test]
fn memory_changes_no_answer() {
    let dictionaries = dictionaries(120);
    for route in [Route::Auto, Route::Z3] {
        let decide = |memory| {
            let plan = plan(Settings { memory, route, ..Settings::default() });
            let first = plan.decide_all(&dictionaries).unwrap();
            // Again, and from what is remembered.
            assert_eq!(plan.decide_all(&dictionaries).unwrap(), first);
            first
        };
        let expected = decide(10_000);
        assert_eq!(decide(0), expected);
        assert_eq!(decide(1), expected);
        assert_eq!(decide(3), expected);
    }
}

#[test]
fn the_two_routes_agree() {
    let dictionaries = dictionaries(200);
    let auto = plan(Settings::default());
    let solver = plan(Settings { route: Route::Z3, ..Settings::default() });
    let (first, second) =
        (auto.decide_all(&dictionaries).unwrap(), solver.decide_all(&dictionaries).unwrap());
    let seen = |answers: &[Vec<Answer>]| -> Vec<_> {
        let answers = answers.iter().flatten();
        answers.map(|answer| (answer.before, answer.word, answer.reason_unknown.clone())).collect()
    };
    assert_eq!(seen(&first), seen(&second));
    assert!(second.iter().flatten().all(|answer| answer.by == DecidedBy::Solver));
    assert!(first.iter().flatten().any(|answer| answer.by == DecidedBy::Evaluation));
    for (plan, answers) in [(&auto, &first), (&solver, &second)] {
        plan.cross_check(dictionaries.iter().zip(answers.iter().map(Vec::as_slice))).unwrap();
    }
}

#[test]
fn a_cross_check_names_the_assertion_that_differs() {
    let dictionaries = dictionaries(4);
    let plan = plan(Settings::default());
    let mut answers = plan.decide_all(&dictionaries).unwrap();
    let at = answers[2].iter().position(|answer| answer.before == Before::True).unwrap();
    answers[2][at].before = Before::False;
    let name = plan.ruleset().assertions[at].name.clone();
    let error = plan.cross_check(dictionaries.iter().zip(answers.iter().map(Vec::as_slice))).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the two engines disagree on assertion `{name}`: evaluation answers FALSE, the solver TRUE")
    );
    answers[2][at].before = Before::GaveUp;
    plan.cross_check(dictionaries.iter().zip(answers.iter().map(Vec::as_slice))).unwrap();
}

#[test]
fn a_dictionary_that_was_not_read_for_the_ruleset_is_no_unknown_claim() {
    let plan = plan(Settings::default());
    let number = || Binding::Number { value: Rational::from_integer(1.into()), measure: Measure::Declared };
    let good = [number(), number(), Binding::Bool(true), Binding::Member(1)];
    let decide = |bindings: &[Binding]| plan.decide_all(&[Dictionary::new(bindings.to_vec()).into()]);
    assert!(decide(&good).is_ok());
    let misfit = |claim: &str| Err(EngineError::Misfit { claim: claim.to_owned() });
    assert_eq!(decide(&good[..3]), misfit("tier"));
    assert_eq!(
        decide(&[Binding::Bool(true), number(), Binding::Bool(true), Binding::Member(1)]),
        misfit("amount")
    );
    assert_eq!(decide(&[number(), number(), Binding::Bool(true), Binding::Member(3)]), misfit("tier"));
}

#[test]
fn front_ends_that_do_not_agree_refuse_a_ruleset() {
    let mut ruleset = (*support::ruleset(SOURCE)).clone();
    ruleset.assertions[5].body = Bool::Claim(ClaimId(2));
    let error = Plan::new(Arc::new(ruleset), Library::built_in(), Settings::default()).unwrap_err();
    let message = "assertion `cube` compiles and cannot be translated for the solver: it reads `receipt`, which the \
                   compiler does not list for it";
    assert_eq!(error.to_string(), message);

    let mut ruleset = (*support::ruleset(SOURCE)).clone();
    ruleset.assertions[5].body = Bool::Claim(ClaimId(1));
    let error = Plan::new(Arc::new(ruleset), Library::built_in(), Settings::default()).unwrap_err();
    assert!(
        error.to_string().ends_with("it reads `nights` as another type than it is declared with"),
        "{error}"
    );
}

#[test]
fn nothing_to_decide() {
    let plan = support::plan(&support::ruleset("declare a as boolean;"), Settings::default());
    assert_eq!(plan.decide_all(&[Dictionary::new(vec![Binding::Unknown]).into()]), Ok(vec![vec![]]));
    assert_eq!(plan.decide_all(&[]), Ok(vec![]));
}

#[test]
fn the_solver_proves_itself() {
    prove().unwrap();
    std::thread::spawn(|| prove().unwrap()).join().unwrap();
}

/// A machine may have an older libz3 in its system folders, and that one must not be linked.
#[test]
fn the_solver_is_the_one_that_is_pinned() {
    if std::env::var_os("Z3_LIB_DIR").is_none() && !cfg!(feature = "static-z3") {
        assert_eq!(solver_version(), "5.4.1");
    }
}

//! Decisive sets against a count of every assignment: small rulesets over booleans and short vocabularies, where nothing
//! need be believed of the solver.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use assay_claims::{Binding, ClaimId, Evidence};
use assay_engine::{Before, Decisive, Plan, Settings};
use fastrand::Rng;

const DECLARATIONS: &str = r#"
declare a as boolean;
declare b as boolean;
declare c as boolean;
declare d as boolean;
declare way as enum {"air", "rail", "road"};
declare tier as enum ["low", "mid", "high"];
// @unit amount USD
declare amount as numeric;
declare nights as numeric;
declare local open as boolean;
"#;

fn plan(assertion: &str) -> Plan {
    let ruleset = support::ruleset(&format!("{DECLARATIONS}assert x {{ {assertion} }};"));
    support::plan(&ruleset, Settings::default())
}

/// The sets by name, and whether they are all.
fn decisive(assertion: &str, claims: &str) -> (Vec<String>, bool) {
    let plan = plan(assertion);
    let all = ["a", "b", "c", "d", "way", "tier", "amount", "nights"];
    let missing = all.iter().filter(|name| !claims.contains(&format!("\"{name}\"")));
    let fields = missing.map(|name| format!("\"{name}\": null"));
    let given = claims.trim_matches(['{', '}']).to_owned();
    let fields: Vec<String> = fields.chain(Some(given).filter(|given| !given.is_empty())).collect();
    let json = format!("{{{}}}", fields.join(", "));
    let evidence = support::dictionary(plan.ruleset(), &json);
    let answer = &plan.decide_all(std::slice::from_ref(&evidence)).unwrap()[0][0];
    let Some(Decisive { sets, complete }) = plan.decisive(0, &evidence, answer).unwrap() else {
        return (vec![answer.before.as_str().to_owned()], true);
    };
    let name = |claim: &ClaimId| plan.ruleset().claim(*claim).name.clone();
    (sets.iter().map(|set| set.iter().map(name).collect::<Vec<_>>().join("+")).collect(), complete)
}

#[test]
fn the_smallest_sets_that_settle_an_answer() {
    let table = [
        // What is settled needs nothing.
        ("Or(a, Not(a))", "{}", "TRUE"),
        ("Implies(amount > 75 \"USD\", a)", r#"{"amount": 50}"#, "TRUE"),
        ("a", "{}", "a"),
        // Whatever the amount turns out to be: a large one leaves it open.
        ("Implies(amount > 75 \"USD\", a)", "{}", "a+amount"),
        ("Implies(amount > 75 \"USD\", a)", r#"{"amount": 100}"#, "a"),
        // What cannot matter is not asked for, though it is written.
        ("Or(And(amount > 5 \"USD\", amount < 3 \"USD\"), a)", "{}", "a"),
        ("And(Or(b, Not(b)), Xor(a, And(c, Not(c))))", "{}", "a"),
        ("a == a", "{}", "TRUE"),
        ("Or(And(a, b), And(Not(a), b), c)", "{}", "b+c"),
        ("If(a, b, b)", "{}", "b"),
        ("AtLeast(2, x in {a, b, c}, x)", "{}", "a+b+c"),
        ("AtLeast(2, x in {a, b, c}, x)", r#"{"a": true}"#, "b+c"),
        ("Or(way == \"air\", way == \"rail\", way == \"road\", a)", "{}", "TRUE"),
        ("CASE tier OF \"low\": a, \"mid\": a, \"high\": b END", r#"{"tier": "mid"}"#, "a"),
        // Two ways to come to an end: either both flags, or the number that they hang on.
        ("And((a == b), (a == (tier == \"low\")), Not(a == Not(b)))", r#"{"b": true}"#, "a+tier"),
        // Contradicted evidence: one of its values, or what makes no difference of them.
        ("amount <= 100 \"USD\"", r#"{"amount": [50, 500]}"#, "amount"),
        ("Implies(amount > 75 \"USD\", a)", r#"{"amount": [50, 500]}"#, "a+amount"),
        ("Implies(amount > 75 \"USD\", a)", r#"{"amount": [80, 500]}"#, "a"),
        ("Or(amount > 75 \"USD\", b)", r#"{"amount": [50, 500], "b": [true, false]}"#, "b+amount"),
        // A divisor that may be zero does not make a question hopeless; one that is zero does.
        ("amount / nights <= 450 \"USD\"", "{}", "amount+nights"),
        ("amount / nights <= 450 \"USD\"", r#"{"nights": 0}"#, ""),
        ("nights / nights == 1", "{}", "nights"),
        // What no claim settles.
        ("amount <= 5 \"EUR\"", r#"{"amount": 1}"#, ""),
        ("And(a, open)", "{}", ""),
        ("Or(a, And(open, Not(open)))", "{}", "a"),
        ("nights * nights >= 0", "{}", "TRUE"),
        ("nights * nights == 2", "{}", "nights"),
    ];
    let mut wrong = String::new();
    for (assertion, claims, expected) in table {
        let (sets, complete) = decisive(assertion, claims);
        let found = sets.join(", ");
        if found != expected || !complete {
            let _ = writeln!(
                wrong,
                "{assertion} with {claims}: {found:?} (complete: {complete}), not {expected:?}"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "way", "tier"];
const SIZES: [u32; 6] = [2, 2, 2, 2, 3, 3];

fn binding(claim: usize, value: u32) -> Binding {
    if claim < 4 { Binding::Bool(value == 1) } else { Binding::Member(value) }
}

/// A random boolean over the six claims.
fn formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        return match rng.u32(..7) {
            0..4 => NAMES[rng.usize(..4)].to_owned(),
            4 => format!("way == \"{}\"", ["air", "rail", "road"][rng.usize(..3)]),
            _ => format!("tier {} \"mid\"", ["<", "<=", "==", ">="][rng.usize(..4)]),
        };
    }
    let mut part = || formula(rng, depth - 1);
    let (x, y, z) = (part(), part(), part());
    match rng.u32(..7) {
        0 => format!("And({x}, {y})"),
        1 => format!("Or({x}, {y}, {z})"),
        2 => format!("Not({x})"),
        3 => format!("Implies({x}, {y})"),
        4 => format!("Xor({x}, {y})"),
        5 => format!("If({x}, {y}, {z})"),
        _ => format!("AtLeast(2, e in {{{x}, {y}, {z}}}, e)"),
    }
}

/// By an assignment of all claims, as digits of mixed base: whether the assertion holds.
fn table(plan: &Plan) -> Vec<bool> {
    let count: u32 = SIZES.iter().product();
    let blank = support::dictionary(
        plan.ruleset(),
        r#"{"a": null, "b": null, "c": null, "d": null, "way": null, "tier": null, "amount": null, "nights": null}"#,
    );
    let assignments: Vec<Evidence> = (0..count)
        .map(|number| {
            let values = (0..6).zip(digits(number));
            values.fold(blank.clone(), |evidence, (claim, value)| {
                evidence.with(ClaimId(claim), binding(claim, value))
            })
        })
        .collect();
    let answers = plan.decide_all(&assignments).unwrap();
    answers.iter().map(|answers| answers[0].before == Before::True).collect()
}

fn digits(mut number: u32) -> [u32; 6] {
    SIZES.map(|size| {
        let digit = number % size;
        number /= size;
        digit
    })
}

#[test]
fn decisive_sets_are_those_that_a_count_of_all_assignments_gives() {
    let mut rng = Rng::with_seed(20261201);
    let (mut open, mut several) = (0, 0);
    for _ in 0..60 {
        let source = formula(&mut rng, 2);
        let plan = plan(&source);
        let holds = table(&plan);
        // Evidence: of each claim its possible values, one, two or all of them (unbound).
        let possible: Vec<Vec<u32>> = SIZES
            .iter()
            .map(|size| {
                let first = rng.u32(..*size);
                match rng.u32(..4) {
                    0 => vec![first],
                    1 => vec![first, (first + 1) % size],
                    _ => (0..*size).collect(),
                }
            })
            .collect();
        let contradicted: Vec<bool> = possible.iter().map(|of| of.len() == 2 && rng.bool()).collect();
        let json = possible.iter().zip(&contradicted).enumerate().map(|(claim, (of, contradicted))| {
            let word = |value: &u32| match claim {
                0..4 => (*value == 1).to_string(),
                4 => format!("\"{}\"", ["air", "rail", "road"][*value as usize]),
                _ => format!("\"{}\"", ["low", "mid", "high"][*value as usize]),
            };
            let value = match of.as_slice() {
                [one] => word(one),
                of if *contradicted => format!("[{}]", of.iter().map(word).collect::<Vec<_>>().join(", ")),
                _ => "null".to_owned(),
            };
            format!("\"{}\": {value}", NAMES[claim])
        });
        let json = json.collect::<Vec<_>>().join(", ");
        let evidence =
            support::dictionary(plan.ruleset(), &format!("{{{json}, \"amount\": null, \"nights\": null}}"));
        // What is unbound may have any value, also where two were drawn for it.
        let possible: Vec<Vec<u32>> = possible
            .into_iter()
            .zip(&contradicted)
            .zip(SIZES)
            .map(
                |((of, contradicted), size)| {
                    if of.len() == 1 || *contradicted { of } else { (0..size).collect() }
                },
            )
            .collect();
        let answer = &plan.decide_all(std::slice::from_ref(&evidence)).unwrap()[0][0];
        let found = plan.decisive(0, &evidence, answer).unwrap();
        let expected = by_count(&holds, &possible);
        let Some(found) = found else {
            assert_eq!(expected, [BTreeSet::new()], "{source} with {{{json}}} is settled");
            continue;
        };
        open += 1;
        assert!(found.complete, "{source} with {{{json}}}");
        let mut found: Vec<BTreeSet<usize>> =
            found.sets.iter().map(|set| set.iter().map(|claim| claim.0).collect()).collect();
        found.sort();
        several += usize::from(found.len() > 1);
        assert_eq!(found, expected, "{source} with {{{json}}}");
    }
    assert!(open >= 25, "only {open} answers were open");
    println!("{open} open, {several} with several sets");
}

/// The sets of claims of which none can be spared and whose values fix whether the assertion holds.
fn by_count(holds: &[bool], possible: &[Vec<u32>]) -> Vec<BTreeSet<usize>> {
    let assignments: Vec<(u32, [u32; 6])> = (0..holds.len() as u32)
        .map(|number| (number, digits(number)))
        .filter(|(_, values)| values.iter().zip(possible).all(|(value, of)| of.contains(value)))
        .collect();
    let undetermined: Vec<usize> = (0..6).filter(|claim| possible[*claim].len() > 1).collect();
    let mut decisive: Vec<BTreeSet<usize>> = Vec::new();
    for mask in 0..1_u32 << undetermined.len() {
        let chosen = undetermined.iter().enumerate().filter(|(at, _)| mask & (1 << at) != 0);
        let set: BTreeSet<usize> = chosen.map(|(_, claim)| *claim).collect();
        let fixed = assignments.iter().all(|(number, values)| {
            assignments.iter().all(|(other, others)| {
                set.iter().any(|claim| values[*claim] != others[*claim])
                    || holds[*number as usize] == holds[*other as usize]
            })
        });
        if fixed {
            decisive.push(set);
        }
    }
    let smallest =
        |set: &&BTreeSet<usize>| !decisive.iter().any(|other| other != *set && other.is_subset(set));
    let mut smallest: Vec<BTreeSet<usize>> = decisive.iter().filter(smallest).cloned().collect();
    smallest.sort();
    smallest
}

//! Columns answer what single dictionaries answer: the words, the reasons, and what is given up.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/expenses.rs"]
mod expenses;
#[path = "support/formulas.rs"]
mod formulas;
mod support;

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};

use arrow_buffer::BooleanBuffer;
use assay_claims::{ClaimColumn, ClaimColumns, Dictionary, Evidence};
use assay_compile::ClaimKind;
use assay_compile::formula::Node;
use assay_engine::{Before, ColumnAnswers, EngineError, Plan, Route, Settings, Word};
use fastrand::Rng;

/// Holds what columns answer against what dictionaries of the same rows answer.
#[track_caller]
fn check(plan: &Plan, columns: &ClaimColumns, about: &str) -> ColumnAnswers {
    let dictionaries: Vec<Dictionary> = (0..columns.rows).map(|row| columns.dictionary(row)).collect();
    let rows: Vec<usize> = (0..columns.rows).filter(|row| !columns.set_aside.value(*row)).collect();
    let kept: Vec<Evidence> = rows.iter().map(|row| dictionaries[*row].clone().into()).collect();
    let expected = plan.decide_all(&kept).unwrap();
    let found = plan.decide_columns(columns).unwrap();
    for (row, expected) in rows.iter().zip(&expected) {
        for (assertion, (expected, found)) in expected.iter().zip(found.row(*row)).enumerate() {
            assert_eq!(
                (found.before, found.word, found.reason_unknown),
                (expected.before, expected.word, expected.reason_unknown.clone()),
                "assertion {assertion} of row {row}: {:?}\n{about}",
                dictionaries[*row].bindings(),
            );
        }
    }
    for (assertion, column) in found.assertions.iter().enumerate() {
        let answers = || expected.iter().map(|answers| &answers[assertion]);
        let count = |word: Word| answers().filter(|answer| answer.word == word).count() as u64;
        assert_eq!(column.counts, Word::ALL.map(count), "{about}");
        let by_policy = |word| answers().filter(|a| a.before == Before::Unknown && a.word != word).count();
        assert_eq!(column.by_policy, by_policy(Word::Unknown) as u64, "{about}");
        let gave_up = rows.iter().zip(answers()).filter(|(_, answer)| answer.before == Before::GaveUp);
        assert_eq!(column.gave_up, gave_up.map(|(row, _)| *row).collect::<Vec<_>>(), "{about}");
        assert_eq!(column.words.len(), columns.rows);
        for row in (0..columns.rows).filter(|row| columns.set_aside.value(*row)) {
            assert_eq!((column.words[row], found.reason(assertion, row)), (Word::Unknown as u8, None));
        }
    }
    found
}

/// Values where the arithmetic of columns changes its way: around nothing, 64 bits and 128 bits.
fn unscaled(rng: &mut Rng) -> i128 {
    const EDGES: [i128; 12] = [
        i64::MAX as i128,
        i64::MIN as i128,
        i64::MAX as i128 + 1,
        i64::MIN as i128 + 1,
        i128::MAX,
        i128::MIN,
        i128::MIN + 1,
        1 << 31,
        1 << 62,
        1 << 100,
        -(1 << 63),
        10_i128.pow(18),
    ];
    match rng.u32(..20) {
        0 => EDGES[rng.usize(..EDGES.len())],
        1 => rng.i128(..),
        2 => i128::from(rng.i64(..)),
        3..6 => 10_i128.pow(rng.u32(..20)) * i128::from(rng.i8(-5..=5)),
        _ => i128::from(rng.i8(-4..=4)),
    }
}

/// Columns of `rows` rows. Where `wild`, the numbers are of every size, else they are small.
fn columns(rng: &mut Rng, plan: &Plan, rows: usize, wild: bool) -> ClaimColumns {
    let often = rng.usize(1..6);
    let bits = |rng: &mut Rng, of: usize| (0..rows).map(|_| rng.usize(..6) < of).collect::<BooleanBuffer>();
    let set_aside = bits(rng, rng.clone().usize(..2));
    let known = |rng: &mut Rng| match rng.usize(..3) {
        0 => BooleanBuffer::new_set(rows),
        _ => bits(rng, often),
    };
    let column = |rng: &mut Rng, kind: &ClaimKind| match kind {
        _ if rng.usize(..10) == 0 => ClaimColumn::Unknown,
        ClaimKind::Boolean => ClaimColumn::Bool { values: bits(rng, 3), known: known(rng) },
        ClaimKind::Enum(of) => {
            let (known, members) = (known(rng), of.vocabulary.members.len() as u32);
            // What is not known, and what is set aside, may be anything.
            let number = |row: usize, rng: &mut Rng| match known.value(row) && !set_aside.value(row) {
                true => rng.u32(..members),
                false => rng.u32(..),
            };
            let numbers = (0..rows).map(|row| number(row, rng)).collect();
            ClaimColumn::Member { numbers, known }
        }
        ClaimKind::Numeric { .. } => {
            let (known, scale) = (known(rng), if rng.bool() { 0 } else { rng.u8(..=18) });
            let one = 10_i128.pow(u32::from(scale));
            let number = |row: usize, rng: &mut Rng| match (known.value(row), wild) {
                (false, _) => rng.i128(..),
                (true, true) if rng.bool() => unscaled(rng),
                (true, _) => i128::from(rng.i8(-4..=4)) * one / if rng.u8(..4) == 0 { 2 } else { 1 },
            };
            let unscaled = (0..rows).map(|row| number(row, rng)).collect();
            ClaimColumn::Number { unscaled, scale, known }
        }
    };
    let columns = plan.ruleset().claims.iter().map(|claim| column(rng, &claim.kind)).collect();
    ClaimColumns { rows, columns, set_aside }
}

/// Random rulesets and columns. Returns the kinds of nodes and of answers that came up.
fn random(seeds: std::ops::Range<u64>, rows: usize, rlimit: u32) -> (usize, BTreeSet<Before>) {
    let mut nodes: Vec<Discriminant<Node>> = Vec::new();
    let mut befores = BTreeSet::new();
    for seed in seeds {
        let mut rng = Rng::with_seed(seed);
        let source = formulas::source(&mut rng);
        let plan = support::plan(&support::ruleset(&source), Settings { rlimit, ..Settings::default() });
        for node in plan.formulas().iter().flat_map(|formula| formula.nodes()) {
            if !nodes.contains(&discriminant(node)) {
                nodes.push(discriminant(node));
            }
        }
        let wild = rng.bool();
        let columns = columns(&mut rng, &plan, rows, wild);
        let found = check(&plan, &columns, &format!("seed {seed}\n{source}"));
        befores.extend((0..rows).flat_map(|row| found.row(row)).map(|answer| answer.before));
    }
    (nodes.len(), befores)
}

#[test]
fn random_rulesets() {
    let (nodes, befores) = random(0..40, 25, 20_000);
    // Every kind of node there is.
    assert_eq!(nodes, 23);
    assert!(befores.is_superset(&BTreeSet::from([Before::True, Before::False, Before::Unknown])));
}

#[test]
fn what_the_solver_gives_up_is_given_up_by_column_too() {
    let (_, befores) = random(1_000..1_008, 25, 1);
    assert!(befores.contains(&Before::GaveUp) && befores.contains(&Before::Unknown));
}

#[test]
fn several_blocks() {
    random(2_000..2_003, 2_100, 20_000);
}

#[test]
fn expenses() {
    let plan = support::plan(&support::ruleset(expenses::POLICY), Settings::default());
    for rows in [0, 1, 63, 64, 65, 1_023, 1_024, 1_025, 5_000] {
        let found = check(&plan, &expenses::columns(rows as u64, rows), "expenses");
        assert!(found.assertions.iter().all(|column| column.solver_decided == 0));
        assert!(rows < 5_000 || found.assertions.iter().all(|column| column.counts[1] > 0));
    }
}

#[test]
fn every_member_meets_every_kind_of_number() {
    // What makes these fail is one member with one kind of number: large, small, or next to nothing.
    let source = r#"declare kind as enum {"a","b","c","d","e","f"};
        declare country as enum {"g","h","i","j","k","l","m","n","o","p","q","r"};
        declare nights as numeric; declare amount as numeric; declare people as numeric;
        assert night { Implies(kind == "a", nights >= 1) };
        assert share { Implies(kind == "b", amount / people <= 80) };
        assert debt { Implies(And(kind == "e", country == "q"), amount > -5) };
        assert lodging { Implies(kind == "f", amount <= 350 * nights) };"#;
    let plan = support::plan(&support::ruleset(source), Settings::default());
    let none = || ClaimColumn::Unknown;
    let amounts = |known: &[bool]| ClaimColumn::Number {
        unscaled: vec![1_050, 2_500_000, 1],
        scale: 2,
        known: known.iter().copied().collect(),
    };
    for amounts in [amounts(&[true, true, true]), amounts(&[false, true, false]), none()] {
        let columns = vec![none(), none(), none(), amounts, none()];
        let set_aside = BooleanBuffer::new_unset(3);
        let found = check(&plan, &ClaimColumns { rows: 3, columns, set_aside }, source);
        let solver = found.assertions.iter().map(|column| column.solver_decided);
        assert_eq!(solver.collect::<Vec<_>>(), [0, 0, 0, 0]);
        for (assertion, known) in [(0, Before::Unknown), (1, Before::Unknown), (3, Before::Unknown)] {
            assert_eq!(found.row(1)[assertion].before, known, "{assertion}");
        }
    }
}

/// Numbers in one column each, none for an unknown one.
fn numbers(rows: &[&[Option<i128>]], scale: u8) -> ClaimColumns {
    let claims = rows.first().map_or(0, |row| row.len());
    let column = |claim: usize| ClaimColumn::Number {
        unscaled: rows.iter().map(|row| row[claim].unwrap_or(-1)).collect(),
        scale,
        known: rows.iter().map(|row| row[claim].is_some()).collect(),
    };
    let set_aside = BooleanBuffer::new_unset(rows.len());
    ClaimColumns { rows: rows.len(), columns: (0..claims).map(column).collect(), set_aside }
}

#[test]
fn an_equation_with_an_unknown_number_needs_no_solver() {
    let source = "declare total as numeric; declare net as numeric; declare tax as numeric;
        assert adds_up { total == net + tax };
        assert fifth { Or(net <= 0, tax / net == 0.2) };
        assert squares { net * net == 2 };";
    let plan = support::plan(&support::ruleset(source), Settings::default());
    let rows: &[&[Option<i128>]] = &[
        &[Some(12_000), Some(10_000), Some(2_000)],
        &[Some(12_001), Some(10_000), Some(2_000)],
        &[None, Some(10_000), Some(2_000)],
        &[Some(12_000), None, Some(2_000)],
        &[Some(12_000), Some(10_000), None],
        &[Some(12_000), None, None],
    ];
    let found = check(&plan, &numbers(rows, 2), source);
    let befores = |assertion: usize| (0..6).map(|row| found.row(row)[assertion].before).collect::<Vec<_>>();
    use Before::{False, True, Unknown};
    assert_eq!(befores(0), [True, False, Unknown, Unknown, Unknown, Unknown]);
    assert_eq!(befores(1), [True, True, True, Unknown, Unknown, Unknown]);
    assert_eq!(befores(2), [False, False, False, Unknown, False, Unknown]);
    assert_eq!(found.assertions.iter().map(|column| column.solver_decided).collect::<Vec<_>>(), [0, 0, 2]);
}

#[test]
fn what_does_not_fit_is_exact_all_the_same() {
    let source = "declare a as numeric; declare b as numeric; declare c as numeric;
        assert product { a * b * c <= a * b * c + 1 };
        assert cube [pessimistic] { a * a * a * b > a * a * a * c };
        assert ratio { Implies(b != 0, (a / b) * b == a) };
        assert third { a / 3 + a / 3 + a / 3 == a };
        assert by_zero { a / (b - c) <= 1 };
        assert mirrored { (a / (b - c)) * (b - c) == a };
        assert hidden { And(c > 5, Or(c > 7, 1 / (a * a * b - a * b * a) > 0)) };
        assert counted { CountWhere(x in {a > 0, b > 0}, x) * a > b };
        assert same { If(b < c, a, a) == a };
        assert zero { (a - a) * (b / c) == 0 };";
    let plan = support::plan(&support::ruleset(source), Settings::default());
    let values =
        [0, 1, -1, i128::from(i64::MAX), i128::from(i64::MIN), 1 << 64, i128::MAX, i128::MIN, -(1 << 126)];
    let all = values.into_iter().map(Some).chain([None]);
    let rows: Vec<Vec<Option<i128>>> = all
        .clone()
        .flat_map(|a| all.clone().map(move |b| (a, b)))
        .flat_map(|(a, b)| [None, Some(0), Some(-2), Some(1 << 90)].map(|c| vec![a, b, c]))
        .collect();
    let rows: Vec<&[Option<i128>]> = rows.iter().map(Vec::as_slice).collect();
    for scale in [0, 1, 18] {
        check(&plan, &numbers(&rows, scale), source);
    }
}

#[test]
fn the_route_of_the_solver_is_kept() {
    let settings = Settings { route: Route::Z3, ..Settings::default() };
    let plan = support::plan(&support::ruleset(expenses::POLICY), settings);
    let found = check(&plan, &expenses::columns(1, 60), "expenses");
    assert!(found.assertions.iter().all(|column| column.solver_decided == 60));
}

#[test]
fn a_cross_check_of_columns_notices_a_word_that_is_wrong() {
    let plan = support::plan(&support::ruleset(expenses::POLICY), Settings::default());
    let columns = expenses::columns(3, 80);
    let documents: Vec<Evidence> = (0..columns.rows).map(|row| columns.dictionary(row).into()).collect();
    let cross_check = |found: &ColumnAnswers| {
        let rows: Vec<_> = (0..found.rows).map(|row| found.row(row)).collect();
        plan.cross_check(documents.iter().zip(rows.iter().map(Vec::as_slice)))
    };
    let found = plan.decide_columns(&columns).unwrap();
    cross_check(&found).unwrap();
    for (assertion, row) in (0..found.assertions.len()).zip([0, 7, 63, 64, 79].into_iter().cycle()) {
        let mut wrong = found.clone();
        let column = &mut wrong.assertions[assertion];
        let is_true = column.before(row) == Some(Before::True);
        column.words[row] = if is_true { Word::False } else { Word::True } as u8;
        if let Some(reason) = column.reasons.get_mut(row) {
            *reason = 0;
        }
        let Err(EngineError::Disagreement { assertion: named, .. }) = cross_check(&wrong) else {
            panic!("assertion {assertion} of row {row} is wrong, and nobody noticed");
        };
        assert_eq!(named, plan.ruleset().assertions[assertion].name);
    }
}

#[test]
fn columns_of_another_ruleset_are_refused() {
    let plan = support::plan(&support::ruleset(expenses::POLICY), Settings::default());
    let good = expenses::columns(1, 10);
    let bad: [fn(&mut ClaimColumns); 6] = [
        |columns| columns.columns.truncate(3),
        |columns| columns.columns.swap(0, 1),
        |columns| columns.rows = 11,
        |columns| columns.set_aside = BooleanBuffer::new_unset(9),
        |columns| {
            if let ClaimColumn::Member { numbers, .. } = &mut columns.columns[2] {
                numbers[9] = 6;
            }
        },
        |columns| {
            if let ClaimColumn::Number { scale, .. } = &mut columns.columns[0] {
                *scale = 19;
            }
        },
    ];
    plan.decide_columns(&good).unwrap();
    for spoil in bad {
        let mut columns = good.clone();
        spoil(&mut columns);
        assert!(matches!(plan.decide_columns(&columns), Err(EngineError::Misfit { .. })), "{columns:?}");
    }
}

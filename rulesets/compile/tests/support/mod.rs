//! One way in for every test of this crate: a source, and what is said of it or made of it.

#![allow(dead_code, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use assay_compile::formula::{Formula, Node, Relation, Var};
use assay_compile::typed::ClaimId;
use assay_compile::{ClaimKind, Measure, Measures, Options, Ruleset, compile, resolve};
use assay_syntax::Diagnostic;
use assay_units::{Converter, Library, Rational, Unit, number};

/// A source that has to compile.
pub fn compiled(source: &str) -> Ruleset {
    match compile(source.as_bytes(), &Options::default()) {
        Ok(ruleset) => ruleset,
        Err(refusal) => panic!("refused: {:#?}\n{source}", refusal.diagnostics),
    }
}

/// Every diagnostic of a source as `LINE: MESSAGE`, with ` | HELP` where there is help. Warnings say so.
pub fn diagnostics(source: &str, options: &Options) -> Vec<String> {
    match compile(source.as_bytes(), options) {
        Ok(ruleset) => ruleset.warnings.iter().map(|one| line(&ruleset.source, one)).collect(),
        Err(refusal) => {
            let source = refusal.source.expect("a text");
            refusal.diagnostics.iter().map(|one| line(&source, one)).collect()
        }
    }
}

fn line(source: &assay_syntax::Source, one: &Diagnostic) -> String {
    let level = if one.is_error() { "" } else { "warning: " };
    let help = one.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
    format!("{}: {level}{}{help}", source.position(one.span.start).line, one.message)
}

/// Checks every error of a source, in order. Warnings are not compared.
pub fn check(source: &str, expected: &[&str]) {
    let mut found = diagnostics(source, &Options::default());
    found.retain(|line| !line.contains(": warning: "));
    assert_eq!(found, expected, "\n{source}");
}

/// Checks a table of sources and their errors; each source is put after `prelude`, whose lines are not counted.
pub fn check_all(prelude: &str, table: &[(&str, &[&str])]) {
    let lines = prelude.matches('\n').count() as u32;
    for (source, expected) in table {
        let expected: Vec<String> = expected
            .iter()
            .map(|line| {
                let (number, rest) = line.split_once(": ").expect("LINE: MESSAGE");
                format!("{}: {rest}", number.parse::<u32>().expect("a line") + lines)
            })
            .collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&format!("{prelude}{source}"), &expected);
    }
}

/// The built-in standards with converters `from to factor`.
pub fn library(converters: &[(&str, &str, &str)]) -> Library {
    let converter = |(from, to, factor): &(&str, &str, &str)| Converter {
        from: Unit::parse(from).expect("a unit"),
        to: Unit::parse(to).expect("a unit"),
        factor: number::parse(factor).expect("a number"),
        offset: Rational::default(),
        attribution: None,
    };
    Library::with(converters.iter().map(converter).collect()).expect("a library")
}

/// Measures: for each named claim `?UNIT` for an interval unit or `UNIT` for a foreign one.
pub fn measures(ruleset: &Ruleset, of: &[(&str, &str)]) -> Measures {
    let mut measures = Measures::declared(ruleset);
    for (name, unit) in of {
        let id = ruleset.claims.iter().position(|claim| claim.name == *name).expect("a claim");
        let measure = match unit.strip_prefix('?') {
            Some(unit) => Measure::Interval(Unit::parse(unit).expect("a unit")),
            None => Measure::Foreign(Unit::parse(unit).expect("a unit")),
        };
        measures.set(ClaimId(id), measure);
    }
    measures
}

/// The formula of the last assertion, as text.
pub fn formula(source: &str, of: &[(&str, &str)], library: &Library) -> String {
    let ruleset = compiled(source);
    let measures = measures(&ruleset, of);
    let formula = resolve(&ruleset, ruleset.assertions.len() - 1, &measures, library);
    show(&ruleset, &formula, formula.root().index())
}

fn name(ruleset: &Ruleset, var: Var) -> String {
    match var {
        Var::Claim(id) => ruleset.claims[id.0].name.clone(),
        Var::Local(id) => ruleset.locals[id.0].name.clone(),
    }
}

fn number_text(value: &Rational) -> String {
    number::plain(value)
}

fn show(ruleset: &Ruleset, formula: &Formula, at: usize) -> String {
    let of = |at: usize| show(ruleset, formula, at);
    let join = |parts: Vec<String>, by: &str| parts.join(by);
    match &formula.nodes()[at] {
        Node::Bool(value) => value.to_string(),
        Node::BoolVar(var) | Node::NumVar(var) | Node::MemberVar(var, _) => name(ruleset, *var),
        Node::Not(a) => format!("not {}", of(a.index())),
        Node::And(all) => format!("and({})", join(all.iter().map(|a| of(a.index())).collect(), ", ")),
        Node::Or(all) => format!("or({})", join(all.iter().map(|a| of(a.index())).collect(), ", ")),
        Node::Iff(a, b) => format!("({} iff {})", of(a.index()), of(b.index())),
        Node::IfBool(c, a, b) => format!("if({}, {}, {})", of(c.index()), of(a.index()), of(b.index())),
        Node::IfNum(c, a, b) => format!("if({}, {}, {})", of(c.index()), of(a.index()), of(b.index())),
        Node::IfMember(c, a, b) => format!("if({}, {}, {})", of(c.index()), of(a.index()), of(b.index())),
        Node::Compare(relation, a, b) => format!("({} {} {})", of(a.index()), sign(*relation), of(b.index())),
        Node::CompareMembers(relation, a, b) => {
            format!("({} {} {})", of(a.index()), sign(*relation), of(b.index()))
        }
        Node::Num(value) => number_text(value),
        Node::Factor(id) => {
            let interval = &formula.intervals()[id.0 as usize];
            format!("[{}->{}]", interval.from, interval.to)
        }
        Node::Unbridged(id, a) => {
            let pair = &formula.unbridged()[id.0 as usize];
            format!("<{}->{}>({})", pair.from, pair.to, of(a.index()))
        }
        Node::Add(all) => format!("({})", join(all.iter().map(|a| of(a.index())).collect(), " + ")),
        Node::Neg(a) => format!("-{}", of(a.index())),
        Node::Mul(a, b) => format!("({} * {})", of(a.index()), of(b.index())),
        Node::Div(a, b) => format!("({} / {})", of(a.index()), of(b.index())),
        Node::Rem(a, b) => format!("({} % {})", of(a.index()), of(b.index())),
        Node::Count(all) => format!("count({})", join(all.iter().map(|a| of(a.index())).collect(), ", ")),
        Node::Member(number) => format!("#{number}"),
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "==",
        Relation::Lt => "<",
        Relation::Le => "<=",
    }
}

/// A value of a bound claim.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Bool(bool),
    Num(Rational),
    Member(u32),
}

/// Evaluates the last assertion of a source with every claim bound: booleans, numbers in the claims' units, members.
pub fn evaluate(source: &str, claims: &[(&str, &str)]) -> bool {
    let ruleset = compiled(source);
    let index = ruleset.assertions.len() - 1;
    let formula = resolve(&ruleset, index, &Measures::declared(&ruleset), &Library::built_in());
    let given: BTreeMap<&str, &str> = claims.iter().copied().collect();
    let bound = |var: &Var| {
        let Var::Claim(id) = var else { panic!("an undefined local") };
        let claim = &ruleset.claims[id.0];
        let text = given.get(claim.name.as_str()).expect("a bound claim");
        match &claim.kind {
            ClaimKind::Boolean => Value::Bool(text.parse().expect("a boolean")),
            ClaimKind::Numeric { .. } => Value::Num(number::parse(text).expect("a number")),
            ClaimKind::Enum(kind) => {
                let at = kind.vocabulary.members.iter().position(|member| member == text).expect("a member");
                Value::Member(at as u32)
            }
        }
    };
    let mut values: Vec<Value> = Vec::new();
    for node in formula.nodes() {
        values.push(step(node, &values, &bound));
    }
    values[formula.root().index()] == Value::Bool(true)
}

fn step(node: &Node, values: &[Value], bound: &impl Fn(&Var) -> Value) -> Value {
    let bool = |at: usize| matches!(values[at], Value::Bool(true));
    let num = |at: usize| match &values[at] {
        Value::Num(value) => value.clone(),
        other => panic!("{other:?}"),
    };
    let member = |at: usize| match &values[at] {
        Value::Member(value) => *value,
        other => panic!("{other:?}"),
    };
    match node {
        Node::Bool(value) => Value::Bool(*value),
        Node::BoolVar(var) | Node::NumVar(var) | Node::MemberVar(var, _) => bound(var),
        Node::Not(a) => Value::Bool(!bool(a.index())),
        Node::And(all) => Value::Bool(all.iter().all(|a| bool(a.index()))),
        Node::Or(all) => Value::Bool(all.iter().any(|a| bool(a.index()))),
        Node::Iff(a, b) => Value::Bool(bool(a.index()) == bool(b.index())),
        Node::IfBool(c, a, b) => values[if bool(c.index()) { a.index() } else { b.index() }].clone(),
        Node::IfNum(c, a, b) => values[if bool(c.index()) { a.index() } else { b.index() }].clone(),
        Node::IfMember(c, a, b) => values[if bool(c.index()) { a.index() } else { b.index() }].clone(),
        Node::Compare(relation, a, b) => {
            let (a, b) = (num(a.index()), num(b.index()));
            Value::Bool(match relation {
                Relation::Eq => a == b,
                Relation::Lt => a < b,
                Relation::Le => a <= b,
            })
        }
        Node::CompareMembers(relation, a, b) => {
            let (a, b) = (member(a.index()), member(b.index()));
            Value::Bool(match relation {
                Relation::Eq => a == b,
                Relation::Lt => a < b,
                Relation::Le => a <= b,
            })
        }
        Node::Num(value) => Value::Num(value.to_rational()),
        Node::Factor(_) | Node::Unbridged(..) => panic!("not exact"),
        Node::Add(all) => Value::Num(all.iter().map(|a| num(a.index())).sum()),
        Node::Neg(a) => Value::Num(-num(a.index())),
        Node::Mul(a, b) => Value::Num(num(a.index()) * num(b.index())),
        Node::Div(a, b) => Value::Num(num(a.index()) / num(b.index())),
        Node::Rem(a, b) => {
            let (a, b) = (num(a.index()), num(b.index()));
            let floor = (&a / &b).floor();
            Value::Num(a - b * floor)
        }
        Node::Count(all) => {
            let count = all.iter().filter(|a| bool(a.index())).count();
            Value::Num(Rational::from_integer(count.into()))
        }
        Node::Member(number) => Value::Member(*number),
    }
}

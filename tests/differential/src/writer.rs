//! Writing rulesets at random: the declarations, the locals and the assertions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use fastrand::Rng;

/// The declarations of every ruleset: booleans, bare numbers, numbers in four dimensions, and two vocabularies, each
/// shared by two claims, the unordered one written in two orders.
pub(crate) const DECLARATIONS: &str = r#"
declare b0 as boolean;
declare b1 as boolean;
declare b2 as boolean;
declare n0 as numeric;
declare n1 as numeric;
declare n2 as numeric;
// @unit u0 USD
declare u0 as numeric;
// @unit u1 USD
declare u1 as numeric;
// @unit m0 m
declare m0 as numeric;
// @unit m1 km
declare m1 as numeric;
// @unit d0 d
declare d0 as numeric;
// @unit t0 degC
declare t0 as numeric;
declare k0 as enum {"air", "rail", "road"};
declare k1 as enum {"road", "air", "rail"};
declare o0 as enum ["low", "mid", "high"];
declare o1 as enum ["low", "mid", "high"];
declare local ob as boolean;
declare local on as numeric;
declare local ok as enum {"air", "rail", "road"};
declare local lb as boolean;
declare local ln as numeric;
declare local lu as numeric;
declare local lk as enum ["low", "mid", "high"];
"#;

/// Every form that an expression can have: the rows of the language's table and the leaves. Each must come up.
pub const FORMS: &[&str] = &[
    "And",
    "Or",
    "Not",
    "Xor",
    "Implies",
    "If of booleans",
    "If of numbers",
    "If of members",
    "IF THEN ELSE END",
    "IF THEN END",
    "CASE of members",
    "CASE that covers",
    "CASE of numbers",
    "== of booleans",
    "== of numbers",
    "== of members",
    "!= of booleans",
    "!= of numbers",
    "!= of members",
    "< of numbers",
    "<= of numbers",
    "> of numbers",
    ">= of numbers",
    "< of members",
    "<= of members",
    "> of members",
    ">= of members",
    "+",
    "-",
    "*",
    "/",
    "%",
    "unary -",
    "{}",
    "[]",
    "ForAll",
    "Exists",
    "AtLeast",
    "AtMost",
    "ExactlyOne",
    "CountWhere",
    "IsMember",
    "IsSubset",
    "Union",
    "Intersect",
    "Difference",
    "True",
    "False",
    "local",
    "undefined local",
    "boolean claim",
    "numeric claim",
    "claim with a unit",
    "enum claim",
    "quantified variable",
    "number",
    "number with a unit",
    "string",
    "literal in another unit",
    "literal of an interval",
    "literal that nothing bridges",
    "temperature",
];

/// The unknown policies as a source writes them.
pub const POLICIES: &[&str] = &["neutral", "pessimistic", "optimistic"];

/// What a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Bare,
    Usd,
    Length,
    Time,
}

/// A vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// Not ordered.
    Way,
    /// Ordered.
    Tier,
}

impl Vocabulary {
    pub(crate) fn members(self) -> [&'static str; 3] {
        match self {
            Vocabulary::Way => ["\"air\"", "\"rail\"", "\"road\""],
            Vocabulary::Tier => ["\"low\"", "\"mid\"", "\"high\""],
        }
    }
}

/// The type of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Num(Unit),
    Member(Vocabulary),
}

/// An assertion as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// The forms in it and in the locals that it uses.
    pub(crate) forms: BTreeSet<&'static str>,
    /// Its policy.
    pub(crate) policy: &'static str,
}

/// Writes expressions; remembers the forms that it used.
pub(crate) struct Writer<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) forms: BTreeSet<&'static str>,
    /// The variables of the quantifiers around.
    pub(crate) scope: Vec<(String, Kind)>,
    /// The locals that may be used here, with the forms in their definitions.
    pub(crate) locals: Vec<(&'static str, Kind, BTreeSet<&'static str>)>,
}

impl Writer<'_> {
    /// Notes a form and gives back its text.
    pub(crate) fn form(&mut self, form: &'static str, text: impl Into<String>) -> String {
        debug_assert!(FORMS.contains(&form), "{form} is not listed");
        self.forms.insert(form);
        text.into()
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.rng.usize(..times) == 0
    }

    /// An expression of any kind.
    pub(crate) fn any(&mut self, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Bool => self.bool(depth),
            Kind::Num(unit) => self.num(unit, depth),
            Kind::Member(vocabulary) => self.member(vocabulary, depth),
        }
    }

    /// A name of this kind that is in scope and is no claim, now and then.
    pub(crate) fn name(&mut self, kind: Kind) -> Option<String> {
        let variables: Vec<String> =
            self.scope.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        if !variables.is_empty() && !self.once_in(3) {
            let name = variables[self.rng.usize(..variables.len())].clone();
            return Some(self.form("quantified variable", name));
        }
        let locals: Vec<_> = self.locals.iter().filter(|(_, of, _)| *of == kind).cloned().collect();
        if !locals.is_empty() && self.once_in(5) {
            let (name, _, forms) = locals[self.rng.usize(..locals.len())].clone();
            self.forms.extend(forms);
            return Some(name.to_owned());
        }
        None
    }
}

/// How often an assertion is written anew at most, until it has the form whose turn it is.
const TRIES: usize = 200;

/// Writes a ruleset of `count` assertions. The forms take turns from `turn` on: each assertion has the one whose turn it
/// is, unless that is a rare one and many tries did not bring it.
pub(crate) fn ruleset(rng: &mut Rng, count: usize, turn: usize) -> (String, Vec<Written>) {
    let undefined = |name, kind| (name, kind, BTreeSet::from(["undefined local"]));
    let mut locals = vec![
        undefined("ob", Kind::Bool),
        undefined("on", Kind::Num(Unit::Bare)),
        undefined("ok", Kind::Member(Vocabulary::Way)),
    ];
    let mut source = format!("version 1.3;{DECLARATIONS}");
    for (name, kind) in [
        ("lb", Kind::Bool),
        ("ln", Kind::Num(Unit::Bare)),
        ("lu", Kind::Num(Unit::Usd)),
        ("lk", Kind::Member(Vocabulary::Tier)),
    ] {
        let mut writer = Writer { rng, forms: BTreeSet::new(), scope: Vec::new(), locals: locals.clone() };
        let definition = writer.any(kind, 2);
        let mut forms = writer.forms;
        forms.insert("local");
        writeln!(source, "let {name} = {definition};").unwrap();
        locals.push((name, kind, forms));
    }
    let mut written = Vec::new();
    for number in 0..count {
        let wanted = FORMS[(turn + number) % FORMS.len()];
        let mut writer = Writer { rng, forms: BTreeSet::new(), scope: Vec::new(), locals: locals.clone() };
        let mut body = String::new();
        for _ in 0..TRIES {
            writer.forms.clear();
            let depth = writer.rng.usize(1..=3);
            body = writer.bool(depth);
            if writer.forms.contains(wanted) {
                break;
            }
        }
        let policy = writer.pick(POLICIES);
        let mark = if policy == "neutral" { String::new() } else { format!("[{policy}] ") };
        writeln!(source, "assert a{number} {mark}{{ {body} }};").unwrap();
        written.push(Written { forms: writer.forms, policy });
    }
    (source, written)
}

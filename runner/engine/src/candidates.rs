//! A handful of ways to fill in what is not bound, tried before the solver is asked.
//!
//! Most open questions are simply unknown: large amounts fail them and small ones do not. Where the answer is settled as
//! holding under one candidate and as failing under another, both kinds of completion exist, and that is what UNKNOWN
//! means. A candidate that evaluation does not settle shows nothing.
//!
//! Columns try the same candidates, and leave to the row path what they cannot show; so which answers are given up does
//! not depend on the path.

use assay_compile::formula::{Formula, Node, Var};
use assay_compile::{ClaimKind, Ruleset, Sort};
use assay_units::Rational;

use crate::Interpretation;
use crate::aim::aim;
use crate::evaluate::evaluate;

/// Larger than what documents hold, and small enough that a product of it with another number is cheap.
const LARGE: i64 = 1_000_000_000_000_000;

/// The numbers that candidates are made of, each a numerator over a denominator. The last is smaller than what documents
/// hold, so that a quotient by it is large.
const NUMBERS: [(i64, i64); 5] = [(LARGE, 1), (-LARGE, 1), (0, 1), (1, 1), (1, 1_000_000_000)];

/// The ways to fill in booleans and numbers: what [`Candidates::bool`] and [`Candidates::number`] are written for.
const PATTERNS: usize = 10;

/// How many more patterns are tried with members that differ from claim to claim.
const DIFFERENT: usize = 2;

/// The most members of a vocabulary that are all tried.
const MEMBERS: usize = 32;

/// The candidates of a ruleset. Each fills in every claim and every local, by its place.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    /// The sizes of the vocabularies of claims; 0 for those of another type.
    claims: Vec<u32>,
    /// The same of locals.
    locals: Vec<u32>,
    numbers: Vec<Rational>,
    /// How many members are tried: those of the largest vocabulary.
    members: usize,
}

impl Candidates {
    pub(crate) fn new(ruleset: &Ruleset) -> Candidates {
        let claims = ruleset.claims.iter().map(|claim| match &claim.kind {
            ClaimKind::Enum(of) => of.vocabulary.members.len() as u32,
            _ => 0,
        });
        let locals = ruleset.locals.iter().map(|local| match &local.sort {
            Sort::Member(vocabulary) => vocabulary.members.len() as u32,
            _ => 0,
        });
        let (claims, locals): (Vec<u32>, Vec<u32>) = (claims.collect(), locals.collect());
        let largest = claims.iter().chain(&locals).max().map_or(0, |largest| *largest as usize);
        let numbers = NUMBERS.map(|(above, below)| Rational::new(above.into(), below.into()));
        Candidates { claims, locals, numbers: numbers.into(), members: largest.clamp(1, MEMBERS) }
    }

    /// How many there are: the n-th is named by `n`, from 0.
    ///
    /// Each pattern is tried with each member. They go on side by side, so that a few candidates differ in everything.
    pub(crate) fn count(&self) -> usize {
        (PATTERNS + DIFFERENT) * self.members
    }

    /// Whether the n-th differs from those before it in members alone.
    pub(crate) fn is_for_members(&self, n: usize) -> bool {
        !n.is_multiple_of(self.members) || n / self.members >= PATTERNS
    }

    /// The pattern of the n-th.
    fn pattern(&self, n: usize) -> usize {
        (n % self.members + n / self.members) % PATTERNS
    }

    /// What the n-th makes of a boolean.
    pub(crate) fn bool(&self, n: usize, var: Var) -> bool {
        match self.pattern(n) {
            0 | 2 | 6 | 8 => true,
            1 | 3 | 7 => false,
            pattern => (pattern + place(var)).is_multiple_of(2),
        }
    }

    /// What the n-th makes of a number: a numerator and a denominator.
    pub(crate) fn number(&self, n: usize, var: Var) -> (i64, i64) {
        NUMBERS[self.number_index(n, var)]
    }

    fn number_index(&self, n: usize, var: Var) -> usize {
        match self.pattern(n) {
            0 | 3 => 0,
            1 | 2 => 1,
            6 => 2,
            7 => 3,
            8 => 4,
            9 => place(var) % NUMBERS.len(),
            pattern => (pattern + place(var)) % 2,
        }
    }

    /// What the n-th makes of a member, by number.
    pub(crate) fn member(&self, n: usize, var: Var) -> u32 {
        let size = match var {
            Var::Claim(claim) => self.claims.get(claim.0),
            Var::Local(local) => self.locals.get(local.0),
        };
        let size = size.copied().unwrap_or(0).max(1) as usize;
        // First the same for all of a size, then different ones.
        let shift = if n / self.members < PATTERNS { 0 } else { place(var) };
        ((n % self.members + shift) % size) as u32
    }

    /// The n-th, to evaluate a question with.
    pub(crate) fn candidate(&self, n: usize) -> Candidate<'_> {
        Candidate { of: self, n }
    }

    /// Whether candidates show that a question can hold and can fail.
    pub(crate) fn show_unknown(&self, question: &Formula) -> bool {
        let mut shown = Shown::default();
        let has_members = question.nodes().iter().any(|node| matches!(node, Node::MemberVar(..)));
        for n in (0..self.count()).filter(|n| has_members || !self.is_for_members(*n)) {
            shown.add(evaluate(question, &self.candidate(n)));
            if shown.is_unknown() {
                return true;
            }
        }
        aim(self, question, &mut shown);
        shown.is_unknown()
    }
}

/// What completions showed of a question.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    holds: bool,
    fails: bool,
}

impl Shown {
    /// Adds what the question comes to under a completion, if that is settled.
    pub(crate) fn add(&mut self, value: Option<bool>) {
        self.holds |= value == Some(true);
        self.fails |= value == Some(false);
    }

    /// Whether it holds under one and fails under another.
    pub(crate) fn is_unknown(&self) -> bool {
        self.holds && self.fails
    }
}

fn place(var: Var) -> usize {
    match var {
        Var::Claim(claim) => claim.0,
        Var::Local(local) => local.0 + 1,
    }
}

/// One of them, to evaluate a residual question with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    of: &'a Candidates,
    n: usize,
}

impl Interpretation for Candidate<'_> {
    fn bool(&self, var: Var) -> Option<bool> {
        Some(self.of.bool(self.n, var))
    }
    fn number(&self, var: Var) -> Option<&Rational> {
        self.of.numbers.get(self.of.number_index(self.n, var))
    }
    fn member(&self, var: Var) -> Option<u32> {
        Some(self.of.member(self.n, var))
    }
}

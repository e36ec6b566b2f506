//! A handful of ways to fill in what is not bound, tried before the solver is asked.
//!
//! Most open questions are simply unknown: large amounts fail them and small ones do not. Where the answer is settled as
//! holding under one candidate and as failing under another, both kinds of completion exist, and that is what UNKNOWN
//! means. A candidate that evaluation does not settle shows nothing.
//!
//! Columns try the same candidates, and leave to the row path what they cannot show; so which answers are given up does
//! not depend on the path.

use assay_compile::formula::{Formula, Var};
use assay_compile::{ClaimKind, Ruleset, Sort};
use assay_units::Rational;

use crate::Interpretation;
use crate::aim::aim;
use crate::evaluate::evaluate;

/// Larger than what documents hold, and small enough that a product of it with another number is cheap.
const LARGE: i64 = 1_000_000_000_000_000;

/// The numbers that candidates are made of.
const NUMBERS: [i64; 4] = [LARGE, -LARGE, 0, 1];

/// The fewest candidates: what the list of [`Candidates::bool`] and [`Candidates::number`] is written for.
const FEWEST: usize = 8;

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
    count: usize,
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
        let numbers = NUMBERS.iter().map(|number| Rational::from_integer((*number).into())).collect();
        Candidates { claims, locals, numbers, count: FEWEST.max(2 * largest.min(MEMBERS)) }
    }

    /// How many there are: the n-th is named by `n`, from 0.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// What the n-th makes of a boolean.
    pub(crate) fn bool(&self, n: usize, var: Var) -> bool {
        match n {
            0 | 2 | 6 => true,
            1 | 3 | 7 => false,
            _ => (n + place(var)).is_multiple_of(2),
        }
    }

    /// What the n-th makes of a number.
    pub(crate) fn number(&self, n: usize, var: Var) -> i64 {
        NUMBERS[self.number_index(n, var)]
    }

    fn number_index(&self, n: usize, var: Var) -> usize {
        match n {
            0 | 3 => 0,
            1 | 2 => 1,
            4 | 5 => (n + place(var)) % 2,
            6 => 2,
            7 => 3,
            _ => (n + place(var)) % NUMBERS.len(),
        }
    }

    /// What the n-th makes of a member, by number.
    pub(crate) fn member(&self, n: usize, var: Var) -> u32 {
        let size = match var {
            Var::Claim(claim) => self.claims.get(claim.0),
            Var::Local(local) => self.locals.get(local.0),
        };
        let size = size.copied().unwrap_or(0).max(1) as usize;
        // First the same for all of a size, member by member; then different ones.
        let shift = if (n / size).is_multiple_of(2) { 0 } else { place(var) };
        ((n + shift) % size) as u32
    }

    /// The n-th, to evaluate a question with.
    pub(crate) fn candidate(&self, n: usize) -> Candidate<'_> {
        Candidate { of: self, n }
    }

    /// Whether candidates show that a question can hold and can fail.
    pub(crate) fn show_unknown(&self, question: &Formula) -> bool {
        let mut shown = Shown::default();
        for n in 0..self.count {
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

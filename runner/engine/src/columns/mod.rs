//! Deciding by column: many documents at once, exactly.
//!
//! Documents of regular data come as columns. All assertions are one [`Program`](program) of column operations, and
//! a [machine] evaluates it for a block of rows at a time, by the rules of evaluation: whole numbers with a common
//! [scale](scales), in as few bits as the numbers call for ([lanes]), and booleans of three values as pairs of [bits].
//!
//! 1. Most answers are settled so.
//! 2. The rows that are open are gathered and evaluated again with each candidate in place of what is not bound; an
//!    answer that one candidate makes TRUE and another FALSE is UNKNOWN by definition.
//! 3. What is still open, and what columns cannot tell exactly, goes the way of single dictionaries, for that
//!    assertion alone.
//!
//! Where several rows are the evidence of one document, every choice of contradicted evidence is a row by itself, and
//! between steps two and three the rows of a document come to [one answer](documents).
//!
//! The answers, their reasons and what is given up are those of that way for every row.

mod answers;
mod bits;
mod documents;
mod input;
mod lanes;
mod machine;
mod program;
mod reasons;
mod scales;
mod slots;

use assay_claims::{ClaimColumn, ClaimColumns, DocumentColumns, Evidence};
use assay_compile::ClaimKind;

pub use answers::{AssertionColumn, ColumnAnswers};
pub(crate) use program::Program;

use crate::{EngineError, Plan, Route};
use answers::Collected;
use bits::WORDS;
use documents::Documents;
use input::{Input, words};
use machine::{Fill, Machine, Place, Seen};
use program::Asked;
use scales::Scales;

/// The rows of one assertion by what was found of it, in words of bits.
#[derive(Debug, Clone)]
struct Found {
    holds: Vec<u64>,
    fails: Vec<u64>,
    /// Shown to be UNKNOWN.
    unknown: Vec<u64>,
    /// Contradicted, and not the same under every choice.
    ambiguous: Vec<u64>,
    /// Open and for the row path: first only the tainted ones.
    rows: Vec<u64>,
}

impl Plan {
    /// Decides every assertion for every row of a chunk that is not set aside. The words, the reasons and
    /// what is given up are those that [`Plan::decide_all`] answers to the same bindings. With
    /// [`Route::Z3`] they come from the solver.
    ///
    /// # Errors
    /// Where an engine fails, or where the columns were not read for this ruleset; then there are no answers.
    pub fn decide_columns(&self, columns: &ClaimColumns) -> Result<ColumnAnswers, EngineError> {
        let documents = Documents::rows(columns);
        self.decide_either(columns, &documents)
    }

    /// Decides every assertion for every document of a chunk that is not set aside, where documents may have several rows
    /// of evidence. The answers are those that [`Plan::decide_all`] gives to the same evidence.
    ///
    /// # Errors
    /// As [`Plan::decide_columns`].
    pub fn decide_documents(&self, documents: &DocumentColumns) -> Result<ColumnAnswers, EngineError> {
        self.decide_either(&documents.columns, &Documents::new(documents, self.ruleset()))
    }

    fn decide_either(
        &self,
        columns: &ClaimColumns,
        documents: &Documents<'_>,
    ) -> Result<ColumnAnswers, EngineError> {
        self.columns_fit(columns)?;
        let input = Input::new(columns);
        let aside = words(&columns.set_aside);
        let mut found = match self.settings().route {
            Route::Auto => self.evaluate_columns(&input, &aside),
            Route::Z3 => self.nothing_found(&input, &aside),
        };
        documents.fold(&mut found);
        let mut collected = Collected::new(self.ruleset(), &input, documents);
        for found in &found {
            collected.add(found);
        }
        self.decide_rows(documents, &found, &mut collected)?;
        Ok(collected.finish())
    }

    /// Steps one and two.
    fn evaluate_columns(&self, input: &Input<'_>, aside: &[u64]) -> Vec<Found> {
        let program = self.program();
        let scales = Scales::new(&program.formula, |claim| input.scale(claim));
        let mut machine = Machine::new(program);
        let size = input.blocks() * WORDS;
        let empty = || Vec::with_capacity(size);
        let mut found: Vec<Found> = program
            .assertions
            .iter()
            .map(|_| Found {
                holds: empty(),
                fails: empty(),
                unknown: vec![0; size],
                ambiguous: vec![0; size],
                rows: empty(),
            })
            .collect();
        let all = vec![true; program.formula.nodes().len()];
        for block in 0..input.blocks() {
            machine.run(Place { input, scales: &scales, block }, Fill::Open, &all);
            let live = input.live(block) & !input::block(aside, block);
            for (asked, found) in program.assertions.iter().zip(&mut found) {
                let truth = machine.truth(asked.root);
                let open = live & !truth.is_known();
                let rows = open & machine.tainted(&asked.cone);
                found.holds.extend((truth.holds & live).0);
                found.fails.extend((truth.fails & live).0);
                found.rows.extend(rows.0);
            }
        }
        self.try_candidates(input, aside, &scales, &mut machine, &mut found);
        for found in &mut found {
            for (at, rows) in found.rows.iter_mut().enumerate() {
                let live = live_word(input.rows, at) & !aside[at];
                *rows = live & !found.holds[at] & !found.fails[at] & !found.unknown[at];
            }
        }
        found
    }

    /// Step two: finds the rows that are UNKNOWN among those that are open and not for the row path.
    fn try_candidates(
        &self,
        input: &Input<'_>,
        aside: &[u64],
        scales: &Scales,
        machine: &mut Machine<'_>,
        found: &mut [Found],
    ) {
        let program = self.program();
        let open = |found: &Found, at: usize| {
            let settled = found.holds[at] | found.fails[at] | found.rows[at];
            live_word(input.rows, at) & !aside[at] & !settled
        };
        let any: Vec<u64> = (0..input.blocks() * WORDS)
            .map(|at| found.iter().fold(0, |any, found| any | open(found, at)))
            .collect();
        let rows: Vec<usize> = ones(&any).collect();
        if rows.is_empty() {
            return;
        }
        let gathered = input.gather(&rows);
        let open: Vec<Vec<u64>> = found
            .iter()
            .map(|found| (0..any.len()).map(|at| open(found, at)).collect::<Vec<u64>>())
            .map(|open| input::gather(&open, &rows))
            .collect();
        let candidates = self.candidates();
        let mut wanted = vec![false; program.formula.nodes().len()];
        for block in 0..gathered.blocks() {
            let mut seen: Vec<Seen> = open.iter().map(|open| Seen::new(input::block(open, block))).collect();
            for n in 0..candidates.count() {
                // What an assertion without members makes of a candidate that is for members is known already.
                let wants = |asked: &Asked, seen: &Seen| {
                    !seen.is_done() && (asked.has_members || !candidates.is_for_members(n))
                };
                wanted.fill(false);
                let mut any = false;
                for (asked, _) in
                    program.assertions.iter().zip(&seen).filter(|(asked, seen)| wants(asked, seen))
                {
                    asked.cone.iter().for_each(|node| wanted[*node] = true);
                    any = true;
                }
                if !any {
                    continue;
                }
                let fill = Fill::Candidate(candidates, n);
                machine.run(Place { input: &gathered, scales, block }, fill, &wanted);
                for (asked, seen) in program.assertions.iter().zip(&mut seen) {
                    if wants(asked, seen) {
                        seen.add(machine.truth(asked.root));
                    }
                }
            }
            for (seen, found) in seen.iter().zip(found.iter_mut()) {
                for at in ones(&seen.unknown().0) {
                    let row = rows[block * bits::BLOCK + at];
                    found.unknown[row / 64] |= 1 << (row % 64);
                }
            }
        }
    }

    /// Everything is for the row path.
    fn nothing_found(&self, input: &Input<'_>, aside: &[u64]) -> Vec<Found> {
        let none = vec![0; input.blocks() * WORDS];
        let rows = aside.iter().enumerate().map(|(at, aside)| live_word(input.rows, at) & !aside).collect();
        let found =
            Found { holds: none.clone(), fails: none.clone(), unknown: none.clone(), ambiguous: none, rows };
        vec![found; self.formulas().len()]
    }

    /// Step three.
    fn decide_rows(
        &self,
        documents: &Documents<'_>,
        found: &[Found],
        collected: &mut Collected<'_>,
    ) -> Result<(), EngineError> {
        let size = found.first().map_or(0, |found| found.rows.len());
        let any: Vec<u64> =
            (0..size).map(|at| found.iter().fold(0, |any, found| any | found.rows[at])).collect();
        if any.iter().all(|word| *word == 0) {
            return Ok(());
        }
        let decider = self.decider();
        let rows: Vec<usize> = ones(&any).collect();
        self.workers().lend(|worker| {
            for rows in rows.chunks(self.block_size()) {
                let evidence: Vec<Evidence> = rows.iter().map(|row| documents.evidence(*row)).collect();
                let wanted = |row: usize, of: &Found| of.rows[row / 64] >> (row % 64) & 1 == 1;
                let places: Vec<(usize, usize)> = (0..found.len())
                    .flat_map(|assertion| (0..rows.len()).map(move |at| (at, assertion)))
                    .filter(|(at, assertion)| wanted(rows[*at], &found[*assertion]))
                    .collect();
                let pairs: Vec<(&Evidence, usize)> =
                    places.iter().map(|(at, assertion)| (&evidence[*at], *assertion)).collect();
                let answers = decider.pairs(&pairs, self.settings().route, worker)?;
                for ((at, assertion), answer) in places.iter().zip(answers) {
                    collected.place(*assertion, rows[*at], answer);
                }
            }
            Ok(())
        })
    }

    /// There is a column for each claim, of the claim's type and as long as there are rows.
    fn columns_fit(&self, columns: &ClaimColumns) -> Result<(), EngineError> {
        let rows = columns.rows;
        for (at, claim) in self.ruleset().claims.iter().enumerate() {
            let fits = match (columns.columns.get(at), &claim.kind) {
                (Some(ClaimColumn::Unknown), _) => true,
                (Some(ClaimColumn::Bool { values, known }), ClaimKind::Boolean) => {
                    values.len() == rows && known.len() == rows
                }
                (Some(ClaimColumn::Member { numbers, known }), ClaimKind::Enum(of)) => {
                    let members = of.vocabulary.members.len();
                    let outside = |row: usize| known.value(row) && !columns.set_aside.value(row);
                    numbers.len() == rows
                        && known.len() == rows
                        && columns.set_aside.len() == rows
                        && (numbers.iter().all(|number| (*number as usize) < members)
                            || !(0..rows).any(|row| numbers[row] as usize >= members && outside(row)))
                }
                (Some(ClaimColumn::Number { unscaled, scale, known }), ClaimKind::Numeric { .. }) => {
                    unscaled.len() == rows && known.len() == rows && *scale <= assay_claims::MAX_SCALE
                }
                _ => false,
            };
            if !fits || columns.set_aside.len() != rows {
                return Err(EngineError::Misfit { claim: claim.name.clone() });
            }
        }
        Ok(())
    }
}

/// The bits of a word that stand for rows.
fn live_word(rows: usize, at: usize) -> u64 {
    match rows.saturating_sub(at * 64) {
        0 => 0,
        few @ 1..64 => (1 << few) - 1,
        _ => u64::MAX,
    }
}

/// The places of the bits that are set, in order.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                at * 64 + bit
            })
        })
    })
}

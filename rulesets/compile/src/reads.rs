//! What an assertion reads: itself, and through the locals that it uses.

use crate::typed::{ClaimId, LocalId, Typed};
use crate::typing::Uses;

/// Follows locals to the claims and the undefined locals behind them.
pub(crate) struct Reads<'a> {
    definitions: &'a [Option<(Typed, Uses)>],
    /// For each claim and local, the number of the last assertion that met it.
    claims: Vec<usize>,
    locals: Vec<usize>,
    assertion: usize,
}

/// What one assertion reads.
pub(crate) struct Read {
    /// Claims in declared order.
    pub(crate) claims: Vec<ClaimId>,
    /// Locals without a definition in declared order.
    pub(crate) open_locals: Vec<LocalId>,
}

impl<'a> Reads<'a> {
    /// Reads through these definitions, in the order of the locals.
    pub(crate) fn new(definitions: &'a [Option<(Typed, Uses)>], claims: usize) -> Reads<'a> {
        Reads { definitions, claims: vec![0; claims], locals: vec![0; definitions.len()], assertion: 0 }
    }

    /// What a formula with these uses reads.
    pub(crate) fn of(&mut self, uses: &Uses) -> Read {
        self.assertion += 1;
        let mut read = Read { claims: Vec::new(), open_locals: Vec::new() };
        let mut waiting = vec![uses];
        while let Some(uses) = waiting.pop() {
            for &claim in &uses.claims {
                if first_time(&mut self.claims, claim.0, self.assertion) {
                    read.claims.push(claim);
                }
            }
            for &local in &uses.locals {
                if first_time(&mut self.locals, local.0, self.assertion) {
                    match self.definitions.get(local.0) {
                        Some(Some((_, uses))) => waiting.push(uses),
                        _ => read.open_locals.push(local),
                    }
                }
            }
        }
        read.claims.sort();
        read.open_locals.sort();
        read
    }
}

fn first_time(met: &mut [usize], at: usize, now: usize) -> bool {
    met.get_mut(at).is_some_and(|last| std::mem::replace(last, now) != now)
}

//! From the typed tree to a formula, for one combination of the units that the evidence came in.
//!
//! Each number is lowered together with the unit it is in. Where two numbers meet, their units decide what becomes of
//! them: nothing, an exact conversion, an interval's factor, or an unconstrained function where nothing bridges the two
//! (see [`meeting`]). What is left is arithmetic without units.
//!
//! A local is lowered once for each assertion that uses it, and those it reads before it, so that the depth of
//! the recursion is bounded by the nesting of one expression and the size of a formula by the size of its source.

mod arithmetic;
mod logic;
mod meeting;

use std::sync::Arc;

use assay_units::{Library, Unit};

use crate::formula::{BoolRef, Builder, Formula, MemberRef, NumRef, Var};
use crate::ruleset::{ClaimKind, Sort};
use crate::trace::{Said, Trace, Tracer};
use crate::typed::{ClaimId, LocalId, Typed, Vocabulary};
use crate::{Measure, Measures, Ruleset};

/// Lowers one assertion into unit-free arithmetic for one combination of measures.
///
/// Total: every assertion of a compiled ruleset has a formula under every combination and library. An assertion that
/// the ruleset does not have is a formula that does not hold.
pub fn resolve(ruleset: &Ruleset, assertion: usize, measures: &Measures, library: &Library) -> Formula {
    let mut lowering = Lowering::new(ruleset, measures, library);
    let root = lowering.assertion(assertion);
    lowering.builder.finish(root)
}

/// Lowers one assertion as [`resolve`] does, and says what each node is in the source.
pub fn trace(ruleset: &Ruleset, assertion: usize, measures: &Measures, library: &Library) -> Trace {
    let mut lowering = Lowering::new(ruleset, measures, library);
    lowering.tracer = Some(Tracer::default());
    let root = lowering.assertion(assertion);
    let tracer = lowering.tracer.take().unwrap_or_default();
    tracer.finish(lowering.builder.finish(root))
}

struct Lowering<'a> {
    ruleset: &'a Ruleset,
    measures: &'a Measures,
    library: &'a Library,
    builder: Builder,
    locals: Vec<Slot>,
    /// What the nodes are in the source, where that is asked for.
    tracer: Option<Tracer>,
}

/// How far a local has come.
#[derive(Debug, Clone)]
enum Slot {
    New,
    Open,
    Done(Lowered),
}

/// An expression that is lowered.
#[derive(Debug, Clone)]
enum Lowered {
    Bool(BoolRef),
    Num(Quantity),
    Member(MemberRef),
}

/// A number and the unit it is in.
#[derive(Debug, Clone)]
struct Quantity {
    number: NumRef,
    measured: Measured,
}

/// The unit that a number is in, `1` for a bare one, and whether it is foreign to what the source says of it: the
/// value of a claim whose evidence came in a unit that nothing bridges to the declared one, or a result of such.
#[derive(Debug, Clone)]
struct Measured {
    unit: Unit,
    foreign: bool,
}

impl Measured {
    fn bare() -> Measured {
        Measured { unit: Unit::one(), foreign: false }
    }
}

impl<'a> Lowering<'a> {
    fn new(ruleset: &'a Ruleset, measures: &'a Measures, library: &'a Library) -> Lowering<'a> {
        Lowering {
            ruleset,
            measures,
            library,
            builder: Builder::new(),
            locals: vec![Slot::New; ruleset.locals.len()],
            tracer: None,
        }
    }

    fn assertion(&mut self, assertion: usize) -> BoolRef {
        match self.ruleset.assertions.get(assertion) {
            Some(assertion) => {
                self.locals(&assertion.locals);
                self.bool(&assertion.body)
            }
            None => self.builder.bool(false),
        }
    }

    /// Begins a part of the source, where parts are asked for.
    fn open(&mut self, said: Said) {
        if let Some(tracer) = &mut self.tracer {
            tracer.open(said);
        }
    }

    /// Ends the innermost part with the node that it became.
    fn close(&mut self, node: usize, unit: Option<&Unit>, vocabulary: Option<&Arc<Vocabulary>>) {
        if let Some(tracer) = &mut self.tracer {
            tracer.close(node, unit.cloned(), vocabulary.cloned());
        }
    }

    /// Lowers locals and all that they read, each after those it reads. Without recursion: a chain of locals may be
    /// thousands long.
    fn locals(&mut self, wanted: &[LocalId]) {
        let mut path: Vec<LocalId> = wanted.iter().rev().copied().collect();
        while let Some(&id) = path.last() {
            let Some(local) = self.ruleset.locals.get(id.0) else {
                path.pop();
                continue;
            };
            match self.locals.get(id.0) {
                Some(Slot::New) => {
                    self.set(id, Slot::Open);
                    let unread = local
                        .reads
                        .iter()
                        .rev()
                        .filter(|read| matches!(self.locals.get(read.0), Some(Slot::New)));
                    path.extend(unread.copied());
                }
                Some(Slot::Open) => {
                    let lowered = match (&local.definition, &local.sort) {
                        (Some(Typed::Bool(value)), _) => Lowered::Bool(self.bool(value)),
                        (Some(Typed::Num(value)), _) => Lowered::Num(self.num(value)),
                        (Some(Typed::Member(value)), _) => Lowered::Member(self.member(value)),
                        (None, sort) => self.open_local(id, sort),
                    };
                    self.set(id, Slot::Done(lowered));
                    if let Some(tracer) = &mut self.tracer {
                        tracer.end_local(id);
                    }
                    path.pop();
                }
                Some(Slot::Done(_)) | None => {
                    path.pop();
                }
            }
        }
    }

    fn set(&mut self, id: LocalId, slot: Slot) {
        if let Some(place) = self.locals.get_mut(id.0) {
            *place = slot;
        }
    }

    /// A local without a definition: unconstrained, and bare where it is a number.
    fn open_local(&mut self, id: LocalId, sort: &Sort) -> Lowered {
        let var = Var::Local(id);
        match sort {
            Sort::Bool => Lowered::Bool(self.builder.bool_var(var)),
            Sort::Num => {
                Lowered::Num(Quantity { number: self.builder.num_var(var), measured: Measured::bare() })
            }
            Sort::Member(vocabulary) => {
                Lowered::Member(self.builder.member_var(var, vocabulary.members.len() as u32))
            }
        }
    }

    fn local(&self, id: LocalId) -> Option<&Lowered> {
        match self.locals.get(id.0) {
            Some(Slot::Done(lowered)) => Some(lowered),
            _ => None,
        }
    }

    /// The value of a numeric claim in the unit of its evidence, or in its declared unit where an interval leads there.
    fn claim(&mut self, id: ClaimId) -> Quantity {
        let number = self.builder.num_var(Var::Claim(id));
        let declared = match self.ruleset.claims.get(id.0).map(|claim| &claim.kind) {
            Some(ClaimKind::Numeric { unit: Some(unit), .. }) => unit.clone(),
            _ => Unit::one(),
        };
        match self.measures.of(id) {
            Measure::Declared => Quantity { number, measured: Measured { unit: declared, foreign: false } },
            Measure::Foreign(unit) => {
                Quantity { number, measured: Measured { unit: unit.clone(), foreign: true } }
            }
            Measure::Interval(unit) => match self.conversion(unit, &declared) {
                Some(conversion) => {
                    let number = self.convert(number, Some(&conversion));
                    Quantity { number, measured: Measured { unit: declared, foreign: false } }
                }
                None => Quantity { number, measured: Measured { unit: unit.clone(), foreign: true } },
            },
        }
    }
}

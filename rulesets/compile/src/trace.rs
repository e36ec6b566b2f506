//! What the parts of an assertion are, as they are written: for a person who wants to see the value of each.
//!
//! [`trace`] lowers an assertion as [`resolve`](crate::resolve) does and notes on the way which node every expression
//! of the source became, in which unit it is and which conversions it took. The formula is the same one.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_syntax::Span;
use assay_units::{Interval, Rational, Unit};
use num_traits::{One, Zero};

use crate::formula::Formula;
use crate::typed::{ClaimId, LocalId, Vocabulary};

/// How many of the parts before it a part is compared with, to be noted once.
const COMPARED: usize = 256;

/// A formula and what its nodes are in the source.
#[derive(Debug, Clone)]
pub struct Trace {
    /// What the assertion is lowered to.
    pub formula: Formula,
    /// The parts of the assertion itself.
    parts: Vec<Part>,
    /// The parts of the locals that it uses.
    locals: Vec<(LocalId, Vec<Part>)>,
}

/// One expression of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// How deep it stands: a part of another comes after it and is one deeper.
    pub depth: usize,
    /// What the source says.
    pub said: Said,
    /// Its place in [`Formula::nodes`].
    pub node: usize,
    /// The unit that its number is in; `1` for a bare number, and none for what is no number.
    pub unit: Option<Unit>,
    /// The vocabulary of a member.
    pub vocabulary: Option<Arc<Vocabulary>>,
    /// The conversions of what stands directly in it.
    pub conversions: Vec<Converted>,
}

/// What the source says at a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// The text of this span. Of a quantifier's condition also the variable, and the element that it stands for.
    Written {
        /// The text.
        span: Span,
        /// The variable and the element.
        given: Option<(Span, Span)>,
    },
    /// A claim.
    Claim(ClaimId),
    /// A local. Its definition is the part of its first mention.
    Local(LocalId),
    /// How many conditions of a quantifier hold.
    Count,
    /// The member that an IF or a CASE chooses.
    Chosen,
}

/// A number that was converted.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The unit before.
    pub from: Unit,
    /// The unit after; `1` where it cancels out.
    pub to: Unit,
    /// The node before.
    pub before: usize,
    /// The node after.
    pub after: usize,
    /// How.
    pub how: How,
}

/// How a number of one unit becomes one of another.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// `number * factor + offset`
    Exact {
        /// The factor.
        factor: Rational,
        /// The offset.
        offset: Rational,
    },
    /// `number * factor` times the interval's factor, or by it.
    Interval {
        /// Where the unknown factor lies.
        interval: Interval,
        /// Whether the unknown factor divides.
        inverse: bool,
        /// The exact part.
        factor: Rational,
    },
    /// Nothing bridges the two: an unconstrained function.
    Unbridged,
}

impl How {
    /// Whether it changes nothing.
    fn is_same(&self) -> bool {
        matches!(self, How::Exact { factor, offset } if factor.is_one() && offset.is_zero())
    }
}

impl Trace {
    /// The parts in the order in which they are written, the definition of a local below its first mention, and whether
    /// there are more than `most` of them.
    pub fn parts(&self, most: usize) -> (Vec<Part>, bool) {
        let mut listed = Vec::new();
        let mut shown = BTreeSet::new();
        // Lists of parts that are not at their end yet, with what is added to their depths.
        let mut waiting = vec![(self.parts.iter(), 0)];
        while let Some((parts, below)) = waiting.last_mut() {
            let below = *below;
            let Some(part) = parts.next() else {
                waiting.pop();
                continue;
            };
            if listed.len() == most {
                return (listed, true);
            }
            let depth = part.depth + below;
            listed.push(Part { depth, ..part.clone() });
            if let Said::Local(id) = part.said
                && shown.insert(id)
                && let Some((_, parts)) = self.locals.iter().find(|(local, _)| *local == id)
            {
                waiting.push((parts.iter(), depth + 1));
            }
        }
        (listed, false)
    }
}

/// Notes parts while an assertion is lowered.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    parts: Vec<Part>,
    /// The places of the parts that are not at their end.
    open: Vec<usize>,
    locals: Vec<(LocalId, Vec<Part>)>,
}

impl Tracer {
    pub(crate) fn open(&mut self, said: Said) {
        let depth = self.open.len();
        self.open.push(self.parts.len());
        let part = Part { depth, said, node: 0, unit: None, vocabulary: None, conversions: Vec::new() };
        self.parts.push(part);
    }

    pub(crate) fn close(&mut self, node: usize, unit: Option<Unit>, vocabulary: Option<Arc<Vocabulary>>) {
        let Some(at) = self.open.pop() else { return };
        let Some(part) = self.parts.get_mut(at) else { return };
        (part.node, part.unit, part.vocabulary) = (node, unit, vocabulary);
        // What is lowered twice is written once: the value that `IsMember` compares with every element.
        let (before, from) = self.parts.split_at(at);
        let Some(part) = from.first() else { return };
        let siblings = before.iter().rev().take(COMPARED).take_while(|other| other.depth >= part.depth);
        let mut siblings = siblings.filter(|other| other.depth == part.depth);
        if siblings.any(|other| other.said == part.said && other.node == part.node) {
            self.parts.truncate(at);
        }
    }

    /// Whether the innermost part is the whole of a span: a quantifier that counts is a comparison of that count.
    pub(crate) fn is_within(&self, whole: Span) -> bool {
        let innermost = self.open.last().and_then(|at| self.parts.get(*at));
        innermost.is_some_and(|part| matches!(part.said, Said::Written { span, .. } if span == whole))
    }

    pub(crate) fn converted(&mut self, converted: Converted) {
        if converted.how.is_same() {
            return;
        }
        let innermost = self.open.last().and_then(|at| self.parts.get_mut(*at));
        if let Some(part) = innermost
            && !part.conversions.contains(&converted)
        {
            part.conversions.push(converted);
        }
    }

    /// Takes what was noted as the definition of a local.
    pub(crate) fn end_local(&mut self, id: LocalId) {
        let parts = std::mem::take(&mut self.parts);
        self.locals.push((id, parts));
    }

    /// The trace of the assertion that became this formula.
    pub(crate) fn finish(self, formula: Formula) -> Trace {
        Trace { formula, parts: self.parts, locals: self.locals }
    }
}

//! How much a ruleset may hold.

use assay_syntax::{Diagnostic, Span};

/// The most claims.
pub(crate) const CLAIMS: usize = 2_000;
/// The most assertions.
pub(crate) const ASSERTIONS: usize = 5_000;
/// The most members of one vocabulary.
pub(crate) const MEMBERS: usize = 10_000;
/// The most expression nodes of all statements together, quantifiers unrolled.
pub(crate) const NODES: u64 = 200_000;
/// The deepest that an element may be once it stands where its variable did. What the parser lets through is a
/// good deal flatter; only quantifiers within quantifiers build higher.
pub(crate) const DEPTH: u32 = 500;
/// The most atoms of the unit of a product; their exponents reach [`assay_units::MAX_EXPONENT`] at most.
pub(crate) const ATOMS: usize = 100;

/// The refusal of a count past its limit.
pub(crate) fn exceeded(span: Span, what: &str, budget: &'static str, limit: u64, actual: u64) -> Diagnostic {
    Diagnostic::error(span, format!("more than {limit} {what}")).budget(budget, limit, actual)
}
/// The most pairs of letters that are compared to name, in messages, what was meant. One misspelt text of 200 letters
/// against all that a source of the largest size can declare is half of that.
pub(crate) const SPELLINGS: usize = 100_000_000;
/// The most diagnostics that are listed.
pub(crate) const LISTED: usize = 1_000;
/// The pairs of literal elements that are compared for the price of one node.
pub(crate) const KNOWN_PAIRS: u64 = 64;

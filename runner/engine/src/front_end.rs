//! The second front end: what the solver's translation makes of a ruleset, against what the compiler says of it.
//!
//! The compiler lists for each assertion the claims and undefined locals that it reads, and of what sort each is. The
//! formula that the engines are asked is made on another way. Where the two do not fit, the ruleset is refused before
//! anything is answered.

use std::sync::Arc;

use crate::solver::in_context;
use assay_compile::formula::{Formula, Node, Var};
use assay_compile::{Assertion, ClaimKind, Ruleset, Sort};

use crate::EngineError;
use crate::translate::{Misfit, translate};

/// A sort as the variables of a formula have it.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Num,
    Member(u32),
}

/// Holds the formula of every assertion against the ruleset, and translates it for the solver.
pub(crate) fn verify(ruleset: &Ruleset, formulas: &[Arc<Formula>]) -> Result<(), EngineError> {
    let each = || ruleset.assertions.iter().zip(formulas);
    for (assertion, formula) in each() {
        variables(ruleset, assertion, formula)
            .map_err(|problem| Misfit(problem).in_assertion(&assertion.name))?;
    }
    in_context(|| {
        for (assertion, formula) in each() {
            translate(formula).map_err(|problem| problem.in_assertion(&assertion.name))?;
        }
        Ok(())
    })?
}

/// Every variable is one that the assertion reads, and of its sort.
fn variables(ruleset: &Ruleset, assertion: &Assertion, formula: &Formula) -> Result<(), String> {
    for node in formula.nodes() {
        let (var, kind) = match node {
            Node::BoolVar(var) => (*var, Kind::Bool),
            Node::NumVar(var) => (*var, Kind::Num),
            Node::MemberVar(var, size) => (*var, Kind::Member(*size)),
            _ => continue,
        };
        let (name, read, declared) = match var {
            Var::Claim(id) => {
                let claim = ruleset.claims.get(id.0).ok_or("a claim that is not declared")?;
                (&claim.name, assertion.reads.contains(&id), claim_kind(&claim.kind))
            }
            Var::Local(id) => {
                let local = ruleset.locals.get(id.0).ok_or("a local that is not declared")?;
                (&local.name, assertion.open_locals.contains(&id), local_kind(&local.sort))
            }
        };
        if !read {
            return Err(format!("it reads `{name}`, which the compiler does not list for it"));
        }
        if kind != declared {
            return Err(format!("it reads `{name}` as another type than it is declared with"));
        }
    }
    Ok(())
}

fn claim_kind(kind: &ClaimKind) -> Kind {
    match kind {
        ClaimKind::Boolean => Kind::Bool,
        ClaimKind::Numeric { .. } => Kind::Num,
        ClaimKind::Enum(of) => Kind::Member(of.vocabulary.members.len() as u32),
    }
}

fn local_kind(sort: &Sort) -> Kind {
    match sort {
        Sort::Bool => Kind::Bool,
        Sort::Num => Kind::Num,
        Sort::Member(vocabulary) => Kind::Member(vocabulary.members.len() as u32),
    }
}

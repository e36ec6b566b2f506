//! In which order locals are defined: what one reads comes before it, and none reads itself.

use assay_syntax::ast::{Expr, ExprKind};
use assay_syntax::{Diagnostic, Span};

use crate::names::{Meaning, Names};
use crate::typed::LocalId;

/// The locals so that each comes after those that its definition names. The locals of a cycle are reported, once for
/// each cycle, and left out.
pub(crate) fn order(names: &Names<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<LocalId> {
    let reads: Vec<Vec<(LocalId, Span)>> = names
        .locals
        .iter()
        .map(|local| local.definition.map_or_else(Vec::new, |definition| locals_in(&definition.value, names)))
        .collect();
    let mut search = Search { names, reads, state: vec![State::New; names.locals.len()], order: Vec::new() };
    for id in 0..names.locals.len() {
        search.visit(id, diagnostics);
    }
    search.order
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// On the path that is looked at.
    Open,
    Done,
    /// In a cycle.
    Cyclic,
}

struct Search<'a> {
    names: &'a Names<'a>,
    reads: Vec<Vec<(LocalId, Span)>>,
    state: Vec<State>,
    order: Vec<LocalId>,
}

impl Search<'_> {
    /// A depth-first search with a stack of its own: chains of locals may be thousands long.
    fn visit(&mut self, start: usize, diagnostics: &mut Vec<Diagnostic>) {
        if self.state[start] != State::New {
            return;
        }
        let mut path = vec![(start, 0)];
        self.state[start] = State::Open;
        while let Some((local, next)) = path.last_mut() {
            let local = *local;
            let Some(&(read, span)) = self.reads[local].get(*next) else {
                if self.state[local] == State::Open {
                    self.state[local] = State::Done;
                    self.order.push(LocalId(local));
                }
                path.pop();
                continue;
            };
            *next += 1;
            match self.state[read.0] {
                State::New => {
                    self.state[read.0] = State::Open;
                    path.push((read.0, 0));
                }
                State::Open => {
                    let from = path.iter().position(|(local, _)| *local == read.0).unwrap_or_default();
                    let cycle: Vec<usize> = path.iter().skip(from).map(|(local, _)| *local).collect();
                    self.report(&cycle, span, diagnostics);
                    for local in cycle {
                        self.state[local] = State::Cyclic;
                    }
                }
                State::Done | State::Cyclic => {}
            }
        }
    }

    fn report(&self, cycle: &[usize], span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let name = |local: &usize| format!("`{}`", self.names.locals[*local].declared.name.name);
        let Some(first) = cycle.first() else { return };
        let shown: Vec<String> = cycle.iter().take(10).map(name).collect();
        let more = if cycle.len() > 10 { " -> …" } else { "" };
        let message = match cycle.len() {
            1 => format!("{} is defined by itself", name(first)),
            _ => format!(
                "{} is defined by itself: {}{more} -> {}",
                name(first),
                shown.join(" -> "),
                name(first)
            ),
        };
        diagnostics
            .push(Diagnostic::error(span, message).help("a local is defined by claims and by other locals"));
    }
}

/// The locals that an expression names, in the order of their uses. A quantifier's variable hides a local.
fn locals_in(expr: &Expr, names: &Names<'_>) -> Vec<(LocalId, Span)> {
    let mut found = Vec::new();
    walk(expr, &mut Vec::new(), &mut |name, span| {
        if let Some(Meaning::Local(id)) = names.meaning(name) {
            found.push((id, span));
        }
    });
    found
}

fn walk<'a>(expr: &'a Expr, hidden: &mut Vec<&'a str>, found: &mut impl FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Boolean(_) | ExprKind::Error => {}
        ExprKind::Name(name) => {
            if !hidden.contains(&name.as_str()) {
                found(name, expr.span);
            }
        }
        ExprKind::Negate(a) => walk(a, hidden, found),
        ExprKind::Compare(_, a, b) => {
            walk(a, hidden, found);
            walk(b, hidden, found);
        }
        ExprKind::Sum(first, rest) => {
            walk(first, hidden, found);
            rest.iter().for_each(|(_, term)| walk(term, hidden, found));
        }
        ExprKind::Product(first, rest) => {
            walk(first, hidden, found);
            rest.iter().for_each(|(_, factor)| walk(factor, hidden, found));
        }
        ExprKind::Call(_, arguments) | ExprKind::Collection(arguments) => {
            arguments.iter().for_each(|argument| walk(argument, hidden, found));
        }
        ExprKind::If(condition, then, otherwise) => {
            walk(condition, hidden, found);
            walk(then, hidden, found);
            if let Some(otherwise) = otherwise {
                walk(otherwise, hidden, found);
            }
        }
        ExprKind::Case(subject, arms, default) => {
            walk(subject, hidden, found);
            arms.iter().for_each(|arm| walk(&arm.body, hidden, found));
            if let Some(default) = default {
                walk(default, hidden, found);
            }
        }
        ExprKind::Quantified(quantified) => {
            if let Some(count) = &quantified.count {
                walk(count, hidden, found);
            }
            walk(&quantified.set, hidden, found);
            hidden.push(&quantified.variable.name);
            walk(&quantified.body, hidden, found);
            hidden.pop();
        }
    }
}

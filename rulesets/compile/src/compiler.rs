//! Compiling: the phases of it in their order, and what becomes of what they find.

use std::collections::HashSet;

use assay_syntax::{Diagnostic, Source};

use crate::annotations::{self, Described};
use crate::names::{Kind, Names};
use crate::reads::Reads;
use crate::ruleset::{Assertion, Claim, ClaimKind, EnumKind, Local, Ruleset, Sort};
use crate::statements::{Checked, Statements};
use crate::typing::{Typer, UnitOf, Uses};
use crate::vocabularies::Vocabularies;
use crate::{limits, question_from_name};

/// What a caller may ask of a compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Refuse an assertion without a description: a comment block directly above it.
    pub require_descriptions: bool,
}

/// Why a source did not compile.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The normalised source, where the bytes are a text at all.
    pub source: Option<Source>,
    /// Every error, and the warnings among them, in source order; never empty.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a source.
///
/// Whether a source compiles depends on it alone: units are held against the built-in standards, and two units that
/// nothing bridges are no error (see [`unbridged`](crate::unbridged)).
///
/// # Errors
/// A [`Refusal`] with everything that is wrong, at once.
pub fn compile(bytes: &[u8], options: &Options) -> Result<Ruleset, Refusal> {
    let parsed = assay_syntax::parse(bytes);
    let Some(source) = parsed.source else {
        return Err(Refusal { source: None, diagnostics: parsed.diagnostics });
    };
    let mut diagnostics = parsed.diagnostics;
    let whole = !diagnostics.iter().any(Diagnostic::is_error);
    let module = parsed.module;
    let mut vocabularies = Vocabularies::default();
    let names = Names::collect(&module, &mut vocabularies, &mut diagnostics);
    let described = annotations::collect(&module, &names, &mut diagnostics);
    let broken = if whole { HashSet::new() } else { declared_somehow(source.text()) };
    let typer = Typer::new(&source, &names, &vocabularies, broken, claim_units(&described));
    let statements = Statements::check(&module, &names, typer, options, &mut diagnostics);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        statements.warn(&names, &mut diagnostics);
    }
    let diagnostics = in_order(diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Refusal { source: Some(source), diagnostics });
    }

    let claims = names.claims.iter().zip(described).map(|(claim, described)| {
        let name = claim.name.name.clone();
        let kind = match claim.kind {
            // INVARIANT: a type that could not be read is an error, and this source has none.
            Kind::Bool | Kind::Unknown => ClaimKind::Boolean,
            Kind::Num => ClaimKind::Numeric { unit: described.unit, range: described.range },
            Kind::Member(id) => ClaimKind::Enum(EnumKind {
                members: claim.members.iter().map(|member| member.value.clone()).collect(),
                vocabulary: vocabularies.get(id).clone(),
            }),
        };
        let question = described.ask.unwrap_or_else(|| question_from_name(&name, &kind));
        Claim { name, kind, question, context: described.context, span: claim.name.span }
    });
    let claims = claims.collect();
    let mut reads = Reads::new(&statements.definitions, names.claims.len());
    let assertions = statements.assertions.into_iter().map(|Checked { statement, body, uses }| {
        let of = reads.of(&uses);
        Assertion {
            name: statement.name.name.clone(),
            policy: statement.policy,
            source: between_braces(source.slice(statement.span)).to_owned(),
            line: source.position(statement.span.start).line,
            description: statement.description.clone(),
            body,
            locals: uses.locals.into_iter().collect(),
            reads: of.claims,
            open_locals: of.open_locals,
        }
    });
    let assertions = assertions.collect();
    let locals = names.locals.iter().zip(statements.definitions).map(|(local, definition)| {
        let (definition, uses) = definition.unzip();
        Local {
            name: local.declared.name.name.clone(),
            definition,
            reads: uses.map(|uses: Uses| uses.locals.into_iter().collect()).unwrap_or_default(),
            sort: match local.declared.kind {
                Kind::Bool | Kind::Unknown => Sort::Bool,
                Kind::Num => Sort::Num,
                Kind::Member(id) => Sort::Member(vocabularies.get(id).clone()),
            },
        }
    });
    let locals = locals.collect();
    Ok(Ruleset { hash: source.hash(), source, claims, locals, assertions, warnings: diagnostics })
}

/// Diagnostics in source order. Past a bound they are counted and not listed: a source of garbage may have one for
/// every two bytes.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let unlisted = diagnostics.split_off(diagnostics.len().min(limits::LISTED));
    if let Some(first) = unlisted.first() {
        let message = format!("{} more findings are not listed", unlisted.len());
        let note = match unlisted.iter().chain(&diagnostics).any(Diagnostic::is_error) {
            true => Diagnostic::error(first.span, message),
            false => Diagnostic::warning(first.span, message),
        };
        diagnostics.push(note.help("repair the first ones and compile again"));
    }
    diagnostics
}

/// The names that a source with errors of syntax seems to declare: a declaration that could not be read is one error,
/// and the uses of its name are no more of them.
fn declared_somehow(text: &str) -> HashSet<&str> {
    let mut words =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let mut names = HashSet::new();
    while let Some(word) = words.next() {
        if word == "declare" {
            names.extend(words.next().filter(|word| *word != "local").or_else(|| words.next()));
        }
    }
    names
}

fn claim_units(described: &[Described]) -> Vec<UnitOf> {
    let unit = |described: &Described| match &described.unit {
        Some(unit) => UnitOf::In(unit.clone()),
        None if described.broken_unit => UnitOf::Unknown,
        None => UnitOf::Bare,
    };
    described.iter().map(unit).collect()
}

/// The text between the braces of an assertion, trimmed. Braces in strings and comments do not count.
fn between_braces(statement: &str) -> &str {
    let (mut depth, mut start, mut end) = (0, None, statement.len());
    let mut bytes = statement.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                while let Some((_, byte)) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'/' if bytes.peek().is_some_and(|(_, next)| *next == b'/') => {
                for (_, byte) in bytes.by_ref() {
                    if byte == b'\n' {
                        break;
                    }
                }
            }
            b'{' => {
                depth += 1;
                start = start.or(Some(at + 1));
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
    }
    statement.get(start.unwrap_or_default()..end).unwrap_or_default().trim()
}

//! What the one-shot commands say to a person: the same facts as their payloads.

use std::cmp::Ordering;
use std::fmt::Write;

use assay_compile::{prompts, review, summary};
use assay_service::{Checked, Prepared};
use assay_units::{Bridge, Library, Rational, Unit, number, standards};

use crate::explanation::ask_next;
use crate::printing::{colors, visible};
use crate::project::{Row, Shown};

/// A ruleset that compiled: its review, and what its author should know.
pub fn compiled(prepared: &Prepared, file: &str) -> String {
    let ruleset = prepared.ruleset();
    let mut text = review(ruleset);
    if !ruleset.warnings.is_empty() {
        let warnings =
            assay_syntax::render(Some(&ruleset.source), file, &ruleset.warnings, colors(&std::io::stdout()));
        let _ = write!(text, "\n{warnings}");
    }
    for pair in prepared.unbridged() {
        let _ = writeln!(
            text,
            "\nwarning: in rule `{}` nothing bridges `{}` to `{}` ({})\n  help: a project converter between them, or the same \
             unit on both sides",
            pair.rule,
            pair.from,
            pair.to,
            pair.cause.as_str()
        );
    }
    text
}

/// A check: each assertion with its word, and why where it is not settled.
pub fn checked(prepared: &Prepared, checked: &Checked) -> String {
    let ruleset = prepared.ruleset();
    let mut text = String::new();
    let width = ruleset.assertions.iter().map(|assertion| assertion.name.len()).max().unwrap_or(0);
    for (at, (assertion, answer)) in ruleset.assertions.iter().zip(&checked.answers).enumerate() {
        let reason = answer.reason_unknown.as_deref().unwrap_or_default();
        let line = format!("{:<9}  {:<width$}  {}", answer.word.as_str(), assertion.name, visible(reason));
        let _ = writeln!(text, "{}", line.trim_end());
        if let Some(decisive) = checked.decisive.get(at).and_then(Option::as_ref) {
            let _ = writeln!(text, "{:<9}  {:<width$}  ask next: {}", "", "", ask_next(ruleset, decisive));
        }
    }
    let library = prepared.library().hash().unwrap_or("none");
    let _ = write!(text, "\nruleset  {}\nunits    {library}\n", ruleset.hash);
    text
}

/// A prompt pack: each prompt as it would be asked.
pub fn prompts_of(prepared: &Prepared) -> String {
    let ruleset = prepared.ruleset();
    let mut text = format!("Ruleset {}\n", ruleset.hash);
    for prompt in prompts(ruleset) {
        let field = |name: &str| prompt[name].as_str().unwrap_or_default().to_owned();
        let _ = write!(text, "\n{}\n  {}\n", field("claim"), visible(&field("question")));
        if prompt["context"].is_string() {
            let _ = writeln!(text, "  {}", visible(&field("context")));
        }
        let _ = writeln!(text, "  answer: {}", visible(&field("answer_format")));
    }
    let _ = write!(text, "\n{}\n", assay_compile::INTEGRITY_RULE);
    text
}

/// The unit library.
pub fn units(library: &Library) -> String {
    let mut text = String::new();
    for standard in standards() {
        let symbols: Vec<&str> = standard.units.iter().map(|unit| unit.symbol.as_str()).collect();
        let _ = writeln!(text, "{}\n{}", standard.name, wrapped(&symbols));
    }
    match library.hash() {
        None => text.push_str("project converters: none\n"),
        Some(hash) => {
            let _ = writeln!(text, "project converters ({hash})");
            for converter in library.converters() {
                let by = converter
                    .attribution
                    .as_deref()
                    .map(|by| format!("  ({})", visible(by)))
                    .unwrap_or_default();
                let formula = conversion(&converter.from, &converter.factor, &converter.offset);
                let _ = writeln!(text, "  {} = {formula}{by}", converter.to);
            }
        }
    }
    text
}

/// Words in lines that fit a terminal.
fn wrapped(words: &[&str]) -> String {
    let mut text = String::from(" ");
    let mut width = 1;
    for word in words {
        if width + word.len() + 1 > 78 {
            text.push_str("\n ");
            width = 1;
        }
        let _ = write!(text, " {word}");
        width += word.len() + 1;
    }
    text.push('\n');
    text
}

/// How two units meet. Both texts are units: the payload was made of them.
pub fn bridge(library: &Library, from: &str, to: &str) -> String {
    let (Ok(from), Ok(to)) = (Unit::parse(from), Unit::parse(to)) else { return String::new() };
    let found = library.bridge(&from, &to);
    let said = match &found {
        Bridge::Same => format!("{from} and {to} are the same unit"),
        Bridge::Convertible { factor, offset } => format!("{to} = {}", conversion(&from, factor, offset)),
        Bridge::Ambiguous { interval, inverse, factor } => {
            let sign = if *inverse { "/" } else { "*" };
            let (low, high) = (exact(&interval.low), exact(&interval.high));
            let scaled = conversion(&from, factor, &Rational::default());
            format!(
                "{to} = {scaled} {sign} f, where f is {low} to {high}: one {} in {}",
                interval.from, interval.to
            )
        }
        Bridge::UnknownUnit { atoms } => {
            let atoms = atoms.iter().map(|atom| match library.closest(atom) {
                Some(near) => format!("`{atom}` is no unit that assay knows; did you mean `{near}`?"),
                None => format!("`{atom}` is no unit that assay knows"),
            });
            atoms.collect::<Vec<_>>().join("\n")
        }
        Bridge::NoPath => format!("nothing converts {from} to {to}"),
    };
    format!("{}\n{said}\n", found.word())
}

fn exact(value: &Rational) -> String {
    number::decimal(value).unwrap_or_else(|| number::fraction(value))
}

/// A unit, scaled and moved: `degF * 5/9 - 160/9`.
fn conversion(from: &Unit, factor: &Rational, offset: &Rational) -> String {
    let (zero, one) = (Rational::default(), Rational::from_integer(1.into()));
    let scaled = if *factor == one { from.to_string() } else { format!("{from} * {}", exact(factor)) };
    match offset.cmp(&zero) {
        Ordering::Less => format!("{scaled} - {}", exact(&-offset)),
        Ordering::Equal => scaled,
        Ordering::Greater => format!("{scaled} + {}", exact(offset)),
    }
}

/// A name that was bound.
pub fn saved(saved: &assay_store::Saved) -> String {
    let revision = &saved.revision;
    let parent = revision.parent_hash.as_deref().unwrap_or("none");
    format!("{}  {}\nparent   {parent}\nrevision {}\n", revision.name, revision.ruleset_hash, revision.depth)
}

/// The names.
pub fn list(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "no ruleset is saved: `assay ruleset save NAME FILE` saves one\n".to_owned();
    }
    let width = rows.iter().map(|row| row.listed.revision.name.len()).max().unwrap_or(0);
    let line = |row: &Row| {
        let revision = &row.listed.revision;
        let compiled =
            row.source.as_deref().map(|source| assay_compile::compile(source, &Default::default()));
        let says = match compiled {
            Some(Ok(ruleset)) => summary(&ruleset),
            Some(Err(_)) => "Its stored source does not compile.".to_owned(),
            None => "Its stored source is gone.".to_owned(),
        };
        format!("{:<width$}  {}  {}\n", revision.name, revision.ruleset_hash, visible(&says))
    };
    rows.iter().map(line).collect()
}

/// A stored ruleset.
pub fn shown(prepared: &Prepared, shown: &Shown) -> String {
    let mut text = review(prepared.ruleset());
    let _ = writeln!(text, "\nRevisions of {}, the newest first", shown.name);
    for hash in &shown.chain {
        let _ = writeln!(text, "  {hash}");
    }
    text
}

/// The library after a converter was added.
pub fn added(change: &assay_store::Change) -> String {
    let hash = |hash: Option<&str>| hash.unwrap_or("none").to_owned();
    format!(
        "units     {}\nbefore    {}\nA run that pins the library before is refused with this one: answers may differ.\n",
        hash(change.library.hash()),
        hash(change.previous_hash.as_deref()),
    )
}

//! What `assay explain` says to a person.

use std::fmt::Write;

use assay_compile::Ruleset;
use assay_compile::trace::Said;
use assay_compile::typed::ClaimId;
use assay_engine::{Completed, Decisive, Enough, Explanation, Step, Supposed};
use assay_service::explain::{self, Explained};

use crate::printing::visible;

/// The columns of a line.
const WIDTH: usize = 100;

/// The columns of what a part says, at most; its value comes after it.
const SAID: usize = 56;

/// The columns of a value, before what else is said of it.
const VALUE: usize = 16;

/// The explanations, one below the other.
pub fn text(ruleset: &Ruleset, explained: &Explained, colors: bool) -> String {
    let each = explained.explanations.iter().map(|(at, explanation)| {
        let mut page = Page { ruleset, explained, text: String::new(), colors };
        page.explanation(*at, explanation);
        page.text
    });
    each.collect::<Vec<_>>().join("\n")
}

/// Decisive sets: `flag, or amount and has_receipt`.
pub fn ask_next(ruleset: &Ruleset, decisive: &Decisive) -> String {
    let sets: Vec<String> = decisive.sets.iter().map(|set| names(ruleset, set, " and ")).collect();
    match (sets.is_empty(), decisive.complete) {
        (true, true) => "no set of claims settles it whatever they are".to_owned(),
        (true, false) => "nothing was found within the limits of the search".to_owned(),
        (false, true) => sets.join(", or "),
        (false, false) => format!("{} (the search was cut: there may be others)", sets.join(", or ")),
    }
}

fn names(ruleset: &Ruleset, claims: &[ClaimId], joined: &str) -> String {
    let names: Vec<&str> = claims.iter().map(|claim| ruleset.claim(*claim).name.as_str()).collect();
    names.join(joined)
}

struct Page<'a> {
    ruleset: &'a Ruleset,
    explained: &'a Explained,
    text: String,
    colors: bool,
}

impl Page<'_> {
    fn explanation(&mut self, at: usize, of: &Explanation) {
        let Some(assertion) = self.ruleset.assertions.get(at) else { return };
        let (name, word) = (self.bold(&assertion.name), self.bold(of.answer.word.as_str()));
        let policy = match of.answer.word.as_str() == of.answer.before.as_str() {
            true => String::new(),
            false => format!(
                "  ({}, and the assertion is {})",
                of.answer.before.as_str(),
                assertion.policy.as_str()
            ),
        };
        let _ = writeln!(self.text, "{name}  {word}{policy}");
        for line in assertion.description.iter().flat_map(|description| description.lines()) {
            self.wrapped("  ", "  ", &visible(line));
        }
        let lines: Vec<&str> = assertion.source.lines().map(str::trim_end).collect();
        if lines.len() > 1 || lines.iter().any(|line| line.chars().count() > SAID) {
            self.text.push('\n');
            // What stands below a comment is not a continuation of it.
            let starts_below = lines.first().is_some_and(|line| line.starts_with("//"));
            let margin = |line: &&str| line.len() - line.trim_start().len();
            let margin = lines.iter().skip(1).filter(|line| !line.is_empty()).map(margin).min().unwrap_or(0);
            for (number, line) in lines.iter().enumerate() {
                let line = if number == 0 { line } else { line.get(margin..).unwrap_or_default() };
                let indent = if number == 0 || margin == 0 || starts_below { "  " } else { "    " };
                let _ = writeln!(self.text, "{}", format!("{indent}{}", visible(line)).trim_end());
            }
        }
        self.text.push('\n');
        self.steps(of);
        self.text.push('\n');
        self.facts(of);
    }

    fn steps(&mut self, of: &Explanation) {
        let said = |step: &Step| {
            let indent = " ".repeat(2 + 2 * step.part.depth.min(12));
            let room = SAID.saturating_sub(indent.len()).max(20);
            format!("{indent}{}", cut(&visible(&explain::said(self.ruleset, &step.part.said)), room))
        };
        let lines: Vec<(String, &Step)> = of.steps.list.iter().map(|step| (said(step), step)).collect();
        let width = lines.iter().map(|(said, _)| said.chars().count()).max().unwrap_or(0);
        for (said, step) in lines {
            let mut value = visible(&explain::value(step));
            let mut notes: Vec<String> = Vec::new();
            if let Said::Claim(claim) = step.part.said {
                if self.explained.evidence.is_contradicted(claim) {
                    value = "contradicted".to_owned();
                } else {
                    notes.extend(self.reading(claim));
                }
            }
            notes.extend(step.conversions.iter().map(explain::converted));
            let line = format!("{said:<width$}  {value}");
            let note = visible(&notes.join("; "));
            let start = (width + 2 + VALUE).max(line.chars().count() + 2);
            if note.is_empty() {
                let _ = writeln!(self.text, "{line}");
            } else if start + note.chars().count() <= WIDTH {
                let _ = writeln!(self.text, "{line:<start$}{}", self.dim(&note));
            } else {
                let _ = writeln!(self.text, "{line}");
                let indent = " ".repeat(2 + 2 * step.part.depth.min(12) + 4);
                for line in wrap(&note, WIDTH - indent.len()) {
                    let _ = writeln!(self.text, "{indent}{}", self.dim(&line));
                }
            }
        }
        if of.steps.more {
            let _ = writeln!(self.text, "  … there are more parts than are listed");
        }
    }

    /// How a claim's number was converted when it was read.
    fn reading(&self, claim: ClaimId) -> Option<String> {
        let (_, quantity) = self.explained.evidence.quantities().find(|(of, _)| *of == claim)?;
        let conversion = quantity.conversion.as_ref()?;
        match &conversion.bridge {
            assay_units::Bridge::Convertible { factor, offset } => {
                Some(format!("from {} ({})", quantity.submitted, explain::affine(factor, offset)))
            }
            _ => None,
        }
    }

    fn facts(&mut self, of: &Explanation) {
        if let Some(reason) = &of.answer.reason_unknown {
            self.fact("reason", reason);
        }
        for claim in &of.answer.contradicted {
            let told = self.explained.evidence.told(*claim).map(|told| told.values.as_slice());
            let values = told.unwrap_or_default().iter().map(|value| {
                let pieces =
                    if value.pieces == 1 { "1 piece".to_owned() } else { format!("{} pieces", value.pieces) };
                format!("{} ({pieces})", explain::claim_value(self.ruleset, *claim, &value.binding))
            });
            let values = values.collect::<Vec<_>>().join(", ");
            self.fact("contradicted", &format!("{}: {values}", self.ruleset.claim(*claim).name));
        }
        match &of.mattered {
            Some(claims) if claims.is_empty() => {
                self.fact("mattered", "no claim: it is so whatever they are")
            }
            Some(claims) => self.fact("mattered", &names(self.ruleset, claims, ", ")),
            None => {}
        }
        match &of.completions {
            Some([Err(holds), Err(fails)]) if holds == fails => {
                self.fact("either way", &explain::unshown(holds));
            }
            Some([holds, fails]) => {
                self.fact("holds", &self.completed(holds));
                self.fact("fails", &self.completed(fails));
            }
            None => {}
        }
        for choice in of.choices.iter().flatten() {
            let values = choice.values.iter().map(|(claim, value)| {
                let name = &self.ruleset.claim(*claim).name;
                format!("{name} = {}", explain::claim_value(self.ruleset, *claim, value))
            });
            let values = values.collect::<Vec<_>>().join(", ");
            self.fact("choice", &format!("{} with {values}", choice.before.as_str()));
        }
        if let Some(decisive) = &of.decisive {
            self.fact("ask next", &ask_next(self.ruleset, decisive));
        }
        for enough in of.enough.iter().filter(|enough| !is_completion(of, enough)) {
            let name = &self.ruleset.claim(enough.claim).name;
            let value = explain::claim_value(self.ruleset, enough.claim, &enough.value);
            let comes = if enough.holds { "it holds" } else { "it fails" };
            self.fact("enough", &format!("{name} = {value} alone: {comes}"));
        }
    }

    fn completed(&self, completed: &Completed) -> String {
        match completed {
            Ok(supposed) => {
                let each = supposed.iter().map(|each| explain::supposed(self.ruleset, each));
                format!("if {}", each.collect::<Vec<_>>().join(", "))
            }
            Err(why) => explain::unshown(why),
        }
    }

    fn fact(&mut self, label: &str, said: &str) {
        let label = format!("  {label:<12}  ");
        self.wrapped(&label, &" ".repeat(label.len()), &visible(said));
    }

    fn wrapped(&mut self, first: &str, rest: &str, said: &str) {
        for (number, line) in wrap(said, WIDTH - first.len()).iter().enumerate() {
            let _ = writeln!(self.text, "{}{line}", if number == 0 { first } else { rest });
        }
    }

    fn bold(&self, text: &str) -> String {
        if self.colors { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn dim(&self, text: &str) -> String {
        if self.colors { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Whether a completion supposes that value and nothing else, so that it is said already.
fn is_completion(of: &Explanation, enough: &Enough) -> bool {
    let only = Supposed::Claim(enough.claim, enough.value.clone());
    of.completions.iter().flatten().flatten().any(|supposed| supposed.as_slice() == [only.clone()])
}

/// Text in so many characters, the last one an ellipsis where it is longer.
fn cut(text: &str, room: usize) -> String {
    match text.chars().count() > room {
        true => text.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Words in lines of a width; a longer word is a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

//! The review: a ruleset in plain text, for the person who will sign it.
//!
//! It is made from the ruleset whenever it is asked for, so the two say the same. Characters that a
//! terminal or a page would act on instead of showing (controls, line separators, directional overrides) are spelled
//! out, so that no question or comment can pass for a part of the review that it is not.

use std::fmt::Write;

use assay_syntax::ast::UnknownPolicy;
use serde_json::json;

use crate::manifest::range_text;
use crate::{Assertion, Claim, ClaimKind, Ruleset};

/// How many rules a summary names.
const NAMED_RULES: usize = 5;

/// The text of the review: the hash, each question with the form of its answer, and each rule with its description,
/// its source and what an undetermined answer becomes.
pub fn review(ruleset: &Ruleset) -> String {
    let mut text = format!("Ruleset {}\n\n{}\n", ruleset.hash, summary(ruleset));
    heading(&mut text, "Questions");
    if ruleset.claims.is_empty() {
        text.push_str("\nNone.\n");
    }
    for (at, claim) in ruleset.claims.iter().enumerate() {
        question(&mut text, at + 1, claim);
    }
    heading(&mut text, "Rules");
    if ruleset.assertions.is_empty() {
        text.push_str("\nNone.\n");
    }
    for (at, assertion) in ruleset.assertions.iter().enumerate() {
        rule(&mut text, at + 1, assertion);
    }
    text
}

/// One sentence: how much the ruleset asks and which rules it decides.
pub fn summary(ruleset: &Ruleset) -> String {
    let count = |count: usize, one: &str| match count {
        0 => format!("no {one}s"),
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let names: Vec<&str> =
        ruleset.assertions.iter().take(NAMED_RULES).map(|assertion| assertion.name.as_str()).collect();
    let more = ruleset.assertions.len().saturating_sub(NAMED_RULES);
    let names = match names.split_last() {
        None => String::new(),
        Some(_) if more > 0 => format!(": {} and {more} more", names.join(", ")),
        Some((only, [])) => format!(": {only}"),
        Some((last, before)) => format!(": {} and {last}", before.join(", ")),
    };
    let (claims, rules) = (count(ruleset.claims.len(), "question"), count(ruleset.assertions.len(), "rule"));
    format!("Asks {claims} and decides {rules}{names}.")
}

fn heading(text: &mut String, title: &str) {
    let _ = write!(text, "\n{title}\n{}\n", "-".repeat(title.len()));
}

fn question(text: &mut String, number: usize, claim: &Claim) {
    let _ = write!(text, "\n{number}. {}: {}\n", claim.name, visible(&claim.question));
    if let Some(context) = &claim.context {
        let _ = writeln!(text, "   Context: {}", visible(context));
    }
    let _ = writeln!(text, "   Answer: {}", answer(claim));
}

/// The form of an answer.
fn answer(claim: &Claim) -> String {
    let form = match &claim.kind {
        ClaimKind::Boolean => "true or false".to_owned(),
        ClaimKind::Numeric { unit, range } => {
            let unit = unit.as_ref().map(|unit| format!(" in {unit}")).unwrap_or_default();
            let range =
                range.as_ref().and_then(range_text).map(|range| format!(", {range}")).unwrap_or_default();
            format!("a number{unit}{range}")
        }
        ClaimKind::Enum(kind) => {
            let members: Vec<String> =
                kind.members.iter().map(|member| visible(&json!(member).to_string())).collect();
            let order = if kind.vocabulary.ordered { "one of, from lowest to highest" } else { "one of" };
            format!("{order}: {}", members.join(", "))
        }
    };
    format!("{form}; {} where it cannot be determined", claim.undetermined())
}

fn rule(text: &mut String, number: usize, assertion: &Assertion) {
    let _ = write!(text, "\n{number}. {} (line {})\n", assertion.name, assertion.line);
    for line in assertion.description.iter().flat_map(|description| description.split('\n')) {
        let _ = writeln!(text, "   {}", visible(line));
    }
    text.push_str("   Must hold:\n");
    for line in assertion.source.split('\n') {
        let _ = writeln!(text, "     {}", visible(line));
    }
    let _ = writeln!(text, "   If it cannot be determined: {}", policy(assertion.policy));
}

fn policy(policy: UnknownPolicy) -> &'static str {
    match policy {
        UnknownPolicy::Neutral => "answered UNKNOWN (neutral)",
        UnknownPolicy::Pessimistic => "answered FALSE (pessimistic)",
        UnknownPolicy::Optimistic => "answered TRUE (optimistic)",
    }
}

/// A text of one line with everything invisible in it spelled out as `\u{..}`.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => shown.push(letter),
            _ if letter.is_control() || acts_on_text(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// Line and paragraph separators, invisible marks, and marks that change the direction of what follows.
fn acts_on_text(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

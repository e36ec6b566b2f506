//! The known symbol that a misspelt atom is most likely meant to be.

use strsim::damerau_levenshtein;

use crate::{BuiltIn, Standard, standards};

/// The nearest symbol to `text` among the built-in ones and `others`: first a name or another case,
/// then the fewest slips, of two that are equally near the one in the
/// same case, and then the earlier listed.
pub(crate) fn closest<'a>(text: &str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    if let Some(symbol) = named(&text.to_lowercase()) {
        return Some(symbol.to_owned());
    }
    // In one or two letters every symbol is a slip away from every other.
    let allowed = match text.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let spelt = units(|_| true).flat_map(|unit| {
        let spellings = unit.aliases.iter().chain([&unit.symbol]);
        spellings.map(|spelling| (spelling.as_str(), unit.symbol.as_str()))
    });
    spelt
        .chain(others.map(|atom| (atom, atom)))
        .filter(|(spelling, _)| spelling.chars().count() > 2)
        .map(|(spelling, symbol)| {
            (damerau_levenshtein(text, spelling), is_upper(text) != is_upper(spelling), symbol)
        })
        .filter(|(slips, ..)| *slips <= allowed)
        .min_by_key(|(slips, other_case, _)| (*slips, *other_case))
        .map(|(.., symbol)| symbol.to_owned())
}

fn units(of: impl Fn(&Standard) -> bool) -> impl Iterator<Item = &'static BuiltIn> {
    standards().iter().filter(move |standard| of(standard)).flat_map(|standard| &standard.units)
}

/// The symbol of the unit that has this name, or whose name ends in this word (`gallons`, `celsius`) where no currency's
/// does: a dollar is no one currency, and a pound may be either.
fn named(folded: &str) -> Option<&'static str> {
    let is = |spelling: &str| {
        let rest = folded.strip_prefix(spelling.to_lowercase().as_str());
        rest.is_some_and(|rest| rest.is_empty() || (rest == "s" && spelling.len() > 2))
    };
    let by_spelling = units(|_| true).find(|unit| {
        let mut spellings = unit.aliases.iter().chain([&unit.symbol, &unit.name]);
        spellings.any(|spelling| is(spelling))
    });
    let by_last_word = |unit: &&BuiltIn| unit.name.rsplit(' ').next().is_some_and(is);
    let is_currency = |standard: &Standard| standard.name == "currency";
    by_spelling
        .or_else(|| {
            let found = units(|standard| !is_currency(standard)).find(by_last_word)?;
            units(is_currency).find(by_last_word).is_none().then_some(found)
        })
        .map(|unit| unit.symbol.as_str())
}

/// Whether it is written as a currency is.
fn is_upper(text: &str) -> bool {
    text.chars().all(char::is_uppercase)
}

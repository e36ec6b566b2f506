//! The known symbol that a misspelt atom is most likely meant to be.

use assay_spelling::near_by;

use crate::{BuiltIn, Standard, standards};

/// The symbol that `text` is most likely meant to be, among the built-in ones and `others`: first a name or another
/// case, then the nearest spelling.
pub(crate) fn closest<'a>(text: &str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    if let Some(symbol) = named(&text.to_lowercase()) {
        return Some(symbol.to_owned());
    }
    let spelt = units(|_| true).flat_map(|unit| {
        let spellings = unit.aliases.iter().chain([&unit.symbol]);
        spellings.map(|spelling| (spelling.as_str(), unit.symbol.as_str()))
    });
    let names =
        units(|standard| !is_currency(standard)).map(|unit| (unit.name.as_str(), unit.symbol.as_str()));
    // There are so many short symbols that one of two letters is a slip away from anything short, and `ltr` from the
    // code of a currency.
    let alike = |(spelling, _): &(&str, &str)| !is_short(spelling) && is_upper(spelling) == is_upper(text);
    let candidates = spelt.chain(names).chain(others.map(|atom| (atom, atom))).filter(alike);
    near_by(text, candidates.filter(|_| !is_short(text)), |(spelling, _)| spelling)
        .map(|(_, symbol)| symbol.to_owned())
}

fn is_short(text: &str) -> bool {
    text.chars().count() < 3
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
    by_spelling
        .or_else(|| {
            let found = units(|standard| !is_currency(standard)).find(by_last_word)?;
            units(is_currency).find(by_last_word).is_none().then_some(found)
        })
        .map(|unit| unit.symbol.as_str())
}

fn is_currency(standard: &Standard) -> bool {
    standard.name == "currency"
}

/// Whether it is written as a currency is.
fn is_upper(text: &str) -> bool {
    text.chars().all(char::is_uppercase)
}

//! The known symbol that a misspelt atom is most likely meant to be.

use strsim::damerau_levenshtein;

use crate::standards;

/// The nearest symbol to `text` among the built-in ones and `others`: first a name or another case,
/// then the fewest slips, of two that are equally near the one in the
/// same case, and then the earlier listed.
pub(crate) fn closest<'a>(text: &str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    let folded = text.to_lowercase();
    let units = || standards().iter().flat_map(|standard| &standard.units);
    let named = units().find(|unit| {
        let spellings = unit.aliases.iter().chain([&unit.symbol, &unit.name]);
        spellings.map(|spelling| spelling.to_lowercase()).any(|spelling| {
            folded
                .strip_prefix(spelling.as_str())
                .is_some_and(|rest| rest.is_empty() || (rest == "s" && spelling.len() > 3))
        })
    });
    if let Some(unit) = named {
        return Some(unit.symbol.clone());
    }
    // In one or two letters every symbol is a slip away from every other.
    let allowed = match text.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let spelt = units().flat_map(|unit| {
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

/// Whether it is written as a currency is.
fn is_upper(text: &str) -> bool {
    text.chars().all(char::is_uppercase)
}

//! The built-in standards: what they hold, and every factor against an independent library.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::collections::{BTreeMap, BTreeSet};

use assay_units::{BuiltIn, number, standards};
use serde_json::Value;

fn built_in() -> BTreeMap<&'static str, &'static BuiltIn> {
    let units = standards().iter().flat_map(|standard| &standard.units);
    units.map(|unit| (unit.symbol.as_str(), unit)).collect()
}

#[test]
fn the_standards_hold_exactly_the_symbols_of_the_reference() {
    let symbols = |name: &str| {
        let standard = standards().iter().find(|standard| standard.name == name).unwrap();
        standard.units.iter().map(|unit| unit.symbol.as_str()).collect::<BTreeSet<_>>()
    };
    for (name, expected) in [
        (
            "length",
            "nm um mm cm dm m km in ft yd mi nmi ha acre mL L gal qt pt floz gal_imp qt_imp pt_imp floz_imp",
        ),
        ("mass", "ug mg g kg t oz lb ton_us ton_imp"),
        ("time", "ms s min h d wk mo yr"),
        ("information", "bit B kB MB GB TB PB KiB MiB GiB TiB PiB"),
        ("temperature", "K degC degF"),
    ] {
        assert_eq!(symbols(name), expected.split(' ').collect(), "{name}");
    }
    let currencies = symbols("currency");
    assert_eq!(currencies.len(), 178, "List One of 2026-01-01 has 178 codes");
    let is_code = |code: &&str| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    assert!(currencies.iter().all(is_code));
    for active in ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "XAU", "XDR", "XCG", "ZWG", "VED", "CLF", "XXX"]
    {
        assert!(currencies.contains(active), "{active} is active");
    }
    for withdrawn in ["BGN", "HRK", "ANG", "ZWL", "CUC", "SLL", "DEM", "VEF"] {
        assert!(!currencies.contains(withdrawn), "{withdrawn} is withdrawn");
    }
    assert_eq!(standards().len(), 6);
}

#[test]
fn every_spelling_is_one_units_and_every_unit_names_its_source() {
    let mut spellings = BTreeSet::new();
    for standard in standards() {
        assert!(!standard.source.is_empty());
        for unit in &standard.units {
            for spelling in unit.aliases.iter().chain([&unit.symbol]) {
                assert!(spellings.insert(spelling), "`{spelling}` is written twice");
            }
            assert!(!unit.source.is_empty() && !unit.name.is_empty(), "{}", unit.symbol);
            let bases: Vec<_> = unit.base.atoms().map(|(atom, _)| built_in()[atom]).collect();
            assert!(bases.iter().all(|base| base.base.to_string() == base.symbol), "{}", unit.symbol);
        }
    }
}

/// The definitions that the reference states in so many words.
#[test]
fn the_stated_definitions_hold() {
    for (symbol, base, factor, offset) in [
        ("in", "m", "127/5000", "0"),
        ("lb", "kg", "45359237/100000000", "0"),
        ("degC", "K", "1", "273.15"),
        ("acre", "m^2", "4046.8564224", "0"),
        ("yr", "mo", "12", "0"),
        ("L", "m^3", "0.001", "0"),
    ] {
        let unit = built_in()[symbol];
        assert_eq!(unit.base.to_string(), base, "{symbol}");
        assert_eq!(unit.factor, number::parse_fraction(factor).unwrap(), "{symbol}");
        assert_eq!(unit.offset, number::parse_fraction(offset).unwrap(), "{symbol}");
    }
    let intervals = standards().iter().flat_map(|standard| &standard.intervals);
    let stated: Vec<_> = intervals
        .map(|interval| {
            let bounds = (number::fraction(&interval.low), number::fraction(&interval.high));
            (interval.from.as_str(), interval.to.as_str(), bounds)
        })
        .collect();
    let bounds = |low: &str, high: &str| (low.to_owned(), high.to_owned());
    assert_eq!(stated, [("mo", "d", bounds("28", "31")), ("yr", "d", bounds("365", "366"))]);
}

#[test]
fn every_factor_is_the_one_of_an_independent_library() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/units/pint.json");
    let pint: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let theirs = pint["units"].as_object().unwrap();
    let ours: BTreeMap<_, _> = standards()
        .iter()
        .filter(|standard| standard.name != "currency")
        .flat_map(|standard| &standard.units)
        .map(|unit| (unit.symbol.as_str(), unit))
        .collect();
    assert_eq!(theirs.len(), ours.len(), "every unit that has a factor is compared");

    let exact = |value: &Value| number::parse_fraction(value.as_str().unwrap()).unwrap();
    let mut differ = Vec::new();
    for (symbol, unit) in ours {
        let theirs = &theirs[symbol];
        assert_eq!(theirs["base"], unit.base.to_string(), "{symbol}");
        if exact(&theirs["factor"]) != unit.factor || exact(&theirs["offset"]) != unit.offset {
            differ.push(symbol);
        }
    }
    // The other library's acre is of US survey feet; ours is the international one.
    assert_eq!(differ, ["acre"]);
    let survey = exact(&theirs["acre"]["factor"]);
    let survey_foot = number::parse_fraction("1200/3937").unwrap();
    assert_eq!(survey, number::parse_fraction("43560").unwrap() * &survey_foot * &survey_foot);
}

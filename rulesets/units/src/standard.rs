//! The six built-in standards, read once from the data files beside this crate.
//!
//! A data file holds one standard: its `name`, its `source`, and a `[[unit]]` for each symbol with the
//! name, the aliases, the exact factor (and offset, for temperatures) to its base, and the definition
//! that gives it. A unit without a factor is a base: a dimension of its own. `[[interval]]` tables
//! state what has no one factor.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use num_traits::{One, Zero};
use serde::Deserialize;

use crate::{Interval, Rational, Unit, number};

/// One of the six built-in standards.
#[derive(Debug, Clone)]
pub struct Standard {
    /// What it measures: `length`, `mass`, `time`, `information`, `temperature` or `currency`.
    pub name: String,
    /// The documents that define its units.
    pub source: String,
    /// Its units, in the order of its data file.
    pub units: Vec<BuiltIn>,
    /// Its conversions that have no one factor.
    pub intervals: Vec<Interval>,
}

/// A unit of a built-in standard: `value in base = value * factor + offset`.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// How it is written.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// How it may be written too.
    pub aliases: Vec<String>,
    /// The unit that it is a multiple of; itself, for a base.
    pub base: Unit,
    /// How many of its base it is, exactly.
    pub factor: Rational,
    /// The base's value where this unit's is zero; zero for all but temperatures.
    pub offset: Rational,
    /// The definition that gives the factor; the standard's own source where it names none.
    pub source: String,
}

/// The six built-in standards: length (with area and volume), mass, time, information, temperature and
/// currency.
pub fn standards() -> &'static [Standard] {
    &STANDARDS
}

/// The symbol that `atom` is an alias of, or the atom itself.
pub(crate) fn symbol_of(atom: &str) -> Arc<str> {
    SYMBOLS.get(atom).map_or_else(|| atom.into(), Arc::clone)
}

/// The built-in unit of this symbol.
pub(crate) fn built_in(symbol: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.get(symbol).copied()
}

const FILES: [&str; 6] = [
    include_str!("../data/length.toml"),
    include_str!("../data/mass.toml"),
    include_str!("../data/time.toml"),
    include_str!("../data/information.toml"),
    include_str!("../data/temperature.toml"),
    include_str!("../data/currency.toml"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    source: String,
    unit: Vec<UnitEntry>,
    #[serde(default)]
    interval: Vec<IntervalEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitEntry {
    symbol: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    factor: Option<String>,
    base: Option<String>,
    offset: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntervalEntry {
    from: String,
    to: String,
    low: String,
    high: String,
    #[serde(rename = "source")]
    _source: String,
}

// Two steps, because reading a base's text already needs the aliases.
#[allow(clippy::expect_used)] // INVARIANT: the files are part of the crate, and every test reads them.
static ENTRIES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let read = |text: &&str| toml::from_str(text).expect("a well-formed data file");
    FILES.iter().map(read).collect()
});

static SYMBOLS: LazyLock<BTreeMap<&str, Arc<str>>> = LazyLock::new(|| {
    let units = ENTRIES.iter().flat_map(|file| &file.unit);
    units
        .flat_map(|unit| {
            let symbol: Arc<str> = unit.symbol.as_str().into();
            let spellings = unit.aliases.iter().chain([&unit.symbol]);
            spellings.map(move |spelling| (spelling.as_str(), Arc::clone(&symbol)))
        })
        .collect()
});

static STANDARDS: LazyLock<Vec<Standard>> = LazyLock::new(|| ENTRIES.iter().map(standard).collect());

static BUILT_IN: LazyLock<BTreeMap<&str, &BuiltIn>> = LazyLock::new(|| {
    let units = STANDARDS.iter().flat_map(|standard| &standard.units);
    units.map(|unit| (unit.symbol.as_str(), unit)).collect()
});

fn standard(file: &File) -> Standard {
    Standard {
        name: file.name.clone(),
        source: file.source.clone(),
        units: file.unit.iter().map(|entry| built_in_unit(entry, &file.source)).collect(),
        intervals: file.interval.iter().map(interval).collect(),
    }
}

fn built_in_unit(entry: &UnitEntry, source: &str) -> BuiltIn {
    BuiltIn {
        symbol: entry.symbol.clone(),
        name: entry.name.clone(),
        aliases: entry.aliases.clone(),
        base: unit(entry.base.as_ref().unwrap_or(&entry.symbol)),
        factor: entry.factor.as_deref().map_or_else(Rational::one, exact),
        offset: entry.offset.as_deref().map_or_else(Rational::zero, exact),
        source: entry.source.clone().unwrap_or_else(|| source.to_owned()),
    }
}

fn interval(entry: &IntervalEntry) -> Interval {
    Interval {
        from: entry.from.clone(),
        to: entry.to.clone(),
        low: exact(&entry.low),
        high: exact(&entry.high),
    }
}

#[allow(clippy::expect_used)] // INVARIANT: as of `ENTRIES`.
fn exact(text: &str) -> Rational {
    number::parse_fraction(text).expect("an exact factor in a data file")
}

#[allow(clippy::expect_used)] // INVARIANT: as of `ENTRIES`.
fn unit(text: &str) -> Unit {
    Unit::parse(text).expect("a unit in a data file")
}

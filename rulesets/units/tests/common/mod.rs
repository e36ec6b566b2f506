//! Libraries and bridges as short texts.
#![allow(clippy::unwrap_used)] // helpers of tests
#![allow(dead_code)] // each test target uses its own part

use assay_units::number::{fraction, parse_fraction};
use assay_units::{Bridge, Converter, Library, Unit};

/// A converter from `factor` or `factor + offset`.
pub fn converter(from: &str, to: &str, line: &str) -> Converter {
    let (factor, offset) = line.split_once(" + ").unwrap_or((line, "0"));
    Converter {
        from: Unit::parse(from).unwrap(),
        to: Unit::parse(to).unwrap(),
        factor: parse_fraction(factor).unwrap(),
        offset: parse_fraction(offset).unwrap(),
        attribution: None,
    }
}

pub fn library(converters: &[(&str, &str, &str)]) -> Library {
    try_library(converters).unwrap()
}

/// The library, or everything that is wrong with it, a line each with its help.
pub fn try_library(converters: &[(&str, &str, &str)]) -> Result<Library, Vec<String>> {
    let converters = converters.iter().map(|(from, to, line)| converter(from, to, line)).collect();
    Library::with(converters).map_err(|errors| errors.iter().map(|error| error.to_string()).collect())
}

/// What the pair answers: `same`, `* 27/25`, `* 5/9 + -160/9`, `* 1 / [mo d 28 31]`, `unknown night`
/// or `no path`.
pub fn bridge(library: &Library, from: &str, to: &str) -> String {
    match library.bridge(&Unit::parse(from).unwrap(), &Unit::parse(to).unwrap()) {
        Bridge::Same => "same".to_owned(),
        Bridge::Convertible { factor, offset } if offset == Default::default() => {
            format!("* {}", fraction(&factor))
        }
        Bridge::Convertible { factor, offset } => {
            format!("* {} + {}", fraction(&factor), fraction(&offset))
        }
        Bridge::Ambiguous { interval, inverse, factor } => format!(
            "* {} {} [{} {} {} {}]",
            fraction(&factor),
            if inverse { "/" } else { "*" },
            interval.from,
            interval.to,
            fraction(&interval.low),
            fraction(&interval.high)
        ),
        Bridge::UnknownUnit { atoms } => format!("unknown {}", atoms.join(" ")),
        Bridge::NoPath => "no path".to_owned(),
    }
}

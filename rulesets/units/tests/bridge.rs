//! What a pair of units answers, by the built-in standards and by converters.

mod common;
use assay_units::{Bridge, Library, Unit, number};
use common::{bridge, library};

#[test]
fn the_built_in_standards_bridge_exactly() {
    let library = Library::built_in();
    for (from, to, expected) in [
        ("USD", "US$", "same"),
        ("USD/night", "USD/night", "same"),
        ("furlong", "furlong", "same"),
        ("km", "m", "* 1000"),
        ("m", "km", "* 1/1000"),
        ("in", "ft", "* 1/12"),
        ("mi", "km", "* 25146/15625"),
        ("acre", "ha", "* 158080329/390625000"),
        ("m^2", "ha", "* 1/10000"),
        ("ha*m", "L", "* 10000000"),
        ("L", "m^3", "* 1/1000"),
        ("gal", "L", "* 473176473/125000000"),
        ("gal", "qt", "* 4"),
        ("gal_imp", "pt_imp", "* 8"),
        ("pt_imp", "floz_imp", "* 20"),
        ("pt", "floz", "* 16"),
        ("ton_us", "lb", "* 2000"),
        ("ton_imp", "lb", "* 2240"),
        ("lb", "oz", "* 16"),
        ("t", "kg", "* 1000"),
        ("wk", "h", "* 168"),
        ("km/h", "m/s", "* 5/18"),
        ("kg*m/s^2", "g*cm/s^2", "* 100000"),
        ("yr", "mo", "* 12"),
        ("USD/mo", "USD/yr", "* 12"),
        ("mo^2", "yr*mo", "* 1/12"),
        ("GiB", "MB", "* 16777216/15625"),
        ("KiB/s", "bit/s", "* 8192"),
        ("degC", "K", "* 1 + 5463/20"),
        ("K", "degC", "* 1 + -5463/20"),
        ("degF", "degC", "* 5/9 + -160/9"),
        ("degC", "degF", "* 9/5 + 32"),
        ("degF/h", "degC/h", "* 5/9"),
        ("degC^2", "K^2", "* 1"),
        ("J/degC", "J/K", "* 1"),
        ("USD/wk", "USD/d", "* 1/7"),
        ("furlong/h", "furlong/min", "* 1/60"),
        ("km/m*night", "night", "* 1000"),
        ("USD", "EUR", "no path"),
        ("USD", "kg", "no path"),
        ("m", "m^2", "no path"),
        ("USD/d", "USD", "no path"),
        ("USD/night", "USD/d", "unknown night"),
        ("furlong", "km", "unknown furlong"),
        ("box/crate", "pallet", "unknown box crate pallet"),
        ("EUR/night", "USD/night", "no path"),
    ] {
        assert_eq!(bridge(&library, from, to), expected, "{from} to {to}");
    }
}

#[test]
fn a_month_and_a_year_are_days_only_within_an_interval() {
    let library = Library::built_in();
    for (from, to, expected) in [
        ("mo", "d", "* 1 * [mo d 28 31]"),
        ("d", "mo", "* 1 / [mo d 28 31]"),
        ("yr", "d", "* 1 * [yr d 365 366]"),
        ("d", "yr", "* 1 / [yr d 365 366]"),
        ("mo", "h", "* 24 * [mo d 28 31]"),
        ("wk", "mo", "* 7 / [mo d 28 31]"),
        ("min", "yr", "* 1/1440 / [yr d 365 366]"),
        ("USD/mo", "USD/d", "* 1 / [mo d 28 31]"),
        ("USD/d", "USD/mo", "* 1 * [mo d 28 31]"),
        ("km/yr", "m/s", "* 5/432 / [yr d 365 366]"),
        ("night*mo", "night*d", "* 1 * [mo d 28 31]"),
        ("mo^2", "d^2", "no path"),
        ("mo*yr", "d^2", "no path"),
        ("mo", "USD", "no path"),
    ] {
        assert_eq!(bridge(&library, from, to), expected, "{from} to {to}");
    }
}

#[test]
fn converters_reach_whatever_follows_from_them() {
    let library = library(&[
        ("EUR", "USD", "1.08"),
        ("GBP", "EUR", "1.17"),
        ("box", "kg", "10"),
        ("kg/L", "USD/pallet", "3"),
        ("crate^2", "m^2", "4"),
        ("sprint", "mo", "1/2"),
    ]);
    for (from, to, expected) in [
        ("EUR", "USD", "* 27/25"),
        ("USD", "€", "* 25/27"),
        ("GBP", "USD", "* 3159/2500"),
        ("EUR/night", "USD/night", "* 27/25"),
        ("USD/night", "EUR/night", "* 25/27"),
        ("EUR/mo", "USD/yr", "* 324/25"),
        ("EUR/mo", "USD/d", "* 27/25 / [mo d 28 31]"),
        ("EUR^2", "USD^2", "* 729/625"),
        ("box", "g", "* 10000"),
        ("USD/box", "USD/kg", "* 1/10"),
        ("USD/box", "EUR/lb", "* 45359237/1080000000"),
        ("t", "box", "* 100"),
        ("crate^2", "cm^2", "* 40000"),
        ("crate", "m", "no path"),
        ("crate^3", "crate*m^2", "* 4"),
        ("sprint", "yr", "* 1/24"),
        ("sprint", "d", "* 1/2 * [mo d 28 31]"),
        ("USD/sprint", "USD/wk", "* 14 / [mo d 28 31]"),
        ("EUR", "JPY", "no path"),
        ("EUR/night", "JPY/night", "no path"),
        ("EUR/night", "JPY/stay", "unknown night stay"),
        ("box/crate", "kg", "no path"),
    ] {
        assert_eq!(bridge(&library, from, to), expected, "{from} to {to}");
    }
}

#[test]
fn a_converter_with_an_offset_converts_whole_units_only() {
    let library = library(&[("mV", "degC", "0.1 + -50"), ("count", "mV", "2"), ("gauge", "count", "1 + 3")]);
    for (from, to, expected) in [
        ("mV", "degC", "* 1/10 + -50"),
        ("degC", "mV", "* 10 + 500"),
        ("mV", "K", "* 1/10 + 4463/20"),
        ("count", "degF", "* 9/25 + -58"),
        ("gauge", "degC", "* 1/5 + -247/5"),
        ("degC", "gauge", "* 5 + 247"),
        ("count/h", "mV/h", "* 2"),
        ("mV/h", "degC/h", "no path"),
    ] {
        assert_eq!(bridge(&library, from, to), expected, "{from} to {to}");
    }
}

#[test]
fn dimensions_cancel_to_a_number() {
    let built_in = Library::built_in();
    let euro = library(&[("EUR", "USD", "1.08")]);
    for (library, unit, expected) in [
        (&built_in, "km/m", Some("1000")),
        (&built_in, "USD/USD", Some("1")),
        (&built_in, "night/night", Some("1")),
        (&built_in, "L/m^3", Some("1/1000")),
        (&built_in, "degF/K", Some("5/9")),
        (&built_in, "mo/d", None),
        (&built_in, "EUR/USD", None),
        (&built_in, "km", None),
        (&euro, "EUR/USD", Some("27/25")),
    ] {
        let number = library.dimensionless(&Unit::parse(unit).unwrap());
        assert_eq!(number.map(|number| number::fraction(&number)).as_deref(), expected, "{unit}");
    }
}

#[test]
fn only_a_whole_temperature_has_an_offset() {
    let library = Library::built_in();
    for (unit, expected) in
        [("degC", true), ("degF", true), ("K", false), ("degC/h", false), ("degC^2", false), ("m", false)]
    {
        assert_eq!(library.has_offset(&Unit::parse(unit).unwrap()), expected, "{unit}");
    }
}

#[test]
fn atoms_are_known_by_symbol() {
    let library = library(&[("box", "kg", "10")]);
    for (atom, expected) in [("USD", true), ("box", true), ("night", false), ("usd", false), ("kg", true)] {
        assert_eq!(library.knows(atom), expected, "{atom}");
    }
}

#[test]
fn a_misspelt_atom_has_a_nearest_symbol() {
    let library = library(&[("pallet", "kg", "10")]);
    for (text, expected) in [
        ("usd", Some("USD")),
        ("Euro", Some("EUR")),
        ("EURR", Some("EUR")),
        ("GPB", Some("GBP")),
        ("KM", Some("km")),
        ("kilometres", Some("km")),
        ("mnths", Some("mo")),
        ("palet", Some("pallet")),
        ("dgeC", Some("degC")),
        ("zz", None),
        ("celsius", Some("degC")),
        ("gallons", Some("gal")),
        ("inches", Some("in")),
        ("metr", Some("m")),
        ("ltr", None),
        ("miles", Some("mi")),
        ("Yen", Some("JPY")),
        ("dollars", None),
        ("pounds", None),
        ("kilowatthour", None),
    ] {
        assert_eq!(library.closest(text).as_deref(), expected, "{text}");
    }
}

/// Exponents that only products of products reach convert to nothing, at once.
#[test]
fn an_oversized_unit_converts_to_nothing() {
    let library = Library::built_in();
    let mut unit = Unit::parse("km^99").unwrap();
    for _ in 0..40 {
        unit = unit.mul(&unit);
    }
    assert!(unit.is_oversized());
    assert_eq!(library.bridge(&unit, &unit), Bridge::Same);
    assert_eq!(library.bridge(&unit, &Unit::parse("m").unwrap()), Bridge::NoPath);
    assert_eq!(library.dimensionless(&unit), None);
}

//! Unit texts: what is a unit, and its canonical text.

use assay_units::Unit;

#[test]
fn a_unit_has_one_canonical_text() {
    for (text, expected) in [
        ("USD", "USD"),
        ("km/h", "km/h"),
        ("USD/night", "USD/night"),
        ("m^2", "m^2"),
        ("m*m", "m^2"),
        ("kg*m/s^2", "kg*m/s^2"),
        ("m/s/s*kg", "kg*m/s^2"),
        ("m/s*s", "m"),
        ("m/m", "1"),
        ("d/d^2", "1/d"),
        ("a/c/b", "a/b/c"),
        ("€", "EUR"),
        ("US$/day", "USD/d"),
        ("€^2/US$", "EUR^2/USD"),
        ("l", "L"),
        ("ml", "mL"),
        ("hr", "h"),
        ("hour*hours", "h^2"),
        ("minute/minutes", "1"),
        ("weeks", "wk"),
        ("week", "wk"),
        ("days", "d"),
        ("month", "mo"),
        ("months", "mo"),
        ("year", "yr"),
        ("years", "yr"),
        ("usd", "usd"),
        ("_x9", "_x9"),
        ("kr", "kr"),
        ("m^99", "m^99"),
    ] {
        assert_eq!(Unit::parse(text).map(|unit| unit.to_string()), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn a_text_that_is_no_unit_says_why() {
    for (text, expected) in [
        ("", "the unit is empty"),
        ("1", "`1` at character 1 of the unit"),
        ("000", "`0` at character 1 of the unit"),
        ("1/h", "`1` at character 1 of the unit"),
        ("km / h", "` ` at character 3 of the unit"),
        (" km", "` ` at character 1 of the unit"),
        ("km/", "the unit stops in the middle"),
        ("m^", "the unit stops in the middle"),
        ("m^-2", "`-` at character 3 of the unit"),
        ("m^0", "the exponent of `^0` is out of range"),
        ("m^01", "the exponent of `^01` is out of range"),
        ("m^100", "the exponent of `^100` is out of range"),
        ("m^99*m", "the exponent of `m^100` is out of range"),
        ("m^99999999999999999999", "the exponent of `^99999999999999999999` is out of range"),
        ("m**2", "`*` at character 3 of the unit"),
        ("(m)", "`(` at character 1 of the unit"),
        ("USD/night)", "`)` at character 10 of the unit"),
        ("€uro", "`u` at character 2 of the unit"),
        ("$", "`$` names no one currency"),
        ("£/d", "`£` names no one currency"),
        ("km/h\n", "`\\n` at character 5 of the unit"),
        ("µm", "`µ` at character 1 of the unit"),
    ] {
        let error = Unit::parse(text).map_err(|error| error.to_string());
        assert_eq!(error, Err(expected.to_owned()), "{text:?}");
    }
    assert!(Unit::parse(&"a".repeat(1000)).is_ok());
    assert!(Unit::parse(&"a".repeat(1001)).is_err());
}

#[test]
fn units_multiply_and_divide() {
    let unit = |text| Unit::parse(text).unwrap();
    assert_eq!(unit("USD/night").mul(&unit("night")), unit("USD"));
    assert_eq!(unit("km").div(&unit("h")), unit("km/h"));
    assert_eq!(unit("km/h").pow(2), unit("km^2/h^2"));
    assert_eq!(unit("km/h").pow(0), Unit::one());
    assert!(unit("USD").div(&unit("US$")).is_one());
    assert_eq!(unit("kg*m/s^2").atoms().collect::<Vec<_>>(), [("kg", 1), ("m", 1), ("s", -2)]);
}

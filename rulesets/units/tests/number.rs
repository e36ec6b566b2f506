//! The number grammar: what is a number, which number it is, and how numbers are written.

use assay_units::number::{NumberError, decimal, fraction, parse, parse_fraction, split};

#[test]
fn a_number_is_read_exactly() {
    for (text, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("0.000", "0"),
        ("007", "7"),
        ("0.1", "1/10"),
        ("-2.50", "-5/2"),
        ("5e3", "5000"),
        ("5E+3", "5000"),
        ("5e-3", "1/200"),
        ("0e400", "0"),
        ("1e00000400", &format!("1{}", "0".repeat(400))),
        ("12.5e1", "125"),
        ("999999999999999999", "999999999999999999"),
        ("999999999999999999e18", "999999999999999999000000000000000000"),
        ("0.999999999999999999", "999999999999999999/1000000000000000000"),
        ("-1000000000000000000000", "-1000000000000000000000"),
        (
            "0.1234567890123456789012345678901234567890",
            "123456789012345678901234567890123456789/1000000000000000000000000000000000000000",
        ),
    ] {
        assert_eq!(parse(text).map(|value| fraction(&value)), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_does_not_match_the_grammar_is_no_number() {
    for text in [
        "", "-", "+5", ".5", "5.", "5.e3", "5e", "5e+", "1,200", "1_000", "0x10", "12x34", " 5", "5 ", "--5",
        "٣", "５", "1e3.5", "NaN", "inf", "1/2", "5\n", "−5",
    ] {
        assert_eq!(parse(text), Err(NumberError::Malformed), "{text}");
    }
}

#[test]
fn a_hostile_size_is_refused_and_the_largest_size_is_read() {
    assert_eq!(parse(&"9".repeat(1000)).map(|value| fraction(&value)), Ok("9".repeat(1000)));
    assert_eq!(parse(&"9".repeat(1001)), Err(NumberError::TooManyDigits { actual: 1001 }));
    let halves = format!("{}.{}", "1".repeat(500), "1".repeat(501));
    assert_eq!(parse(&halves), Err(NumberError::TooManyDigits { actual: 1001 }));
    assert_eq!(parse("1e401"), Err(NumberError::ExponentTooLarge { actual: 401 }));
    assert_eq!(parse("1e-401"), Err(NumberError::ExponentTooLarge { actual: 401 }));
    assert_eq!(parse("1e99999999999999"), Err(NumberError::ExponentTooLarge { actual: u32::MAX }));
}

#[test]
fn a_text_splits_after_its_longest_number() {
    for (text, expected) in [
        ("120 USD", Some(("120", " USD"))),
        ("120USD", Some(("120", "USD"))),
        ("5e3", Some(("5e3", ""))),
        ("5e3e", Some(("5e3", "e"))),
        ("5e", Some(("5", "e"))),
        ("5eur", Some(("5", "eur"))),
        ("5.", Some(("5", "."))),
        ("5.5.5", Some(("5.5", ".5"))),
        ("-1e-2 d", Some(("-1e-2", " d"))),
        ("5€", Some(("5", "€"))),
        ("USD 5", None),
        ("-", None),
        ("", None),
    ] {
        assert_eq!(split(text), expected, "{text}");
    }
}

#[test]
fn a_decimal_is_written_where_it_ends() {
    for (text, expected) in [
        ("0", Some("0")),
        ("-5/2", Some("-2.5")),
        ("1000000", Some("1000000")),
        ("1/8", Some("0.125")),
        ("-1/1000", Some("-0.001")),
        ("1/3", None),
        ("1/7000", None),
        ("123456789/100000", Some("1234.56789")),
    ] {
        let value = parse_fraction(text).unwrap();
        assert_eq!(decimal(&value).as_deref(), expected, "{text}");
        if let Some(expected) = expected {
            assert_eq!(parse(expected), Ok(value), "{expected} reads back");
        }
    }
}

#[test]
fn a_fraction_is_two_whole_numbers() {
    assert_eq!(parse_fraction("-2/4").map(|value| fraction(&value)), Ok("-1/2".to_owned()));
    assert_eq!(parse_fraction("1.08").map(|value| fraction(&value)), Ok("27/25".to_owned()));
    for text in ["1/0", "1/-2", "1.5/2", "1/2/3", "/2", "1/", "1 / 2", "1e2/3"] {
        assert_eq!(parse_fraction(text), Err(NumberError::Malformed), "{text}");
    }
    // The largest and the smallest number read back from their fractions.
    for text in [format!("{}e400", "7".repeat(1000)), format!("-0.{}e-400", "7".repeat(999))] {
        let value = parse(&text).unwrap();
        assert_eq!(parse_fraction(&fraction(&value)), Ok(value));
    }
}

//! A project's converters: the files, what is refused, and the hash.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;
use assay_units::{Format, Library, read_converters};
use common::{library, try_library};

const EURO: &str = r#"{"converters":[{"factor":"27/25","from":"EUR","offset":"0","to":"USD"}]}"#;
const EURO_HASH: &str = "32cbd7f1a37ac00ff981f011484ced2a26eda45c960bc1f1b4a812e6f3ac578a";

/// Reads a file all the way to a library: its hash, or every error with its help, a line each.
fn read(text: &str, format: Format) -> Result<Library, Vec<String>> {
    read_converters(text, format).and_then(Library::with).map_err(|errors| {
        errors
            .iter()
            .map(|error| match &error.help {
                Some(help) => format!("{error} | {help}"),
                None => error.to_string(),
            })
            .collect()
    })
}

#[test]
fn the_hash_is_of_the_canonical_json() {
    let library = library(&[("EUR", "USD", "1.08")]);
    assert_eq!(library.canonical_json().as_deref(), Some(EURO));
    assert_eq!(library.hash(), Some(EURO_HASH));
    assert_eq!(Library::built_in().hash(), None);
    assert_eq!(Library::built_in().canonical_json(), None);
    assert_eq!(Library::with(Vec::new()).unwrap().hash(), None);
}

#[test]
fn the_same_library_has_the_same_hash_however_it_is_written() {
    for (format, text) in [
        (Format::Json, r#"[{"from": "EUR", "to": "USD", "factor": "1.08"}]"#),
        (Format::Json, r#"[{"from": "€", "to": "US$", "factor": 1.080, "offset": 0}]"#),
        (
            Format::Json,
            r#"[{"to": "USD", "from": "EUR", "factor": 108e-2, "offset": "-0.0", "attribution": "desk"}]"#,
        ),
        (Format::Json, EURO),
        (
            Format::Toml,
            "[[converters]]\nfrom = \"EUR\"\nto = \"USD\"\nfactor = \"54/50\"\nattribution = \"treasury memo 12\"\n",
        ),
        (Format::Toml, "converters = [{ from = '€', to = 'USD', factor = '1.08', offset = 0 }]"),
    ] {
        let library = read(text, format).unwrap();
        assert_eq!(library.hash(), Some(EURO_HASH), "{text}");
    }
    let one_way = library(&[("box", "kg", "10"), ("EUR", "USD", "1.08")]);
    let other_way = library(&[("EUR", "USD", "1.08"), ("box", "kg", "10")]);
    assert_eq!(one_way.hash(), other_way.hash());
    assert_eq!(
        one_way.canonical_json().unwrap(),
        r#"{"converters":[{"factor":"27/25","from":"EUR","offset":"0","to":"USD"},{"factor":"10","from":"box","offset":"0","to":"kg"}]}"#
    );
}

#[test]
fn an_empty_list_is_no_library() {
    for (format, text) in
        [(Format::Json, "[]"), (Format::Json, r#"{"converters":[]}"#), (Format::Toml, "converters = []")]
    {
        assert_eq!(read(text, format).unwrap().hash(), None, "{text}");
    }
}

#[test]
fn an_attribution_is_kept_beside_the_hash() {
    let text = r#"[{"from": "EUR", "to": "USD", "factor": "1.08", "attribution": "treasury memo 12"}]"#;
    let read = read(text, Format::Json).unwrap();
    assert_eq!(read.converters()[0].attribution.as_deref(), Some("treasury memo 12"));
    let written = serde_json::to_string(read.converters()).unwrap();
    let again = read_converters(&written, Format::Json).unwrap();
    assert_eq!(again, read.converters());
}

#[test]
fn a_factor_keeps_every_digit() {
    let digits = "1.0000000000000000000000000000000000000001";
    let text = format!(r#"[{{"from": "a", "to": "b", "factor": {digits}}}]"#);
    let library = read(&text, Format::Json).unwrap();
    assert_eq!(assay_units::number::decimal(&library.converters()[0].factor).as_deref(), Some(digits));
}

#[test]
fn a_file_tells_everything_that_is_wrong_with_it() {
    let text = r#"[
        {"from": "EUR", "to": "USD", "factor": "1,08"},
        {"from": "km / h", "to": "$", "factor": "1/0", "offset": true, "note": "x"},
        {"from": "box", "to": "kg", "factor": "10"},
        {"from": "kg", "to": "box", "factr": "0.1"},
        {"from": "kg", "to": "box", "factor": "0.1"},
        {"from": "m", "to": "m", "factor": "1"},
        {"from": "a", "to": "b", "factor": "0"},
        {"from": "a", "to": "c", "factor": -1.5},
        {"from": "a", "from": "x", "to": "d", "factor": null, "attribution": 7},
        "EUR",
        {"from": "m/m^2", "to": "d", "factor": "1"}
    ]"#;
    assert_eq!(
        read(text, Format::Json).unwrap_err(),
        [
            "converter 1 (`EUR` to `USD`): `factor`: `1,08` is no exact number | an exact decimal such as `1.08`, or a fraction such as `27/25`",
            "converter 2 (`km / h` to `$`): `note` is no key of a converter | the keys are `from`, `to`, `factor`, `offset` and `attribution`",
            "converter 2 (`km / h` to `$`): `from`: ` ` at character 3 of the unit | a unit is written like `km/h`, `USD/night` or `kg*m/s^2`, without spaces or brackets",
            "converter 2 (`km / h` to `$`): `to`: `$` names no one currency | write the currency's ISO 4217 code, such as `USD`",
            "converter 2 (`km / h` to `$`): `factor`: `1/0` is no exact number | an exact decimal such as `1.08`, or a fraction such as `27/25`",
            "converter 2 (`km / h` to `$`): `offset` is true or false, not a number",
            "converter 4 (`kg` to `box`): `factr` is no key of a converter | did you mean `factor`?",
            "converter 4 (`kg` to `box`): there is no `factor`",
            "converter 5 (`kg` to `box`): converter 3 gives this pair already | give each pair once, in one direction: the inverse follows",
            "converter 6 (`m` to `m`): converts a unit to itself",
            "converter 7 (`a` to `b`): the factor 0 is not more than zero",
            "converter 8 (`a` to `c`): the factor -3/2 is not more than zero",
            "converter 9 (`a` to `d`): `from` is given twice",
            "converter 9 (`a` to `d`): `factor` is null, not a number",
            "converter 9 (`a` to `d`): `attribution` is a number, not a text",
            "converter 10: a text where a converter is due",
            "converter 11 (`1/m` to `d`): `1/m` is no unit that values are measured in | a converter's unit has an atom above the line, such as `box` or `USD/night`",
        ]
    );
}

#[test]
fn a_file_that_is_no_list_says_so() {
    for (format, text, expected) in [
        (Format::Json, "", "not valid JSON: EOF while parsing a value at line 1 column 0"),
        (Format::Json, "[1,]", "not valid JSON: expected value at line 1 column 4"),
        (Format::Json, "[] []", "not valid JSON: trailing characters at line 1 column 4"),
        (Format::Json, "7", "a number where a list of converters is due"),
        (
            Format::Json,
            "{}",
            "there is no `converters` | an empty list, `converters = []` in TOML, says that there are none",
        ),
        (
            Format::Toml,
            "",
            "there is no `converters` | an empty list, `converters = []` in TOML, says that there are none",
        ),
        (Format::Json, r#"{"converters":[],"converters":[]}"#, "`converters` is given twice"),
        (Format::Toml, "converters = 1979-05-27", "`converters` is a date, not a list"),
        (
            Format::Toml,
            "converters = [{from='EUR', to='USD', factor=1.08}]",
            "converter 1 (`EUR` to `USD`): `factor` is a float, which is not exact | write it in quotes: `factor = \"1.08\"`",
        ),
    ] {
        assert_eq!(read(text, format).unwrap_err(), [expected], "{text}");
    }
    let unknown = read("converter = []", Format::Toml).unwrap_err();
    assert_eq!(unknown.len(), 2);
    assert!(unknown[0].starts_with("`converter` is no key of a converters file"), "{unknown:?}");
    assert!(read("converters = [", Format::Toml).unwrap_err()[0].starts_with("not valid TOML: "));
    assert!(read(&"[".repeat(100_000), Format::Json).is_err());
}

#[test]
fn the_second_of_two_paths_that_differ_is_refused() {
    for (converters, expected) in [
        (
            vec![("EUR", "USD", "1.08"), ("USD", "€", "0.9")],
            vec!["converter 2 (`USD` to `EUR`): converter 1 gives this pair already"],
        ),
        (
            vec![("hr", "x", "2"), ("x", "hours", "1/2")],
            vec!["converter 2 (`x` to `h`): converter 1 gives this pair already"],
        ),
        (
            vec![("EUR", "USD", "1.08"), ("GBP", "EUR", "1.17"), ("GBP", "USD", "1.3")],
            vec![
                "converter 3 (`GBP` to `USD`): the built-in units and the converters before it give this pair the factor 1.2636",
            ],
        ),
        (
            vec![("km", "m", "999")],
            vec![
                "converter 1 (`km` to `m`): the built-in units and the converters before it give this pair the factor 1000",
            ],
        ),
        (
            vec![("degC", "K", "1")],
            vec![
                "converter 1 (`degC` to `K`): the built-in units and the converters before it give this pair the factor 1 and the offset 273.15",
            ],
        ),
        (
            vec![("box^2", "kg^2", "100"), ("box", "kg", "11"), ("box", "t", "0.01")],
            vec![
                "converter 2 (`box` to `kg`): it contradicts what follows from the converters before it together",
            ],
        ),
        (
            vec![("mV", "degC", "0.1 + -50"), ("mV", "K", "0.1 + 200")],
            vec![
                "converter 2 (`mV` to `K`): the built-in units and the converters before it give this pair the factor 0.1 and the offset 223.15",
            ],
        ),
        (
            vec![("mV", "degC", "0.1 + -50"), ("mV", "bar", "2"), ("bar", "K", "3")],
            vec![
                "converter 3 (`bar` to `K`): the built-in units and the converters before it give this pair the factor 0.05 and the offset 223.15",
            ],
        ),
        (
            vec![("EUR/night", "USD/night", "1.08"), ("EUR/d", "USD/d", "1.09")],
            vec![
                "converter 2 (`EUR/d` to `USD/d`): the built-in units and the converters before it give this pair the factor 1.08",
            ],
        ),
        (
            vec![("mo", "d", "30")],
            vec!["converter 1 (`mo` to `d`): it makes one `yr` 360 `d`, outside 365 to 366"],
        ),
        (
            vec![("mo", "wk", "5")],
            vec!["converter 1 (`mo` to `wk`): it makes one `mo` 35 `d`, outside 28 to 31"],
        ),
        (
            vec![("sprint", "wk", "2"), ("sprint", "mo", "1/2")],
            vec!["converter 2 (`sprint` to `mo`): it makes one `yr` 336 `d`, outside 365 to 366"],
        ),
        (
            vec![("a^99", "b", "1e400"), ("b^99", "c", "1e400"), ("c^99", "d", "1e400"), ("a", "d", "2")],
            vec!["converter 4 (`a` to `d`): the numbers that follow from it are too large to compute with"],
        ),
    ] {
        assert_eq!(try_library(&converters).unwrap_err(), expected);
    }
}

#[test]
fn a_second_path_that_agrees_is_accepted() {
    for converters in [
        vec![("EUR", "USD", "1.08"), ("GBP", "EUR", "1.17"), ("GBP", "USD", "1.2636")],
        vec![("km", "m", "1000")],
        vec![("degC", "K", "1 + 273.15")],
        vec![("degC", "degF", "9/5 + 32")],
        vec![("box^2", "kg^2", "100"), ("box", "kg", "10")],
        vec![("mV", "degC", "0.1 + -50"), ("mV", "K", "0.1 + 223.15")],
        vec![("mo", "d", "487/16")],
        vec![("yr", "d", "365")],
    ] {
        assert!(try_library(&converters).is_ok(), "{converters:?}");
    }
    let month = library(&[("mo", "d", "487/16")]);
    assert_eq!(common::bridge(&month, "yr", "d"), "* 1461/4");
}

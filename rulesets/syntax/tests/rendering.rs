//! How diagnostics look to a person.

use assay_syntax::{parse, render};

/// Renders what is found in a source, and compares.
fn check(source: &str, expected: &str) {
    let parsed = parse(source.as_bytes());
    let rendered = render(parsed.source.as_ref(), "policies/a.dsail", &parsed.diagnostics, false);
    assert_eq!(rendered, expected.trim_start_matches('\n'), "\n{rendered}");
}

#[test]
fn a_message_its_place_and_its_help() {
    check(
        "declare a as boolean;\nassert x { a == true };\n",
        r"
error: `true` is not a boolean
 --> policies/a.dsail:2:17
  |
2 | assert x { a == true };
  |                 ^^^^
  |
  = help: write `True`
",
    );
}

#[test]
fn a_warning_and_a_blank_line_between_two() {
    check(
        "// @todo one\n// @todo two\n",
        r"
warning: `@todo` is not a tag, and is passed over
 --> policies/a.dsail:1:4
  |
1 | // @todo one
  |    ^^^^^
  |
  = help: the tags are `@ask`, `@context`, `@range` and `@unit`

warning: `@todo` is not a tag, and is passed over
 --> policies/a.dsail:2:4
  |
2 | // @todo two
  |    ^^^^^
  |
  = help: the tags are `@ask`, `@context`, `@range` and `@unit`
",
    );
}

#[test]
fn related_places_in_the_same_line_and_in_another() {
    check(
        "version 1.3; version 1.2;\ndeclare k as enum {\n  \"a\",\n  \"a\"\n};\n",
        r#"
error: a second version
 --> policies/a.dsail:1:14
  |
1 | version 1.3; version 1.2;
  |         ---  ^^^^^^^^^^^
  |         |
  |         the first stands here
  |
  = help: remove one of the two

error: the member `a` is listed twice
 --> policies/a.dsail:4:3
  |
4 |   "a"
  |   ^^^
  |
 ::: policies/a.dsail:3:3
  |
3 |   "a",
  |   --- it is listed here first
  |
  = help: remove one of the two
"#,
    );
}

#[test]
fn what_could_steer_a_terminal_is_shown_as_something_else() {
    let parsed = parse("declare a\u{1b}[2J as boolean; // \u{202e}\u{7}\tb\n".as_bytes());
    for color in [false, true] {
        let rendered = render(parsed.source.as_ref(), "a\u{1b}]0;b.dsail", &parsed.diagnostics, color);
        for c in ["\u{1b}[2J", "\u{1b}]0", "\u{202e}", "\u{7}", "\t"] {
            assert!(!rendered.contains(c), "{c:?} in {rendered:?}");
        }
        assert!(rendered.contains(r"`\u{1b}` is not a part of the language"), "{rendered}");
        assert!(rendered.contains("declare a\u{fffd}[2J as boolean; // \u{fffd}\u{fffd} b"), "{rendered}");
        assert_eq!(rendered.contains("\u{1b}["), color);
    }
}

#[test]
fn a_long_line_is_cut_around_what_is_wrong() {
    let parsed = parse(format!("assert x {{ {}a = b }};\n", "a + ".repeat(20_000)).as_bytes());
    let rendered = render(parsed.source.as_ref(), "a.dsail", &parsed.diagnostics, false);
    assert!(rendered.lines().all(|line| line.chars().count() <= 140), "{rendered}");
    assert!(rendered.contains("a.dsail:1:80014"), "{rendered}");
    assert!(rendered.contains("a + a = b };"), "{rendered}");
}

#[test]
fn bytes_that_are_no_text_have_no_line_to_show() {
    let parsed = parse(b"declare a\nas \xff;");
    assert!(parsed.source.is_none());
    let rendered = render(None, "a.dsail", &parsed.diagnostics, false);
    let expected = "error: byte 14 of the source, in line 2, is not UTF-8\n--> a.dsail\n = help: save the source as UTF-8\n";
    assert_eq!(rendered, expected);
}

//! What depends on a terminal: the form, colours and progress. And readers that go away.

use crate::folder::Folder;

const BROKEN: &str = "version 1.3;\nassert a { b };\n";

#[test]
fn text_on_a_terminal_and_json_elsewhere() {
    let folder = Folder::new();
    let (_, seen) = folder.on_terminal("assay check policy.dsail --claims claims.json");
    assert!(seen.starts_with("TRUE       within_cap\n"), "{seen}");
    let (_, seen) = folder.on_terminal("assay check policy.dsail --claims claims.json --format json");
    assert!(seen.starts_with("{\"claims\""), "{seen}");
    let piped = folder.sh("assay check policy.dsail --claims claims.json").stdout;
    assert!(piped.starts_with("{\"claims\""), "{piped}");
}

#[test]
fn colours_only_on_a_terminal_that_wants_them() {
    let folder = Folder::new();
    folder.put("broken.dsail", BROKEN).put("empty.dsail", "");
    // Errors go to standard error and warnings to standard output: each looks at its own stream.
    let table = [
        ("assay compile broken.dsail", true),
        ("assay compile empty.dsail", true),
        ("NO_COLOR= assay compile broken.dsail", true),
        ("NO_COLOR=1 assay compile broken.dsail", false),
        ("NO_COLOR=1 assay compile empty.dsail", false),
        ("TERM=dumb assay compile broken.dsail", false),
        ("assay compile broken.dsail --format text 2>&1 | cat", false),
        ("assay compile empty.dsail --format text | cat", false),
        ("assay compile broken.dsail 2> errors; cat errors", false),
        ("assay --nope", true),
        ("NO_COLOR=1 assay --nope", false),
        ("assay --nope 2>&1 | cat", false),
    ];
    for (command, coloured) in table {
        let (sent, _) = folder.on_terminal(command);
        assert!(sent.contains("error") || sent.contains("warning"), "`{command}`: {sent:?}");
        assert_eq!(sent.contains("\u{1b}["), coloured, "`{command}`: {sent:?}");
    }
}

#[test]
fn progress_is_shown_on_terminals_alone_and_leaves_nothing_behind() {
    let folder = Folder::new();
    let (sent, seen) = folder.on_terminal("assay run job.toml");
    assert!(sent.contains("rows/s"), "there was no progress: {sent:?}");
    assert!(seen.starts_with("\nassertion ") && !seen.contains("rows/s"), "{seen}");
    for flags in ["--quiet", "--log-format json", "2>&1 | cat"] {
        let (sent, _) = folder.on_terminal(&format!("assay run job.toml --overwrite {flags}"));
        assert!(!sent.contains("rows/s") && !sent.contains('\u{1b}'), "{flags}: {sent:?}");
    }
    let (sent, _) = folder.on_terminal("assay run job.toml --overwrite --quiet");
    assert_eq!(sent, "");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.put("broken.dsail", BROKEN);
    for command in [
        "compile policy.dsail",
        "compile policy.dsail --format text",
        "compile broken.dsail",
        "check policy.dsail --claims claims.json",
        "prompt-pack policy.dsail",
        "units",
        "ruleset list",
        "completions bash",
        "run --help",
    ] {
        // The pipe has no reader before the first byte is written to it.
        let ran = folder.sh(&format!("{{ sleep 0.2; assay {command}; echo $? >&2; }} | true"));
        let code = if command.contains("broken") { "2\n" } else { "0\n" };
        assert_eq!(ran.stderr, code, "`{command}`");
    }
}

#[test]
fn a_standard_output_that_is_full_is_an_error() {
    let ran = Folder::new().sh("assay units > /dev/full");
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.starts_with("error: standard output cannot be written: "), "{}", ran.stderr);
}

#[test]
fn closed_standard_streams_do_not_crash() {
    let folder = Folder::new();
    for command in
        ["assay units >&-", "assay run job.toml 2>&-", "assay compile - <&-", "assay compile none 2>&-"]
    {
        let ran = folder.sh(command);
        let code = ran.code.expect("an exit code");
        assert!(code <= 3 && !ran.stderr.contains("panicked"), "`{command}`: {code}: {}", ran.stderr);
    }
}

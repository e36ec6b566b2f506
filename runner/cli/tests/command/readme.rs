//! The README is kept true. Its fenced blocks are followed from top to bottom in one folder, a copy of `fixtures/start`:
//!
//! - A block whose info string names a file, as in "```dsail title=policy.dsail", must equal that file of `fixtures/start`;
//!   where `fixtures/start` has no such file, it is written, as the reader would write it.
//! - In a block "```console", a line that begins with `$ ` is a command. It is run on a terminal 120 columns wide (without
//!   colours), with `assay` on its path, and what follows is what the terminal then shows: `…` stands for any text within a
//!   line, and a line that is only `…` for any lines or none. Blank lines at either end are nothing.
//!
//! Other blocks are not looked at.

use std::fs;

use crate::folder::{Folder, fixtures};

/// A fenced block: its info string, the line it begins in, and its text.
struct Block<'a> {
    info: &'a str,
    line: usize,
    text: String,
}

#[test]
fn every_block_of_the_readme_is_true() {
    let readme = fs::read_to_string(fixtures().join("../README.md")).expect("the README");
    let folder = Folder::new();
    let blocks = blocks(&readme);
    let (mut files, mut commands) = (0, 0);
    for block in &blocks {
        let title = block.info.split(' ').find_map(|word| word.strip_prefix("title="));
        if let Some(name) = title {
            files += 1;
            match fs::read_to_string(fixtures().join("start").join(name)) {
                Ok(kept) => {
                    assert_eq!(
                        block.text, kept,
                        "README.md:{}: `{name}` of fixtures/start differs",
                        block.line
                    );
                }
                Err(_) => {
                    folder.put(name, &block.text);
                }
            }
        } else if block.info == "console" {
            for (command, expected) in commands_of(block) {
                commands += 1;
                let (_, seen) = folder.on_terminal(&format!("export NO_COLOR=1; {command}"));
                let seen: Vec<&str> = trimmed(seen.lines().collect());
                assert!(
                    matches(&expected, &seen),
                    "README.md:{}: `{command}` now shows:\n{}\n\nand not:\n{}",
                    block.line,
                    seen.join("\n"),
                    expected.join("\n")
                );
            }
        }
    }
    assert!(files > 0 && commands > 0, "the README shows {files} files and {commands} commands");
}

fn blocks(readme: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    for (at, line) in readme.lines().enumerate() {
        match (open, line.strip_prefix("```")) {
            (false, Some(info)) => {
                blocks.push(Block { info: info.trim(), line: at + 1, text: String::new() });
                open = true;
            }
            (true, Some(_)) => open = false,
            (true, None) => {
                let block = blocks.last_mut().expect("an open block");
                block.text.push_str(line);
                block.text.push('\n');
            }
            (false, None) => {}
        }
    }
    assert!(!open, "a block of the README has no end");
    blocks
}

fn commands_of<'a>(block: &'a Block<'_>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, expected))) => expected.push(line),
            (None, None) => panic!("README.md:{}: the block does not begin with a command", block.line),
        }
    }
    commands.into_iter().map(|(command, expected)| (command, trimmed(expected))).collect()
}

/// Lines without the blank ones at either end.
fn trimmed(mut lines: Vec<&str>) -> Vec<&str> {
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    lines.split_off(blank)
}

fn matches(expected: &[&str], seen: &[&str]) -> bool {
    match expected {
        [] => seen.is_empty(),
        ["…", rest @ ..] => (0..=seen.len()).any(|skipped| matches(rest, &seen[skipped..])),
        [line, rest @ ..] => {
            seen.split_first().is_some_and(|(first, others)| like(line, first) && matches(rest, others))
        }
    }
}

/// Whether a line is as expected, where `…` stands for any text.
fn like(expected: &str, seen: &str) -> bool {
    match expected.split_once('…') {
        None => expected == seen,
        Some((before, after)) => seen.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| like(after, &rest[at..]))
        }),
    }
}

#[test]
fn what_the_readme_may_leave_open() {
    let table = [
        ("a b", "a b", true),
        ("a b", "a c", false),
        ("in … s", "in 1.0 s", true),
        ("in … s", "in 1.0 m", false),
        ("…", "one\ntwo", true),
        ("…\ntwo", "one\ntwo", true),
        ("…\nthree", "one\ntwo", false),
        ("one\n…", "one", true),
        ("one", "one\ntwo", false),
    ];
    for (expected, seen, is) in table {
        let (lines, shown): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), seen.lines().collect());
        assert_eq!(matches(&lines, &shown), is, "{expected:?} and {seen:?}");
    }
}

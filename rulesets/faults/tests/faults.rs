//! Errors of the system in words, and panics that are caught.

use std::io;
use std::sync::Mutex;

use assay_faults::{caught, help, reason};

#[test]
fn what_the_system_says_is_said_in_words() {
    // Numbers of Linux: what a run meets, rather than what Rust calls it.
    for (number, expected, helps) in [
        (2, "there is no such file", false),
        (5, "the disk cannot read or write it", true),
        (11, "the system has no more of what it takes", true),
        (12, "there is too little memory", true),
        (13, "permission is denied", true),
        (20, "a part of its path is no folder", false),
        (21, "it is a folder", false),
        (24, "too many files are open", true),
        (27, "the file would be larger than is allowed", true),
        (28, "the disk is full", true),
        (30, "the disk may only be read", true),
        (36, "its name is none that the system allows", true),
        (40, "its links lead in a circle", false),
        (122, "the quota of the disk is used up", true),
    ] {
        let error = io::Error::from_raw_os_error(number);
        assert_eq!((reason(&error).as_str(), help(&error).is_some()), (expected, helps), "{error}");
    }
    let own = io::Error::other("words of a library");
    assert_eq!((reason(&own).as_str(), help(&own)), ("words of a library", None));
}

#[test]
fn a_panic_is_caught_and_says_nothing_and_others_are_as_before() {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    std::panic::set_hook(Box::new(|panic| SAID.lock().expect("a list").push(panic.to_string())));
    assert_eq!(caught(|| 7).expect("a value"), 7);
    let broke = caught(|| -> u8 { panic!("raw words") }).expect_err("a panic");
    assert!(broke.place.starts_with("faults.rs:"), "{broke}");
    // Within one that is caught, and after it, and on another thread meanwhile.
    caught(|| {
        caught(|| panic!("inner")).expect_err("a panic");
        std::thread::spawn(|| panic!("elsewhere")).join().expect_err("a panic");
    })
    .expect("no panic");
    std::thread::spawn(|| panic!("afterwards")).join().expect_err("a panic");
    let said = SAID.lock().expect("a list");
    let words = ["elsewhere", "afterwards"];
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().zip(words).all(|(said, word)| said.contains(word)), "{said:?}");
}

//! The store through its public interface, on real files.
#![allow(clippy::unwrap_used)] // helpers of tests

use std::path::{Path, PathBuf};

use assay_store::{Revision, Store, StoreError};
use assay_units::number::parse_fraction;
use assay_units::{Converter, Unit};
use tempfile::TempDir;

const FIRST: &[u8] = b"declare ok as boolean;\nassert holds { ok };\n";
const SECOND: &[u8] = b"declare ok as boolean;\nassert holds { Not(ok) };\n";
/// `printf 'declare ok as boolean;\nassert holds { ok };\n' | sha256sum`
const FIRST_HASH: &str = "9528678405b38c1b33effc0fa7786ab100edacf3c60e97b39066af7faa290eef";
const EURO_HASH: &str = "32cbd7f1a37ac00ff981f011484ced2a26eda45c960bc1f1b4a812e6f3ac578a";
const NOON: &str = "2026-12-01T12:00:00Z";

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/.assay/store.db");
    (folder, path)
}

fn store() -> (TempDir, Store) {
    let (folder, path) = file();
    let store = Store::open(path).unwrap();
    (folder, store)
}

fn converter(from: &str, to: &str, factor: &str) -> Converter {
    Converter {
        from: Unit::parse(from).unwrap(),
        to: Unit::parse(to).unwrap(),
        factor: parse_fraction(factor).unwrap(),
        offset: parse_fraction("0").unwrap(),
        attribution: None,
    }
}

fn said<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    result.unwrap_err().to_string()
}

/// Overwrites the one place of `old` in the file.
fn damage(path: &Path, old: &[u8], new: &[u8]) {
    let mut bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_source_is_found_by_its_hash() {
    let (_folder, store) = store();
    assert_eq!(store.put(FIRST).unwrap(), FIRST_HASH);
    assert_eq!(store.put(FIRST).unwrap(), FIRST_HASH, "putting it again changes nothing");
    let other = store.put(SECOND).unwrap();
    assert_ne!(other, FIRST_HASH);
    assert_eq!(store.get(FIRST_HASH).unwrap().as_deref(), Some(FIRST));
    assert_eq!(store.get(&other).unwrap().as_deref(), Some(SECOND));
    assert_eq!(store.get(&"0".repeat(64)).unwrap(), None);
    assert_eq!(store.get("").unwrap(), None);
}

#[test]
fn what_is_stored_is_there_after_opening_again() {
    let (_folder, path) = file();
    {
        let store = Store::open(&path).unwrap();
        store.save("travel", FIRST, NOON).unwrap();
        store.add_converters(&[converter("EUR", "USD", "1.08")]).unwrap();
    }
    for store in [Store::open(&path).unwrap(), Store::open_read_only(&path).unwrap()] {
        assert_eq!(store.get(FIRST_HASH).unwrap().as_deref(), Some(FIRST));
        assert_eq!(store.show("travel", None).unwrap().unwrap().ruleset_hash, FIRST_HASH);
        assert_eq!(store.library().unwrap().hash(), Some(EURO_HASH));
    }
}

#[test]
fn saving_over_a_name_links_the_revision_before() {
    let (_folder, store) = store();
    let revision = |depth, hash: &str, parent: Option<&str>, bound_at: &str| Revision {
        name: "travel".to_owned(),
        ruleset_hash: hash.to_owned(),
        parent_hash: parent.map(str::to_owned),
        depth,
        bound_at: bound_at.to_owned(),
    };
    let first = store.save("travel", FIRST, "t0").unwrap();
    assert!(first.created);
    assert_eq!(first.revision, revision(0, FIRST_HASH, None, "t0"));

    let same = store.save("travel", FIRST, "t1").unwrap();
    assert!(!same.created);
    assert_eq!(same.revision, first.revision, "the same source is no revision");

    let second = store.save("travel", SECOND, "t2").unwrap();
    let second_hash = second.revision.ruleset_hash.clone();
    assert!(second.created);
    assert_eq!(second.revision, revision(1, &second_hash, Some(FIRST_HASH), "t2"));

    let back = store.save("travel", FIRST, "t3").unwrap();
    assert!(!back.created, "the bytes are there");
    assert_eq!(back.revision, revision(2, FIRST_HASH, Some(&second_hash), "t3"));

    let chain = [back.revision.clone(), second.revision, first.revision];
    assert_eq!(store.revisions("travel").unwrap(), chain);
    assert_eq!(store.show("travel", None).unwrap(), Some(back.revision));
    assert_eq!(store.show("travel", Some(1)).unwrap().as_ref(), Some(&chain[1]));
    assert_eq!(store.show("travel", Some(3)).unwrap(), None);
    assert_eq!(store.show("travel", Some(u64::MAX)).unwrap(), None);
    assert_eq!(store.show("other", None).unwrap(), None);
    assert_eq!(store.revisions("other").unwrap(), []);
}

#[test]
fn the_list_has_every_name_once_in_order() {
    let (_folder, store) = store();
    assert_eq!(store.list().unwrap(), []);
    for (name, source) in [("travel", FIRST), ("audit", FIRST), ("Travel", SECOND), ("travel", SECOND)] {
        store.save(name, source, NOON).unwrap();
    }
    let listed = store.list().unwrap();
    let names: Vec<_> = listed.iter().map(|row| (row.revision.name.as_str(), row.revision.depth)).collect();
    assert_eq!(names, [("Travel", 0), ("audit", 0), ("travel", 1)]);
    assert!(listed.iter().all(|row| row.approval_count == 0));
}

#[test]
fn a_name_is_one_word_and_no_hash() {
    let (_folder, store) = store();
    for name in ["a", "travel-2026.v1_b", &"n".repeat(128)] {
        assert!(store.save(name, FIRST, NOON).is_ok(), "{name}");
    }
    for name in
        ["", "1st", "-x", ".x", "a b", "a/b", "é", "a\n", &"n".repeat(129), &"a".repeat(64), FIRST_HASH]
    {
        let error = store.save(name, SECOND, NOON).unwrap_err();
        assert!(matches!(&error, StoreError::Name { .. }), "{name}: {error}");
    }
    assert_eq!(store.list().unwrap().len(), 3);
}

#[test]
fn converters_make_the_library_and_replaced_ones_stay() {
    let (_folder, store) = store();
    assert_eq!(store.library().unwrap().hash(), None);

    let mut euro = converter("EUR", "USD", "1.08");
    euro.attribution = Some("treasury memo 12".to_owned());
    let change = store.add_converters(std::slice::from_ref(&euro)).unwrap();
    assert_eq!(change.previous_hash, None);
    assert_eq!(change.library.hash(), Some(EURO_HASH), "the attribution is no part of the hash");
    assert_eq!(store.converters().unwrap(), [euro.clone()]);

    let (boxes, reverse) = (converter("box", "kg", "10"), converter("USD", "EUR", "9/10"));
    let change = store.add_converters(std::slice::from_ref(&boxes)).unwrap();
    assert_eq!(change.previous_hash.as_deref(), Some(EURO_HASH));
    let with_box = change.library.hash().unwrap().to_owned();

    let change = store.replace_converters(std::slice::from_ref(&reverse)).unwrap();
    assert_eq!(change.previous_hash, Some(with_box));
    assert_eq!(change.library.hash(), store.library().unwrap().hash());
    assert_eq!(store.converters().unwrap(), [boxes, reverse]);
    assert_eq!(store.replaced_converters().unwrap(), [euro]);
}

#[test]
fn several_converters_that_hang_together_are_replaced_at_once() {
    let (_folder, store) = store();
    let old = [converter("EUR", "USD", "1"), converter("GBP", "EUR", "1"), converter("GBP", "USD", "1")];
    store.add_converters(&old).unwrap();
    assert!(store.replace_converters(&[converter("GBP", "USD", "2")]).is_err(), "alone it contradicts");
    store.replace_converters(&[converter("USD", "GBP", "1/2"), converter("GBP", "EUR", "2")]).unwrap();
    assert_eq!(store.converters().unwrap().len(), 3);
    assert_eq!(store.replaced_converters().unwrap(), old[1..]);
}

#[test]
fn a_refused_change_of_converters_changes_nothing() {
    let (_folder, store) = store();
    store.add_converters(&[converter("EUR", "USD", "1.08"), converter("GBP", "EUR", "1.17")]).unwrap();
    let before = store.converters().unwrap();
    for (result, expected) in [
        (
            store.add_converters(&[converter("box", "kg", "1"), converter("USD", "EUR", "25/27")]),
            "a converter of `USD` and `EUR` is there already",
        ),
        (
            store.replace_converters(&[converter("box", "kg", "1")]),
            "no converter of `box` and `kg` is there to replace",
        ),
        (
            store.add_converters(&[converter("box", "kg", "1"), converter("GBP", "USD", "1.3")]),
            "converter 2 (`GBP` to `USD`): the built-in units and the converters before it give this pair the \
             factor 1.2636",
        ),
        (
            store.add_converters(&[
                converter("a", "b", "0"),
                converter("b", "c", "1"),
                converter("c", "b", "1"),
            ]),
            "converter 1 (`a` to `b`): the factor 0 is not more than zero\n\
             converter 3 (`c` to `b`): converter 2 gives this pair already",
        ),
    ] {
        assert_eq!(said(result), expected);
        assert_eq!(store.converters().unwrap(), before);
    }
}

#[test]
fn the_largest_factor_is_kept_exactly() {
    let (_folder, store) = store();
    let large = converter("a", "b", &format!("{}e400", "7".repeat(1000)));
    store.add_converters(std::slice::from_ref(&large)).unwrap();
    assert_eq!(store.converters().unwrap(), [large]);
}

#[test]
fn a_new_store_is_opened_by_several_at_once() {
    for _ in 0..100 {
        let (_folder, path) = file();
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    Store::open(&path).unwrap();
                });
            }
        });
    }
}

#[test]
fn two_processes_use_one_store() {
    let (_folder, path) = file();
    let rounds = 20;
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..rounds {
                    let store = Store::open(path).unwrap();
                    let source = format!("// {writer} {round}\n");
                    store.save("shared", source.as_bytes(), NOON).unwrap();
                    store.add_converters(&[converter(&format!("u{writer}_{round}"), "kg", "2")]).unwrap();
                }
            });
        }
    });
    let store = Store::open_read_only(&path).unwrap();
    let chain = store.revisions("shared").unwrap();
    assert_eq!(chain.len(), 2 * rounds);
    for pair in chain.windows(2) {
        assert_eq!(pair[0].parent_hash.as_ref(), Some(&pair[1].ruleset_hash));
        assert_eq!(pair[0].depth, pair[1].depth + 1);
    }
    assert_eq!(store.converters().unwrap().len(), 2 * rounds);
}

#[test]
fn a_changed_byte_is_noticed() {
    let (_folder, path) = file();
    let store = Store::open(&path).unwrap();
    store.save("travel", FIRST, NOON).unwrap();
    drop(store);
    damage(&path, b"assert holds { ok }", b"assert holds { OK }");

    let store = Store::open(&path).unwrap();
    let expected = format!(
        "the store `{}` is damaged: the source stored as `{FIRST_HASH}` has another hash",
        path.display()
    );
    assert_eq!(said(store.get(FIRST_HASH)), expected);
    assert_eq!(said(store.put(FIRST)), expected, "nor does putting the right bytes pass over it");
    assert_eq!(said(store.save("other", FIRST, NOON)), expected);
}

#[test]
fn a_damaged_converter_is_noticed() {
    let (_folder, path) = file();
    let store = Store::open(&path).unwrap();
    store.add_converters(&[converter("EUR", "USD", "27/25")]).unwrap();
    drop(store);
    damage(&path, b"27/25", b"27/00");
    let store = Store::open(&path).unwrap();
    assert_eq!(
        said(store.library()),
        format!("the store `{}` is damaged: converter 1 cannot be read", path.display())
    );
}

#[test]
fn a_store_of_a_newer_version_is_refused() {
    let (_folder, path) = file();
    drop(Store::open(&path).unwrap());
    // `user_version` is the big-endian integer at byte 60 of the file.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9_u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let expected = format!(
        "the store `{}` was written by a newer assay: its tables have version 9, and this assay knows up to 1",
        path.display()
    );
    assert_eq!(said(Store::open(&path)), expected);
    assert_eq!(said(Store::open_read_only(&path)), expected);
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it is");
}

#[test]
fn another_file_is_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("policy.dsail");
    std::fs::write(&text, "declare ok as boolean;\n".repeat(50)).unwrap();
    let foreign = folder.path().join("other.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x);").unwrap();
    for path in [&text, &foreign] {
        let before = std::fs::read(path).unwrap();
        for result in [Store::open(path), Store::open_read_only(path)] {
            assert_eq!(said(result), format!("`{}` is not a store", path.display()));
        }
        assert_eq!(std::fs::read(path).unwrap(), before, "it is left as it is");
    }
}

#[test]
fn a_missing_store_is_made_only_for_writing() {
    let (folder, path) = file();
    assert_eq!(said(Store::open_read_only(&path)), format!("there is no store `{}`", path.display()));
    assert!(!path.exists());
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").unwrap();
    let error = Store::open(blocked.join("store.db")).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
}

#[test]
fn reading_changes_nothing() {
    let (_folder, path) = file();
    drop(Store::open(&path).unwrap());
    let store = Store::open_read_only(&path).unwrap();
    assert!(store.put(FIRST).is_err());
    assert!(store.save("travel", FIRST, NOON).is_err());
    assert_eq!(store.list().unwrap(), []);
}

/// What is written once stays, whatever a later version of the code tries.
#[test]
fn stored_rows_do_not_change() {
    let (_folder, path) = file();
    let store = Store::open(&path).unwrap();
    store.save("travel", FIRST, NOON).unwrap();
    store.add_converters(&[converter("EUR", "USD", "1.08")]).unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    for change in [
        "UPDATE rulesets SET source = x'00'",
        "DELETE FROM rulesets",
        "UPDATE revisions SET hash = hash",
        "DELETE FROM revisions",
        "UPDATE converters SET factor = '2'",
        "DELETE FROM converters",
    ] {
        assert!(raw.execute(change, []).is_err(), "{change}");
    }
}

//! What the one-shot commands print where nobody looks is the service's payload, byte for byte, and a line feed.

use std::fs;

use assay_compile::Options;
use assay_service::{Error, Prepared};
use assay_units::{Format, Library, read_converters};

use crate::folder::Folder;

const CONVERTERS: &str = r#"[{"from":"EUR","to":"USD","factor":"27/25"}]"#;

#[test]
fn commands_print_the_payloads_of_the_service() {
    let folder = Folder::new();
    folder.put("rates.json", CONVERTERS);
    folder.put("broken.dsail", "version 1.3; assert a { b };");
    folder.put("refused.json", r#"{"amount":"x"}"#);
    let read = |name: &str| fs::read(folder.path(name)).expect("a file");
    let (source, broken) = (read("policy.dsail"), read("broken.dsail"));
    let (claims, refused) = (read("claims.json"), read("refused.json"));
    let plain = Library::built_in();
    let rates =
        Library::with(read_converters(CONVERTERS, Format::Json).expect("converters")).expect("a library");
    let prepared = |library: &Library| {
        Prepared::new(&source, &Options::default(), library, Default::default()).expect("a ruleset")
    };
    let checked = |library: &Library| prepared(library).check(&claims).expect("a check").payload;
    let envelope = |error: Option<Error>| error.expect("an error").envelope();
    let options = Options { require_descriptions: false };
    let table: Vec<(&str, String, i32)> = vec![
        ("assay compile policy.dsail", prepared(&plain).compile_payload(), 0),
        ("assay compile - < policy.dsail", prepared(&plain).compile_payload(), 0),
        ("assay compile policy.dsail --converters rates.json", prepared(&rates).compile_payload(), 0),
        (
            "assay compile broken.dsail",
            envelope(Prepared::new(&broken, &options, &plain, Default::default()).err()),
            2,
        ),
        ("assay check policy.dsail --claims claims.json", checked(&plain), 0),
        ("assay check policy.dsail --claims - < claims.json", checked(&plain), 0),
        ("assay check policy.dsail --claims claims.json --converters rates.json", checked(&rates), 0),
        (
            "assay check policy.dsail --claims refused.json",
            envelope(prepared(&plain).check(&refused).err()),
            2,
        ),
        ("assay prompt-pack policy.dsail", prepared(&plain).prompt_pack(), 0),
        ("assay prompt-pack policy.dsail --format json", prepared(&plain).prompt_pack(), 0),
        ("assay units", assay_service::units(&plain), 0),
        ("assay units --converters rates.json", assay_service::units(&rates), 0),
        ("assay units bridge mi km", assay_service::bridge(&plain, "mi", "km").expect("a bridge"), 0),
        (
            "assay units bridge EUR USD --converters rates.json",
            assay_service::bridge(&rates, "EUR", "USD").expect("a bridge"),
            0,
        ),
        ("assay units bridge '' km", envelope(assay_service::bridge(&plain, "", "km").err()), 2),
    ];
    for (command, payload, code) in table {
        let ran = folder.sh(command);
        assert_eq!(ran.stdout, payload + "\n", "`{command}`");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""), "`{command}`");
    }
}

#[test]
fn a_check_of_a_stored_hash_is_the_check_of_its_file() {
    let folder = Folder::new();
    let compiled = folder.sh("assay compile policy.dsail");
    let hash =
        compiled.stdout.split("\"ruleset_hash\":\"").nth(1).and_then(|rest| rest.get(..64)).expect("a hash");
    for command in ["check RULESET --claims claims.json", "prompt-pack RULESET"] {
        let [file, stored] = ["policy.dsail".to_owned(), format!("--hash {hash}")]
            .map(|ruleset| folder.sh(&format!("assay {}", command.replace("RULESET", &ruleset))).stdout);
        assert!(file.contains(hash), "{file}");
        assert_eq!(file, stored, "`{command}`");
    }
}

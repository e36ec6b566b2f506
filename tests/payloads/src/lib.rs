//! Every payload that the fixtures give, for the suites beside this crate: against the public contract, against Python's
//! bytes, and against the snapshots.

// A fixture that is missing or does not compile is a test that fails.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use assay_compile::Options;
use assay_service::rulesets::{Approval, Listed, Saved, Stored, approved, list, saved, show};
use assay_service::{Error, Prepared, bridge, check, compile, converter_added, prompt_pack, units};
use assay_units::{Format, Library, read_converters};

/// A payload, what it is called and which schema of the contract it follows.
#[derive(Debug, Clone)]
pub struct Payload {
    /// `check/expenses.bound`.
    pub name: String,
    /// A key of `schemas` in `fixtures/payloads/contract.json`.
    pub shape: &'static str,
    /// Its bytes.
    pub text: String,
}

/// The folder of the fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// The files of a folder of the fixtures with this extension, by name without it, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<(String, Vec<u8>)> {
    let folder = fixtures().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of a folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("a readable file"))
        })
        .collect();
    files.sort();
    files
}

/// The source of one ruleset.
pub fn ruleset(name: &str) -> Vec<u8> {
    let path = fixtures().join("rulesets").join(name).with_extension("dsail");
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A library with the project's converters of `fixtures/payloads/converters.json`.
pub fn project_library() -> Library {
    let text = fs::read_to_string(fixtures().join("payloads/converters.json")).expect("the converters");
    let converters = read_converters(&text, Format::Json).expect("converters that can be read");
    Library::with(converters).expect("converters that agree")
}

/// Every payload that the fixtures give: compiles and prompt packs of every ruleset, checks of every dictionary, units,
/// stored rulesets, and an error of every code.
pub fn payloads() -> Vec<Payload> {
    let mut all = Vec::new();
    let mut add = |name: String, shape: &'static str, result: Result<String, Error>| {
        all.push(match result {
            Ok(text) => Payload { name, shape, text },
            Err(error) => Payload { name, shape: "error", text: error.envelope() },
        });
    };
    for (name, source) in files("rulesets", "dsail") {
        add(format!("prompt_pack/{name}"), "prompt_pack", prompt_pack(&source, &Library::built_in()));
        for (suffix, library) in libraries_for(&name) {
            let result = compile(&source, &Options::default(), &library);
            add(format!("compile/{name}{suffix}"), "compile", result);
        }
    }
    let described = Options { require_descriptions: true };
    add(
        "compile/bare.described".to_owned(),
        "compile",
        compile(&ruleset("bare"), &described, &Library::built_in()),
    );
    for (name, claims) in files("claims", "json") {
        let (of, _) = name.split_once('.').expect("a dictionary named RULESET.CASE");
        for (suffix, library) in libraries_for(&name) {
            add(format!("check/{name}{suffix}"), "check", check(&ruleset(of), &library, &claims));
        }
    }
    all.extend(unit_payloads());
    all.extend(stored_payloads());
    all.extend(error_payloads());
    all
}

/// The built-in library, and the project's where EUR and USD meet.
fn libraries_for(name: &str) -> Vec<(&'static str, Library)> {
    let mut libraries = vec![("", Library::built_in())];
    if ["freight", "freight.bound", "freight.converted", "expenses.foreign"].contains(&name) {
        libraries.push((".project", project_library()));
    }
    libraries
}

fn unit_payloads() -> Vec<Payload> {
    let (built_in, project) = (Library::built_in(), project_library());
    let mut all = vec![
        payload("units/built_in", "units", units(&built_in)),
        payload("units/project", "units", units(&project)),
    ];
    for (from, to) in [
        ("m", "m"),
        ("in", "m"),
        ("m", "ft"),
        ("degF", "degC"),
        ("mo", "d"),
        ("d", "yr"),
        ("EUR", "USD"),
        ("metr", "m"),
    ] {
        for (suffix, library) in [("", &built_in), (".project", &project)] {
            let text = bridge(library, from, to).expect("two units");
            all.push(payload(&format!("bridge/{from}-{to}{suffix}"), "units", text));
        }
    }
    let signed = [approval()];
    all.push(payload("converter_added/unsigned", "converter_added", converter_added(&project, None, &[])));
    all.push(payload("converter_added/signed", "converter_added", converter_added(&project, None, &signed)));
    all
}

fn approval() -> Approval<'static> {
    Approval {
        ruleset_hash: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
        unit_library_hash: None,
        approver: "Zoë Ångström 🖋",
        approved_at: "2026-11-30T09:15:00Z",
        note: Some("as agreed in the\nmeeting of \u{2028}Monday"),
    }
}

fn stored_payloads() -> Vec<Payload> {
    let source = ruleset("expenses");
    let prepared = Prepared::new(&source, &Options::default(), &Library::built_in(), Default::default())
        .expect("a ruleset that compiles");
    let hash = prepared.ruleset().hash.clone();
    let parent = approval().ruleset_hash.to_owned();
    let (first, second) = (approval(), Approval { ruleset_hash: &hash, note: None, ..approval() });
    let broken = ruleset("broken");
    let row = |name, source, depth| Listed {
        name,
        ruleset_hash: &hash,
        bound_at: "2026-11-30T09:00:00Z",
        revision_depth: depth,
        approval_count: 1,
        source,
    };
    let rows = [row("expenses", Some(&*source), 1), row("broken", Some(&*broken), 0), row("gone", None, 0)];
    let save = |parent_hash, created| Saved { name: "expenses", ruleset_hash: &hash, parent_hash, created };
    let chain = [hash.clone(), parent.clone()];
    let stored = Stored { name: "expenses", revision_chain: &chain, approvals: &[second] };
    vec![
        payload("ruleset_save/first", "ruleset_save", saved(&save(None, true))),
        payload("ruleset_save/revision", "ruleset_save", saved(&save(Some(&parent), false))),
        payload("ruleset_list/empty", "ruleset_list", list(&[])),
        payload("ruleset_list/three", "ruleset_list", list(&rows)),
        payload("ruleset_show/expenses", "ruleset_show", show(&prepared, &stored)),
        payload("approval/named", "approval", approved(&second, &[first, second], Some("expenses"), true)),
        payload("approval/unnamed", "approval", approved(&second, &[second], None, false)),
    ]
}

fn error_payloads() -> Vec<Payload> {
    let built_in = Library::built_in();
    let deep =
        format!("declare a as boolean;\nassert deep {{ {}a{} }};", "Not(".repeat(200), ")".repeat(200));
    let failed = [
        ("not_utf8", compile(b"declare a as boolean;\xff", &Options::default(), &built_in)),
        ("too_deep", compile(deep.as_bytes(), &Options::default(), &built_in)),
        ("not_json", check(&ruleset("bare"), &built_in, b"{\"paid\": tru}")),
        ("not_an_object", check(&ruleset("bare"), &built_in, b"[true]")),
        ("many_failures", check(&ruleset("bare"), &built_in, many_fields().as_bytes())),
        ("no_unit", bridge(&built_in, "km h", "$")),
        ("not_found", Err(Error::NotFound("no ruleset is named `expences`".to_owned()))),
        ("engine", Err(Error::Engine("the solver did not answer".to_owned()))),
    ];
    let each = failed.into_iter().map(|(name, result)| {
        let error = result.expect_err("an operation that is refused");
        payload(&format!("error/{name}"), "error", error.envelope())
    });
    each.collect()
}

/// More fields that are no claim than a rejection lists.
fn many_fields() -> String {
    let fields: Vec<String> = (0..60).map(|at| format!("\"extra_{at}\":{at}")).collect();
    format!("{{\"paid\":\"yes\",{}}}", fields.join(","))
}

fn payload(name: &str, shape: &'static str, text: String) -> Payload {
    Payload { name: name.to_owned(), shape, text }
}

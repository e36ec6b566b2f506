//! Sessions as snapshots: commands, what they print (lines of standard error begin with `! `), and their exit codes.

use std::fmt::Write;

use crate::folder::{Folder, Ran, fixtures};

/// Runs commands one after the other in the folder, and holds what they do against the snapshot of the name.
pub fn session(folder: &Folder, name: &str, commands: &[&str]) {
    let mut shown = String::new();
    for command in commands {
        let Ran { code, stdout, stderr } = folder.sh(command);
        let _ = writeln!(shown, "$ {command}");
        shown.push_str(&stdout);
        if !stdout.is_empty() && !stdout.ends_with('\n') {
            shown.push_str("[no line feed]\n");
        }
        for line in stderr.lines() {
            let _ = writeln!(shown, "{}", format!("! {line}").trim_end());
        }
        let _ = writeln!(shown, "[exit {}]\n", code.expect("an exit code"));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\d+\.\d s", "N.N s");
    settings.add_filter(r"\[\d+\.\ds\]", "[N.Ns]");
    settings.add_filter(r#""seconds":"\d+\.\d""#, r#""seconds":"N.N""#);
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "DATE");
    settings.add_filter(r"threads=\d+", "threads=N");
    settings.add_filter(r#""threads":\d+"#, r#""threads":N"#);
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

const PIN: &str = "2c19e746d2ffcc1edda1f467caa7549c6aee234dba2f59fb4f43af0bc7bb39f6";

/// Copies a ruleset of the fixtures.
fn ruleset(folder: &Folder, name: &str) {
    let from = fixtures().join("rulesets").join(name);
    std::fs::copy(from, folder.path(name)).expect("a ruleset");
}

#[test]
fn the_command_and_its_help() {
    let folder = Folder::new();
    session(
        &folder,
        "help",
        &[
            "assay",
            "assay --help",
            "assay -h | head -3",
            "assay --version",
            "assay compil",
            "assay compile --help",
            "assay compile -h",
            "assay check --help",
            "assay explain -h",
            "assay agreement -h",
            "assay prompt-pack -h",
            "assay run -h",
            "assay units -h",
            "assay units bridge -h",
            "assay units add -h",
            "assay ruleset -h",
            "assay ruleset save -h",
            "assay completions -h",
            "assay completions bash | head -1",
            "assay completions tcsh",
        ],
    );
    assert_eq!(folder.names(".assay"), [""; 0], "help made a store");
}

#[test]
fn compile() {
    let folder = Folder::new();
    ruleset(&folder, "broken.dsail");
    ruleset(&folder, "warned.dsail");
    ruleset(&folder, "freight.dsail");
    folder.put("bad.dsail", b"\xff\xfe");
    folder.put("escapes.dsail", "version 1.3;\nassert a { \"\u{1b}[31m\u{202e}\" };\n");
    folder.put("undescribed.dsail", "version 1.3;\ndeclare paid as boolean;\nassert settled { paid };\n");
    session(
        &folder,
        "compile",
        &[
            "assay compile policy.dsail --format text",
            "assay compile - --format text < policy.dsail | head -1",
            "ls .assay/store.db",
            "assay compile broken.dsail --format text",
            "assay compile - --format text < broken.dsail 2>&1 | head -2",
            "assay compile warned.dsail --format text | tail -9",
            "assay compile freight.dsail --format text | tail -12",
            "assay compile undescribed.dsail --format text --require-descriptions",
            "assay compile escapes.dsail --format text",
            "assay compile bad.dsail --format text",
            "assay compile none.dsail --format text",
            "assay compile none.dsail",
            "assay compile . --format text",
            "assay compile",
            "assay compile policy.dsail other.dsail",
            "assay compile policy.dsail --strict",
            "assay compile policy.dsail --format yaml",
            "assay compile policy.dsail --format text --store claims.json",
            "assay compile policy.dsail --format text --store claims.json/store.db",
        ],
    );
}

#[test]
fn check() {
    let folder = Folder::new();
    folder.put("rates.json", r#"[{"from":"EUR","to":"USD","factor":"27/25","attribution":"the treasurer"}]"#);
    folder.put("rates.toml", "[[converters]]\nfrom = 'EUR'\nto = 'USD'\nfactor = '27/25'\n");
    folder.put("euro.json", r#"{"amount": "100 EUR", "has_receipt": true, "nights": 1}"#);
    folder.put(
        "refused.json",
        "{\"amount\": \"1\\u001b[31m USD\", \"nights\": -1e999, \"nights\": 2, \"a\\nb\": true}",
    );
    let commands = [
        "assay check policy.dsail --claims claims.json --format text",
        "assay check policy.dsail --claims - --format text < claims.json | head -1",
        "assay check - --claims claims.json --format text < policy.dsail | head -1",
        "assay check - --claims - --format text < policy.dsail",
        "assay check --hash HASH --claims claims.json --format text",
        "ls .assay",
        "assay compile policy.dsail > /dev/null",
        "assay check --hash HASH --claims claims.json --format text | head -1",
        "assay check --hash HASH --claims claims.json --format text --store other.db",
        "assay check --hash 2c19 --claims claims.json --format text",
        "assay check policy.dsail --hash HASH --claims claims.json",
        "assay check --claims claims.json",
        "assay check policy.dsail",
        "assay check policy.dsail --claims euro.json --format text",
        "assay check policy.dsail --claims euro.json --format text --converters rates.json",
        "assay check policy.dsail --claims euro.json --format text --converters rates.toml",
        "assay check policy.dsail --claims euro.json --format text --converters claims.json",
        "assay check policy.dsail --claims euro.json --format text --converters none.toml",
        "assay check policy.dsail --claims refused.json --format text",
        "assay check policy.dsail --claims refused.json",
        "assay check policy.dsail --claims policy.dsail --format text",
        "echo '[1]' | assay check policy.dsail --claims - --format text",
        "assay check policy.dsail --claims none.json --format text",
    ]
    .map(|command| command.replace("HASH", PIN));
    session(&folder, "check", &commands.each_ref().map(String::as_str));
}

#[test]
fn prompt_pack() {
    let folder = Folder::new();
    let by_hash = format!("assay prompt-pack --hash {PIN} --format text | head -3");
    session(
        &folder,
        "prompt_pack",
        &[
            "assay prompt-pack policy.dsail --format text",
            &by_hash,
            "assay compile policy.dsail > /dev/null",
            &by_hash,
            "assay prompt-pack",
        ],
    );
}

#[test]
fn units() {
    let folder = Folder::new();
    session(
        &folder,
        "units",
        &[
            "assay units --format text",
            "assay units bridge mi km --format text",
            "assay units bridge degC K --format text",
            "assay units bridge degF degC --format text",
            "assay units bridge km/h m/s --format text",
            "assay units bridge mo d --format text",
            "assay units bridge d mo --format text",
            "assay units bridge m m --format text",
            "assay units bridge m kg --format text",
            "assay units bridge metr m --format text",
            "assay units bridge widgets m --format text",
            "assay units bridge 'm*' m --format text",
            "assay units bridge EUR USD --format text",
            "assay units bridge EUR",
            "assay units add EUR USD 27/25 --format text --attribution \"$(printf 'the \\033[31m treasurer,\\nfor 2026')\"",
            "assay units add USD GBP 0.8 --format text",
            "assay units add widget box 1/3 --offset -2 --format text",
            "assay units --format text | tail -5",
            "assay units bridge EUR USD --format text",
            "assay units bridge EUR GBP --format text",
            "assay units add EUR USD 1.1 --format text",
            "assay units add EUR USD 1.1 --format text --replace",
            "assay units add CHF USD 1.1 --format text --replace",
            "assay units add CHF USD -1 --format text",
            "assay units add CHF USD one --format text",
            "assay units add m ft 3 --format text",
            "assay units add EUR USD 1.1 --converters rates.json",
            "assay units remove EUR USD",
            "assay units bridge EUR USD --store none.db --format text",
            "ls none.db",
        ],
    );
}

#[test]
fn a_refused_converter_makes_no_store() {
    let folder = Folder::new();
    let ran = folder.sh("assay units add CHF USD one");
    assert_eq!(ran.code, Some(2));
    assert_eq!(folder.names(".assay"), [""; 0]);
}

#[test]
fn rulesets() {
    let folder = Folder::new();
    ruleset(&folder, "warned.dsail");
    ruleset(&folder, "broken.dsail");
    let commands = [
        "assay ruleset list --format text",
        "assay ruleset list",
        "assay ruleset show expenses --format text",
        "assay ruleset save expenses policy.dsail --format text",
        "assay ruleset save expenses policy.dsail --format text",
        "assay ruleset save expenses - --format text < warned.dsail",
        "assay ruleset save expenses policy.dsail",
        "assay ruleset save settled warned.dsail --format text",
        "assay ruleset save broken broken.dsail --format text 2>&1 | head -2",
        "assay ruleset save 'two words' policy.dsail --format text",
        "assay ruleset save expenses none.dsail --format text",
        "assay ruleset list --format text",
        "assay ruleset list",
        "assay ruleset list --converters rates.json",
        "assay ruleset show expenses --format text | tail -5",
        "assay ruleset show HASH --format text | tail -3",
        "assay ruleset show none --format text",
        "assay ruleset",
        "assay check --hash HASH --claims claims.json --format text | head -1",
    ]
    .map(|command| command.replace("HASH", PIN));
    session(&folder, "ruleset", &commands.each_ref().map(String::as_str));
}

#[test]
fn run() {
    let folder = Folder::new();
    folder.put("row.jsonl", "{\"id\":\"a\",\"amount\":80,\"has_receipt\":false,\"nights\":null}\n");
    let commands = [
        "assay run job.toml",
        "cat results/results.csv",
        "cat results/rejected.jsonl",
        "ls -a results",
        "assay run job.toml",
        "assay run job.toml --overwrite --quiet",
        "assay run job.toml --output wide --layout long --format jsonl,csv --quiet; head -1 wide/results.jsonl; ls wide",
        "assay run job.toml --output logs --log-format json",
        "assay run --ruleset-file policy.dsail --pin HASH --input row.jsonl --output flags --format csv; cat flags/results.*",
        "assay run --ruleset-file policy.dsail --pin HASH --input - --input-format jsonl --output in --quiet < row.jsonl; ls in",
        "assay run --ruleset HASH --input row.jsonl --output stored",
        "assay compile policy.dsail > /dev/null; assay run --ruleset HASH --input row.jsonl --output stored --quiet; ls stored",
    ]
    .map(|command| command.replace("HASH", PIN));
    session(&folder, "run", &commands.each_ref().map(String::as_str));
}

#[test]
fn how_a_run_ends() {
    let folder = Folder::new();
    folder.put("row.jsonl", "{\"id\":\"a\",\"amount\":80,\"has_receipt\":false,\"nights\":null}\n");
    folder.put("rates.toml", "[[converters]]\nfrom = 'EUR'\nto = 'USD'\nfactor = '27/25'\n");
    folder.put(
        "typos.toml",
        "rulset = 'a'\nthreads = 'x'\ninput = 'a'\n[reading]\nnul = ['']\n[claims.amount]\ncolum = 'a'\n",
    );
    folder.put("broken.toml", "input = [\n");
    folder.put("binary.toml", b"\xff\xfe\x00");
    let path = folder.path("job.toml");
    let job = std::fs::read_to_string(path).expect("a job");
    folder.put("unpinned.toml", job.replace("units = \"none\"\n", ""));
    folder.put("column.toml", job.replace("\"total\"", "\"totl\""));
    folder.put("a\u{1b}[31m.jsonl", "");
    let commands = [
        "assay run job.toml --output a --fail-on FALSE,REJECTED --quiet; echo $?; ls a",
        "assay run job.toml --output a1 --fail-on FALSE --log-format json --quiet",
        "assay run job.toml --output b --max-rejected 0",
        "ls -a b",
        "assay run",
        "assay run none.toml",
        "assay run .",
        "assay run typos.toml",
        "assay run typos.toml --log-format json",
        "assay run broken.toml",
        "assay run binary.toml",
        "assay run job.toml --payloads=maybe --rlimit x --fail-on MAYBE --column amount --engine z4",
        "assay run job.toml --nul x",
        "assay run job.toml --id --carry department",
        "assay run job.toml other.toml",
        "assay run job.toml --pin 00",
        "assay run job.toml --pin 0000000000000000000000000000000000000000000000000000000000000000",
        "assay run job.toml --ruleset-file none.dsail",
        "assay run job.toml --ruleset-file .",
        "assay run job.toml --input none.csv",
        "assay run job.toml --input 'none/*.csv'",
        "assay run column.toml",
        "assay run job.toml --converters rates.toml",
        "assay run unpinned.toml --converters rates.toml",
        "assay run job.toml --converters none.toml",
        "assay run job.toml --store claims.json",
        "assay run job.toml --input \"$(printf 'a\\033[31m.jsonl')\"",
        "assay run job.toml --output policy.dsail",
        "printf 'version 1.3;\\nassert a { b };\\n' > no.dsail; assay run job.toml --ruleset-file no.dsail --pin $(sha256sum < no.dsail | cut -c1-64)",
        "assay run job.toml --ruleset-file no.dsail --pin $(sha256sum < no.dsail | cut -c1-64) --log-format json",
    ];
    session(&folder, "run_ends", &commands);
}

#[test]
fn a_unit_library_is_pinned_by_the_hash_that_the_refusal_prints() {
    let folder = Folder::new();
    let job = std::fs::read_to_string(folder.path("job.toml")).expect("a job");
    folder.put("job.toml", job.replace("units = \"none\"\n", ""));
    assert_eq!(folder.sh("assay units add EUR USD 27/25").code, Some(0));
    let refused = folder.sh("assay run job.toml");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let hash =
        refused.stderr.split("units = \"").nth(1).and_then(|rest| rest.get(..64)).expect("the hash to pin");
    let ran = folder.sh(&format!("assay run job.toml --quiet --units {hash}"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let results = std::fs::read_to_string(folder.path("results/results.csv")).expect("results");
    let answered = results.lines().find(|line| line.starts_with("1004,")).expect("the row in EUR");
    assert!(answered.starts_with("1004,TRUE,TRUE,TRUE,") && answered.contains(hash), "{answered}");
}

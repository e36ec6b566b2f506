//! Documents of several rows: what they are answered, and what is refused with them.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

use assay_batch::Exit;
use assay_tests_run::Bench;
use serde_json::{Value, json};

const HEADER: &str = "doc,amount,has_receipt,category,score,region,reader\n";

/// A bench whose `in.csv` holds some rows.
fn bench(rows: &str) -> Bench {
    let bench = Bench::default();
    bench.put("in.csv", format!("{HEADER}{rows}"));
    bench
}

/// The answers that are not a plain word: `id assertion WORD reason contradicted`, a line each.
fn told(bench: &Bench) -> Vec<String> {
    let rows = bench.lines("results.jsonl");
    let told = rows.iter().filter(|row| !row["contradicted"].is_null() || !row["reason_unknown"].is_null());
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    told.map(|row| {
        let contradicted =
            row["contradicted"].as_array().map(|names| names.iter().map(text).collect::<Vec<_>>());
        format!(
            "{} {} {} ({}) {}",
            text(&row["id"]),
            text(&row["assertion"]),
            text(&row["check"]),
            text(&row["reason_unknown"]),
            contradicted.unwrap_or_default().join(",")
        )
    })
    .collect()
}

const KEYS: &str = "input = 'in.csv'\nformat = 'jsonl'\ngroup_by = 'doc'\n";

#[test]
fn rows_of_one_document_are_its_evidence() {
    let bench = bench(concat!(
        "a,100,true,travel,1,north,x\na,300,true,travel,1,north,y\na,100.00 USD,,travel,1,north,z\n",
        "b,100,true,travel,1,north,x\n",
        "c,10,true,meals,1,south,x\nc,20,true,meals,1,south,y\n",
        "d,,true,meals,1,south,x\nd,20,true,meals,1,south,y\n",
    ));
    let outcome = bench.completes(&format!("{KEYS}carry = ['region']\nlocate = true"));
    assert_eq!((outcome.rows, outcome.rejected), (8, 0));
    assert_eq!(outcome.documents.map(|documents| documents.checked), Some(4));
    assert_eq!(bench.words().len(), 16);
    assert_eq!(
        told(&bench),
        [
            "a within_cap AMBIGUOUS (-) amount",
            "a receipt_over_75 TRUE (-) amount",
            "a meals_are_small TRUE (-) amount",
            // The contradiction cannot change these, and is told.
            "c within_cap TRUE (-) amount",
            "c receipt_over_75 TRUE (-) amount",
            "c meals_are_small TRUE (-) amount",
        ]
    );
    let rows: Vec<u64> = bench.lines("results.jsonl").iter().filter_map(|row| row["row"].as_u64()).collect();
    assert_eq!(rows.iter().step_by(4).collect::<Vec<_>>(), [&1, &4, &5, &7]);
    let manifest = bench.manifest();
    assert_eq!(manifest["documents"], json!({ "checked": 4, "rejected": 0 }));
    assert_eq!(manifest["rows"], json!({ "read": 8, "checked": 8, "rejected": 0 }));
    assert_eq!(manifest["assertions"][0]["checks"]["AMBIGUOUS"], json!(1));
}

#[test]
fn a_refused_row_refuses_its_document_and_no_row_of_it_is_lost() {
    let rows = concat!(
        "a,100,true,travel,1,,x\na,1O0,maybe,travel,1,,y\na,100,true,travel,1,,z\n",
        "b,100,true,travel,1,,x\nb,100,true,travel,1,,y\n",
        "c,1,true,travel,1,,x\nc,2,true,travel,1,,y\nc,x,true,travel,1,,z\n",
    );
    let bench = bench(rows);
    let outcome = bench.completes(KEYS);
    assert_eq!((outcome.rows, outcome.rejected), (8, 6));
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 1, "rejected": 2 }));
    assert_eq!(bench.manifest()["rows"], json!({ "read": 8, "checked": 2, "rejected": 6 }));
    insta::assert_snapshot!("refused_documents", bench.text("rejected.jsonl"));

    let repaired = bench.text("rejected.jsonl").replace("1O0", "100").replace("maybe", "true");
    bench.put("repaired.jsonl", repaired.replace("\"amount\":\"x\"", "\"amount\":\"2\""));
    let keys = KEYS.replace("in.csv", "repaired.jsonl");
    bench.run_with(&format!("{keys}claims_field = 'record'"), &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.refused(), [""; 0]);
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 2, "rejected": 0 }));
    assert_eq!(told(&bench)[0], "c within_cap TRUE (-) amount");
}

#[test]
fn a_row_without_an_id_is_rejected_alone_and_parts_no_document() {
    let bench = bench(concat!(
        ",1,true,travel,1,,\n",
        "a,100,true,travel,1,,x\n,1,true,travel,1,,\na,300,true,travel,1\na,300,true,travel,1,,y\n",
        "b,1,true,travel,1,,\n,5,true,meals,1,,\n",
    ));
    bench.completes(KEYS);
    assert_eq!(bench.refused(), ["in.csv:1 doc", "in.csv:3 doc", "in.csv:4 ", "in.csv:7 doc"]);
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 2, "rejected": 0 }));
    assert_eq!(told(&bench)[0], "a within_cap AMBIGUOUS (-) amount");
}

#[test]
fn carried_values_that_differ_are_null_and_named() {
    let rows = concat!(
        "a,100,true,travel,1,north,x\na,100,true,travel,1,south,x\n",
        "b,100,true,travel,1,north,x\nb,100,true,travel,1,north,x\n",
        "c,100,true,travel,1,north,x\nc,100,true,travel,1,,y\n",
    );
    let bench = bench(rows);
    let carry = "carry = ['region', 'reader']\n";
    let keys = format!("{KEYS}{carry}").replace("'jsonl'", "['jsonl', 'csv', 'parquet']");
    bench.completes(&keys);
    let of = |row: &Value| json!([row["id"], row["region"], row["reader"], row["carried_differ"]]);
    let lines: Vec<Value> = bench.lines("results.jsonl").iter().step_by(4).map(of).collect();
    assert_eq!(
        lines,
        [
            json!(["a", null, "x", ["region"]]),
            json!(["b", "north", "x", null]),
            json!(["c", null, null, ["region", "reader"]]),
        ]
    );
    let stored: Vec<Value> = bench.parquet("results.parquet").iter().step_by(4).map(of).collect();
    assert_eq!(stored[0], json!(["a", null, "x", "[\"region\"]"]));
    assert!(bench.text("results.csv").contains(r#",,x,"[""region""]""#), "{}", bench.text("results.csv"));

    let error = bench.run(&format!("{KEYS}carry = ['carried_differ']")).expect_err("a name that is taken");
    assert!(error.to_string().contains("`carried_differ` has the name of a column"), "{error}");
}

#[test]
fn a_document_in_two_places_stops_the_run() {
    let rows = "a,1,true,travel,1,,\nb,1,true,travel,1,,\nc,1,true,travel,1,,\na,2,true,travel,1,,\n";
    let bench = bench(rows);
    bench.put("more.csv", format!("{HEADER}c,1,true,travel,1,,\nd,1,true,travel,1,,\nb,7,true,travel,1,,\n"));
    let keys = KEYS.replace("'in.csv'", "['in.csv', 'more.csv']");
    for batch in ["1", "3", "1000"] {
        let flags = [("batch_rows", batch)];
        let error = bench.run_with(&keys, &flags, false, &mut |_| ()).expect_err("a document in two places");
        assert_eq!(error.exit(), Exit::Failed);
        insta::assert_snapshot!("two_places", error);
        assert!(bench.files("out").is_empty(), "something has its final name");
    }
    bench.completes(&format!("{keys}scattered = true"));
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 4, "rejected": 0 }));
    let mut ids: Vec<String> = bench.words().iter().map(|word| word[..1].to_owned()).collect();
    ids.dedup();
    assert_eq!(ids, ["a", "b", "c", "d"]);
}

/// Ids differ wherever they differ: one that another begins with, and long ones at their ends.
#[test]
fn ids_that_are_nearly_the_same_are_of_several_documents() {
    let long = "a document with a long name, ".repeat(5);
    let ids = ["x".to_owned(), "x".repeat(15), "x".repeat(16), format!("{long}1"), format!("{long}2")];
    let row = |id: &String| format!("\"{id}\",1,true,travel,1,,\n");
    let rows: String = ids.iter().map(row).chain(["end,1,true,travel,1,,\n".to_owned()]).collect();
    bench(&rows).completes(KEYS);
    for id in &ids {
        let error = bench(&format!("{rows}{}", row(id)))
            .run_with(KEYS, &[], false, &mut |_| ())
            .expect_err("a document in two places");
        let kept: String = id.chars().take(100).collect();
        assert!(error.to_string().contains(&format!("document `{kept}` stands in two places")), "{error}");
    }
}

/// Many documents of one to five rows; some are refused, some rows stand alone, some values differ.
fn many() -> Vec<String> {
    let mut random = 20_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) % below
    };
    let mut rows = Vec::new();
    for document in 0..300 {
        for reader in 0..=next(5) {
            let amount = match next(40) {
                0 => "many".to_owned(),
                1 => String::new(),
                2 => "3 EUR".to_owned(),
                _ => (next(3) * 100 + 50).to_string(),
            };
            let id = if next(50) == 0 { String::new() } else { format!("d{document}") };
            let receipt = ["true", "false", ""][next(3) as usize];
            let category = ["meals", "travel"][usize::from(next(6) == 0)];
            let region = ["north", "south"][usize::from(next(20) == 0)];
            rows.push(format!("{id},{amount},{receipt},{category},1,{region},r{reader}\n"));
        }
    }
    rows
}

#[test]
fn results_do_not_depend_on_chunks_threads_or_files() {
    let bench = Bench::default();
    let rows = many();
    bench.put("in.csv", format!("{HEADER}{}", rows.concat()));
    let keys = format!(
        "{}carry = ['region']\nlocate = true\nmax_rejected = '90%'\n",
        KEYS.replace("'jsonl'", "['jsonl', 'csv', 'parquet']")
    );
    for (layout, payloads) in [("long", "false"), ("wide", "true")] {
        let mut seen = None;
        for (threads, batch) in [("1", "1"), ("3", "1"), ("2", "2"), ("4", "3"), ("2", "1000"), ("2", "7")] {
            let output = format!("{layout}-{threads}-{batch}");
            let path = bench.path(&output).display().to_string();
            let flags = [
                ("output", path.as_str()),
                ("threads", threads),
                ("batch_rows", batch),
                ("layout", layout),
                ("payloads", payloads),
            ];
            bench.run_with(&keys, &flags, false, &mut |_| ()).expect("a run");
            let files = bench.files(&output);
            match &seen {
                None => seen = Some(files),
                Some(first) => {
                    for (name, bytes) in &files {
                        assert!(
                            first.get(name) == Some(bytes),
                            "`{name}` depends on {threads} threads or {batch} rows"
                        );
                    }
                }
            }
        }
    }

    // Payloads are written row by row: the answers are those of columns.
    let by_column = bench.files("long-1-1");
    bench.run_with(&keys, &[("payloads", "true")], false, &mut |_| ()).expect("a run");
    let by_row = bench.files("out");
    for name in ["results.jsonl", "results.csv", "results.parquet", "rejected.jsonl"] {
        assert!(by_row.get(name) == by_column.get(name), "`{name}` depends on how rows are read");
    }

    // The same rows in many files: a document may go on in the next.
    let whole = (bench.words(), told(&bench));
    for (at, rows) in rows.chunks(4).enumerate() {
        bench.put(&format!("parts/{at:04}.csv"), format!("{HEADER}{}", rows.concat()));
    }
    let keys = keys.replace("'in.csv'", "'parts'").replace("locate = true", "locate = false");
    bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
    assert_eq!((bench.words(), told(&bench)), whole);
    assert!(whole.0.iter().any(|word| word.ends_with("AMBIGUOUS")));
}

#[test]
fn scattered_rows_are_answered_as_the_same_rows_in_order() {
    let bench = Bench::default();
    let rows = many();
    bench.put("in.csv", format!("{HEADER}{}", rows.concat()));
    bench.completes(KEYS);
    let (words, told_in_order) = (bench.words(), told(&bench));
    let documents = bench.manifest()["documents"].clone();

    // The first rows of all documents, then the second ones, in two formats.
    let (first, later): (Vec<&String>, Vec<&String>) = rows.iter().partition(|row| row.ends_with(",r0\n"));
    let of = |rows: &[&String]| rows.iter().map(|row| row.as_str()).collect::<String>();
    bench.put("one.csv", format!("{HEADER}{}", of(&first)));
    let line = |row: &String| {
        let cells: Vec<&str> = row.trim_end().split(',').collect();
        let names = HEADER.trim_end().split(',');
        let object: serde_json::Map<String, Value> = names
            .zip(cells)
            .map(|(name, cell)| (name.to_owned(), if cell.is_empty() { Value::Null } else { json!(cell) }))
            .collect();
        format!("{}\n", Value::Object(object))
    };
    // A document whose first row has no id begins with its second one, so that the order may differ.
    let later: String = later.into_iter().map(line).collect();
    bench.put("two.jsonl", later.replace("\"1\"", "1"));
    let keys = KEYS.replace("'in.csv'", "['one.csv', 'two.jsonl']");
    let mut seen: Option<Vec<u8>> = None;
    for batch in ["1", "3", "1000"] {
        let keys = format!("{keys}scattered = true\n");
        bench.run_with(&keys, &[("batch_rows", batch)], true, &mut |_| ()).expect("a run");
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(sorted(bench.words()), sorted(words.clone()));
        assert_eq!(sorted(told(&bench)), sorted(told_in_order.clone()));
        assert_eq!(bench.manifest()["documents"], documents);
        let bytes = bench.files("out").remove("results.jsonl").expect("results");
        assert!(seen.get_or_insert_with(|| bytes.clone()) == &bytes, "results depend on {batch} rows");
        assert!(!bench.path("out/.assay-unfinished").exists(), "something unfinished is left");
    }
}

#[test]
fn more_scattered_rows_than_memory_holds_are_sorted_on_disk() {
    let bench = Bench::default();
    // Some 70 MB: what nothing reads is kept for rows that are rejected.
    let note = "n".repeat(30_000);
    let (documents, mut rows) = (800, String::new());
    for reader in 0..3 {
        for document in 0..documents {
            // No order that anything could keep by accident.
            let document = document * 7 % documents;
            let amount = if document % 10 == 0 { 100 * (reader + 1) } else { 100 };
            let amount = if document == 77 && reader == 2 { json!("many") } else { json!(amount) };
            let row = json!({
                "doc": format!("d{document}"), "amount": amount, "has_receipt": true, "category": "travel",
                "score": 1, "note": note,
            });
            rows.push_str(&format!("{row}\n"));
        }
    }
    bench.put("in.jsonl", rows);
    bench.completes("input = 'in.jsonl'\nformat = 'jsonl'\ngroup_by = 'doc'\nscattered = true");
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 799, "rejected": 1 }));
    assert_eq!(bench.manifest()["assertions"][0]["checks"]["AMBIGUOUS"], json!(80));
    assert_eq!(bench.refused(), ["in.jsonl:12 doc", "in.jsonl:812 doc", "in.jsonl:1612 amount"]);
    let ids: Vec<String> =
        bench.words().iter().step_by(4).map(|word| word.replace(" within_cap", "")).collect();
    let wanted = (0..documents).map(|document| document * 7 % documents).filter(|document| *document != 77);
    let wanted: Vec<String> = wanted
        .map(|document| format!("d{document} {}", if document % 10 == 0 { "AMBIGUOUS" } else { "TRUE" }))
        .collect();
    assert_eq!(ids, wanted);
}

#[test]
fn a_document_has_a_limit() {
    let row = |id: &str| format!("{id},1,true,travel,1,,x\n");
    let mut rows = row("a");
    rows.push_str(&row("big").repeat(10_001));
    rows.push_str(&row("b"));
    let bench = bench(&rows);
    for batch in ["100", "4096", "20000"] {
        let keys = format!("{KEYS}batch_rows = {batch}");
        let outcome = bench.run_with(&keys, &[], true, &mut |_| ()).expect("a run");
        assert_eq!((outcome.rows, outcome.rejected), (10_003, 10_001));
        assert_eq!(bench.manifest()["documents"], json!({ "checked": 2, "rejected": 1 }));
        let first = &bench.lines("rejected.jsonl")[0];
        assert_eq!(
            first["failures"],
            json!([{
                "field": "doc",
                "expected": "a document of at most 10000 rows and 64 MiB of text",
                "received": "a larger one",
            }])
        );
    }
    bench.run_with(&format!("{KEYS}scattered = true"), &[], true, &mut |_| ()).expect("a run");
    assert_eq!(bench.manifest()["documents"], json!({ "checked": 2, "rejected": 1 }));
    assert_eq!(bench.lines("rejected.jsonl").len(), 10_001);
}

#[test]
fn payloads_say_which_values_and_where_from() {
    let bench =
        bench("a,100,true,travel,1,,first\na,300,true,travel,1,,second\na,100.0 USD,,travel,1,,third\n");
    bench.completes(&format!("{KEYS}source = 'reader'\npayloads = true"));
    let payload = bench.lines("payloads.jsonl").remove(0);
    insta::assert_snapshot!("payload", serde_json::to_string_pretty(&payload).expect("JSON"));
}

#[test]
fn group_columns_are_looked_at_before_the_first_row() {
    let bench = bench("a,1,true,travel,1,,x\n");
    for (keys, said) in [
        ("group_by = 'dok'", "the column `dok` of `group_by` is not there"),
        ("group_by = 'doc'\nsource = 'raeder'", "the column `raeder` of `source` is not there"),
    ] {
        let error = bench.run(&format!("input = 'in.csv'\n{keys}")).expect_err("a refusal");
        assert_eq!(error.exit(), Exit::Usage);
        assert!(error.to_string().contains(said), "{error}");
    }
}

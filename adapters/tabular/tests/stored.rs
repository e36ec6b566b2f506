//! How text inputs are stored: compression, encodings, hashes, files that were cut short, standard input.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use assay_batch::input::{FileFormat, Location};
use common::{Input, lines, read};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

const JSONL: &str = "{\"a\":\"é\",\"b\":1}\n\n{\"a\":\"ŭ\"}\r\n{\"a\":3}";
const JSONL_ROWS: [&str; 3] = ["1: \"é\" | #1", "3: \"ŭ\" | -", "4: #3 | -"];
const CSV: &str = "a,b\né,1\n\"ŭ\",\"x\ny\"\r\n,3";
const CSV_ROWS: [&str; 3] = ["1: \"é\" | \"1\"", "2: \"ŭ\" | \"x\\ny\"", "3: \"\" | \"3\""];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Each half as a member, or frame, of its own; the cut is inside the `é`.
fn halves(text: &str, compress: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let middle = text.find('é').unwrap() + 1;
    [compress(&text.as_bytes()[..middle]), compress(&text.as_bytes()[middle..])].concat()
}

#[test]
fn the_same_rows_however_they_are_stored() {
    for (format, text, rows) in [(FileFormat::Jsonl, JSONL, JSONL_ROWS), (FileFormat::Csv, CSV, CSV_ROWS)] {
        let marked = format!("\u{feff}{text}");
        let table: [(&str, &str, Vec<u8>); 18] = [
            ("in", "utf-8", text.as_bytes().to_vec()),
            ("in", "utf-8", marked.as_bytes().to_vec()),
            ("in", "utf-16", utf16(text, u16::to_le_bytes)),
            ("in", "utf-16le", utf16(text, u16::to_le_bytes)),
            ("in", "utf-16be", utf16(text, u16::to_be_bytes)),
            ("in", "utf-16", utf16(&marked, u16::to_be_bytes)),
            ("in", "utf-16le", utf16(&marked, u16::to_le_bytes)),
            // A byte-order mark says what the text is, whatever the job says.
            ("in", "utf-8", utf16(&marked, u16::to_le_bytes)),
            ("in", "utf-8", utf16(&marked, u16::to_be_bytes)),
            ("in", "windows-1252", marked.as_bytes().to_vec()),
            ("in.gz", "utf-8", gzip(text.as_bytes())),
            ("IN.GZ", "utf-8", gzip(marked.as_bytes())),
            ("in.gz", "utf-8", halves(text, gzip)),
            ("in.zst", "utf-8", zstd(text.as_bytes())),
            ("in.zst", "utf-8", halves(text, zstd)),
            ("in.gz", "utf-16be", gzip(&utf16(text, u16::to_be_bytes))),
            // Compression shows in the bytes, whatever the name.
            ("in", "utf-8", gzip(text.as_bytes())),
            ("in", "utf-8", zstd(&utf16(&marked, u16::to_le_bytes))),
        ];
        for (at, (name, encoding, bytes)) in table.iter().enumerate() {
            let input = Input::of(format, name, bytes).encoding(encoding);
            for chunk in [1, 2, 1000] {
                let read = input.read(chunk);
                assert!(read.error.is_none(), "{format:?} {at}: {:?}", read.error);
                assert_eq!(lines(&read.rows), rows, "{format:?} {at}");
                let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(read.sha256.unwrap(), hash, "{format:?} {at}");
            }
            assert!(input.shape().unwrap().unwrap().columns.starts_with(&["a".to_owned(), "b".to_owned()]));
        }
    }
}

#[test]
fn windows_1252_is_read_where_the_job_says_so() {
    let bytes = b"{\"a\":\"\x80 \xe9\",\"b\":\"\x99\"}\n";
    assert_eq!(lines(&Input::jsonl(bytes).encoding("windows-1252").rows()), ["1: \"€ é\" | \"™\""]);
    assert_eq!(lines(&Input::jsonl(bytes).rows()), ["1: malformed"]);
    let bytes = b"a,b\n\xa3,\x93x\x94\n";
    assert_eq!(lines(&Input::csv(bytes).encoding("windows-1252").rows()), ["1: \"£\" | \"“x”\""]);
}

#[test]
fn what_is_no_utf_16_is_in_a_malformed_row() {
    let text = |text: &str| utf16(text, u16::to_le_bytes);
    let lone = 0xd800_u16.to_le_bytes().to_vec();
    let bytes = [text("{\"a\":1}\n{\"a\":\""), lone.clone(), text("\"}\n{\"a\":3}\n")].concat();
    let rows = Input::jsonl(bytes).encoding("utf-16").rows();
    assert_eq!(lines(&rows), ["1: #1 | -", "2: malformed", "3: #3 | -"]);
    assert_eq!(rows[1].cells.as_ref().unwrap_err().1, "bytes that are not UTF-16LE");
    let bytes = [text("a,b\n1,2\n"), lone, text(",2\n")].concat();
    assert_eq!(lines(&Input::csv(bytes).encoding("utf-16").rows()), ["1: \"1\" | \"2\"", "2: malformed"]);
    // Half a unit at the end.
    let bytes = [text("{\"a\":1}\n{\"a\":2}"), vec![0x0a]].concat();
    assert_eq!(lines(&Input::jsonl(bytes).encoding("utf-16").rows()), ["1: #1 | -", "2: malformed"]);
}

#[test]
fn a_long_text_is_transcoded_in_pieces() {
    let line = "{\"a\":\"ŭ😀é\",\"b\":\"x\"}\n";
    let text = line.repeat(100_000);
    for bytes in [gzip(&utf16(&text, u16::to_be_bytes)), utf16(&text, u16::to_be_bytes)] {
        let rows = Input::jsonl(bytes).encoding("utf-16be").rows();
        assert_eq!(rows.len(), 100_000);
        assert!(rows.iter().all(|row| row.cells == Ok("\"ŭ😀é\" | \"x\"".to_owned())));
    }
}

#[test]
fn a_name_that_promises_another_compression_is_refused() {
    for (name, bytes) in [
        ("in.jsonl.gz", b"{\"a\":1}\n".to_vec()),
        ("in.jsonl.zst", b"{\"a\":1}\n".to_vec()),
        ("in.jsonl.gz", zstd(b"{\"a\":1}\n")),
    ] {
        let error = Input::jsonl(bytes).name(name).error();
        assert_eq!(error.file, name);
        assert!(error.message.contains("its name says"), "{}", error.message);
        assert!(error.help.is_some());
    }
}

#[test]
fn of_an_input_that_was_cut_short_the_whole_rows_are_kept() {
    let mut random = common::Random(7);
    let rows: Vec<String> =
        (0..20_000).map(|row| format!("{{\"a\":{row},\"b\":{}}}", random.below(1 << 40))).collect();
    let whole = rows.join("\n");
    for (name, stored) in [("in.gz", gzip(whole.as_bytes())), ("in.zst", zstd(whole.as_bytes()))] {
        let mut most = 0;
        for cut in [5, 20, stored.len() / 3, stored.len() / 2, stored.len() - 9, stored.len() - 1] {
            let read = Input::jsonl(&stored[..cut]).name(name).read(1000);
            let error = read.error.unwrap_or_else(|| panic!("{name} cut at {cut} is no error"));
            assert_eq!(error.file, name);
            assert!(error.message.contains("stops in the middle"), "{}", error.message);
            assert!(error.help.is_some());
            for (at, row) in read.rows.iter().enumerate() {
                assert_eq!(row.record, format!("json {}", rows[at]), "{name} cut at {cut}");
            }
            most = most.max(read.rows.len());
        }
        assert!(most > 15_000, "{name}: {most} rows are kept");
    }
    let rows: Vec<String> = (0..20_000).map(|row| format!("{row},\"{}\"", random.below(1 << 40))).collect();
    let stored = gzip(format!("a,b\n{}", rows.join("\n")).as_bytes());
    let read = Input::csv(&stored[..stored.len() / 2]).read(1000);
    assert!(read.error.unwrap().message.contains("stops in the middle"));
    assert!(read.rows.len() > 5000, "{} rows are kept", read.rows.len());
    for (at, row) in read.rows.iter().enumerate() {
        let (number, text) = rows[at].split_once(',').unwrap();
        assert_eq!(row.cells, Ok(format!("\"{number}\" | {text}")));
    }
}

#[test]
fn a_compressed_input_that_was_changed_is_an_error() {
    let text = "{\"a\":1}\n".repeat(10_000);
    for (name, mut stored) in
        [("in.gz", gzip(text.as_bytes())), ("in.gz", [gzip(b"{}\n"), b"more".to_vec()].concat())]
    {
        let at = stored.len() - 6;
        stored[at] ^= 0x55;
        let read = Input::jsonl(stored).name(name).read(1000);
        assert_eq!(read.error.unwrap().file, name);
    }
}

#[test]
fn an_input_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for format in [FileFormat::Jsonl, FileFormat::Csv, FileFormat::Parquet] {
        for (path, message) in
            [(folder.path().join("none"), "there is no such file"), (folder.path().to_owned(), "")]
        {
            let input = Input::of(format, "archive/none", b"");
            let location = Location::File(path);
            let error = match input.open(&location) {
                Err(error) => error,
                Ok(source) => read(source, 10).error.unwrap(),
            };
            assert_eq!(error.file, "archive/none");
            assert!(error.message.contains(message), "{}", error.message);
        }
    }
}

/// What the tests of standard input start: it reads its own standard input and prints what it finds.
#[test]
#[ignore = "started by the tests of standard input"]
fn child_reads_standard_input() {
    let format = if std::env::var("FORMAT").unwrap() == "csv" { FileFormat::Csv } else { FileFormat::Jsonl };
    let input = Input::of(format, "-", b"").encoding(&std::env::var("ENCODING").unwrap());
    let shape = assay_batch::input::Open::shape(
        &assay_tabular::Tabular,
        &Location::Stdin,
        "-",
        format,
        &input.text,
        None,
    );
    assert_eq!(shape.unwrap(), None);
    let read = read(input.open(&Location::Stdin).unwrap(), 2);
    assert!(read.error.is_none(), "{:?}", read.error);
    lines(&read.rows).iter().for_each(|line| println!("row {line}"));
    println!("hash {}", read.sha256.unwrap());
}

#[test]
fn standard_input_may_come_byte_by_byte() {
    let table: [(&str, &str, Vec<u8>, &[&str]); 6] = [
        ("jsonl", "utf-8", JSONL.as_bytes().to_vec(), &JSONL_ROWS),
        ("jsonl", "utf-8", gzip(JSONL.as_bytes()), &JSONL_ROWS),
        ("jsonl", "utf-8", zstd(format!("\u{feff}{JSONL}").as_bytes()), &JSONL_ROWS),
        ("jsonl", "utf-8", utf16(&format!("\u{feff}{JSONL}"), u16::to_le_bytes), &JSONL_ROWS),
        ("csv", "utf-8", format!("\u{feff}{CSV}").into_bytes(), &CSV_ROWS),
        ("csv", "utf-16be", utf16(CSV, u16::to_be_bytes), &CSV_ROWS),
    ];
    for (format, encoding, bytes, rows) in table {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "child_reads_standard_input", "--nocapture"])
            .env("FORMAT", format)
            .env("ENCODING", encoding)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        for byte in &bytes {
            pipe.write_all(&[*byte]).unwrap();
            pipe.flush().unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(pipe);
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert!(child.wait().unwrap().success(), "{format} {encoding}: {printed}");
        // The line that the harness begins has the first row behind it.
        let found: Vec<&str> =
            printed.lines().filter_map(|line| line.split_once("row ").map(|(_, row)| row)).collect();
        // A line end inside a value is shown escaped, so a row is one line.
        assert_eq!(found, rows, "{format} {encoding}");
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(printed.contains(&format!("hash {hash}")), "{format} {encoding}");
    }
}

#[test]
fn parquet_from_standard_input_is_refused() {
    let input = Input::of(FileFormat::Parquet, "-", b"");
    let error = input.open(&Location::Stdin).err().unwrap();
    assert!(error.message.contains("standard input"), "{}", error.message);
    assert!(error.help.is_some());
}

//! Texts that nobody would write: no reader panics, and how rows are cut into chunks changes nothing.

mod common;

use common::{Input, Random, Seen};

/// The rows of an input whichever way it is cut into chunks.
fn same_rows(input: &Input) -> (Vec<Seen>, bool) {
    let whole = input.read(100_000);
    for max_rows in [1, 2, 7] {
        let cut = input.read(max_rows);
        assert_eq!(
            cut.rows,
            whole.rows,
            "in chunks of {max_rows}: {:?}",
            String::from_utf8_lossy(&input.bytes)
        );
        assert_eq!(
            cut.error.map(|error| (error.file, error.message)),
            whole.error.as_ref().map(|error| (error.file.clone(), error.message.clone())),
        );
        assert_eq!(cut.sha256, whole.sha256);
    }
    (whole.rows, whole.error.is_some())
}

#[test]
fn jsonl_of_any_bytes() {
    let pieces: [&[u8]; 20] = [
        b"{\"a\":1}",
        b"{\"b\":\"x\"}",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\"a\":",
        b",",
        b":",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\\",
        b"1e",
        b"null",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
    ];
    let rows: [&[u8]; 2] = [b"\n{\"a\":1}\n", b"\n{\"b\":[{}]}\r\n"];
    let mut random = Random(1);
    let (mut whole, mut malformed) = (0, 0);
    for _ in 0..300 {
        let text = [random.text(&pieces, 40), random.text(&rows, 4)].concat();
        let (rows, failed) = same_rows(&Input::jsonl(&text));
        assert!(!failed);
        // No line is lost: each that is not blank is a row.
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let lines =
            text.split(|byte| *byte == b'\n').filter(|line| !line.iter().all(u8::is_ascii_whitespace));
        assert_eq!(rows.len(), lines.count(), "{:?}", String::from_utf8_lossy(text));
        whole += rows.iter().filter(|row| row.cells.is_ok()).count();
        malformed += rows.iter().filter(|row| row.cells.is_err()).count();
    }
    assert!(whole > 100 && malformed > 100, "{whole} rows, {malformed} malformed ones");
}

#[test]
fn csv_of_any_bytes() {
    let pieces: [&[u8]; 14] = [
        b"1",
        b"x",
        b",",
        b",",
        b"\"",
        b"\"x\"",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3\xa9",
        b"1,2\n",
    ];
    let mut random = Random(2);
    let (mut whole, mut malformed) = (0, 0);
    for _ in 0..300 {
        let text = [b"a,b\n".to_vec(), random.text(&pieces, 60)].concat();
        let (rows, failed) = same_rows(&Input::csv(&text));
        assert!(!failed);
        whole += rows.iter().filter(|row| row.cells.is_ok()).count();
        malformed += rows.iter().filter(|row| row.cells.is_err()).count();
        // Where nothing is quoted, lines are rows.
        if !text.contains(&b'"') {
            let lines =
                text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_empty()).count();
            assert_eq!(rows.len() + 1, lines, "{:?}", String::from_utf8_lossy(&text));
        }
    }
    assert!(whole > 100 && malformed > 100, "{whole} rows, {malformed} malformed ones");
}

/// The `csv` crate as the judge: it reads the same records, where it reads any.
#[test]
fn csv_as_the_csv_crate_reads_it() {
    let pieces: [&str; 14] =
        ["1", "x", "é", " ", ",", ",", ",", "\"", "\"", "\"\"", "\"x\"", "\n", "\r\n", "\n1,2\n"];
    let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
    let mut random = Random(5);
    let (mut whole, mut ragged) = (0, 0);
    for _ in 0..2000 {
        let text = [b"a,b\n".to_vec(), random.text(&pieces, 40)].concat();
        let shown = String::from_utf8_lossy(&text).into_owned();
        let mut judge = csv::ReaderBuilder::new().flexible(true).from_reader(&text[..]);
        let records: Vec<_> = judge.records().map(Result::unwrap).collect();
        let rows = Input::csv(&text).rows();
        assert_eq!(rows.len(), records.len(), "{shown:?}");
        for (at, (row, record)) in rows.iter().zip(&records).enumerate() {
            match &row.cells {
                Ok(cells) => {
                    let fields: Vec<_> = record.iter().map(|field| format!("{field:?}")).collect();
                    assert_eq!(*cells, fields.join(" | "), "{shown:?}");
                    whole += 1;
                }
                Err((expected, _)) if expected == "a closing quote" => {
                    assert_eq!(at + 1, rows.len(), "{shown:?}")
                }
                Err(_) => {
                    assert_ne!(record.len(), 2, "{shown:?}");
                    ragged += 1;
                }
            }
        }
    }
    assert!(whole > 1000 && ragged > 1000, "{whole} rows, {ragged} ragged ones");
}

#[test]
fn headers_and_encodings_of_any_bytes() {
    let mut random = Random(3);
    for _ in 0..80 {
        let text: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        for encoding in ["utf-8", "utf-16", "utf-16be", "windows-1252"] {
            same_rows(&Input::jsonl(&text).encoding(encoding));
            same_rows(&Input::csv(&text).encoding(encoding));
        }
    }
}

#[test]
fn compressed_texts_with_any_change() {
    use std::io::Write;
    let text = "{\"a\":1,\"b\":\"xyz\"}\n".repeat(50);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let stored =
        [("in.gz", gzip.finish().unwrap()), ("in.zst", zstd::encode_all(text.as_bytes(), 1).unwrap())];
    let mut random = Random(4);
    for (name, stored) in stored {
        for _ in 0..100 {
            let mut changed = stored.clone();
            let at = random.below(changed.len());
            changed[at] ^= 1 << random.below(8);
            same_rows(&Input::jsonl(&changed).name(name));
        }
    }
}

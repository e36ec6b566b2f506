//! The text of a stored input: its bytes hashed as they come off the file, decompressed, and in UTF-8.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_batch::input::{InputError, Location, Prefix, TextOptions};
use assay_batch::remote::Failure;
use assay_faults::{help, reason};
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use sha2::{Digest, Sha256};

use super::{WithHelp, input_error};

const BUFFER: usize = 256 * 1024;

/// Opens a file, or standard input, with the account of what is read from it.
pub(super) fn open_bytes(
    location: &Location,
    name: &str,
) -> Result<(Box<dyn Read + Send>, Stored), InputError> {
    let stored = Stored::default();
    let bytes: Box<dyn Read + Send> = match location {
        Location::Stdin => Box::new(io::stdin()),
        Location::File(path) => Box::new(open_file(path, name)?),
        Location::Object(object) => object.read_all().map_err(|error| unreadable(name, &error))?,
    };
    Ok((Box::new(Accounted { bytes, stored: stored.clone() }), stored))
}

/// What an input begins with, as stored: so many bytes, or all of them.
pub(crate) fn prefix(location: &Location, name: &str, bytes: Option<u64>) -> Result<Prefix, InputError> {
    let (reader, stored) = open_bytes(location, name)?;
    let mut reader = BufReader::with_capacity(BUFFER, reader.take(bytes.unwrap_or(u64::MAX)));
    io::copy(&mut reader, &mut io::sink()).map_err(|error| unreadable(name, &error))?;
    Ok(stored.prefix())
}

/// Opens a file, with what is wrong in words.
pub(super) fn open_file(path: &Path, name: &str) -> Result<File, InputError> {
    File::open(path).map_err(|error| unreadable(name, &error))
}

/// An open text input.
pub(super) struct Text {
    /// Its text in UTF-8, without a byte-order mark.
    pub text: Box<dyn BufRead + Send>,
    /// What was read of its bytes as stored.
    pub stored: Stored,
    /// What it is encoded in, as messages call it.
    pub encoding: &'static str,
}

/// Opens a text input: UTF-8 without a byte-order mark, whatever it is stored as.
///
/// Compression is recognised by the first bytes, so a compressed standard input works too. A byte-order
/// mark outweighs the encoding that the job names.
pub(super) fn open_text(location: &Location, name: &str, options: &TextOptions) -> Result<Text, InputError> {
    let (bytes, stored) = open_bytes(location, name)?;
    let text = decompressed(name, bytes)?;
    let (start, mut text) = peeked(text).map_err(|error| unreadable(name, &error))?;
    let (mark, encoding) = encoding(&start, options);
    if mark == UTF_32LE_MARK {
        return Err(input_error(name, "the text is UTF-32").help("save it as UTF-8"));
    }
    text.consume(mark.len());
    let text: Box<dyn BufRead + Send> = match encoding {
        None => Box::new(text),
        Some(encoding) => {
            let decoder = encoding.new_decoder_without_bom_handling();
            let transcoded =
                Transcoded { text: Box::new(text), decoder, out: Vec::new(), at: 0, ended: false };
            Box::new(BufReader::with_capacity(BUFFER, transcoded))
        }
    };
    Ok(Text { text, stored, encoding: encoding.map_or("UTF-8", Encoding::name) })
}

/// The bytes without the compression that their beginning shows.
fn decompressed(name: &str, bytes: Box<dyn Read + Send>) -> Result<Box<dyn BufRead + Send>, InputError> {
    let failed = |error: io::Error| unreadable(name, &error);
    let (start, bytes) = peeked(BufReader::with_capacity(BUFFER, bytes)).map_err(failed)?;
    let gzip = start.starts_with(&[0x1f, 0x8b]);
    // A frame, or one to be skipped, with which parallel compressors begin.
    let zstd = matches!(*start, [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18]);
    let lower = name.to_ascii_lowercase();
    for (ending, is, what) in [(".gz", gzip, "gzip"), (".zst", zstd, "zstd")] {
        if lower.ends_with(ending) && !is {
            return Err(input_error(name, format!("its name says {what} and its bytes are not"))
                .help("rename the file, or compress it again"));
        }
    }
    Ok(if gzip {
        Box::new(BufReader::with_capacity(BUFFER, flate2::bufread::MultiGzDecoder::new(bytes)))
    } else if zstd {
        let decoder = zstd::stream::read::Decoder::with_buffer(bytes).map_err(failed)?;
        Box::new(BufReader::with_capacity(BUFFER, decoder))
    } else {
        Box::new(bytes)
    })
}

const UTF_32LE_MARK: &[u8] = &[0xff, 0xfe, 0, 0];

/// The byte-order mark that a text begins with, and its encoding where that is not UTF-8.
fn encoding(start: &[u8], options: &TextOptions) -> (&'static [u8], Option<&'static Encoding>) {
    let marks: [(&[u8], Option<&Encoding>); 4] = [
        (&[0xef, 0xbb, 0xbf], None),
        (UTF_32LE_MARK, None),
        (&[0xff, 0xfe], Some(UTF_16LE)),
        (&[0xfe, 0xff], Some(UTF_16BE)),
    ];
    let marked = marks.into_iter().find(|(mark, _)| start.starts_with(mark));
    marked.unwrap_or_else(|| {
        let named = match options.encoding.as_str() {
            "utf-16" | "utf-16le" => Some(UTF_16LE),
            "utf-16be" => Some(UTF_16BE),
            "windows-1252" => Some(WINDOWS_1252),
            _ => None,
        };
        (&[], named)
    })
}

/// The first four bytes, as far as there are so many, and the reader with them still in it. (A buffer alone does not do:
/// a pipe may fill it with a single byte.)
fn peeked<R: BufRead>(mut reader: R) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let mut start = Vec::new();
    reader.by_ref().take(4).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(reader)))
}

/// A failure to read, in words.
pub(super) fn unreadable(name: &str, error: &io::Error) -> InputError {
    if let Some(failure) = Failure::of(error) {
        return failure.clone().input(name);
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof => input_error(name, "the compressed data stops in the middle")
            .help("the file was cut short: fetch it again"),
        // What is not the system's is the decompressor's.
        _ if error.raw_os_error().is_none() => input_error(name, "the compressed data is damaged")
            .help("the file was changed on its way: fetch it again"),
        _ => InputError { help: help(error).map(str::to_owned), ..input_error(name, reason(error)) },
    }
}

/// An account of the stored bytes that were read so far.
#[derive(Clone, Default)]
pub(super) struct Stored {
    hash: Arc<Mutex<Sha256>>,
    count: Arc<AtomicU64>,
}

impl Stored {
    fn add(&self, bytes: &[u8]) {
        let mut hash = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        hash.update(bytes);
        self.count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The same as what an input begins with.
    pub fn prefix(&self) -> Prefix {
        // Both are read under the lock, so that they are of the same bytes.
        let hash = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        Prefix { bytes: self.count(), sha256: hex(&hash) }
    }

    /// Their SHA-256 in lowercase hex.
    pub fn sha256(&self) -> String {
        hex(&self.hash.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn hex(hash: &Sha256) -> String {
    hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Accounted {
    bytes: Box<dyn Read + Send>,
    stored: Stored,
}

impl Read for Accounted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(into)?;
        self.stored.add(into.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// A text of another encoding as UTF-8. What is malformed becomes a byte that is not UTF-8, so that the row it stands in is
/// rejected and nothing passes as something it is not.
struct Transcoded {
    text: Box<dyn BufRead + Send>,
    decoder: Decoder,
    out: Vec<u8>,
    at: usize,
    ended: bool,
}

/// No UTF-8 text holds this byte.
const NOT_UTF8: u8 = 0xff;

impl Read for Transcoded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.out.len() && !self.ended {
            self.decode()?;
        }
        let ready = self.out.get(self.at..).unwrap_or_default();
        let count = ready.len().min(into.len());
        if let (Some(into), Some(ready)) = (into.get_mut(..count), ready.get(..count)) {
            into.copy_from_slice(ready);
        }
        self.at += count;
        Ok(count)
    }
}

impl Transcoded {
    fn decode(&mut self) -> io::Result<()> {
        let source = self.text.fill_buf()?;
        self.ended = source.is_empty();
        let room = self.decoder.max_utf8_buffer_length_without_replacement(source.len()).unwrap_or(BUFFER);
        self.out.resize(room + 1, 0);
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(source, &mut self.out, self.ended);
        self.text.consume(read);
        self.out.truncate(written);
        self.at = 0;
        match result {
            DecoderResult::InputEmpty => {}
            // What is left is decoded by the next call.
            DecoderResult::OutputFull => self.ended = false,
            DecoderResult::Malformed(..) => {
                self.out.push(NOT_UTF8);
                self.ended = false;
            }
        }
        Ok(())
    }
}

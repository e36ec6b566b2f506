//! What a command puts on standard output and standard error.

use std::io::{self, IsTerminal, Write};

use assay_service::Error;

use crate::args::{Form, FormArg};

/// The form to print in: what was asked for, else text on a terminal and JSON elsewhere.
pub fn form(asked: FormArg) -> Form {
    match asked.format {
        Some(form) => form,
        None if io::stdout().is_terminal() => Form::Text,
        None => Form::Json,
    }
}

/// Prints a payload with a line feed, or a text as it is. A reader that has gone away is no error.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") })
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a message on standard error.
pub fn complain(text: &str) {
    // Where standard error itself cannot be written there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// What messages call a source that came from standard input.
pub const SOURCE_OF_STDIN: &str = "standard input";

/// Whether colours are wanted on a stream: it is a terminal, and the environment does not say no.
pub fn colors(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    stream.is_terminal() && !refused && !dumb
}

/// Text from data, in one line: control characters, line feeds among them, and characters that reorder text are
/// escaped, so that no value can move the cursor, hide what stands before it or pass for another line.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(each.escape_unicode());
            }
            each if each.is_control() => shown.extend(each.escape_default()),
            each => shown.push(each),
        }
    }
    shown
}

/// An error for a person: the whole of what must be put right. `name` is what the source is called.
pub fn explain(error: &Error, name: &str) -> String {
    match error {
        Error::Compile(refusal) => {
            assay_syntax::render(refusal.source.as_ref(), name, &refusal.diagnostics, colors(&io::stderr()))
        }
        Error::Rejected(rejection) => {
            let mut text = format!("error: {}\n", error.message());
            for failure in &rejection.failures {
                text.push_str(&format!(
                    "\n  {}\n    expected  {}\n    received  {}\n",
                    visible(&failure.field),
                    visible(&failure.expected),
                    visible(&failure.received)
                ));
            }
            text
        }
        Error::NotFound(message) | Error::BadRequest(message) | Error::Engine(message) => {
            format!("error: {}\n", visible(message))
        }
    }
}

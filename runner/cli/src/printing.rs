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

/// Whether colours are wanted on standard error.
pub fn colors() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Text from data for a terminal: control characters are escaped, so that no value can move the cursor or
/// hide what stands before it.
pub fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|each| {
            let escaped = each.is_control() && each != '\n';
            let (plain, escape) = if escaped { (None, Some(each.escape_default())) } else { (Some(each), None) };
            plain.into_iter().chain(escape.into_iter().flatten())
        })
        .collect()
}

/// An error for a person: the whole of what must be put right. `name` is what the source is called.
pub fn explain(error: &Error, name: &str) -> String {
    match error {
        Error::Compile(refusal) => {
            assay_syntax::render(refusal.source.as_ref(), name, &refusal.diagnostics, colors())
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

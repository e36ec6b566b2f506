//! `assay solve`: the process in which the solver is asked what is not easy.
//!
//! Nobody calls it by hand: `assay run`, `check` and `explain` start it, talk to it through its standard input and
//! output, and end it where it hangs.

use std::io;

use assay_batch::Exit;
use assay_engine::{Apart, Settings, serve};

/// The name of the command.
const SOLVE: &str = "solve";

/// Answers until nobody asks any more.
pub fn solve() -> Exit {
    match serve(io::stdin(), io::stdout()) {
        Ok(()) => Exit::Completed,
        Err(_) => Exit::Engine,
    }
}

/// This program as the one that is asked. Where it does not know where it is, the solver is asked in this process.
pub fn apart() -> Option<Apart> {
    Some(Apart::new(std::env::current_exe().ok()?, vec![SOLVE.into()]))
}

/// The settings of a check.
pub fn settings() -> Settings {
    Settings { apart: apart(), ..Settings::default() }
}

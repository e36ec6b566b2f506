//! A folder to work in, and commands that are run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::screen::Screen;

/// A folder with the files of `fixtures/start`, removed at the end.
pub struct Folder {
    root: TempDir,
}

/// What a command did.
pub struct Ran {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }
}

/// Where the fixtures are.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

impl Folder {
    pub fn new() -> Folder {
        let folder = Folder { root: TempDir::new().expect("a temporary folder") };
        for entry in fs::read_dir(fixtures().join("start")).expect("fixtures/start") {
            let entry = entry.expect("an entry");
            fs::copy(entry.path(), folder.path(&entry.file_name().to_string_lossy())).expect("a copy");
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), bytes).expect("a file");
        self
    }

    /// The names in a folder, sorted; none where it is not there.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// A program that is to be run here, with `assay` on its path and nothing around that changes what it shows.
    pub fn command(&self, program: &str) -> Command {
        let program_folder =
            Path::new(env!("CARGO_BIN_EXE_assay")).parent().expect("the folder of the program");
        let path = format!("{}:{}", program_folder.display(), std::env::var("PATH").expect("a PATH"));
        let mut command = Command::new(program);
        command.current_dir(self.root.path()).env("PATH", path).env("LC_ALL", "C.UTF-8");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a line of shell.
    pub fn sh(&self, line: &str) -> Ran {
        self.command("sh").args(["-c", line]).output().expect("a shell").into()
    }

    /// Runs a line of shell on a terminal, and gives what it sent there and what can be read there in the end.
    pub fn on_terminal(&self, line: &str) -> (String, String) {
        let line = format!("stty cols 120 rows 60; {line}");
        let mut command = self.command("script");
        command.args(["-q", "-e", "-c", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
        let mut child =
            command.stdin(Stdio::piped()).spawn().expect("`script`, which gives a command a terminal");
        // Held open until the end: `script` types an end of file into the terminal where its own input ends.
        let typing = child.stdin.take();
        let output = child.wait_with_output().expect("an end");
        drop(typing);
        let sent = String::from_utf8(output.stdout).expect("UTF-8");
        let seen = Screen::of(&sent).text();
        (sent, seen)
    }
}

//! Asking the solver in a process of its own, which can be ended.
//!
//! The solver is bounded by its own count of steps, and now and then it works on without counting one, or takes all
//! memory. So a question that is not easy may be asked in another process: [`serve`] answers there with the code that answers
//! here, one check after the other, each in a context of its own. A process that does not answer in time, or that
//! breaks down, is ended, and the next question gets a fresh one. Time and memory are never an answer: the question has none.
//!
//! Both directions are frames: four bytes with the length, and so many bytes. A request is a check as postcard writes
//! it, and a reply one byte.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use assay_compile::formula::Formula;
use serde::{Deserialize, Serialize};
use z3::SatResult;

use crate::solver::{NoAnswer, check};

/// The memory of the solver in a process of its own, in MiB.
const MEMORY: &str = "2048";

/// The stack of the thread that asks: the solver recurses on deep formulas.
const STACK: usize = 64 * 1024 * 1024;

/// The longest frame.
const LONGEST: usize = 1 << 30;

/// How long a process goes on once nobody waits for its answer any more.
const GRACE: Duration = Duration::from_secs(1);

/// A program that answers as [`serve`] does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Apart {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// How long a check may take. It must be so long that only a check which hangs takes it.
    pub patience: Duration,
}

impl Apart {
    /// A program that has so long for a check as no check takes that counts its steps.
    pub fn new(program: PathBuf, arguments: Vec<OsString>) -> Apart {
        Apart { program, arguments, patience: Duration::from_secs(60) }
    }
}

/// One check: whether a formula can hold, or whether it can fail.
#[derive(Debug, Serialize, Deserialize)]
struct Check<F> {
    formula: F,
    holds: bool,
    rlimit: u32,
}

/// A process that answers.
#[derive(Debug)]
pub(crate) struct Process {
    process: process::Child,
    requests: Sender<Vec<u8>>,
    replies: Receiver<io::Result<Vec<u8>>>,
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub(crate) fn start(apart: &Apart) -> io::Result<Process> {
        let mut command = Command::new(&apart.program);
        command.args(&apart.arguments);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (Some(mut input), Some(mut output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (requests, asked) = mpsc::channel::<Vec<u8>>();
        let (answered, replies) = mpsc::channel();
        // Waits in place of the asking thread, which waits no longer than it wants to.
        thread::Builder::new().name("assay-solve".to_owned()).spawn(move || {
            for request in asked {
                let reply = write_frame(&mut input, &request).and_then(|()| read_frame(&mut output));
                if answered.send(reply).is_err() {
                    return;
                }
            }
        })?;
        Ok(Process { process, requests, replies })
    }

    /// Whether a formula can hold, or whether it can fail.
    ///
    /// # Errors
    /// Why there is no answer; then the process is of no use any more.
    pub(crate) fn check(
        &self,
        formula: &Formula,
        holds: bool,
        rlimit: u32,
        patience: Duration,
    ) -> Result<SatResult, String> {
        let check = Check { formula, holds, rlimit };
        let request = postcard::to_allocvec(&check).map_err(|error| format!("cannot be asked: {error}"))?;
        let broke_down = || "broke down".to_owned();
        self.requests.send(request).map_err(|_| broke_down())?;
        match self.replies.recv_timeout(patience) {
            Ok(Ok(reply)) => result(&reply).ok_or_else(|| "answered what is no answer".to_owned()),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(broke_down()),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("did not answer within {} seconds and was ended", patience.as_secs()))
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already is none the worse for it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Answers checks that come as frames, until there are no more. Where the input ends in the middle of a check, nobody waits
/// for its answer, and the process ends.
///
/// # Errors
/// Where input or output fail, a request is none, or a check takes more memory than there is for it.
pub fn serve(mut input: impl Read + Send + 'static, mut output: impl Write + Send) -> io::Result<()> {
    z3::set_global_param("memory_max_size", MEMORY);
    let (sender, requests) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        while let Ok(request) = read_frame(&mut input) {
            if sender.send(request).is_err() {
                return;
            }
        }
        drop(sender);
        thread::sleep(GRACE);
        process::exit(0);
    })?;
    let answer_all = move || {
        for request in requests {
            let failed = |problem: &str| io::Error::other(problem.to_owned());
            let Check::<Formula> { formula, holds, rlimit } =
                postcard::from_bytes(&request).map_err(|_| failed("the request is no check"))?;
            let result = check(&formula, holds, rlimit).map_err(|NoAnswer(problem)| failed(&problem))?;
            write_frame(&mut output, &[byte(result)])?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let answering = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, answer_all)?;
        answering.join().unwrap_or_else(|_| Err(io::Error::other("the solver broke down")))
    })
}

fn byte(result: SatResult) -> u8 {
    match result {
        SatResult::Unsat => b'u',
        SatResult::Sat => b's',
        SatResult::Unknown => b'?',
    }
}

fn result(reply: &[u8]) -> Option<SatResult> {
    [SatResult::Unsat, SatResult::Sat, SatResult::Unknown].into_iter().find(|each| *reply == [byte(*each)])
}

fn write_frame(output: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(io::Error::other)?;
    output.write_all(&[&length.to_le_bytes(), frame].concat())?;
    output.flush()
}

fn read_frame(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // What is said of the length is believed as the bytes come.
    let mut frame = Vec::new();
    input.take(length as u64).read_to_end(&mut frame)?;
    match frame.len() == length {
        true => Ok(frame),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

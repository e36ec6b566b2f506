//! What a run's exit code says. One type, so that the command, its documentation and its tests cannot drift apart.

/// How a run ended, as its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// The run completed, whatever the answers.
    Completed = 0,
    /// The command line or the job is wrong: nothing was read.
    Usage = 1,
    /// The ruleset does not compile, or it or the unit library is not the pinned one.
    Refused = 2,
    /// An input or an output failed, or more rows were rejected than `max_rejected` allows.
    Failed = 3,
    /// The run completed, and an answer or a rejection that `fail_on` names occurred.
    FailOn = 4,
    /// The engine failed: it could not prove itself, a cross-check disagreed, or no answer could be had, if only for some
    /// documents (`ENGINE_ERROR`).
    Engine = 5,
    /// The run was interrupted.
    Interrupted = 130,
}

impl Exit {
    /// Every exit, in the order of the codes.
    pub const ALL: [Exit; 7] = [
        Exit::Completed,
        Exit::Usage,
        Exit::Refused,
        Exit::Failed,
        Exit::FailOn,
        Exit::Engine,
        Exit::Interrupted,
    ];

    /// The code that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

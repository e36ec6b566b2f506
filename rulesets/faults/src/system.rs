//! What the system says of a file, a folder or a disk.

use std::io::{self, ErrorKind};

/// Why the system did not do what it was asked for. What it has no kind for is told in its own words.
pub fn reason(error: &io::Error) -> String {
    known(error).map_or_else(|| error.to_string(), |(reason, _)| reason.to_owned())
}

/// What to do about it, where that can be said of every file.
pub fn help(error: &io::Error) -> Option<&'static str> {
    known(error).and_then(|(_, help)| help)
}

fn known(error: &io::Error) -> Option<(&'static str, Option<&'static str>)> {
    Some(match error.kind() {
        ErrorKind::NotFound => ("there is no such file", None),
        ErrorKind::PermissionDenied => {
            ("permission is denied", Some("see who may read and write it, and as whom assay runs"))
        }
        ErrorKind::ReadOnlyFilesystem => (
            "the disk may only be read",
            Some("choose a folder on another disk, or have this one mounted for writing"),
        ),
        ErrorKind::StorageFull => ("the disk is full", Some("make room on it")),
        ErrorKind::QuotaExceeded => {
            ("the quota of the disk is used up", Some("make room on it, or have the quota raised"))
        }
        ErrorKind::FileTooLarge => {
            ("the file would be larger than is allowed", Some("raise the limit (`ulimit -f`)"))
        }
        ErrorKind::NotADirectory => ("a part of its path is no folder", None),
        ErrorKind::IsADirectory => ("it is a folder", None),
        ErrorKind::AlreadyExists => ("there is a file of that name", None),
        ErrorKind::InvalidFilename => {
            ("its name is none that the system allows", Some("choose a shorter name"))
        }
        ErrorKind::InvalidData => ("it is not a text in UTF-8", Some("save it as UTF-8")),
        ErrorKind::UnexpectedEof => ("it ends before it should", None),
        ErrorKind::OutOfMemory => ("there is too little memory", Some(MEMORY)),
        ErrorKind::WouldBlock => ("the system has no more of what it takes", Some(MEMORY)),
        ErrorKind::StaleNetworkFileHandle | ErrorKind::NetworkDown | ErrorKind::HostUnreachable => {
            ("the disk on the network is gone", Some("see that the network and the disk are there"))
        }
        ErrorKind::TimedOut => {
            ("the disk did not answer in time", Some("see that the network and the disk are there"))
        }
        _ => match error.raw_os_error()? {
            TOO_MANY_HERE | TOO_MANY => ("too many files are open", Some("raise the limit (`ulimit -n`)")),
            DISK => {
                ("the disk cannot read or write it", Some("see to the disk, and take the file from a copy"))
            }
            CIRCLE => ("its links lead in a circle", None),
            _ => return None,
        },
    })
}

const MEMORY: &str =
    "raise the limits on memory and processes (`ulimit -v`, `ulimit -u`), or use fewer threads";

// Errors of POSIX that have no kind.
const DISK: i32 = 5;
const TOO_MANY: i32 = 23;
const TOO_MANY_HERE: i32 = 24;
const CIRCLE: i32 = 40;

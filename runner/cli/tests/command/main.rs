//! The built command, run as a person would run it: in a folder of its own, with the files that `fixtures/start` holds.
//!
//! [`session`] keeps whole sessions as snapshots, in `snapshots/`: each command, what it prints and its exit code.
//! [`explain`] and [`agreement`] do so too. [`bytes`] holds printed payloads against those of the service, [`terminal`]
//! looks at a command that has one, [`signals`] stops runs, [`faults`] takes from them what they need, [`hostile`] gives
//! them what means harm, [`kills`] kills them and has them resumed, [`objects`] gives them an object store, and [`readme`]
//! follows the README.

// Helpers of tests fail as tests do.
#![allow(clippy::expect_used, clippy::panic)]

mod agreement;
mod bytes;
mod explain;
mod faults;
mod folder;
mod hostile;
mod kills;
mod objects;
mod readme;
mod screen;
mod session;
mod signals;
mod solver;
mod terminal;

//! What goes wrong outside of assay, in words for the person who must put it right: what the system says of a file
//! ([`reason`], [`help`]), and a library that breaks down ([`caught`]).

mod caught;
mod system;

pub use caught::{BrokeDown, caught};
pub use system::{help, reason};

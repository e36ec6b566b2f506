//! Decides assertions: exact evaluation, and Z3 for what it leaves open.

mod word;

pub use word::Word;

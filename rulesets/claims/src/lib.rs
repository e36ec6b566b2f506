//! What a submitted claim dictionary may hold, and what it becomes: exact bindings, or every failure at once.

mod raw;

pub use raw::Raw;

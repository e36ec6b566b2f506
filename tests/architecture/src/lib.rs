//! Holds the arrows between the crates: see `tests/arrows.rs`.

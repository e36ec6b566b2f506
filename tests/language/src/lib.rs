//! The suite over the cases in `fixtures/cases`, whose format is described there. The tests are in `tests/`.

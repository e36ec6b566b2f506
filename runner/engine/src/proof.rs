//! What the engine shows of itself before it is trusted.

use crate::EngineError;

/// The version of the solver that is linked: `5.4.1`.
pub fn solver_version() -> String {
    z3::full_version().to_owned()
}

/// Asks the solver, on the calling thread, one question that must come out TRUE and one that must come out FALSE.
///
/// # Errors
/// Where the solver is too old or answers something else.
pub fn prove() -> Result<(), EngineError> {
    unimplemented!()
}

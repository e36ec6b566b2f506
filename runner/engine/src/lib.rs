//! Decides assertions: exact evaluation, and Z3 for what it leaves open.

mod answer;
mod error;
mod plan;
mod proof;
mod settings;
mod word;

pub use answer::{Answer, Before, DecidedBy};
pub use error::EngineError;
pub use plan::Plan;
pub use proof::{prove, solver_version};
pub use settings::{Route, Settings};
pub use word::Word;

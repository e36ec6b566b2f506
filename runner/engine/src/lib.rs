//! Decides assertions: exact evaluation, and Z3 for what it leaves open.

mod aim;
mod answer;
mod apart;
mod candidates;
mod choices;
mod columns;
mod completion;
mod contradicted;
mod decide;
mod error;
mod evaluate;
mod exact;
mod explain;
mod front_end;
mod linear;
mod plan;
mod proof;
mod questions;
mod reason;
mod residual;
mod settings;
mod solver;
mod translate;
mod whole;
mod word;
mod worker;

pub use answer::{Answer, Before, DecidedBy};
pub use apart::{Apart, serve};
pub use columns::{AssertionColumn, ColumnAnswers};
pub use completion::{Completion, complete};
pub use error::EngineError;
pub use evaluate::{Interpretation, evaluate};
pub use explain::{
    Choice, Completed, Conversion, Decisive, Enough, Explanation, Shown, Step, Steps, Supposed, Unshown,
};
pub use plan::{Answered, Plan};
pub use proof::{prove, solver_version};
pub use settings::{Route, Settings};
pub use word::Word;

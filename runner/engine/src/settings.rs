//! How a plan decides.

use crate::Apart;

/// Which engine is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Route {
    /// Exact evaluation, and the solver for what it leaves open.
    #[default]
    Auto,
    /// The solver for every assertion.
    Z3,
}

impl Route {
    /// The route as a job file writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Route::Auto => "auto",
            Route::Z3 => "z3",
        }
    }
}

/// The settings of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The solver's limit for each of the two checks of a question, in Z3's own unit of work (`rlimit`).
    pub rlimit: u32,
    /// Which engine is asked.
    pub route: Route,
    /// How many of the solver's answers each thread remembers. Changes no answer, only how often it is asked.
    pub memory: usize,
    /// The most choices of contradicting evidence that are looked at for an assertion. Where there are more, its answer
    /// is AMBIGUOUS.
    pub max_choices: u32,
    /// The program that questions are asked in which are not easy; in this process where there is none. It changes no
    /// answer: of a question that breaks or hangs it, there is none.
    pub apart: Option<Apart>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { rlimit: 10_000_000, route: Route::Auto, memory: 10_000, max_choices: 4_096, apart: None }
    }
}

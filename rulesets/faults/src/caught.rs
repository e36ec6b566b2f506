//! Work by a library that may break down: caught, and without its raw words on standard error.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::sync::Once;

/// That a library broke down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokeDown {
    /// Where: a file and a line, for whoever looks into it.
    pub place: String,
}

impl fmt::Display for BrokeDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it broke down at {}", self.place)
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

static HOOKED: Once = Once::new();

/// Does some work on this thread, and takes a panic for the library's way to say that it cannot go on.
///
/// Nothing of the panic is printed: where memory is short a trace of the stack may take more of it than there is, and the
/// process would hang in the middle of it. Other panics go where they went.
///
/// # Errors
/// Where the work panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, BrokeDown> {
    HOOKED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| match CATCHING.get() {
            true => note(panic),
            false => before(panic),
        }));
    });
    let outer = CATCHING.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(outer);
    done.map_err(|_| BrokeDown { place: PLACE.take() })
}

fn note(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(|place| {
        let file = Path::new(place.file()).file_name().unwrap_or_default();
        format!("{}:{}", file.to_string_lossy(), place.line())
    });
    PLACE.set(place.unwrap_or_default());
}

//! Telling a run to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Tells a run to stop: it finishes what is in hand and gives nothing its final name. Clones are the same token.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stopped: AtomicBool,
    notify: Notify,
}

impl Cancel {
    /// A token that has not been used.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Tells the run to stop. From any thread, as often as one likes.
    pub fn cancel(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        // One permit is kept for a run that is not waiting just now.
        self.0.notify.notify_one();
    }

    /// Whether the run was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }

    /// Waits until the run is told to stop.
    pub(crate) async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.0.notify.notified().await;
        }
    }
}

//! What must not outlive a process that is ended by a signal.

/// What a provider undoes when the process is told to end and runs no destructors: it kills the
/// processes that it has started and removes the directories that it has made. Register it with
/// `inventory::submit!`. It runs on a thread of its own, at most once, and must not wait for
/// anything that may not come.
#[derive(Debug)]
pub struct EndHook(pub fn());

inventory::collect!(EndHook);

impl EndHook {
    /// Runs every hook of this program.
    pub fn run_all() {
        for hook in inventory::iter::<Self> {
            (hook.0)();
        }
    }
}

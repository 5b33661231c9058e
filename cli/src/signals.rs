//! The end by ctrl-C or SIGTERM, at once, whatever the run is busy with.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use aurumcode_core::provider::EndHook;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};

use crate::cache_directory::Leftovers;

/// Ends the process with 128 and the signal's number when it is told to, after what must not stay
/// behind is gone. A thread of its own waits for that: synchronous work in git would keep a
/// runtime from noticing, and a default action would leave the directory behind.
pub(crate) fn watch(leftovers: Arc<Leftovers>) -> io::Result<()> {
    let signals = [SIGINT, SIGTERM];
    let told = Arc::new(AtomicBool::new(false));
    for signal in signals {
        // In this order: the first signal finds the flag unset and sets it, the second one finds
        // it set and ends the process the default way, should the removal hang.
        flag::register_conditional_default(signal, Arc::clone(&told))?;
        flag::register(signal, Arc::clone(&told))?;
    }
    let mut signals = Signals::new(signals)?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                EndHook::run_all();
                leftovers.remove();
                // Without exit handlers: those of libgit2 would take its state away from under
                // the thread that is at work in it.
                low_level::exit(128 + signal);
            }
        })?;
    Ok(())
}

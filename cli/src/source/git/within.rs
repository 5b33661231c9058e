//! A limit for work that nobody can interrupt.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The stack of the thread that works: that of a main thread.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Does `work` and returns what it gives, or an error when it has not ended within `limit`. It is then
/// left to itself until the process ends: libgit2 for one never gives up on a loose object that is cut
/// off, and cannot be told to.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (done, wait) = mpsc::channel();
    thread::Builder::new()
        .name("git".to_owned())
        .stack_size(STACK_BYTES)
        // Nobody listens any more when the limit has passed.
        .spawn(move || done.send(work()).is_ok())?;
    wait.recv_timeout(limit).map_err(|error| match error {
        RecvTimeoutError::Timeout => io::Error::new(
            io::ErrorKind::TimedOut,
            format!("not done after {} s", limit.as_secs()),
        ),
        RecvTimeoutError::Disconnected => io::Error::other("ended without a result"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_or_is_left_to_itself() {
        let long = Duration::from_mins(1);
        assert_eq!(within(long, || 7).unwrap(), 7);
        let (end, never) = mpsc::channel::<()>();
        let at_once = Duration::from_millis(1);
        let error = within(at_once, move || never.recv().is_ok()).unwrap_err();
        assert_eq!(error.to_string(), "not done after 0 s");
        drop(end);
    }
}

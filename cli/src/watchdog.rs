//! A limit for work that nobody can interrupt.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Does `work` and returns what it gives. When it has not ended within `limit`, `give_up` is called on
/// another thread, and has to end the process: nothing else would end the work.
///
/// The work stays on this thread, because the allocator serves the first thread of a process best.
pub(crate) fn within<T>(
    limit: Duration,
    work: impl FnOnce() -> T,
    give_up: impl FnOnce() + Send,
) -> T {
    thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let watch = move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                give_up();
            }
        };
        // Where the system gives no thread the work goes on without a limit.
        let _watching = thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn_scoped(scope, watch);
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_that_takes_too_long_is_given_up() {
        let (tell, told) = mpsc::channel();
        let long = Duration::from_mins(1);
        assert_eq!(
            within(long, || 7, move || tell.send(()).unwrap_or_default()),
            7
        );
        assert!(told.recv().is_err());

        let (tell, told) = mpsc::channel();
        let at_once = Duration::from_millis(1);
        let work = || told.recv_timeout(long);
        assert_eq!(
            within(at_once, work, move || tell.send(()).unwrap_or_default()),
            Ok(())
        );
    }
}

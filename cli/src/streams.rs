//! Where a run writes.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

/// Where a run writes: findings to the one, words about the run to the other.
pub struct Streams {
    /// For what was asked for: findings, help, lists.
    pub stdout: Box<dyn Write + Send>,
    /// For everything that is said about the run.
    pub stderr: Box<dyn Write + Send>,
    /// Whether somebody watches stderr on a terminal, so that a line there may come and go.
    pub stderr_is_terminal: bool,
}

impl Streams {
    /// Returns the streams of this process.
    pub fn of_process() -> Self {
        Self {
            stdout: Box::new(io::stdout()),
            stderr: Box::new(io::stderr()),
            stderr_is_terminal: io::stderr().is_terminal(),
        }
    }
}

impl fmt::Debug for Streams {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Streams").finish_non_exhaustive()
    }
}

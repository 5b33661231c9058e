//! What a call may use of the world.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, SystemTime};

use aurumcode_core::async_trait;
use aurumcode_core::provider::{Note, NoteLevel, Run};

use crate::console::Console;
use crate::progress::ProgressLine;

/// How much is said about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Only why it failed.
    Quiet,
    /// What everybody should know.
    Normal,
    /// What explains the run.
    Verbose,
}

/// The console, the clock and chance, for one run.
pub(crate) struct World<'a> {
    console: &'a Console,
    verbosity: Verbosity,
    progress: ProgressLine,
}

impl<'a> World<'a> {
    /// Takes a console and how much is said on it.
    pub(crate) fn new(console: &'a Console, verbosity: Verbosity) -> Self {
        let seen = console.stderr_is_terminal() && verbosity != Verbosity::Quiet;
        Self {
            console,
            verbosity,
            progress: ProgressLine::new(seen),
        }
    }

    /// Returns the line that shows how far the run has come.
    pub(crate) fn progress(&self) -> &ProgressLine {
        &self.progress
    }

    /// Says a line for everybody.
    pub(crate) fn say(&self, line: impl Into<String>) {
        self.note(Note::normal(line));
    }

    /// Says a line for those who ask for an explanation.
    pub(crate) fn explain(&self, line: impl Into<String>) {
        self.note(Note::detail(line));
    }
}

#[async_trait]
impl Run for World<'_> {
    fn note(&self, note: Note) {
        let least = match note.level {
            NoteLevel::Normal => Verbosity::Normal,
            NoteLevel::Detail => Verbosity::Verbose,
        };
        if self.verbosity >= least {
            self.progress.aside(|| self.console.say(&note.text));
        }
    }

    fn random(&self) -> u64 {
        // The standard library seeds each of these differently, which is enough for jitter.
        RandomState::new().build_hasher().finish()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

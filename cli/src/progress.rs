//! How far a run has come, on a terminal.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use aurumcode_core::provider::Usage;
use aurumcode_core::review::{Progress, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the time that is shown moves on.
const TICK: Duration = Duration::from_millis(200);

/// What has happened so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    files: usize,
    hits: usize,
    done: usize,
    open_calls: usize,
    tokens: u64,
}

impl Counts {
    fn take(&mut self, progress: Progress) {
        match progress {
            Progress::Planned { files, hits } => {
                *self = Self {
                    files,
                    hits,
                    done: hits,
                    ..Self::default()
                };
            }
            Progress::CallStarted => self.open_calls += 1,
            Progress::CallEnded { usage } => {
                self.open_calls = self.open_calls.saturating_sub(1);
                let Usage {
                    input_tokens,
                    output_tokens,
                } = usage.unwrap_or(Usage {
                    input_tokens: 0,
                    output_tokens: 0,
                });
                let tokens = input_tokens.saturating_add(output_tokens);
                self.tokens = self.tokens.saturating_add(tokens);
            }
            Progress::FileDone => self.done += 1,
        }
    }

    fn line(self) -> String {
        let Self {
            files,
            hits,
            done,
            open_calls,
            tokens,
        } = self;
        // Writing to a string cannot fail.
        let mut line = format!("{done} of {files} file(s)");
        if hits > 0 {
            let _ = write!(line, ", {hits} from the cache");
        }
        if tokens > 0 {
            let _ = write!(line, ", {tokens} tokens");
        }
        if open_calls > 0 {
            let _ = write!(line, ", waiting for {open_calls} answer(s)");
        }
        line
    }
}

/// One line at the bottom of the terminal, which goes when the run ends.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    counts: Mutex<Counts>,
}

impl ProgressLine {
    /// Makes a line that is seen, or one that never is.
    pub(crate) fn new(seen: bool) -> Self {
        let target = if seen {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} reviewing: {msg} ({elapsed})") {
            bar.set_style(style);
        }
        Self {
            bar,
            counts: Mutex::default(),
        }
    }

    /// Does something that writes to the terminal while the line is away.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the line away for good.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for ProgressLine {
    fn progress(&self, progress: Progress) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.take(progress);
        self.bar.set_message(counts.line());
        if matches!(progress, Progress::Planned { .. }) && !self.bar.is_hidden() {
            self.bar.enable_steady_tick(TICK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_follows_the_run() {
        let usage = Some(Usage {
            input_tokens: 70,
            output_tokens: 30,
        });
        let steps = [
            (
                Progress::Planned { files: 5, hits: 2 },
                "2 of 5 file(s), 2 from the cache",
            ),
            (
                Progress::CallStarted,
                "2 of 5 file(s), 2 from the cache, waiting for 1 answer(s)",
            ),
            (
                Progress::CallEnded { usage },
                "2 of 5 file(s), 2 from the cache, 100 tokens",
            ),
            (
                Progress::FileDone,
                "3 of 5 file(s), 2 from the cache, 100 tokens",
            ),
        ];
        let mut counts = Counts::default();
        for (progress, line) in steps {
            counts.take(progress);
            assert_eq!(counts.line(), line);
        }
    }
}

//! The only way from the inside to the streams: whatever is written is redacted, and text of a
//! model or a repository loses what would steer a terminal.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use aurumcode_core::redact::Redactor;
use aurumcode_core::text;

use crate::command_error::CommandError;
use crate::streams::Streams;

/// The streams of a run behind the redaction and the cleaning. A clone writes to the same streams.
#[derive(Clone)]
pub(crate) struct Console {
    speaker: Arc<str>,
    redactor: Redactor,
    stdout: Stream,
    stderr: Stream,
    stderr_is_terminal: bool,
}

type Stream = Arc<Mutex<Box<dyn Write + Send>>>;

impl Console {
    /// Takes the streams. `speaker` begins every line of stderr, such as `aurumcode review`.
    pub(crate) fn new(speaker: String, streams: Streams, redactor: Redactor) -> Self {
        Self {
            speaker: speaker.into(),
            redactor,
            stdout: Arc::new(Mutex::new(streams.stdout)),
            stderr: Arc::new(Mutex::new(streams.stderr)),
            stderr_is_terminal: streams.stderr_is_terminal,
        }
    }

    /// Returns the redaction of this run.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns whether somebody watches stderr on a terminal.
    pub(crate) fn stderr_is_terminal(&self) -> bool {
        self.stderr_is_terminal
    }

    /// Writes lines to stdout, all of them or an error.
    pub(crate) fn print<L: AsRef<str>>(&self, lines: &[L]) -> io::Result<()> {
        let mut whole = String::new();
        for line in lines {
            whole.push_str(&self.clean(line.as_ref()));
            whole.push('\n');
        }
        self.print_own(&whole)
    }

    /// Writes text to stdout that nobody outside this program and its plugins wrote.
    pub(crate) fn print_own(&self, text: &str) -> io::Result<()> {
        let mut stdout = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes one line to stderr, behind the speaker's name.
    pub(crate) fn say(&self, line: &str) {
        self.write_stderr(&format!("{}: {}\n", self.speaker, self.clean(line)));
    }

    /// Says why a run failed.
    pub(crate) fn report(&self, error: &CommandError) {
        for line in error.lines() {
            self.say(&line);
        }
        let mut help = String::new();
        for line in error.help().lines() {
            help.push_str(&self.clean(line));
            help.push('\n');
        }
        self.write_stderr(&help);
    }

    fn clean(&self, line: &str) -> String {
        text::one_line(&self.redactor.text(line)).into_owned()
    }

    /// A stderr that nobody reads changes nothing about the run.
    fn write_stderr(&self, text: &str) {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.flush());
    }
}

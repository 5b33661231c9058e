//! How a program ended and what it wrote.

use std::fmt;
use std::path::Path;
use std::process::Output;

/// How a program ended and what it wrote, with `<scratch>` for the test's own directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The exit code, unless a signal ended the program.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    pub(crate) fn new(output: &Output, scratch: &Path) -> Self {
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec())
                .expect("everything that is written is text")
                .replace(scratch.to_str().unwrap(), "<scratch>")
        };
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// Everything, for snapshots.
impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        match code {
            Some(code) => writeln!(formatter, "exit {code}")?,
            None => writeln!(formatter, "ended by a signal")?,
        }
        write!(formatter, "-- stdout\n{stdout}-- stderr\n{stderr}")
    }
}

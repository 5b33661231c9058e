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

    /// Makes the outcome that a test expects.
    pub(crate) fn expected(code: i32, stdout: &str, stderr: &str) -> Self {
        Self {
            code: Some(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        }
    }

    /// Replaces a text that differs from run to run.
    #[must_use]
    pub(crate) fn with(self, text: &str, shown: &str) -> Self {
        self.map(|stream| stream.replace(text, shown))
    }

    /// Replaces what hangs on the clock and on the wording of the prompt: how long calls took,
    /// digests, and sizes in bytes.
    #[must_use]
    pub(crate) fn masked(self) -> Self {
        self.map(|stream| {
            let line = |line: &str| {
                let words = line.split(' ').collect::<Vec<_>>();
                let masked = words.iter().enumerate().map(|(index, word)| {
                    let core = word.trim_matches(|character| "(),:".contains(character));
                    let next = words.get(index + 1).copied().unwrap_or_default();
                    if core.len() >= 12 && core.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                        word.replace(core, "<digest>")
                    } else if index > 0 && words.get(index - 1) == Some(&"after") {
                        "<time>".to_owned()
                    } else if next.trim_end_matches(',') == "bytes" {
                        "<n>".to_owned()
                    } else {
                        (*word).to_owned()
                    }
                });
                masked.collect::<Vec<_>>().join(" ")
            };
            stream.lines().map(|text| line(text) + "\n").collect()
        })
    }

    fn map(self, change: impl Fn(&str) -> String) -> Self {
        Self {
            code: self.code,
            stdout: change(&self.stdout),
            stderr: change(&self.stderr),
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

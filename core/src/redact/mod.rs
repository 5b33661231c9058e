//! The one redaction, used at every way out of the process.

mod assignment;
mod bytes;
mod literal;
mod names;
mod scan;
mod shapes;
mod value;
mod words;

use std::borrow::Cow;

use crate::change::Hunk;
pub use scan::{Secret, secrets_in_line};

/// What stands in place of a secret.
pub const MARKER: &str = "[REDACTED]";

/// Replaces secrets by [`MARKER`]: known token shapes, secret-named assignments, credentials in
/// URLs and headers, private keys, and the exact values that a run must not let out.
#[derive(Clone, Default)]
pub struct Redactor {
    exact: Vec<String>,
}

impl Redactor {
    /// Takes the exact values that must never leave the process: keys and tokens in use, and the
    /// canary, which is also found in disguise.
    pub fn new(exact: impl IntoIterator<Item = String>) -> Self {
        Self {
            exact: exact
                .into_iter()
                .filter(|value| !value.is_empty())
                .collect(),
        }
    }

    /// Returns `text` without its secrets. The number of lines stays.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for value in &self.exact {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value.as_str(), MARKER));
            }
        }
        match masked(&text) {
            Some(masked) => Cow::Owned(masked),
            None => text,
        }
    }

    /// Returns the text of each line of a hunk, in order, without its secrets. A secret that spans
    /// lines is found on the side of the change on which it stands whole.
    pub fn hunk(&self, hunk: &Hunk) -> Vec<String> {
        hunk.lines()
            .map(|line| {
                self.text(&String::from_utf8_lossy(line.content))
                    .into_owned()
            })
            .collect()
    }
}

/// Says nothing of the values.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}

fn masked(text: &str) -> Option<String> {
    let mut spans = Vec::new();
    scan::find(text.as_bytes(), &mut spans);
    if spans.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for span in scan::merge(spans) {
        masked.push_str(text.get(done..span.start).unwrap_or_default());
        masked.push_str(MARKER);
        done = span.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    Some(masked)
}

#[cfg(test)]
mod tests;

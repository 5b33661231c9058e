//! The one redaction, used at every way out of the process.
//!
//! A text is walked once, and the walk stops only at literals which stand in or before secrets: the
//! leads of known tokens (`shapes`), and the words of names, headers, URLs and keys (`scan`). What
//! is found there is judged by small readers that look at a bounded piece around, so the cost is
//! linear in the text. The exact values of a run are found apart (`exact`).

mod assignment;
mod block;
mod bytes;
mod disguise;
mod evidence;
mod exact;
mod literal;
mod mask;
mod names;
mod scan;
mod shapes;
mod value;
mod view;
mod web;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use crate::change::{Hunk, LineKind};
use exact::Exact;
pub(crate) use scan::literals;
pub use scan::{Secret, secrets_in_line};

/// What stands in place of a secret.
pub const MARKER: &str = "[REDACTED]";

/// How often a text is redacted until nothing more is found; masking a value can join what stood
/// around it to something that looks like a secret.
const PASSES: usize = 4;

/// Replaces secrets by [`MARKER`]: known token shapes, secret-named assignments, credentials in
/// URLs and headers, private keys, and the exact values that a run must not let out.
#[derive(Clone, Default)]
pub struct Redactor {
    exact: Option<Arc<Exact>>,
}

impl Redactor {
    /// Takes the exact values that must never leave the process: keys and tokens in use, and the
    /// canary. Each is also found in disguise: with line breaks or other characters between its
    /// own, escaped, percent-encoded, as base64 and in hexadecimal.
    ///
    /// A value below eight bytes is masked only where it stands as a word of its own, one below
    /// four only where it stands between quotes or ends a line; one of a single byte is no secret.
    pub fn new(exact: impl IntoIterator<Item = String>) -> Self {
        let values: Vec<String> = exact.into_iter().collect();
        Self {
            exact: Exact::new(&values).map(Arc::new),
        }
    }

    /// Returns `text` without its secrets. The number of lines stays.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for _ in 0..PASSES {
            let spans = self.spans(&text);
            if spans.is_empty() {
                break;
            }
            text = Cow::Owned(mask::masked(&text, &spans));
        }
        text
    }

    /// Returns the text of each line of a hunk, in order, without its secrets. A secret that spans
    /// lines is found on the side of the change on which it stands whole.
    pub fn hunk<'h>(&self, hunk: &'h Hunk) -> Vec<Cow<'h, str>> {
        let lines: Vec<(LineKind, Cow<'h, str>)> = hunk
            .lines()
            .map(|line| (line.kind, bytes::lossy(line.content)))
            .collect();
        let mut spans = vec![Vec::new(); lines.len()];
        let has = |kind: LineKind| lines.iter().any(|(other, _)| *other == kind);
        let (adds, removes) = (has(LineKind::Added), has(LineKind::Removed));
        if !(adds && removes && self.lines_alone(&lines, &mut spans)) {
            if removes {
                self.side(&lines, LineKind::Added, &mut spans);
            }
            if adds || !removes {
                self.side(&lines, LineKind::Removed, &mut spans);
            }
        }
        lines
            .into_iter()
            .zip(spans)
            .map(|((_, line), mut spans)| {
                if spans.is_empty() {
                    return line;
                }
                spans.sort_unstable();
                let masked = mask::masked(&line, &mask::joined(&spans));
                Cow::Owned(self.text(&masked).into_owned())
            })
            .collect()
    }

    /// Finds the spans of all lines at once, where no secret may reach over lines; that spares the
    /// second look at the lines that stand on both sides.
    fn lines_alone(
        &self,
        lines: &[(LineKind, Cow<'_, str>)],
        spans: &mut [Vec<(usize, usize)>],
    ) -> bool {
        let (text, starts) = joined(lines, |_| true);
        let mut found = Vec::new();
        if scan::find(text.as_bytes(), &mut found) {
            return false;
        }
        let mut all: Vec<_> = found.iter().map(|span| (span.start, span.end)).collect();
        if let Some(exact) = &self.exact {
            exact.find_plain(text.as_bytes(), &mut all);
            if exact.may_hide(lines) {
                return false;
            }
        }
        all.sort_unstable();
        hand_out(
            &mask::without_markers(&text, mask::joined(&all)),
            lines,
            &starts,
            spans,
        );
        true
    }

    /// Finds the spans of the side that lacks the lines of one kind, and hands each to its line.
    fn side(
        &self,
        lines: &[(LineKind, Cow<'_, str>)],
        without: LineKind,
        spans: &mut [Vec<(usize, usize)>],
    ) {
        let (text, starts) = joined(lines, |kind| kind != without);
        hand_out(&self.spans(&text), lines, &starts, spans);
    }

    /// Returns what has to be masked, in order and without overlap.
    fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        scan::find(text.as_bytes(), &mut found);
        let mut spans: Vec<(usize, usize)> =
            found.iter().map(|span| (span.start, span.end)).collect();
        if let Some(exact) = &self.exact {
            exact.find(text.as_bytes(), &mut spans);
        }
        if spans.is_empty() {
            return spans;
        }
        spans.sort_unstable();
        mask::without_markers(text, mask::joined(&spans))
    }
}

/// Joins the lines that are wanted, and says where each begins and which it is.
fn joined(
    lines: &[(LineKind, Cow<'_, str>)],
    wanted: impl Fn(LineKind) -> bool,
) -> (String, Vec<(usize, usize)>) {
    let mut text = String::with_capacity(lines.iter().map(|(_, line)| line.len() + 1).sum());
    let mut starts = Vec::with_capacity(lines.len());
    for (index, (kind, line)) in lines.iter().enumerate() {
        if wanted(*kind) {
            starts.push((text.len(), index));
            text.push_str(line);
            text.push('\n');
        }
    }
    (text, starts)
}

/// Hands the spans of joined lines to the lines on which they stand.
fn hand_out(
    found: &[(usize, usize)],
    lines: &[(LineKind, Cow<'_, str>)],
    starts: &[(usize, usize)],
    spans: &mut [Vec<(usize, usize)>],
) {
    for (start, end) in found {
        let first = starts
            .partition_point(|(line, _)| line <= start)
            .saturating_sub(1);
        for (line, index) in starts.iter().skip(first).take_while(|(line, _)| line < end) {
            let length = lines.get(*index).map_or(0, |(_, text)| text.len());
            let from = start.saturating_sub(*line).min(length);
            let to = (end - line).min(length);
            if let Some(spans) = spans.get_mut(*index).filter(|_| from < to) {
                spans.push((from, to));
            }
        }
    }
}

/// Says nothing of the values.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

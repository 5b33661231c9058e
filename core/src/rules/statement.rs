//! A statement that goes on over several added lines, put into one line: `execute(` on one line and
//! what is executed on the next.

use std::collections::VecDeque;

use super::syntax::{Reader, Spans};
use crate::change::{Line, LineKind};
use crate::limits;

/// A line, or a line and those that continue it, with blanks for comments and line ends.
pub(super) struct Statement {
    pub(super) text: Vec<u8>,
    pub(super) spans: Spans,
    /// How many bytes of the text are the first line.
    pub(super) first: usize,
    /// How many lines follow the first.
    pub(super) more: usize,
}

impl Statement {
    /// Starts with one line that the reader has just read.
    pub(super) fn new(line: &[u8], spans: Spans) -> Self {
        let text = spans.without_comments(line).into_owned();
        Self {
            first: text.len(),
            text,
            spans,
            more: 0,
        }
    }

    /// Takes in the added lines that continue the statement, and returns whether there was any.
    ///
    /// A line continues it when a bracket or a string that spans lines is open, or when an operator
    /// stands at the end of one or the start of the other. A block that opens ends it: what a
    /// function's body does is another statement.
    pub(super) fn extend(&mut self, mut reader: Reader, lines: &VecDeque<Line<'_>>) -> bool {
        for line in lines.iter().take(limits::STATEMENT_LINES) {
            let fits = self.text.len() + line.content.len() < limits::SCREENED_LINE_BYTES;
            let goes_on = reader.is_in_text()
                || self.is_open(line.content)
                || begins_with_operator(line.content);
            if line.kind != LineKind::Added || !fits || !goes_on {
                break;
            }
            let spans = reader.line(line.content);
            self.text.push(b' ');
            let start = self.text.len();
            self.text
                .extend_from_slice(&spans.without_comments(line.content));
            self.spans.append(spans, start);
            self.more += 1;
        }
        self.more > 0
    }

    /// Returns whether a bracket is open at the end, or an operator waits for its second side.
    /// A string at the end waits for another one: several languages join the two.
    fn is_open(&self, next: &[u8]) -> bool {
        let code = self.spans.code(&self.text);
        let (mut depth, mut last) = (0_i32, b' ');
        for byte in code {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
        }
        let waits = match last {
            b'+' | b'.' | b'%' | b'\\' | b'|' => true,
            b'"' | b'\'' => begins_with_string(next),
            _ => false,
        };
        last != b'{' && last != b';' && (depth > 0 || waits)
    }
}

/// Returns whether the line begins with a string literal, after a prefix of one letter at most.
fn begins_with_string(line: &[u8]) -> bool {
    match line.trim_ascii_start() {
        [b'"' | b'\'', ..] => true,
        [prefix, b'"' | b'\'', ..] => prefix.is_ascii_alphabetic(),
        _ => false,
    }
}

fn begins_with_operator(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    matches!(line.first(), Some(b'+' | b'.' | b'%')) || line.starts_with(b"||")
}

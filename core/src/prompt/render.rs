//! A file of the change as the model sees it.

use std::fmt::Write as _;
use std::ops::Range;

use crate::change::{FileChange, Hunk, Line};
use crate::redact::Redactor;

/// The bytes that a line takes beside its content: number, blank, marker, line break.
const LINE_FRAME: u64 = NUMBER_WIDTH as u64 + 3;

/// How wide a line number is printed; a longer one is printed whole.
const NUMBER_WIDTH: usize = 5;

/// How many digits the largest number has.
const NUMBER_DIGITS: usize = 10;

/// What is sent of one file in one call: all of its hunks, or some that follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The file.
    pub file: &'a FileChange,
    /// Which of its hunks.
    pub hunks: Range<usize>,
}

impl<'a> Section<'a> {
    /// Takes a whole file.
    pub fn whole(file: &'a FileChange) -> Self {
        Self {
            file,
            hunks: 0..file.hunks.len(),
        }
    }

    /// Returns the hunks of the section.
    pub fn hunks(&self) -> &'a [Hunk] {
        self.file.hunks.get(self.hunks.clone()).unwrap_or_default()
    }
}

/// Estimates the rendered size of a hunk, in bytes, without rendering it.
pub(crate) fn hunk_bytes(hunk: &Hunk) -> u64 {
    hunk.text().len() as u64 + hunk.len() as u64 * LINE_FRAME + 32
}

/// Estimates the rendered size of a file's heading, in bytes.
pub(crate) fn heading_bytes(file: &FileChange) -> u64 {
    let old = file
        .old_path
        .as_ref()
        .map_or(0, |path| path.as_bytes().len());
    (file.path.as_bytes().len() + old) as u64 + 64
}

/// Estimates the rendered size of a section, in bytes.
pub(super) fn section_bytes(section: &Section<'_>) -> usize {
    let hunks: u64 = section.hunks().iter().map(hunk_bytes).sum();
    usize::try_from(heading_bytes(section.file) + hunks).unwrap_or_default()
}

/// Writes a section.
pub(super) fn section(section: &Section<'_>, redactor: &Redactor, out: &mut String) {
    let file = section.file;
    out.push_str("### File: ");
    out.push_str(&redactor.text(&file.path.display()));
    out.push('\n');
    out.push_str(file.kind.word());
    if let Some(old_path) = &file.old_path {
        out.push_str(" from ");
        out.push_str(&redactor.text(&old_path.display()));
    }
    if let Some(language) = file.language() {
        out.push_str(", ");
        out.push_str(language.name());
    }
    out.push('\n');
    for hunk in section.hunks() {
        self::hunk(hunk, redactor, out);
    }
}

fn hunk(hunk: &Hunk, redactor: &Redactor, out: &mut String) {
    let (old_start, old_lines) = (hunk.old_start(), hunk.old_lines());
    let (new_start, new_lines) = (hunk.new_start(), hunk.new_lines());
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@"
    );
    let texts = redactor.hunk(hunk);
    for (line, text) in hunk.lines().zip(&texts) {
        self::line(&line, text, out);
    }
}

fn line(line: &Line<'_>, text: &str, out: &mut String) {
    push_number(line.number(), out);
    out.push(' ');
    out.push(line.kind.marker());
    push_visible(text, out);
    out.push('\n');
    if !line.terminated {
        out.push_str("      \\ No newline at end of file\n");
    }
}

/// Writes a number to the right of its place. The formatting of the standard library takes a
/// noticeable part of the time that a large change needs.
fn push_number(number: u32, out: &mut String) {
    let mut digits = [' '; NUMBER_DIGITS];
    let mut rest = number;
    let mut used = 0;
    for place in digits.iter_mut().rev() {
        *place = char::from_digit(rest % 10, 10).unwrap_or('0');
        rest /= 10;
        used += 1;
        if rest == 0 {
            break;
        }
    }
    let shown = digits.iter().rev().take(used.max(NUMBER_WIDTH)).rev();
    out.extend(shown);
}

/// Writes a line's text so that it stays one line for every reader: a character that some reader
/// takes for a line break, or that no text has, is written out. A carriage return at the end is
/// the line's own ending and stays.
fn push_visible(text: &str, out: &mut String) {
    let (text, ending) = match text.strip_suffix('\r') {
        Some(text) => (text, "\r"),
        None => (text, ""),
    };
    // Most lines are plain, and looking at bytes is much faster than looking at characters.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        out.push_str(text);
        out.push_str(ending);
        return;
    }
    let odd = |character: char| {
        (character.is_control() && character != '\t')
            || matches!(character, '\u{2028}' | '\u{2029}')
    };
    let mut rest = text;
    while let Some(index) = rest.find(odd) {
        let (plain, tail) = rest.split_at(index);
        out.push_str(plain);
        let mut characters = tail.chars();
        if let Some(character) = characters.next() {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push_str(ending);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_are_whole() {
        for number in [0, 1, 9, 10, 12_345, 123_456, u32::MAX] {
            let mut out = String::new();
            push_number(number, &mut out);
            assert_eq!(out, format!("{number:>NUMBER_WIDTH$}"));
        }
    }
}

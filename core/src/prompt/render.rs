//! A file of the change as the model sees it.

use std::fmt::{self, Write};
use std::ops::Range;

use super::visible::{Count, is_plain, visible_bytes, write_visible};
use crate::change::{FileChange, Hunk, Line, RepoPath};
use crate::redact::Redactor;

/// Stands below a line that does not end with a line break.
const UNTERMINATED: &str = "      \\ No newline at end of file\n";

/// What the fixed words of a file's heading take at most, in bytes.
const HEADING_FRAME: u64 = 64;

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

/// Returns the size of a hunk as it is rendered where nothing in it is redacted, in bytes.
pub(crate) fn hunk_bytes(hunk: &Hunk) -> u64 {
    let mut head = Count(0);
    // Counting cannot fail.
    let _ = write_head(hunk, &mut head);
    let frames: u64 = hunk.lines().map(|line| frame_bytes(&line)).sum();
    let text = hunk.text();
    let content = if text.is_ascii() && str::from_utf8(text).is_ok_and(is_plain) {
        text.len() as u64
    } else {
        hunk.lines().map(|line| visible_bytes(line.content)).sum()
    };
    head.0 + frames + content
}

/// Returns the size of what stands around a line's content, in bytes.
fn frame_bytes(line: &Line<'_>) -> u64 {
    let digits = line.number().checked_ilog10().unwrap_or(0) as usize + 1;
    let note = if line.terminated {
        0
    } else {
        UNTERMINATED.len()
    };
    // A blank, the marker, and the line break.
    (digits.max(NUMBER_WIDTH) + 3 + note) as u64
}

/// Returns the most that a file's heading takes where nothing in it is redacted, in bytes.
pub(crate) fn heading_bytes(file: &FileChange) -> u64 {
    let shown = |path: &RepoPath| path.display().len() as u64;
    shown(&file.path) + file.old_path.as_ref().map_or(0, shown) + HEADING_FRAME
}

/// Returns the most that a section takes where nothing in it is redacted, in bytes.
fn section_bytes(section: &Section<'_>) -> usize {
    let hunks: u64 = section.hunks().iter().map(hunk_bytes).sum();
    usize::try_from(heading_bytes(section.file) + hunks).unwrap_or_default()
}

/// Renders a section.
pub(super) fn section(section: &Section<'_>, redactor: &Redactor) -> String {
    let mut rendered = String::with_capacity(section_bytes(section));
    let out = &mut rendered;
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
    rendered
}

fn hunk(hunk: &Hunk, redactor: &Redactor, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write_head(hunk, out);
    let texts = redactor.hunk(hunk);
    for (line, text) in hunk.lines().zip(&texts) {
        self::line(&line, text, out);
    }
}

fn write_head(hunk: &Hunk, out: &mut impl Write) -> fmt::Result {
    let (old_start, old_lines) = (hunk.old_start(), hunk.old_lines());
    let (new_start, new_lines) = (hunk.new_start(), hunk.new_lines());
    writeln!(
        out,
        "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@"
    )
}

fn line(line: &Line<'_>, text: &str, out: &mut String) {
    push_number(line.number(), out);
    out.push(' ');
    out.push(line.kind.marker());
    // Writing to a string cannot fail.
    let _ = write_visible(text, out);
    out.push('\n');
    if !line.terminated {
        out.push_str(UNTERMINATED);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::change::{ChangeKind, LineKind};

    #[test]
    fn numbers_stand_to_the_right_and_are_whole() {
        for number in [0, 1, 9, 10, 12_345, 123_456, u32::MAX] {
            let mut out = String::new();
            push_number(number, &mut out);
            assert_eq!(out, format!("{number:>NUMBER_WIDTH$}"));
        }
    }

    fn kind() -> impl Strategy<Value = LineKind> {
        prop_oneof![
            Just(LineKind::Context),
            Just(LineKind::Added),
            Just(LineKind::Removed),
        ]
    }

    /// Content of a line that is rich in what is written out.
    fn content() -> impl Strategy<Value = Vec<u8>> {
        const PIECES: [&[u8]; 9] = [
            b"<|im_start|>",
            b"[INST]",
            b"</s>",
            b"\r",
            b"\x1b",
            b"\xff",
            b"\xc2\x85",
            b"\xe2\x80\xa8",
            b"plain",
        ];
        let piece = proptest::sample::select(&PIECES[..]);
        prop_oneof![
            proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat()),
            proptest::collection::vec(any::<u8>(), 0..40),
        ]
    }

    proptest! {
        #[test]
        fn a_size_is_known_without_rendering(
            lines in proptest::collection::vec((kind(), content(), any::<bool>()), 0..12),
            starts in any::<(u32, u32)>(),
            shift in 0..32_u32,
            paths in (content(), proptest::option::of(content())),
        ) {
            let mut change = Hunk::new(starts.0 >> shift, starts.1 >> shift);
            for (kind, content, terminated) in lines {
                change.push(kind, &content, terminated);
            }
            let mut rendered = String::new();
            hunk(&change, &Redactor::default(), &mut rendered);
            prop_assert_eq!(hunk_bytes(&change), rendered.len() as u64, "{}", rendered);

            let file = FileChange {
                path: RepoPath::new(paths.0),
                old_path: paths.1.map(RepoPath::new),
                kind: ChangeKind::Modified,
                hunks: vec![change],
                line_count: None,
            };
            let whole = Section::whole(&file);
            let rendered = section(&whole, &Redactor::default());
            prop_assert!(rendered.len() <= section_bytes(&whole), "{}", rendered);
        }
    }
}

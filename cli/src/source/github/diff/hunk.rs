//! The hunks of a diff. Their headers say how many lines follow, so a line that looks like a header
//! is told from one.

use aurumcode_core::change::LineKind;

use super::DiffError;
use crate::source::git::content::without_feed;
use crate::source::hunks::Hunks;

/// The lines of a diff, counted.
#[derive(Debug)]
pub(super) struct Lines<'d> {
    rest: &'d [u8],
    /// How many lines were taken.
    taken: usize,
}

impl<'d> Lines<'d> {
    pub(super) fn new(diff: &'d [u8]) -> Self {
        Self {
            rest: diff,
            taken: 0,
        }
    }

    /// Returns the next line without its line feed, and leaves it there.
    pub(super) fn peek(&self) -> Option<&'d [u8]> {
        let line = self.rest.split_inclusive(|byte| *byte == b'\n').next()?;
        Some(without_feed(line).0)
    }

    /// Takes the next line, without its line feed.
    pub(super) fn take(&mut self) -> Option<&'d [u8]> {
        let line = self.peek()?;
        self.taken += 1;
        let end = (line.len() + 1).min(self.rest.len());
        self.rest = self.rest.get(end..).unwrap_or_default();
        Some(line)
    }

    /// Returns the error that the line which was taken last is none of a diff.
    pub(super) fn unexpected(&self) -> DiffError {
        DiffError::Unexpected { line: self.taken }
    }
}

/// Reads the hunks that follow, if any.
pub(super) fn read(lines: &mut Lines<'_>) -> Result<Hunks, DiffError> {
    let mut hunks = Hunks::default();
    while lines.peek().is_some_and(|line| line.starts_with(b"@@ ")) {
        let header = lines.take().and_then(Header::parse);
        let Some(header) = header else {
            return Err(lines.unexpected());
        };
        read_one(&header, lines, &mut hunks)?;
    }
    Ok(hunks)
}

/// What the header of a hunk says.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    start: (u32, u32),
    old_lines: u32,
    new_lines: u32,
}

impl Header {
    /// Reads `@@ -1,2 +3,4 @@ whatever`. A count that is left out is 1.
    fn parse(line: &[u8]) -> Option<Self> {
        let ranges = line.strip_prefix(b"@@ -")?;
        let end = ranges.windows(3).position(|window| window == b" @@")?;
        let ranges = std::str::from_utf8(ranges.get(..end)?).ok()?;
        let (old, new) = ranges.split_once(" +")?;
        let ((old_start, old_lines), (new_start, new_lines)) = (range(old)?, range(new)?);
        Some(Self {
            start: (old_start, new_start),
            old_lines,
            new_lines,
        })
    }
}

fn range(text: &str) -> Option<(u32, u32)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    Some((number(start)?, number(count)?))
}

fn read_one(header: &Header, lines: &mut Lines<'_>, hunks: &mut Hunks) -> Result<(), DiffError> {
    let (mut old_left, mut new_left) = (header.old_lines, header.new_lines);
    while old_left > 0 || new_left > 0 {
        let line = lines.take().ok_or(DiffError::Cut)?;
        let (kind, content) = match line.split_first() {
            Some((b' ', content)) => (LineKind::Context, content),
            Some((b'+', content)) => (LineKind::Added, content),
            Some((b'-', content)) => (LineKind::Removed, content),
            // Some tools strip the blank before an empty line.
            None => (LineKind::Context, line),
            Some(_) => return Err(lines.unexpected()),
        };
        for (left, other_side) in [
            (&mut old_left, LineKind::Added),
            (&mut new_left, LineKind::Removed),
        ] {
            if kind != other_side {
                *left = left.checked_sub(1).ok_or_else(|| lines.unexpected())?;
            }
        }
        let is_last = lines.peek().is_some_and(|next| next.starts_with(b"\\"));
        if is_last {
            lines.take();
        }
        hunks.push(header.start, kind, content, !is_last);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_left_out() {
        let parsed = |line: &[u8]| {
            Header::parse(line).map(|header| (header.start, header.old_lines, header.new_lines))
        };
        let cases: [(&[u8], Option<_>); 10] = [
            (b"@@ -1 +2 @@", Some(((1, 2), 1, 1))),
            (b"@@ -0,0 +1,7 @@ fn x() {", Some(((0, 1), 0, 7))),
            (b"@@ -3,4 +5 @@ @@ -1 +1 @@", Some(((3, 5), 4, 1))),
            (b"@@ -1 +2", None),
            (b"@@ -1, +2 @@", None),
            (b"@@ -+1 +2 @@", None),
            (b"@@ -4294967296 +2 @@", None),
            (b"@@@ -1 -1 +2 @@@", None),
            (b"@@ @@", None),
            (b"", None),
        ];
        for (line, header) in cases {
            assert_eq!(parsed(line), header, "{}", line.escape_ascii());
        }
    }
}

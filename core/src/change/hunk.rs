//! One changed place of a file: its lines as bytes, with their numbers on both sides.

/// Which side of the change a line stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// On both sides.
    Context,
    /// Only on the new side.
    Added,
    /// Only on the old side.
    Removed,
}

impl LineKind {
    /// Returns the marker that a unified diff puts before such a line.
    pub fn marker(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Which side it stands on.
    pub kind: LineKind,
    /// Its number in the old file, from 1; an added line has none.
    pub old_number: Option<u32>,
    /// Its number in the new file, from 1; a removed line has none.
    pub new_number: Option<u32>,
    /// Its bytes without the line feed. A carriage return before it is part of the content.
    pub content: &'a [u8],
    /// Whether a line feed followed; only the last line of a file can lack it.
    pub terminated: bool,
}

impl Line<'_> {
    /// Returns the number by which people and models name the line: the new one, or the old one
    /// where the line is gone.
    pub fn number(&self) -> u32 {
        self.new_number.or(self.old_number).unwrap_or(0)
    }
}

/// A run of changed lines with the lines around them.
///
/// The content of all lines lies in one buffer, because a large change has millions of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    old_start: u32,
    new_start: u32,
    text: Vec<u8>,
    marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    end: usize,
    kind: LineKind,
    terminated: bool,
}

impl Hunk {
    /// Starts an empty hunk. The numbers are those of a unified diff's header, from 1 (0 where the
    /// side is empty).
    pub fn new(old_start: u32, new_start: u32) -> Self {
        Self {
            old_start,
            new_start,
            text: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Appends a line. `content` is without the line feed; `terminated` says whether one followed.
    pub fn push(&mut self, kind: LineKind, content: &[u8], terminated: bool) {
        self.text.extend_from_slice(content);
        self.marks.push(Mark {
            end: self.text.len(),
            kind,
            terminated,
        });
    }

    /// Returns the number of the first line on the old side, as a unified diff's header has it.
    pub fn old_start(&self) -> u32 {
        self.old_start
    }

    /// Returns the number of the first line on the new side, as a unified diff's header has it.
    pub fn new_start(&self) -> u32 {
        self.new_start
    }

    /// Returns how many lines stand on the old side.
    pub fn old_lines(&self) -> usize {
        self.marks
            .iter()
            .filter(|mark| mark.kind != LineKind::Added)
            .count()
    }

    /// Returns how many lines stand on the new side.
    pub fn new_lines(&self) -> usize {
        self.marks
            .iter()
            .filter(|mark| mark.kind != LineKind::Removed)
            .count()
    }

    /// Returns how many lines the hunk has.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Returns whether the hunk has no line.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Returns the content of all lines, one after the other, without line feeds.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the lines, top to bottom.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let (mut start, mut old, mut new) = (0, self.old_start, self.new_start);
        self.marks.iter().map(move |mark| {
            let content = self.text.get(start..mark.end).unwrap_or_default();
            start = mark.end;
            let on_old = mark.kind != LineKind::Added;
            let on_new = mark.kind != LineKind::Removed;
            let line = Line {
                kind: mark.kind,
                old_number: on_old.then_some(old),
                new_number: on_new.then_some(new),
                content,
                terminated: mark.terminated,
            };
            old = old.saturating_add(u32::from(on_old));
            new = new.saturating_add(u32::from(on_new));
            line
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_carry_the_numbers_of_their_sides() {
        let mut hunk = Hunk::new(4, 7);
        hunk.push(LineKind::Context, b"a", true);
        hunk.push(LineKind::Removed, b"b\r", true);
        hunk.push(LineKind::Added, b"", true);
        hunk.push(LineKind::Context, b"\xff", false);
        let lines: Vec<_> = hunk
            .lines()
            .map(|line| {
                (
                    line.old_number,
                    line.new_number,
                    line.content.to_vec(),
                    line.terminated,
                )
            })
            .collect();
        assert_eq!(
            lines,
            [
                (Some(4), Some(7), b"a".to_vec(), true),
                (Some(5), None, b"b\r".to_vec(), true),
                (None, Some(8), Vec::new(), true),
                (Some(6), Some(9), vec![0xff], false),
            ]
        );
        assert_eq!((hunk.old_lines(), hunk.new_lines(), hunk.len()), (3, 3, 4));
    }
}

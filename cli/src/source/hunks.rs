//! The hunks of one file, as a source finds them line by line, and whether they are too large to
//! be sent.

use aurumcode_core::change::{Hunk, LineKind, SkipReason};
use aurumcode_core::limits;

/// The hunks of one file and how much they hold of each side. Once a side is too large only the
/// counting goes on.
#[derive(Debug, Default)]
pub(super) struct Hunks {
    list: Vec<Hunk>,
    last_start: Option<(u32, u32)>,
    old: Extent,
    new: Extent,
}

#[derive(Debug, Default)]
struct Extent {
    bytes: u64,
    lines: u64,
}

impl Extent {
    fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.lines += 1;
    }
}

impl Hunks {
    /// Appends a line to the hunk that starts at `start` on the two sides. `content` is without the
    /// line feed; `terminated` says whether one followed.
    pub(super) fn push(
        &mut self,
        start: (u32, u32),
        kind: LineKind,
        content: &[u8],
        terminated: bool,
    ) {
        let bytes = content.len() as u64 + u64::from(terminated);
        if kind != LineKind::Added {
            self.old.add(bytes);
        }
        if kind != LineKind::Removed {
            self.new.add(bytes);
        }
        if self.last_start != Some(start) {
            self.last_start = Some(start);
            self.list.push(Hunk::new(start.0, start.1));
        }
        if self.too_large().is_some() {
            self.list.clear();
        } else if let Some(hunk) = self.list.last_mut() {
            hunk.push(kind, content, terminated);
        }
    }

    /// Returns whether no line was appended.
    pub(super) fn is_empty(&self) -> bool {
        self.last_start.is_none()
    }

    /// Returns how many bytes both sides have.
    pub(super) fn bytes(&self) -> u64 {
        self.old.bytes + self.new.bytes
    }

    /// Returns why the file cannot be sent, when one side is too large.
    pub(super) fn too_large(&self) -> Option<SkipReason> {
        let bytes = self.old.bytes.max(self.new.bytes);
        let lines = self.old.lines.max(self.new.lines);
        if bytes > limits::FILE_BYTES {
            Some(SkipReason::TooManyBytes(bytes))
        } else if lines > limits::FILE_LINES {
            Some(SkipReason::TooManyLines(lines))
        } else {
            None
        }
    }

    /// Returns the hunks, top to bottom.
    pub(super) fn as_list(&self) -> &[Hunk] {
        &self.list
    }

    /// Takes the hunks, top to bottom.
    pub(super) fn into_list(self) -> Vec<Hunk> {
        self.list
    }
}

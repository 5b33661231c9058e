//! The header of one file in a diff, and what becomes of the file.

use aurumcode_core::change::{ChangeKind, FileChange, Hunk, LineKind, RepoPath, SkipReason};
use aurumcode_core::limits;

use super::hunk::Lines;
use super::{DiffError, path};
use crate::source::git::content;
use crate::source::hunks::Hunks;

/// The beginnings of the names of an empty file's object, by the two hashes that git knows.
const EMPTY_OBJECTS: [&[u8]; 2] = [b"e69de29", b"473a0f4"];

/// What becomes of a file.
pub(super) enum Outcome {
    Sent(FileChange),
    Named(RepoPath, SkipReason),
}

/// What the header says.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// The path of the `diff --git` line, where both sides have the same one.
    both: Option<Vec<u8>>,
    /// The paths of `---` and `+++`; an empty one is `/dev/null`.
    old: Vec<u8>,
    new: Vec<u8>,
    renamed_from: Option<Vec<u8>>,
    renamed_to: Option<Vec<u8>>,
    /// What happened, where the header says that the file is new or gone.
    kind: Option<ChangeKind>,
    changes_mode: bool,
    is_binary: bool,
    /// What the entry is, when it is no file.
    no_file: Option<SkipReason>,
    /// Whether one side's object is that of an empty file; `None` when no object is named.
    is_empty: Option<bool>,
}

impl Section {
    /// Reads the lines up to the hunks, to the next file, or to the end.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, DiffError> {
        let mut section = Self::default();
        let first = lines.take().unwrap_or_default();
        let Some(paths) = first.strip_prefix(b"diff --git ") else {
            return Err(lines.unexpected());
        };
        section.both = path::of_both_sides(paths);
        while let Some(line) = lines.peek() {
            if line.starts_with(b"diff --git ") || line.starts_with(b"@@ ") {
                break;
            }
            lines.take();
            if section.take(line).is_none() {
                return Err(lines.unexpected());
            }
            if line == b"GIT binary patch" {
                while lines
                    .peek()
                    .is_some_and(|line| !line.starts_with(b"diff --git "))
                {
                    lines.take();
                }
            }
        }
        Ok(section)
    }

    /// Takes one line of the header; `None` when it is no such line.
    fn take(&mut self, line: &[u8]) -> Option<()> {
        let behind = |prefix: &str| line.strip_prefix(prefix.as_bytes());
        if let Some(text) = behind("--- ") {
            self.old = path::of_side(text, b"a/")?;
        } else if let Some(text) = behind("+++ ") {
            self.new = path::of_side(text, b"b/")?;
        } else if let Some(text) = behind("rename from ").or_else(|| behind("copy from ")) {
            self.renamed_from = Some(path::whole(text)?);
        } else if let Some(text) = behind("rename to ").or_else(|| behind("copy to ")) {
            self.renamed_to = Some(path::whole(text)?);
        } else if let Some(mode) = behind("new file mode ") {
            self.kind = Some(ChangeKind::Added);
            self.take_mode(mode);
        } else if let Some(mode) = behind("deleted file mode ") {
            self.kind = Some(ChangeKind::Deleted);
            self.take_mode(mode);
        } else if let Some(mode) = behind("new mode ") {
            self.changes_mode = true;
            self.take_mode(mode);
        } else if let Some(objects) = behind("index ") {
            self.take_objects(objects)?;
        } else if line.starts_with(b"Binary files ") || line == b"GIT binary patch" {
            self.is_binary = true;
        } else {
            let others = ["old mode ", "similarity index ", "dissimilarity index "];
            others.into_iter().find_map(behind)?;
        }
        Some(())
    }

    fn take_mode(&mut self, mode: &[u8]) {
        match mode {
            b"120000" => self.no_file = Some(SkipReason::Symlink),
            b"160000" => self.no_file = Some(SkipReason::Submodule),
            _ => {}
        }
    }

    /// Takes `<old>..<new>`, and the mode behind it where both sides have the same.
    fn take_objects(&mut self, text: &[u8]) -> Option<()> {
        let mut parts = text.splitn(2, |byte| *byte == b' ');
        let objects = parts.next()?;
        let dots = objects.windows(2).position(|window| window == b"..")?;
        let (old, new) = objects.split_at_checked(dots)?;
        let new = new.strip_prefix(b"..")?;
        let is_empty = |object: &[u8]| EMPTY_OBJECTS.iter().any(|known| object.starts_with(known));
        self.is_empty = Some(is_empty(old) || is_empty(new));
        if let Some(mode) = parts.next() {
            self.take_mode(mode);
        }
        Some(())
    }

    /// Returns what becomes of the file whose hunks are these.
    pub(super) fn outcome(self, hunks: Hunks) -> Result<Outcome, DiffError> {
        let path = RepoPath::new(self.path().ok_or(DiffError::Cut)?);
        let old_path = self.renamed_from.clone().map(RepoPath::new);
        if let Some(reason) = self.reason(&hunks, old_path.as_ref()) {
            return Ok(Outcome::Named(path, reason));
        }
        let kind = match (self.kind, &old_path) {
            (Some(kind), _) => kind,
            (None, Some(_)) => ChangeKind::Renamed,
            (None, None) => ChangeKind::Modified,
        };
        Ok(Outcome::Sent(FileChange {
            path,
            old_path,
            kind,
            hunks: hunks.into_list(),
            line_count: None,
        }))
    }

    /// Returns where the file is now, or was when it is gone.
    fn path(&self) -> Option<Vec<u8>> {
        let named = [
            self.renamed_to.as_ref(),
            Some(&self.new),
            Some(&self.old),
            self.both.as_ref(),
        ];
        let path = named.into_iter().flatten().find(|path| !path.is_empty())?;
        (path.len() <= limits::PATH_BYTES).then(|| path.clone())
    }

    /// Returns why the file is only named, if it is.
    fn reason(&self, hunks: &Hunks, old_path: Option<&RepoPath>) -> Option<SkipReason> {
        if let Some(reason) = &self.no_file {
            return Some(reason.clone());
        }
        if self.is_binary {
            return Some(SkipReason::Binary);
        }
        if hunks.is_empty() {
            return Some(self.reason_without_hunks(old_path));
        }
        if is_large_file_pointer(hunks.as_list(), self.kind == Some(ChangeKind::Deleted)) {
            return Some(SkipReason::LargeFilePointer);
        }
        hunks.too_large()
    }

    fn reason_without_hunks(&self, old_path: Option<&RepoPath>) -> SkipReason {
        // The line that names the objects stands wherever the content differs.
        match (old_path, self.is_empty) {
            (Some(old), None) => SkipReason::RenamedOnly(old.clone()),
            (None, None) if self.changes_mode => SkipReason::ModeOnly,
            (None, None | Some(true)) if self.kind.is_some() => SkipReason::Empty,
            _ => SkipReason::LeftOutByHost,
        }
    }
}

/// Returns whether the hunks show a whole file that is a pointer of git's large file storage.
pub(in crate::source::github) fn is_large_file_pointer(hunks: &[Hunk], is_deleted: bool) -> bool {
    /// A pointer has three lines, and extensions add one each.
    const MOST_LINES: usize = 32;
    let [hunk] = hunks else { return false };
    let (start, other_side) = if is_deleted {
        (hunk.old_start(), LineKind::Added)
    } else {
        (hunk.new_start(), LineKind::Removed)
    };
    if start > 1 || hunk.len() > 2 * MOST_LINES {
        return false;
    }
    let mut file = Vec::new();
    for line in hunk.lines().filter(|line| line.kind != other_side) {
        file.extend_from_slice(line.content);
        if line.terminated {
            file.push(b'\n');
        }
    }
    content::is_large_file_pointer(&file)
}

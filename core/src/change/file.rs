//! One changed file.

use super::{Hunk, Language, Line, LineKind, RepoPath};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The file is new.
    Added,
    /// The file is gone; its hunks hold removed lines only.
    Deleted,
    /// The content changed, the path did not.
    Modified,
    /// The path changed and the content did too.
    Renamed,
}

impl ChangeKind {
    /// Returns the word for this kind, used in the prompt and in the cache key.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "modified",
            Self::Renamed => "renamed",
        }
    }
}

/// A file whose content changed, with everything of it that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Where the file is now; for a deleted file, where it was.
    pub path: RepoPath,
    /// Where the file was, when that is another path.
    pub old_path: Option<RepoPath>,
    /// What happened.
    pub kind: ChangeKind,
    /// The changed places, top to bottom.
    pub hunks: Vec<Hunk>,
    /// How many lines the file has now (a deleted file: had), where the source of the change knows
    /// it. It tells a line number that cannot be from one that merely lies outside the hunks.
    pub line_count: Option<u32>,
}

impl FileChange {
    /// Returns the language that the file's name suggests.
    pub fn language(&self) -> Option<Language> {
        Language::of_path(self.path.as_bytes())
    }

    /// Returns every line of every hunk, top to bottom.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.hunks.iter().flat_map(Hunk::lines)
    }

    /// Returns the added lines, top to bottom.
    pub fn added_lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.lines().filter(|line| line.kind == LineKind::Added)
    }

    /// Returns the size of the path and of the marked lines, a line break after each, in bytes:
    /// the measure of a cost estimate that looks at the diff alone.
    pub fn marked_bytes(&self) -> u64 {
        let lines = |hunk: &Hunk| hunk.text().len() as u64 + 2 * hunk.len() as u64;
        let lines: u64 = self.hunks.iter().map(lines).sum();
        lines + self.path.as_bytes().len() as u64 + 1
    }
}

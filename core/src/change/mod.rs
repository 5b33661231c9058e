//! What is reviewed: the files of a change, their hunks, and a notice for every file that is not sent.

mod file;
mod hunk;
mod language;
mod notice;
mod path;

pub use file::{ChangeKind, FileChange};
pub use hunk::{Hunk, Line, LineKind};
pub use language::Language;
pub use notice::{Notice, SkipReason};
pub use path::RepoPath;

/// The change between two states of a repository, in path order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The files that can be sent to a model, sorted by path (bytes).
    pub files: Vec<FileChange>,
    /// The changed files that are named instead of sent, sorted by path (bytes).
    pub notices: Vec<Notice>,
}

impl Change {
    /// Builds a change in path order, whatever order its parts were found in.
    pub fn new(mut files: Vec<FileChange>, mut notices: Vec<Notice>) -> Self {
        files.sort_by(|left, right| left.path.cmp(&right.path));
        notices.sort_by(|left, right| left.path.cmp(&right.path));
        Self { files, notices }
    }

    /// Returns whether every changed file is named and none can be sent. There is then nothing to
    /// ask about; a change without any file is asked about all the same.
    pub fn is_only_named(&self) -> bool {
        self.files.is_empty() && !self.notices.is_empty()
    }
}

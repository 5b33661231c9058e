//! Why a changed file is named instead of sent.

use std::fmt;

use super::RepoPath;
use crate::limits;

/// A changed file that is not sent to a model, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The file.
    pub path: RepoPath,
    /// Why it is not sent.
    pub reason: SkipReason,
}

/// The reasons for not sending a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// A NUL byte stands in the first bytes of either side.
    Binary,
    /// What would be sent of one side has this many bytes, more than [`limits::FILE_BYTES`].
    TooManyBytes(u64),
    /// What would be sent of one side has this many lines, more than [`limits::FILE_LINES`].
    TooManyLines(u64),
    /// Only the path changed; this is the old one.
    RenamedOnly(RepoPath),
    /// Only the permission bits changed.
    ModeOnly,
    /// An empty file was added or deleted.
    Empty,
    /// The entry is a submodule: a commit of another repository.
    Submodule,
    /// The entry is a symbolic link.
    Symlink,
    /// The file is a pointer of git's large file storage.
    LargeFilePointer,
    /// A `--exclude` pattern, given here, names the file.
    Excluded(String),
    /// The host of the pull request left the file's diff out.
    LeftOutByHost,
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.reason {
            SkipReason::Binary => write!(formatter, "binary file, skipped: {path}"),
            SkipReason::TooManyBytes(bytes) => {
                let limit = limits::FILE_BYTES;
                write!(
                    formatter,
                    "diff too large: {path} ({bytes} bytes > limit {limit})"
                )
            }
            SkipReason::TooManyLines(lines) => {
                let limit = limits::FILE_LINES;
                write!(
                    formatter,
                    "diff too large: {path} ({lines} lines > limit {limit})"
                )
            }
            SkipReason::RenamedOnly(old) => {
                write!(
                    formatter,
                    "renamed without changes, skipped: {path} (from {})",
                    old.display()
                )
            }
            SkipReason::ModeOnly => write!(formatter, "only the mode changed, skipped: {path}"),
            SkipReason::Empty => write!(formatter, "empty file, skipped: {path}"),
            SkipReason::Submodule => write!(formatter, "submodule, skipped: {path}"),
            SkipReason::Symlink => write!(formatter, "symbolic link, skipped: {path}"),
            SkipReason::LargeFilePointer => {
                write!(formatter, "large file storage pointer, skipped: {path}")
            }
            SkipReason::Excluded(pattern) => {
                let pattern = crate::text::one_line(pattern);
                write!(formatter, "excluded, skipped: {path} (--exclude {pattern})")
            }
            SkipReason::LeftOutByHost => {
                write!(formatter, "diff left out by the host, skipped: {path}")
            }
        }
    }
}

//! A reader of git's unified diffs.
//!
//! Whatever is not exactly such a diff is an error: a page, a JSON object or a body that was cut
//! must never look like a change without files.

mod hunk;
mod path;
mod section;
#[cfg(test)]
mod tests;

use aurumcode_core::change::{Change, Notice};
use aurumcode_core::limits;
use thiserror::Error;

use crate::source::hunks::Hunks;
use hunk::Lines;
use section::{Outcome, Section};

/// Why a text is no diff.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum DiffError {
    /// A line that cannot stand there.
    #[error("line {line} of the answer is no part of a diff")]
    Unexpected {
        /// Its number, from 1.
        line: usize,
    },
    /// The text ends where more has to follow.
    #[error("the diff ends in the middle of a file")]
    Cut,
    /// There are more files than a change may hold.
    #[error("the change has more than {} files", limits::CHANGE_FILES)]
    TooManyFiles,
}

/// Reads a whole diff. An empty one is a change without files.
pub(super) fn parse(diff: &[u8]) -> Result<Change, DiffError> {
    let mut lines = Lines::new(diff);
    let (mut files, mut notices) = (Vec::new(), Vec::new());
    while lines.peek().is_some() {
        let section = Section::read(&mut lines)?;
        let hunks = hunk::read(&mut lines)?;
        match section.outcome(hunks)? {
            Outcome::Sent(file) => files.push(file),
            Outcome::Named(path, reason) => notices.push(Notice { path, reason }),
        }
        if files.len() + notices.len() > limits::CHANGE_FILES {
            return Err(DiffError::TooManyFiles);
        }
    }
    Ok(Change::new(files, notices))
}

/// Reads the hunks of one file that stand there without a header.
pub(super) fn parse_hunks(patch: &[u8]) -> Result<Hunks, DiffError> {
    let mut lines = Lines::new(patch);
    let hunks = hunk::read(&mut lines)?;
    match lines.take() {
        None => Ok(hunks),
        Some(_) => Err(lines.unexpected()),
    }
}

/// Returns whether the hunks show a whole file that is a pointer of git's large file storage.
pub(super) use section::is_large_file_pointer;

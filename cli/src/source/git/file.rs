//! One changed entry: what of it is sent, or why it is only named.

use std::sync::atomic::{AtomicU64, Ordering};

use aurumcode_core::change::{ChangeKind, FileChange, LineKind, SkipReason};
use aurumcode_core::limits;
use git2::{Blob, DiffLineType, DiffOptions, Odb, Repository};

use super::content;
use super::error::DiffError;
use super::tree::{Entry, Kind, Side};
use crate::source::hunks::Hunks;

/// How many unchanged lines are shown before and after each changed place.
const CONTEXT_LINES: u32 = 10;

/// What can be told of a changed entry before its content is read.
pub(super) enum Outlook {
    /// It is only named.
    Named(SkipReason),
    /// Its content decides. This is the size of its larger side, in bytes.
    Readable(u64),
}

/// What becomes of a changed entry.
pub(super) enum Outcome {
    Sent(FileChange),
    Named(SkipReason),
}

/// Returns what can be told of `entry` before its content is read.
pub(super) fn outlook(odb: &Odb<'_>, entry: &Entry) -> Result<Outlook, DiffError> {
    let reason = entry.new.or(entry.old).and_then(|side| match side.kind {
        Kind::Symlink => Some(SkipReason::Symlink),
        Kind::Submodule => Some(SkipReason::Submodule),
        Kind::File { .. } => None,
    });
    if let Some(reason) = reason {
        return Ok(Outlook::Named(reason));
    }
    if let (Some(old), Some(new)) = (entry.old, entry.new)
        && old.id == new.id
    {
        let old_path = entry.old_path.clone();
        let reason = old_path.map_or(SkipReason::ModeOnly, SkipReason::RenamedOnly);
        return Ok(Outlook::Named(reason));
    }
    let size = |side: Option<Side>| match side {
        Some(side) => odb.read_header(side.id).map(|(size, _)| size as u64),
        None => Ok(0),
    };
    Ok(match size(entry.old)?.max(size(entry.new)?) {
        0 => Outlook::Named(SkipReason::Empty),
        bytes if bytes > limits::SIDE_BYTES => Outlook::Named(SkipReason::TooManyBytes(bytes)),
        bytes => Outlook::Readable(bytes),
    })
}

/// Returns what becomes of a readable `entry`. `total` counts the bytes of diff of all entries, on
/// whatever thread they are read: whichever comes last, one of them meets the limit.
pub(super) fn read(
    repository: &Repository,
    entry: &Entry,
    total: &AtomicU64,
) -> Result<Outcome, DiffError> {
    let old = blob(repository, entry.old)?;
    let new = blob(repository, entry.new)?;
    let (old_content, new_content) = (bytes_of(old.as_ref()), bytes_of(new.as_ref()));
    if content::is_binary(old_content) || content::is_binary(new_content) {
        return Ok(Outcome::Named(SkipReason::Binary));
    }
    let current = if new.is_some() {
        new_content
    } else {
        old_content
    };
    if content::is_large_file_pointer(current) {
        return Ok(Outcome::Named(SkipReason::LargeFilePointer));
    }
    let mut hunks = Hunks::default();
    let kind = match (&old, &new) {
        (Some(old), Some(new)) => {
            let lines = content::line_count(old_content).max(content::line_count(new_content));
            if lines > limits::SIDE_LINES {
                return Ok(Outcome::Named(SkipReason::TooManyLines(lines)));
            }
            difference(repository, old, new, &mut hunks)?;
            if hunks.is_empty() {
                let path = entry.path.display().into_owned();
                return Err(DiffError::NoDifference(path));
            }
            match entry.old_path {
                Some(_) => ChangeKind::Renamed,
                None => ChangeKind::Modified,
            }
        }
        (None, _) => {
            push_all(&mut hunks, LineKind::Added, (0, 1), new_content);
            ChangeKind::Added
        }
        (Some(_), None) => {
            push_all(&mut hunks, LineKind::Removed, (1, 0), old_content);
            ChangeKind::Deleted
        }
    };
    if let Some(reason) = hunks.too_large() {
        return Ok(Outcome::Named(reason));
    }
    let before = total.fetch_add(hunks.bytes(), Ordering::Relaxed);
    if before + hunks.bytes() > limits::CHANGE_BYTES {
        return Err(DiffError::TooManyBytes);
    }
    Ok(Outcome::Sent(FileChange {
        path: entry.path.clone(),
        old_path: entry.old_path.clone(),
        kind,
        hunks: hunks.into_list(),
        line_count: u32::try_from(content::line_count(current)).ok(),
    }))
}

fn blob(repository: &Repository, side: Option<Side>) -> Result<Option<Blob<'_>>, DiffError> {
    Ok(side.map(|side| repository.find_blob(side.id)).transpose()?)
}

/// Puts the line difference of two blobs into `hunks`.
fn difference(
    repository: &Repository,
    old: &Blob<'_>,
    new: &Blob<'_>,
    hunks: &mut Hunks,
) -> Result<(), DiffError> {
    let mut take =
        |_: git2::DiffDelta<'_>, hunk: Option<git2::DiffHunk<'_>>, line: git2::DiffLine<'_>| {
            let kind = match line.origin_value() {
                DiffLineType::Context => LineKind::Context,
                DiffLineType::Addition => LineKind::Added,
                DiffLineType::Deletion => LineKind::Removed,
                // The markers of a missing line feed are no lines.
                _ => return true,
            };
            let start = hunk.map_or((0, 0), |hunk| (hunk.old_start(), hunk.new_start()));
            let (content, terminated) = content::without_feed(line.content());
            hunks.push(start, kind, content, terminated);
            true
        };
    // An empty path matches no attribute, so no driver of the repository is looked up.
    let no_path = Some("");
    repository.diff_blobs(
        Some(old),
        no_path,
        Some(new),
        no_path,
        Some(&mut options()),
        None,
        None,
        None,
        Some(&mut take),
    )?;
    Ok(())
}

/// States every option that bears on the lines of two blobs, so that none is taken from a
/// configuration. Whether a file is binary was decided before.
fn options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options
        .reverse(false)
        .force_text(true)
        .force_binary(false)
        .show_binary(false)
        .skip_binary_check(false)
        .max_size(-1)
        .ignore_whitespace(false)
        .ignore_whitespace_change(false)
        .ignore_whitespace_eol(false)
        .ignore_blank_lines(false)
        .patience(false)
        .minimal(false)
        .indent_heuristic(true)
        .context_lines(CONTEXT_LINES)
        .interhunk_lines(0)
        .old_prefix("a")
        .new_prefix("b")
        .id_abbrev(40);
    options
}

fn bytes_of<'b>(blob: Option<&'b Blob<'_>>) -> &'b [u8] {
    blob.map_or(&[], Blob::content)
}

/// Appends all lines of a file of which only one side exists.
fn push_all(hunks: &mut Hunks, kind: LineKind, start: (u32, u32), content: &[u8]) {
    for line in content.split_inclusive(|byte| *byte == b'\n') {
        let (content, terminated) = content::without_feed(line);
        hunks.push(start, kind, content, terminated);
    }
}

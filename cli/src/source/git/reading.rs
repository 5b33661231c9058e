//! Which changed entries are read one after the other, and which beside others.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use aurumcode_core::change::{Change, Notice};
use aurumcode_core::parallel;
use git2::Repository;

use super::error::DiffError;
use super::file::{self, Outcome, Outlook};
use super::repository;
use super::tree::Entry;

/// The sizes, in bytes, of files that are read beside others. While a smaller one is read the pack
/// is locked for nearly all of the time, and threads that wait for each other are slower than one.
/// Comparing a larger one takes many times its size of memory, which is there once and not once for
/// each thread.
const BESIDE_OTHERS: Range<u64> = 4096..4 * 1024 * 1024;

/// Reads changed entries into a change.
pub(super) fn read_all(repository: &Repository, entries: Vec<Entry>) -> Result<Change, DiffError> {
    let (mut files, mut notices, mut later) = (Vec::new(), Vec::new(), Vec::new());
    let mut take = |entry: Entry, outcome| match outcome {
        Outcome::Sent(file) => files.push(file),
        Outcome::Named(reason) => notices.push(Notice {
            path: entry.path,
            reason,
        }),
    };
    let (odb, total) = (repository.odb()?, AtomicU64::new(0));
    for entry in entries {
        match file::outlook(&odb, &entry)? {
            Outlook::Named(reason) => take(entry, Outcome::Named(reason)),
            Outlook::Readable(bytes) if BESIDE_OTHERS.contains(&bytes) => later.push(entry),
            Outlook::Readable(_) => {
                let outcome = file::read(repository, &entry, &total)?;
                take(entry, outcome);
            }
        }
    }
    let git_dir = repository.path();
    let outcomes = parallel::try_map(
        &later,
        || Ok(repository::again(git_dir)?),
        |repository, entry| file::read(repository, entry, &total),
    )?;
    for (entry, outcome) in later.into_iter().zip(outcomes) {
        take(entry, outcome);
    }
    Ok(Change::new(files, notices))
}

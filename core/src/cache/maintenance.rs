//! What a cache directory holds, and how it is kept small.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::directory::{self, DirectoryStore};
use super::{Key, Lookup, Store as _, StoreError, format};

/// What a cache directory holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The entries.
    pub entries: Kept,
    /// The entries by the model that was asked, as it was redacted when they were written.
    pub by_model: BTreeMap<String, Kept>,
    /// When the oldest entry was written.
    pub oldest: Option<SystemTime>,
    /// When the newest entry was written.
    pub newest: Option<SystemTime>,
    /// Files that are named like an entry and cannot be used: torn, of another version, or not
    /// ours at all.
    pub unusable: Kept,
}

/// How many files, and how large.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

impl Kept {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// What pruning leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PruneLimits {
    /// Entries that were written longer ago than this go.
    pub older_than: Option<Duration>,
    /// The oldest entries go until the rest has at most this many bytes.
    pub max_bytes: Option<u64>,
}

/// What was removed and what could not be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// What was removed.
    pub removed: Kept,
    /// What is left.
    pub left: Kept,
    /// How many files could not be removed.
    pub failed: u64,
}

/// A file that this program wrote as an entry, whole or torn, of whatever version.
struct Ours {
    path: PathBuf,
    written: SystemTime,
    bytes: u64,
}

impl DirectoryStore {
    /// Counts what the directory holds.
    pub fn statistics(&self) -> Result<Statistics, StoreError> {
        let mut statistics = Statistics::default();
        self.each(|key, _path, metadata| {
            let bytes = metadata.len();
            let Lookup::Hit(entry) = self.get(&key) else {
                statistics.unusable.add(bytes);
                return;
            };
            statistics.entries.add(bytes);
            statistics
                .by_model
                .entry(entry.model)
                .or_default()
                .add(bytes);
            if let Ok(written) = metadata.modified() {
                statistics.oldest = Some(statistics.oldest.map_or(written, |at| at.min(written)));
                statistics.newest = Some(statistics.newest.map_or(written, |at| at.max(written)));
            }
        })?;
        Ok(statistics)
    }

    /// Removes entries by age and size. An entry from the future, as a clock that jumped leaves
    /// it, counts as new.
    pub fn prune(&self, limits: PruneLimits, now: SystemTime) -> Result<Removed, StoreError> {
        let mut ours = self.ours()?;
        // The newest come first; of equal ones the name decides, so that a rerun does the same.
        ours.sort_by(|left, right| (right.written, &left.path).cmp(&(left.written, &right.path)));
        let mut outcome = Removed::default();
        // Nothing that is older than what did not fit stays in its place.
        let mut full = false;
        for file in ours {
            let age = now.duration_since(file.written).unwrap_or_default();
            let too_old = limits.older_than.is_some_and(|limit| age > limit);
            let total = outcome.left.bytes.saturating_add(file.bytes);
            full |= limits.max_bytes.is_some_and(|limit| total > limit);
            outcome.take(&file, too_old || full);
        }
        Ok(outcome)
    }

    /// Removes every entry.
    pub fn clear(&self) -> Result<Removed, StoreError> {
        let mut outcome = Removed::default();
        for file in self.ours()? {
            outcome.take(&file, true);
        }
        Ok(outcome)
    }

    fn ours(&self) -> Result<Vec<Ours>, StoreError> {
        let mut ours = Vec::new();
        self.each(|_key, path, metadata| {
            if begins_like_an_entry(&path) {
                let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                ours.push(Ours {
                    path,
                    written,
                    bytes: metadata.len(),
                });
            }
        })?;
        Ok(ours)
    }

    /// Shows every plain file that is named like an entry.
    fn each(&self, mut show: impl FnMut(Key, PathBuf, Metadata)) -> Result<(), StoreError> {
        let describe = |error: io::Error| {
            StoreError(format!(
                "the cache directory {}: {error}",
                self.directory().display()
            ))
        };
        for item in std::fs::read_dir(self.directory()).map_err(describe)? {
            let item = item.map_err(describe)?;
            let Some(key) = item.file_name().to_str().and_then(directory::key_of_name) else {
                continue;
            };
            // This is the entry itself: a link is not followed.
            match item.metadata() {
                Ok(metadata) if metadata.is_file() => show(key, item.path(), metadata),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }
}

impl Removed {
    fn take(&mut self, file: &Ours, remove: bool) {
        if !remove {
            self.left.add(file.bytes);
            return;
        }
        match std::fs::remove_file(&file.path) {
            Ok(()) => self.removed.add(file.bytes),
            // Another process that clears or prunes was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => {
                self.failed += 1;
                self.left.add(file.bytes);
            }
        }
    }
}

/// Returns whether this program wrote the file: it begins as every entry does, or a crash of the
/// machine has left nothing of it.
fn begins_like_an_entry(path: &std::path::Path) -> bool {
    let Ok((file, _)) = directory::open_plain(path) else {
        return false;
    };
    let mut start = Vec::new();
    let read = file
        .take(format::MAGIC.len() as u64)
        .read_to_end(&mut start);
    read.is_ok() && (start.is_empty() || start == format::MAGIC.as_bytes())
}

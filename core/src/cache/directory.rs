//! Entries as plain files in one directory.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::OFlags;

use super::{Entry, Key, Lookup, Store, StoreError, format};
use crate::limits;

/// What the name of a file that is being written ends with.
const UNFINISHED: &str = ".tmp";

/// How often a write is tried again after somebody took its unfinished file for a leftover.
const WRITE_ATTEMPTS: u32 = 3;

/// One file a key, directly in a directory, readable by its owner alone.
///
/// Any number of processes may use one directory at the same time: a file appears whole or not at
/// all, and what it holds depends on its name alone.
#[derive(Debug)]
pub struct DirectoryStore {
    directory: PathBuf,
    /// Leftovers are looked for once, before the first write.
    tidied: Once,
}

impl DirectoryStore {
    /// Opens a directory, and makes it when it is not there. One that is there keeps its mode.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        let describe = |error: io::Error| {
            StoreError(format!(
                "the cache directory {}: {error}",
                directory.display()
            ))
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(describe)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            tidied: Once::new(),
        })
    }

    /// Opens a directory that has to be there.
    pub fn open_existing(directory: &Path) -> Result<Self, StoreError> {
        if directory.is_dir() {
            return Ok(Self {
                directory: directory.to_path_buf(),
                tidied: Once::new(),
            });
        }
        Err(StoreError(format!(
            "the cache directory {} is not there",
            directory.display()
        )))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.directory.join(format!("{key}.json"))
    }

    fn write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        // The process id keeps two writers of one key apart; one process writes a key once.
        let name = format!("{key}.{}{UNFINISHED}", std::process::id());
        let unfinished = self.directory.join(name);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags(flags(OFlags::NOFOLLOW))
            .open(&unfinished)?;
        let written = lock_and_write(&file, bytes)
            .and_then(|()| std::fs::rename(&unfinished, self.file(key)));
        if written.is_err() {
            // What is left of it has no use, and removing it can fail only as the write did.
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Removes what writers that were killed have left. A living writer holds a lock on its file.
    fn remove_leftovers(&self) {
        let Ok(listing) = std::fs::read_dir(&self.directory) else {
            return;
        };
        for item in listing.flatten() {
            let name = item.file_name();
            let is_ours = name.to_str().is_some_and(is_unfinished);
            if is_ours && item.file_type().is_ok_and(|kind| kind.is_file()) {
                let path = item.path();
                let free = open_plain(&path).is_ok_and(|(file, _)| file.try_lock().is_ok());
                if free {
                    let _ = std::fs::remove_file(path);
                }
            }
        }
    }
}

impl Store for DirectoryStore {
    fn get(&self, key: &Key) -> Lookup {
        let bytes = match read_bounded(&self.file(key)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Lookup::Absent,
            Err(error) => return Lookup::Unusable(error.to_string()),
        };
        match format::decode(key, &bytes) {
            Ok(entry) => Lookup::Hit(Box::new(entry)),
            Err(error) => Lookup::Unusable(error.to_string()),
        }
    }

    fn put(&self, entry: &Entry) -> Result<(), StoreError> {
        let describe = |error: &dyn std::fmt::Display| {
            StoreError(format!("{}: {error}", self.file(&entry.key).display()))
        };
        let bytes = format::encode(entry).map_err(|error| describe(&error))?;
        if bytes.len() as u64 > limits::ENTRY_BYTES {
            return Err(describe(&"the entry is larger than any that is read back"));
        }
        self.tidied.call_once(|| self.remove_leftovers());
        let mut attempt = 1;
        loop {
            match self.write(&entry.key, &bytes) {
                Ok(()) => return Ok(()),
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound && attempt < WRITE_ATTEMPTS =>
                {
                    attempt += 1;
                }
                Err(error) => return Err(describe(&error)),
            }
        }
    }

    fn describe(&self) -> String {
        self.directory.display().to_string()
    }
}

/// Returns whether a file's name is that of an entry, and of which.
pub(super) fn key_of_name(name: &str) -> Option<Key> {
    Key::parse(name.strip_suffix(".json")?)
}

/// Returns whether a file's name is that of an entry that is being written.
pub(super) fn is_unfinished(name: &str) -> bool {
    let key = name
        .strip_suffix(UNFINISHED)
        .and_then(|rest| rest.split_once('.'));
    key.is_some_and(|(key, process)| {
        Key::parse(key).is_some() && process.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn lock_and_write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.lock()?;
    file.write_all(bytes)
}

/// Reads a whole entry, or fails on whatever is no plain file of a sane size.
pub(super) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, bytes) = open_plain(path)?;
    if bytes > limits::ENTRY_BYTES {
        return Err(io::Error::other("it is larger than any entry"));
    }
    // An entry never grows under its name, so one read of its whole size is all of it.
    let mut content = vec![0; usize::try_from(bytes).map_err(io::Error::other)?];
    file.read_exact(&mut content)?;
    Ok(content)
}

/// Opens a plain file for reading, and returns its size in bytes: through no link, and without
/// waiting for the other end of a pipe or for a device.
pub(super) fn open_plain(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY))
        .open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata.len()))
    } else {
        Err(io::Error::other("it is no plain file"))
    }
}

#[expect(
    clippy::cast_possible_wrap,
    reason = "the standard library takes the same bits as signed"
)]
fn flags(flags: OFlags) -> i32 {
    flags.bits() as i32
}

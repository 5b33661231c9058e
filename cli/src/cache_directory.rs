//! Where answers are kept: the directory that the user names, or one of this process alone that is
//! gone when the process is.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use aurumcode_core::provider::Environment;

use crate::variables::CACHE_DIR;

/// Names the temporary directory, as everywhere.
const TMPDIR: &str = "TMPDIR";

/// How many names are tried for a private directory before the run goes on without one.
const NAMES: u32 = 64;

/// The directory of a run.
#[derive(Debug)]
pub(crate) enum CacheDirectory {
    /// The user's own; it stays.
    Named(PathBuf),
    /// One of this process alone; it goes with the value.
    Private(PrivateDirectory),
}

impl CacheDirectory {
    /// Takes the directory that the environment names, or makes a private one.
    pub(crate) fn of_run(
        environment: &Environment,
        leftovers: &Arc<Leftovers>,
    ) -> io::Result<Self> {
        if let Some(path) = environment.raw(CACHE_DIR.name) {
            return Ok(Self::Named(PathBuf::from(path)));
        }
        let parent = environment.raw(TMPDIR).unwrap_or(OsStr::new("/tmp"));
        PrivateDirectory::create(Path::new(parent), std::process::id(), leftovers)
            .map(Self::Private)
    }
}

/// A fresh directory that only this process's user can enter, and that is removed at the end.
#[derive(Debug)]
pub(crate) struct PrivateDirectory {
    path: PathBuf,
    leftovers: Arc<Leftovers>,
}

impl PrivateDirectory {
    /// Returns where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes `aurumcode-review-cache-<pid>` below `parent`. Whatever stands there already belongs
    /// to somebody else and is left alone: the directory then gets another name.
    fn create(parent: &Path, process: u32, leftovers: &Arc<Leftovers>) -> io::Result<Self> {
        let first = format!("aurumcode-review-cache-{process}");
        let others = (1..NAMES).map(|number| format!("{first}-{number}"));
        // Held from before the directory is made until it is known, so that no signal comes
        // between the two.
        let mut kept = leftovers.lock();
        for name in [first.clone()].into_iter().chain(others) {
            let path = parent.join(name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    *kept = Some(path.clone());
                    drop(kept);
                    return Ok(Self {
                        path,
                        leftovers: Arc::clone(leftovers),
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        self.leftovers.remove();
    }
}

/// What must not stay behind when the process ends.
#[derive(Debug, Default)]
pub(crate) struct Leftovers(Mutex<Option<PathBuf>>);

impl Leftovers {
    /// Removes what there is.
    pub(crate) fn remove(&self) {
        if let Some(path) = self.lock().take() {
            // Nobody is left to whom it could be said that it cannot be removed.
            let _ = fs::remove_dir_all(path);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_private_directory_is_fresh_private_and_gone_at_the_end() {
        let parent = TempDir::new().unwrap();
        let taken = parent.path().join("aurumcode-review-cache-7");
        fs::create_dir(&taken).unwrap();
        fs::write(taken.join("foreign"), "x").unwrap();
        std::os::unix::fs::symlink("nowhere", parent.path().join("aurumcode-review-cache-7-1"))
            .unwrap();

        let leftovers = Arc::default();
        let directory = PrivateDirectory::create(parent.path(), 7, &leftovers).unwrap();
        let path = directory.path.clone();
        assert_eq!(path, parent.path().join("aurumcode-review-cache-7-2"));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o700);
        fs::write(path.join("entry"), "x").unwrap();

        drop(directory);
        assert!(!path.exists());
        assert!(taken.join("foreign").exists());
    }

    #[test]
    fn a_named_directory_stays() {
        let parent = TempDir::new().unwrap();
        let environment = Environment::new([(CACHE_DIR.name, parent.path())]);
        let directory = CacheDirectory::of_run(&environment, &Arc::default()).unwrap();
        assert!(matches!(&directory, CacheDirectory::Named(path) if path == parent.path()));
        drop(directory);
        assert!(parent.path().exists());
    }
}

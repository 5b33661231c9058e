//! The process groups that are alive, each with the directory in which it runs: a program is the
//! leader of one, so that whatever it started ends with it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::process::Failed;

/// Every directory that may be there, with the leader's id for as long as the group may be alive.
static THERE: Mutex<BTreeMap<PathBuf, Option<i32>>> = Mutex::new(BTreeMap::new());

/// How often the removal of a directory is tried that a dying program is still writing into.
const REMOVALS: u32 = 8;

fn there() -> MutexGuard<'static, BTreeMap<PathBuf, Option<i32>>> {
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A group in an empty directory of its own. Both are gone when the value is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    directory: PathBuf,
}

impl Group {
    /// Starts a program as the leader of a group of its own.
    pub(crate) fn start(command: &mut Command) -> Result<(Self, Child), Failed> {
        // Held until everything is known: the end of the process must not come between.
        let mut there = there();
        let directory = TempDir::new().map_err(Failed::System)?;
        let child = command
            .current_dir(directory.path())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(Failed::Start)?;
        let leader = child.id().and_then(|id| i32::try_from(id).ok());
        let directory = directory.keep();
        there.insert(directory.clone(), leader);
        Ok((Self { directory }, child))
    }

    /// Kills what is left of the group.
    pub(crate) fn kill(&self) {
        if let Some(leader) = there().get_mut(&self.directory) {
            kill(leader.take());
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        // Not under the lock, for which the end of the process would have to wait. Until it is
        // done the directory stays listed, so that an end that comes meanwhile removes the rest.
        remove(&self.directory);
        there().remove(&self.directory);
    }
}

/// Kills every group that is alive and removes every directory, for a process that is about to end
/// without running destructors.
pub(crate) fn end_all() {
    let mut there = there();
    for (directory, leader) in mem::take(&mut *there) {
        kill(leader);
        remove(&directory);
    }
    // For good: a call that fails because its program is gone must not start another one.
    mem::forget(there);
}

/// A group that is gone already is what was wanted.
fn kill(leader: Option<i32>) {
    if let Some(pid) = leader.and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

fn remove(directory: &Path) {
    for _ in 0..REMOVALS {
        match fs::remove_dir_all(directory) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => break,
        }
    }
}

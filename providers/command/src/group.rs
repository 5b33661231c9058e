//! The process groups that are alive: each program is the leader of one, so that whatever it
//! started ends with it.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

/// The leaders' ids.
static ALIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<i32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A group that is killed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Group(Option<i32>);

impl Group {
    /// Starts a program as the leader of a group of its own.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Self, Child)> {
        // Held from before the program runs until it is known: the end of the process must not
        // come between the two.
        let mut alive = alive();
        let child = command.process_group(0).kill_on_drop(true).spawn()?;
        let leader = child.id().and_then(|id| i32::try_from(id).ok());
        alive.extend(leader);
        Ok((Self(leader), child))
    }

    /// Kills what is left of the group.
    pub(crate) fn kill(&mut self) {
        if let Some(leader) = self.0.take()
            && alive().remove(&leader)
        {
            kill(leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills every group that is alive, for a process that is about to end without running
/// destructors.
pub(crate) fn kill_all() {
    for leader in std::mem::take(&mut *alive()) {
        kill(leader);
    }
}

/// A group that is gone already is what was wanted.
fn kill(leader: i32) {
    if let Some(pid) = Pid::from_raw(leader) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

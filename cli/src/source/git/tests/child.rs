//! The same read in another process, for what belongs to a whole process: the environment, with
//! the user's configuration that it leads to, and the user.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use super::sandbox::text;
use crate::source::git::{GitRequest, read};

/// A user who owns nothing that a test makes.
pub(super) const OTHER_USER: u32 = 12345;

const DIRECTORY: &str = "GIT_SOURCE_TEST_DIRECTORY";
const BASE: &str = "GIT_SOURCE_TEST_BASE";
const BEGIN: &str = "<<<read\n";
const END: &str = "\nread>>>";

/// What the other process is made of.
#[derive(Default)]
pub(super) struct Child<'a> {
    pub(super) home: Option<&'a Path>,
    pub(super) user: Option<u32>,
    pub(super) variables: Vec<(&'a str, String)>,
}

impl Child<'_> {
    /// Reads the change from `base` in a process of its own, and returns its text or the message.
    pub(super) fn read(&self, directory: &Path, base: &str) -> String {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "--ignored",
                "--nocapture",
                "source::git::tests::child::reads",
            ])
            .current_dir("/")
            .env_clear()
            .env(DIRECTORY, directory)
            .env(BASE, base)
            .envs(self.home.map(|home| ("HOME", home)))
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let output = command.output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let (_, rest) = printed.split_once(BEGIN).unwrap();
        let (found, _) = rest.split_once(END).unwrap();
        found.to_owned()
    }
}

#[test]
#[ignore = "it is the other process of the tests that need one, and reads what they ask for"]
fn reads() {
    let directory = std::env::var_os(DIRECTORY).unwrap();
    let base = std::env::var(BASE).unwrap();
    let found = read(&GitRequest {
        directory: Path::new(&directory),
        git_dir: None,
        base: &base,
    });
    let found = match found {
        Ok(found) => text(&found.change),
        Err(error) => error.to_string(),
    };
    println!("{BEGIN}{found}{END}");
}

/// Returns whether this process may become another user, which only root can.
pub(super) fn may_change_user() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let root = status.lines().any(|line| line.starts_with("Uid:\t0\t0\t"));
    if !root {
        eprintln!("skipped: only root can make a directory that belongs to somebody else");
    }
    root
}

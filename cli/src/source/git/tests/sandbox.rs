//! A repository of a test's own, in a directory of its own.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use aurumcode_core::change::{Change, Hunk, LineKind};
use tempfile::TempDir;

use crate::source::git::{GitChange, GitError, GitRequest, read};

pub(super) struct Sandbox {
    directory: TempDir,
}

/// The `git` program with nothing of the surroundings: no user's configuration, fixed dates.
pub(super) fn git_command(directory: &Path, home: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "t")
        .env("GIT_AUTHOR_EMAIL", "t@example.invalid")
        .env("GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z")
        .env("GIT_COMMITTER_NAME", "t")
        .env("GIT_COMMITTER_EMAIL", "t@example.invalid")
        .env("GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z");
    command
}

impl Sandbox {
    /// Makes an empty repository with the branch `main`.
    pub(super) fn new() -> Self {
        let sandbox = Self {
            directory: TempDir::new().unwrap(),
        };
        fs::create_dir(sandbox.home()).unwrap();
        fs::create_dir(sandbox.work()).unwrap();
        sandbox.git(["init", "--quiet", "--initial-branch=main"]);
        sandbox
    }

    /// Makes a repository that holds `files` in the commit that the tag `base` names.
    pub(super) fn with_base(files: &[(&str, &[u8])]) -> Self {
        let sandbox = Self::new();
        for (path, content) in files {
            sandbox.write(path, content);
        }
        sandbox.commit();
        sandbox.git(["tag", "base"]);
        sandbox
    }

    /// The directory around everything.
    pub(super) fn root(&self) -> &Path {
        self.directory.path()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The work tree.
    pub(super) fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// Runs git in the work tree and returns what it prints.
    pub(super) fn git<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Vec<u8> {
        self.git_in(&self.work(), arguments)
    }

    pub(super) fn git_in<A: AsRef<OsStr>>(
        &self,
        directory: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Vec<u8> {
        let mut command = git_command(directory, &self.home());
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {said}");
        output.stdout
    }

    /// Runs git and returns the one line that it prints.
    pub(super) fn git_line<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> String {
        let line = String::from_utf8(self.git(arguments)).unwrap();
        line.trim_end().to_owned()
    }

    pub(super) fn write(&self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let path = self.work().join(OsStr::from_bytes(path.as_ref()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(super) fn remove(&self, path: &str) {
        fs::remove_file(self.work().join(path)).unwrap();
    }

    /// Commits whatever the work tree holds.
    pub(super) fn commit(&self) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "--message", "x"]);
    }

    pub(super) fn read(&self, base: &str) -> Result<GitChange, GitError> {
        read_in(&self.work(), base)
    }

    /// Returns the change from `base`, which must be readable.
    pub(super) fn change(&self, base: &str) -> Change {
        self.read(base).unwrap().change
    }

    /// Returns the message with which reading the change from `base` fails, the sandbox's own
    /// path replaced by `<root>`.
    pub(super) fn error(&self, base: &str) -> String {
        self.error_in(&self.work(), base)
    }

    pub(super) fn error_in(&self, directory: &Path, base: &str) -> String {
        let message = read_in(directory, base).unwrap_err().to_string();
        message.replace(self.root().to_str().unwrap(), "<root>")
    }
}

pub(super) fn read_in(directory: &Path, base: &str) -> Result<GitChange, GitError> {
    read(&GitRequest {
        directory,
        git_dir: None,
        base,
    })
}

/// Writes a change as text, one line a line, so that a test can compare all of it.
pub(super) fn text(change: &Change) -> String {
    let files = change.files.iter().flat_map(|file| {
        let path = file.path.display();
        let kind = file.kind.word();
        let count = file.line_count.unwrap();
        let old_path = file.old_path.as_ref();
        let old = old_path.map_or(String::new(), |old| format!(" from {}", old.display()));
        let head = format!("{path}: {kind}{old}, {count} lines");
        std::iter::once(head).chain(file.hunks.iter().flat_map(hunk_text))
    });
    let notices = change.notices.iter().map(ToString::to_string);
    let lines: Vec<String> = files.chain(notices).collect();
    lines.join("\n")
}

fn hunk_text(hunk: &Hunk) -> Vec<String> {
    let head = format!("@ {} {}", hunk.old_start(), hunk.new_start());
    let lines = hunk.lines().map(|line| {
        let content = line.content.escape_ascii();
        let marker = match line.kind {
            LineKind::Context => '=',
            kind => kind.marker(),
        };
        let end = if line.terminated { "" } else { " (no feed)" };
        format!("{} {marker} {content}{end}", line.number())
    });
    std::iter::once(head).chain(lines).collect()
}

//! A repository that the real git makes.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use super::World;

/// A repository in a world's working directory.
pub(crate) struct Repository<'a> {
    world: &'a World,
}

impl<'a> Repository<'a> {
    /// Makes an empty one.
    pub(crate) fn new(world: &'a World) -> Self {
        let repository = Self { world };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Takes the one that is there.
    pub(crate) fn existing(world: &'a World) -> Self {
        Self { world }
    }

    /// Makes one with the tag `base` and one commit on top. The files are paths with the old and
    /// the new content; an empty old content means that the file is new.
    pub(crate) fn with_change(world: &'a World, files: &[(&str, &str, &str)]) -> Self {
        let repository = Self::new(world);
        for (path, old, _) in files.iter().filter(|(_, old, _)| !old.is_empty()) {
            repository.write(path, old);
        }
        repository.commit("base");
        repository.git(&["tag", "base"]);
        for (path, _, new) in files {
            repository.write(path, new);
        }
        repository.commit("change");
        repository
    }

    /// Writes a file into the work tree.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path: PathBuf = self.world.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Commits everything that is in the work tree.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Runs git.
    pub(crate) fn git<A: AsRef<OsStr> + std::fmt::Debug>(&self, arguments: &[A]) {
        let output = self
            .world
            .command("git")
            .args(["-c", "user.name=test"])
            .args(["-c", "user.email=test@example.invalid"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }
}

//! A directory and an environment that belong to one test.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::Outcome;

/// The root of this project.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A directory with a home, a temporary directory and a place to work in, and an environment that
/// holds nothing of the one in which the tests run.
pub(crate) struct World {
    scratch: TempDir,
    variables: BTreeMap<OsString, OsString>,
}

impl World {
    pub(crate) fn new() -> Self {
        let scratch = TempDir::with_prefix("aurumcode-it-").unwrap();
        for name in ["home", "tmp", "work"] {
            fs::create_dir(scratch.path().join(name)).unwrap();
        }
        let mut world = Self {
            variables: BTreeMap::new(),
            scratch,
        };
        world.set("PATH", std::env::var_os("PATH").unwrap_or_default());
        world.set("HOME", world.path("home"));
        world.set("TMPDIR", world.path("tmp"));
        world.set("GIT_CONFIG_NOSYSTEM", "1");
        world
    }

    /// Returns a path in the directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Returns where programs run.
    pub(crate) fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// Sets a variable.
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.variables
            .insert(name.into(), value.as_ref().to_owned());
    }

    /// Lets the fixture provider answer with this text.
    pub(crate) fn answer(&mut self, text: &str) {
        let path = self.path("answer");
        fs::write(&path, text).unwrap();
        self.set("AURUMCODE_LLM_FIXTURE", path);
    }

    /// Lets the fixture provider answer with these issues.
    pub(crate) fn answer_issues(&mut self, issues: &[Value]) {
        self.answer(&serde_json::json!({ "issues": issues }).to_string());
    }

    /// Returns a program that has nothing but this world.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .envs(&self.variables)
            .stdin(Stdio::null());
        command
    }

    /// Returns the program with its arguments.
    pub(crate) fn aurumcode<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_aurumcode"));
        command.args(arguments);
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Outcome {
        let output = self.aurumcode(arguments).output().unwrap();
        Outcome::new(&output, self.scratch.path())
    }

    /// Returns the names in a directory of this world, sorted.
    pub(crate) fn names(&self, directory: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(directory))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

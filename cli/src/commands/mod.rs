//! The commands of the program. A new one is a file beside this one and an entry in [`ALL`].

mod cache;
mod providers;
mod pull_request;
mod review;
mod rules;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use aurumcode_core::provider::{
    BuildContext, Environment, ModelId, Registry, SelectionError, Stack,
};
use clap::ArgMatches;
use signal_hook::low_level;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::ExitStatus;
use crate::source::git::{self, GitChange, GitError, GitRequest};
use crate::variables::GIT_DIR;
use crate::watchdog::within;

/// How long the reading of a change may take. The largest histories need some seconds.
const MOST_READING: Duration = Duration::from_mins(5);

/// A command.
#[derive(Debug)]
pub(crate) struct Command {
    /// Its word, or its two words with a blank between them.
    pub(crate) name: &'static str,
    /// What it does, one sentence.
    pub(crate) about: &'static str,
    /// Its flags.
    pub(crate) flags: fn(&Registry) -> clap::Command,
    /// Does it.
    pub(crate) run: fn(&Session<'_>, &ArgMatches) -> Result<ExitStatus, CommandError>,
}

/// Every command, in the order of the help.
pub(crate) const ALL: [Command; 10] = [
    review::COMMAND,
    rules::COMMAND,
    providers::COMMAND,
    providers::check::COMMAND,
    providers::new::COMMAND,
    cache::COMMAND,
    cache::stats::COMMAND,
    cache::prune::COMMAND,
    cache::clear::COMMAND,
    cache::explain::COMMAND,
];

/// Returns the command of this name.
pub(crate) fn find(name: &OsStr) -> Option<&'static Command> {
    static COMMANDS: [Command; ALL.len()] = ALL;
    COMMANDS.iter().find(|command| name == command.name)
}

/// What every command works with.
pub(crate) struct Session<'a> {
    /// The linked providers.
    pub(crate) registry: &'a Registry,
    /// The environment.
    pub(crate) environment: &'a Environment,
    /// The way to the streams.
    pub(crate) console: &'a Console,
    /// The directories of `-C`, each counting from the one before.
    pub(crate) directories: Vec<PathBuf>,
}

impl Session<'_> {
    /// Reads the change between a ref and `HEAD` of the repository around the working directory.
    pub(crate) fn read_change(&self, base: &str) -> Result<GitChange, CommandError> {
        let directory = std::env::current_dir()
            .map_err(|cause| CommandError::System("cannot tell the working directory", cause))?;
        let request = GitRequest {
            directory: &directory,
            git_dir: self.environment.raw(GIT_DIR.name),
            base,
        };
        // libgit2 for one never gives up on a loose object that is cut off, and cannot be told to.
        let console = self.console.clone();
        let give_up = move || {
            let error = CommandError::from(GitError::TooSlow {
                base: base.to_owned(),
                limit: MOST_READING,
            });
            console.report(&error);
            low_level::exit(error.exit_status().code().into());
        };
        Ok(within(MOST_READING, || git::read(&request), give_up)?)
    }

    /// Chooses what answers.
    pub(crate) fn select(
        &self,
        model: Option<&ModelId>,
        flags: &BTreeMap<String, String>,
    ) -> Result<Stack, SelectionError> {
        self.registry.select(&BuildContext {
            environment: self.environment,
            flags,
            model,
        })
    }

    /// Goes where `-C` says. Everything that is named relatively counts from there, as in git.
    pub(crate) fn enter_directory(&self) -> Result<(), CommandError> {
        for directory in &self.directories {
            // git takes an empty name for the directory where it is.
            if directory.as_os_str().is_empty() {
                continue;
            }
            std::env::set_current_dir(directory)
                .map_err(|cause| CommandError::Directory(directory.display().to_string(), cause))?;
        }
        Ok(())
    }
}

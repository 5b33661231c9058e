//! `aurumcode cache clear`: removes every entry.

use aurumcode_core::provider::Registry;
use clap::ArgMatches;

use super::super::{Command, Session};
use super::{directory_flag, prune, store};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "cache clear",
    about: "Remove every entry, and nothing that is none",
    flags,
    run,
};

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode cache clear [--dir <dir>]")
        .arg(directory_flag())
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let removed = store(session, matches)?
        .clear()
        .map_err(CommandError::Cache)?;
    prune::report(session, removed)
}

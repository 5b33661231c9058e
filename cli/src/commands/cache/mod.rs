//! `aurumcode cache`: what a cache directory holds, and why a file was sent again.

pub(super) mod clear;
pub(super) mod explain;
pub(super) mod prune;
pub(super) mod stats;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use aurumcode_core::cache::{DirectoryStore, Kept};
use aurumcode_core::provider::Registry;
use bytesize::ByteSize;
use clap::{Arg, ArgMatches};

use super::{Command, Session};
use crate::arguments::review::valued;
use crate::command_error::CommandError;
use crate::exit::ExitStatus;
use crate::variables::CACHE_DIR;

/// The command without its second word, which only explains itself.
pub(super) const COMMAND: Command = Command {
    name: "cache",
    about: "Look into the directory that keeps answers, and keep it small",
    flags,
    run,
};

/// The flag that names the directory.
const DIRECTORY: &str = "dir";

fn flags(_registry: &Registry) -> clap::Command {
    let mut words = String::from("Commands:\n");
    for command in [
        stats::COMMAND,
        prune::COMMAND,
        clear::COMMAND,
        explain::COMMAND,
    ] {
        let Command { name, about, .. } = command;
        // Writing to a string cannot fail.
        let _ = writeln!(words, "  {name:<15} {about}");
    }
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode cache <stats|prune|clear|explain> [<flags>]")
        .after_help(words)
}

fn run(session: &Session<'_>, _matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let help = flags(session.registry).about(COMMAND.about).render_help();
    Err(CommandError::NoCommand(help.to_string()))
}

fn directory_flag() -> Arg {
    valued(DIRECTORY, "dir").help(
        "The cache directory; without it the one of AURUMCODE_CACHE_DIR. \
         Example: --dir .aurumcode-cache",
    )
}

/// Returns the directory that the user means: a private one is gone when its run is.
fn directory(session: &Session<'_>, matches: &ArgMatches) -> Result<PathBuf, CommandError> {
    let given = matches
        .get_one::<OsString>(DIRECTORY)
        .filter(|given| !given.is_empty());
    let named = given
        .map(OsString::as_os_str)
        .or_else(|| session.environment.raw(CACHE_DIR.name));
    named.map(PathBuf::from).ok_or_else(|| {
        CommandError::Usage(
            "no cache directory is named: set AURUMCODE_CACHE_DIR or give --dir".to_owned(),
        )
    })
}

/// Opens the directory that the user means.
fn store(session: &Session<'_>, matches: &ArgMatches) -> Result<DirectoryStore, CommandError> {
    let directory = directory(session, matches)?;
    DirectoryStore::open_existing(&directory).map_err(CommandError::Cache)
}

/// Writes how many files and how large, for people.
fn counted(kept: Kept, what: &str) -> String {
    let Kept { files, bytes } = kept;
    format!("{files} {what}, {}", ByteSize::b(bytes).display().iec())
}

//! `aurumcode providers`: what is linked, what state it is in here, and whether it answers.

pub(super) mod check;
mod crate_files;
mod list;
pub(super) mod new;
mod state;

use std::io;

use aurumcode_core::provider::{Registry, Run as _};
use clap::ArgMatches;

use super::{Command, Session};
use crate::arguments::boolean;
use crate::command_error::CommandError;
use crate::exit::ExitStatus;
use crate::world::{Verbosity, World};

/// The command without a second word, which lists.
pub(super) const COMMAND: Command = Command {
    name: "providers",
    about: "List the linked providers with their state here, their variables and flags",
    flags,
    run,
};

fn flags(_registry: &Registry) -> clap::Command {
    let more = format!(
        "aurumcode {}  {}\naurumcode {}    {}",
        check::COMMAND.name,
        check::COMMAND.about,
        new::COMMAND.name,
        new::COMMAND.about,
    );
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode providers [--json]\n       aurumcode providers check [<name>] [--modelo <name>]\n       aurumcode providers new <name> [--layer] [--dir <dir>] [--core <path or git url>]")
        .arg(boolean::flag("json").help("Print one JSON object. Example: --json"))
        .after_help(more)
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let linked = state::look(session);
    if boolean::is_on(matches, "json") {
        let text =
            list::json(&linked).map_err(|error| CommandError::Output(io::Error::from(error)))?;
        session.console.print_own(&text)
    } else {
        session.console.print(&list::readable(&linked))
    }
    .map_err(CommandError::Output)?;
    if let Some(error) = &linked.unusable_choice {
        World::new(session.console, Verbosity::Normal)
            .note(aurumcode_core::provider::Note::normal(error.clone()));
    }
    Ok(ExitStatus::Done)
}

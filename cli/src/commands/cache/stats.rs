//! `aurumcode cache stats`: what a cache directory holds.

use std::time::SystemTime;

use aurumcode_core::cache::Statistics;
use aurumcode_core::provider::Registry;
use clap::ArgMatches;

use super::super::{Command, Session};
use super::{counted, directory_flag, store};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "cache stats",
    about: "Count the entries and their bytes, by model, with the oldest and the newest",
    flags,
    run,
};

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode cache stats [--dir <dir>]")
        .arg(directory_flag())
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let statistics = store(session, matches)?
        .statistics()
        .map_err(CommandError::Cache)?;
    session
        .console
        .print(&lines(&statistics))
        .map_err(CommandError::Output)?;
    Ok(ExitStatus::Done)
}

fn lines(statistics: &Statistics) -> Vec<String> {
    let Statistics {
        entries,
        by_model,
        oldest,
        newest,
        unusable,
    } = statistics;
    let date = |time: &Option<SystemTime>| {
        time.map_or_else(
            || "none".to_owned(),
            |time| humantime::format_rfc3339_seconds(time).to_string(),
        )
    };
    let mut lines = vec![format!("entries: {}", counted(*entries, "file(s)"))];
    for (model, kept) in by_model {
        lines.push(format!("  model {model}: {}", counted(*kept, "file(s)")));
    }
    lines.push(format!("oldest: {}", date(oldest)));
    lines.push(format!("newest: {}", date(newest)));
    lines.push(format!("unusable: {}", counted(*unusable, "file(s)")));
    lines
}

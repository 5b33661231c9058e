//! `aurumcode cache prune`: removes entries by age and size.

use std::time::SystemTime;

use aurumcode_core::cache::{PruneLimits, Removed};
use aurumcode_core::provider::Registry;
use aurumcode_core::text::quoted;
use bytesize::ByteSize;
use clap::ArgMatches;

use super::super::{Command, Session};
use super::{counted, directory_flag, store};
use crate::arguments::review::{text, valued};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "cache prune",
    about: "Remove entries that are old, or the oldest until the rest is small enough",
    flags,
    run,
};

const OLDER_THAN: &str = "older-than";
const MAX_SIZE: &str = "max-size";

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage(
            "aurumcode cache prune [--older-than <duration>] [--max-size <size>] [--dir <dir>]",
        )
        .args([
            valued(OLDER_THAN, "duration").help(
                "Remove what was written longer ago than this: a number with s, m, h, d or w. \
                 Example: --older-than 30d",
            ),
            valued(MAX_SIZE, "size").help(
                "Remove the oldest until the rest has at most this size: a number of bytes, or \
                 with K, M, G, KiB, MiB, GiB. Example: --max-size 100M",
            ),
            directory_flag(),
        ])
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let limits = limits(matches).map_err(CommandError::Usage)?;
    let removed = store(session, matches)?
        .prune(limits, SystemTime::now())
        .map_err(CommandError::Cache)?;
    report(session, removed)
}

fn limits(matches: &ArgMatches) -> Result<PruneLimits, String> {
    let older_than = text(matches, OLDER_THAN).map(|value| {
        humantime::parse_duration(value.trim()).map_err(|_error| {
            let value = quoted(&value);
            format!("--{OLDER_THAN}: must be a duration such as 30d or 12h (got {value})")
        })
    });
    let max_bytes = text(matches, MAX_SIZE).map(|value| {
        value
            .trim()
            .parse::<ByteSize>()
            .map(|size| size.as_u64())
            .map_err(|_error| {
                let value = quoted(&value);
                format!("--{MAX_SIZE}: must be a size such as 100M or 1GiB (got {value})")
            })
    });
    if older_than.is_none() && max_bytes.is_none() {
        return Err(format!(
            "say what goes: --{OLDER_THAN}, --{MAX_SIZE} or both"
        ));
    }
    Ok(PruneLimits {
        older_than: older_than.transpose()?,
        max_bytes: max_bytes.transpose()?,
    })
}

/// Says what was removed. What could not be removed is a failure.
pub(super) fn report(session: &Session<'_>, removed: Removed) -> Result<ExitStatus, CommandError> {
    let Removed {
        removed,
        left,
        failed,
    } = removed;
    let lines = [
        format!("removed: {}", counted(removed, "file(s)")),
        format!("left: {}", counted(left, "file(s)")),
    ];
    session
        .console
        .print(&lines)
        .map_err(CommandError::Output)?;
    if failed == 0 {
        return Ok(ExitStatus::Done);
    }
    session.console.say(&format!(
        "{failed} file(s) could not be removed; check who may write the directory"
    ));
    Ok(ExitStatus::Failed)
}

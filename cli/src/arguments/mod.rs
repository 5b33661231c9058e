//! What the arguments ask for.
//!
//! The first word that is no `-C` chooses a command; the rest is spelled out by [`spelling`], so
//! that one dash is as good as two, and then read by clap.

pub(crate) mod boolean;
mod help;
pub(crate) mod review;
mod spelling;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use aurumcode_core::provider::Registry;
use aurumcode_core::text;
use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::command_error::CommandError;
use crate::commands::{self, Command};

pub(crate) use help::{PROGRAM, exit_codes, variables};

/// The arguments, with the command's word apart.
#[derive(Debug)]
pub(crate) struct Words {
    /// The directories of each `-C` before the command, in order.
    directories: Vec<PathBuf>,
    /// The command.
    command: Option<OsString>,
    /// What follows it.
    rest: Vec<OsString>,
}

impl Words {
    /// Finds the command's word.
    pub(crate) fn split(mut arguments: impl Iterator<Item = OsString>) -> Self {
        let before = clap::Command::new(PROGRAM).arg(help::directory());
        let mut directories = Vec::new();
        let mut command = loop {
            let Some(word) = arguments.next() else {
                break None;
            };
            let Some((_, inline)) = spelling::flag_in(&before, &word) else {
                break Some(word);
            };
            let directory = inline.map(OsStr::to_owned).or_else(|| arguments.next());
            directories.extend(directory.map(PathBuf::from));
        };
        // Some commands have two words, as `cache stats` has.
        let mut arguments = arguments.peekable();
        if let (Some(first), Some(second)) = (&command, arguments.peek()) {
            let both = [first.as_os_str(), second].join(OsStr::new(" "));
            if commands::find(&both).is_some() {
                command = Some(both);
                arguments.next();
            }
        }
        Self {
            directories,
            command,
            rest: arguments.collect(),
        }
    }

    /// Returns who speaks on stderr: the program, or one of its commands.
    pub(crate) fn speaker(&self) -> String {
        match self.known() {
            Some(command) => format!("{PROGRAM} {}", command.name),
            None => PROGRAM.to_owned(),
        }
    }

    fn known(&self) -> Option<&'static Command> {
        self.command.as_ref().and_then(|word| commands::find(word))
    }
}

/// What the arguments ask for.
pub(crate) enum Asked {
    /// Text on stdout.
    Text(String),
    /// A command.
    Command {
        /// The command.
        command: &'static Command,
        /// Its flags.
        matches: ArgMatches,
        /// Where to run it, one directory after the other.
        directories: Vec<PathBuf>,
    },
}

/// Reads the arguments.
pub(crate) fn read(words: Words, registry: &Registry) -> Result<Asked, CommandError> {
    if let Some(command) = words.known() {
        return read_command(command, words, registry);
    }
    let Some(word) = words.command else {
        return Err(CommandError::NoCommand(help::of_program()));
    };
    match word.as_bytes() {
        b"help" | b"--help" | b"-help" | b"-h" => {
            help_about(&words.rest.join(OsStr::new(" ")), registry)
        }
        b"version" | b"--version" | b"-version" | b"-V" => Ok(Asked::Text(version())),
        _ => Err(CommandError::UnknownCommand(
            word.to_string_lossy().into_owned(),
        )),
    }
}

fn version() -> String {
    format!("{PROGRAM} {}\n", env!("CARGO_PKG_VERSION"))
}

fn help_about(words: &OsStr, registry: &Registry) -> Result<Asked, CommandError> {
    let text = match commands::find(words) {
        _ if words.is_empty() => help::of_program(),
        Some(command) => help::of_command(command, registry),
        None => {
            let words = words.to_string_lossy().into_owned();
            return Err(CommandError::UnknownCommand(words));
        }
    };
    Ok(Asked::Text(text))
}

fn read_command(
    command: &'static Command,
    words: Words,
    registry: &Registry,
) -> Result<Asked, CommandError> {
    let flags = help::built(command, registry);
    let arguments = spelling::spelled_out(&flags, words.rest);
    match flags.try_get_matches_from(arguments) {
        Ok(matches) => {
            let mut directories = words.directories;
            let inner = matches
                .get_many::<OsString>(help::DIRECTORY)
                .unwrap_or_default();
            directories.extend(inner.map(PathBuf::from));
            Ok(Asked::Command {
                command,
                matches,
                directories,
            })
        }
        Err(refused) if refused.kind() == ErrorKind::DisplayHelp => {
            Ok(Asked::Text(refused.to_string()))
        }
        Err(refused) => Err(CommandError::Refused(refusal(refused))),
    }
}

/// Returns what clap says, with what the user wrote on one line.
fn refusal(mut refused: clap::Error) -> String {
    let one_line = |text: &String| text::one_line(text).into_owned();
    let written: Vec<(ContextKind, ContextValue)> = refused
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(one_line(text)))),
            ContextValue::Strings(texts) => {
                let texts = texts.iter().map(one_line).collect();
                Some((kind, ContextValue::Strings(texts)))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in written {
        refused.insert(kind, value);
    }
    refused.to_string()
}

#[cfg(test)]
mod tests;

//! The help of the program and of its commands.

use std::ffi::OsString;
use std::fmt::Write as _;

use aurumcode_core::provider::Registry;
use clap::{Arg, ArgAction, value_parser};

use crate::commands::{self, Command};
use crate::exit::ExitStatus;
use crate::variables;

/// The program's name, as it is written everywhere.
pub(crate) const PROGRAM: &str = "aurumcode";

/// The flag that `-C` stands for.
pub(super) const DIRECTORY: &str = "directory";

/// The width of help where the terminal does not say its own or is wider.
const WIDTH: usize = 100;

/// Returns the help of the program.
pub(super) fn of_program() -> String {
    let mut program = clap::Command::new(PROGRAM)
        .about(
            "Reviews the change between a ref and HEAD with a language model, and never pays \
             twice for the same file.",
        )
        .override_usage(format!("{PROGRAM} [-C <dir>] <command> [<flags>]"))
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .max_term_width(WIDTH)
        .arg(directory())
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::SetTrue)
                .help("Print the version"),
        )
        .after_help(format!(
            "{PROGRAM} help <command> explains a command and its flags.\n\n{}\n\n\
             Example:\n  {PROGRAM} review --base main --fail-on error",
            exit_codes()
        ));
    for command in &commands::ALL {
        program = program.subcommand(clap::Command::new(command.name).about(command.about));
    }
    program = program
        .subcommand(clap::Command::new("help").about("Explain a command"))
        .subcommand(clap::Command::new("version").about("Print the version"));
    program.render_help().to_string()
}

/// Returns the help of a command.
pub(super) fn of_command(command: &Command, registry: &Registry) -> String {
    built(command, registry).render_help().to_string()
}

/// Returns a command ready to read its flags.
pub(super) fn built(command: &Command, registry: &Registry) -> clap::Command {
    let mut flags = (command.flags)(registry)
        .name(command.name)
        .bin_name(format!("{PROGRAM} {}", command.name))
        .about(command.about)
        .no_binary_name(true)
        .args_override_self(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .max_term_width(WIDTH)
        .arg(directory());
    flags.build();
    flags
}

/// Returns the flag `-C`.
pub(super) fn directory() -> Arg {
    Arg::new(DIRECTORY)
        .long(DIRECTORY)
        .short('C')
        .value_name("dir")
        .action(ArgAction::Append)
        .value_parser(value_parser!(OsString))
        .help(
            "Run as if started in this directory, as git's -C does; a second one counts from the \
             first. Example: -C ../project",
        )
}

/// Returns the table of exit codes.
pub(crate) fn exit_codes() -> String {
    let mut text = "Exit codes:".to_owned();
    for status in ExitStatus::ALL {
        let _ = write!(text, "\n  {}  {}", status.code(), status.meaning());
    }
    text + "\n  130, 143  it was ended by ctrl-C, or by SIGTERM"
}

/// Returns the list of the variables that are read.
pub(crate) fn variables(registry: &Registry) -> String {
    let mut text = "Variables (one that is set but empty is not set):".to_owned();
    for variable in variables::all(Some(registry)) {
        let _ = write!(text, "\n  {}\n      {}", variable.name, variable.help);
    }
    text
}

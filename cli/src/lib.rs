//! The command line of aurumcode, as a library: whoever wants other providers beside the stock ones
//! ships a program of their own.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! // A crate that nothing names is not linked, and its provider is then missing without a word.
//! // use our_provider as _;
//!
//! fn main() -> ExitCode {
//!     aurumcode::run_process()
//! }
//! ```
//!
//! Such a program needs no runtime: [`run`] owns one. It ends with the codes of [`ExitStatus`].

mod arguments;
mod cache_directory;
mod command_error;
mod commands;
mod console;
mod exclude;
mod exit;
mod log;
mod output;
mod plugins;
mod progress;
mod publish;
mod secrets;
mod settings;
mod signals;
mod source;
mod streams;
mod variables;
mod watchdog;
mod world;

use std::ffi::OsString;
use std::process::ExitCode;

pub use aurumcode_core::provider::Environment;
pub use exit::ExitStatus;
pub use streams::Streams;

use crate::arguments::{Asked, Words};
use crate::command_error::CommandError;
use crate::commands::Session;
use crate::console::Console;

/// Runs aurumcode with the arguments, the environment and the streams of this process.
pub fn run_process() -> ExitCode {
    let environment = Environment::new(std::env::vars_os());
    run(std::env::args_os(), &environment, Streams::of_process()).into()
}

/// Runs aurumcode and returns how it ended.
///
/// `arguments` are those of a program: its own name first, which is passed over. The providers are
/// the ones that the calling program links. Nothing is read from the process's environment; the
/// working directory is that of the process, and `-C <dir>` changes it. `review` takes SIGINT and
/// SIGTERM for itself and ends the process on them with 130 or 143.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    streams: Streams,
) -> ExitStatus {
    let words = Words::split(arguments.into_iter().skip(1));
    let registry = plugins::registry();
    let redactor = secrets::redactor(environment, registry.as_ref().ok());
    let console = Console::new(words.speaker(), streams, redactor);
    let outcome = registry
        .map_err(CommandError::from)
        .and_then(|registry| match arguments::read(words, &registry)? {
            Asked::Text(text) => {
                console.print_own(&text).map_err(CommandError::Output)?;
                Ok(ExitStatus::Done)
            }
            Asked::Command {
                command,
                matches,
                directories,
            } => {
                let _log = log::start(environment, &console);
                let session = Session {
                    registry: &registry,
                    environment,
                    console: &console,
                    directories,
                };
                session.enter_directory()?;
                (command.run)(&session, &matches)
            }
        });
    outcome.unwrap_or_else(|error| {
        console.report(&error);
        error.exit_status()
    })
}

//! The log: what the providers trace, on stderr, behind the same redaction as every other line.

use std::io::{self, Write};

use aurumcode_core::provider::Environment;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::EnvFilter;

use crate::console::Console;
use crate::variables::LOG;

/// Logs what the environment asks for, as long as the value lives. A wish that is not understood
/// is said and changes nothing about the run.
pub(crate) fn start(environment: &Environment, console: &Console) -> Option<DefaultGuard> {
    let wanted = environment.text(LOG.name)?;
    let filter = EnvFilter::try_new(&wanted)
        .inspect_err(|error| console.say(&format!("{}: {error}", LOG.name)))
        .ok()?;
    let console = console.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(move || LogLine {
            console: console.clone(),
            bytes: Vec::new(),
        })
        .finish();
    Some(tracing::subscriber::set_default(subscriber))
}

/// One line of the log, written when it is whole.
struct LogLine {
    console: Console,
    bytes: Vec<u8>,
}

impl Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LogLine {
    fn drop(&mut self) {
        let line = String::from_utf8_lossy(&self.bytes);
        self.console.say(line.trim_end());
    }
}

//! What a provider declares that it reads, and what it is handed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

use thiserror::Error;

use super::{Limits, ModelId};
use crate::text;

/// The crate that a registration comes from. Fill it in with `env!("CARGO_PKG_NAME")` and
/// `env!("CARGO_PKG_VERSION")`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The package's name.
    pub package: &'static str,
    /// The package's version.
    pub version: &'static str,
}

/// An environment variable that a provider reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it means, one sentence without the final period.
    pub help: &'static str,
    /// Whether its value must never leave the process.
    pub secret: bool,
}

/// How many tokens the model's window has.
pub const CONTEXT_TOKENS: Variable = Variable {
    name: "AURUMCODE_CONTEXT_TOKENS",
    help: "how many tokens of prompt and answer together the model takes; a larger change is sent in several calls",
    secret: false,
};

/// The most tokens that one answer may have.
pub const MAX_OUTPUT_TOKENS: Variable = Variable {
    name: "AURUMCODE_MAX_OUTPUT_TOKENS",
    help: "the most tokens that one answer may have; an answer that is cut there is paid for and asked for again in parts",
    secret: false,
};

/// The variables that [`token_limits`] reads, for a source to declare beside its own.
pub const TOKEN_LIMITS: [Variable; 2] = [CONTEXT_TOKENS, MAX_OUTPUT_TOKENS];

/// Reads [`TOKEN_LIMITS`].
pub fn token_limits(environment: &Environment) -> Result<Limits, SetupError> {
    let context_tokens = environment.whole_number(CONTEXT_TOKENS.name, u32::MAX)?;
    let output_tokens = environment.whole_number(MAX_OUTPUT_TOKENS.name, u32::MAX)?;
    Ok(Limits {
        context_tokens: context_tokens.map(u64::from),
        output_tokens,
    })
}

/// Why a run cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A setting has a value that cannot be used, alone or beside another: a usage error. The text
    /// is the whole message.
    #[error("{0}")]
    Usage(String),
}

/// A flag of `review` that a provider adds. It takes one value.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its name without dashes.
    pub name: &'static str,
    /// Other names for it, without dashes.
    pub aliases: &'static [&'static str],
    /// What its value is called in the help.
    pub value_name: &'static str,
    /// What it means, with its values and an example.
    pub help: &'static str,
    /// Checks a value. The error is the whole message, which begins with the published name.
    pub check: fn(&str) -> Result<(), String>,
}

/// The environment variables of a run. A variable that is set but empty is not set.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// Takes names and values.
    pub fn new<N, V>(variables: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        let set = variables
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        Self(
            set.filter(|(_, value): &(OsString, OsString)| !value.is_empty())
                .collect(),
        )
    }

    /// Returns a variable's value, with U+FFFD for what is no text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name)
            .map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns a variable's value without the blanks around it, which a value that was read from a
    /// file often has. A value of blanks alone is none.
    pub fn trimmed(&self, name: &str) -> Option<String> {
        let value = self.text(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// Reads a whole number from 1 to `most`.
    pub fn whole_number(&self, name: &str, most: u32) -> Result<Option<u32>, SetupError> {
        self.number(name, &format!("a whole number from 1 to {most}"), |value| {
            value
                .parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
        })
    }

    /// Reads a time in seconds, which may have a fraction, of at most a day.
    pub fn seconds(&self, name: &str) -> Result<Option<Duration>, SetupError> {
        const MOST: u32 = 24 * 60 * 60;
        let expected = format!("a number of seconds above 0 and at most {MOST}");
        self.number(name, &expected, |value| {
            let seconds = value.parse().ok()?;
            let time = Duration::try_from_secs_f64(seconds).ok()?;
            (!time.is_zero() && seconds <= f64::from(MOST)).then_some(time)
        })
    }

    /// Reads a number. One that is there and is not what is expected ends the run.
    fn number<N>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<N>,
    ) -> Result<Option<N>, SetupError> {
        let Some(value) = self.trimmed(name) else {
            return Ok(None);
        };
        read(&value).map(Some).ok_or_else(|| {
            let value = text::quoted(&value);
            SetupError::Usage(format!("{name} must be {expected} (got {value})"))
        })
    }

    /// Returns a variable's value as the system has it, for paths.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }
}

/// Only the names: a value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// What a provider is built from. It reads nothing else of the world.
#[derive(Debug, Clone, Copy)]
pub struct BuildContext<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// The values of the declared flags, by the flag's name without dashes; each has passed its
    /// check.
    pub flags: &'a BTreeMap<String, String>,
    /// The model that the user asked for on the command line.
    pub model: Option<&'a ModelId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(value: &str) -> Environment {
        Environment::new([("N", value)])
    }

    fn refused(expected: &str, value: &str) -> SetupError {
        SetupError::Usage(format!("N must be {expected} (got \"{value}\")"))
    }

    #[test]
    fn a_whole_number_has_two_ends() {
        let read = |value| with(value).whole_number("N", 100);
        for missing in ["", " \n"] {
            assert_eq!(read(missing), Ok(None));
        }
        assert_eq!(read(" 1\n"), Ok(Some(1)));
        assert_eq!(read("100"), Ok(Some(100)));
        for wrong in ["0", "-1", "101", "8k", "1.5", "99999999999"] {
            let refused = refused("a whole number from 1 to 100", wrong);
            assert_eq!(read(wrong), Err(refused));
        }
    }

    #[test]
    fn a_time_is_above_nothing_and_at_most_a_day() {
        let read = |value| with(value).seconds("N");
        assert_eq!(read(""), Ok(None));
        assert_eq!(read(" 2.5 "), Ok(Some(Duration::from_millis(2500))));
        assert_eq!(read("86400"), Ok(Some(Duration::from_hours(24))));
        for wrong in [
            "0", "-1", "nan", "inf", "ten", "1m", "1e300", "1e-300", "86401",
        ] {
            let refused = refused("a number of seconds above 0 and at most 86400", wrong);
            assert_eq!(read(wrong), Err(refused));
        }
    }
}

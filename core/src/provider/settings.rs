//! What a provider declares that it reads, and what it is handed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::{ErrorKind, Limits, ModelId, ProviderError};
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

/// How many tokens the model's window has. Every source that asks a model declares it.
pub const CONTEXT_TOKENS: Variable = Variable {
    name: "AURUMCODE_CONTEXT_TOKENS",
    help: "how many tokens of prompt and answer together the model takes; a larger change is sent in several calls",
    secret: false,
};

/// The most tokens that one answer may have. Every source that asks a model declares it.
pub const MAX_OUTPUT_TOKENS: Variable = Variable {
    name: "AURUMCODE_MAX_OUTPUT_TOKENS",
    help: "the most tokens that one answer may have; an answer that is cut there is paid for and asked for again in parts",
    secret: false,
};

/// Reads [`CONTEXT_TOKENS`] and [`MAX_OUTPUT_TOKENS`].
pub fn token_limits(environment: &Environment) -> Result<Limits, ProviderError> {
    let context_tokens = tokens(environment, CONTEXT_TOKENS.name)?;
    let output_tokens = tokens(environment, MAX_OUTPUT_TOKENS.name)?;
    Ok(Limits {
        context_tokens: context_tokens.map(u64::from),
        output_tokens,
    })
}

fn tokens(environment: &Environment, name: &str) -> Result<Option<u32>, ProviderError> {
    let Some(value) = environment.text(name) else {
        return Ok(None);
    };
    match value.trim().parse() {
        Ok(tokens) if tokens > 0 => Ok(Some(tokens)),
        _ => Err(ProviderError::new(
            ErrorKind::Setup,
            format!(
                "{name} must be a positive whole number of tokens (got {})",
                text::quoted(&value)
            ),
        )),
    }
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

    #[test]
    fn token_limits_are_positive_whole_numbers_or_missing() {
        let limits = |value: &str| {
            let environment = Environment::new([(CONTEXT_TOKENS.name, value)]);
            token_limits(&environment)
                .map(|limits| limits.context_tokens)
                .map_err(|error| error.message)
        };
        assert_eq!(limits(""), Ok(None));
        assert_eq!(limits(" 8000 "), Ok(Some(8000)));
        for wrong in ["0", "-1", "8k", "1.5", "99999999999"] {
            assert_eq!(
                limits(wrong),
                Err(format!(
                    "AURUMCODE_CONTEXT_TOKENS must be a positive whole number of tokens (got \"{wrong}\")"
                ))
            );
        }
    }
}

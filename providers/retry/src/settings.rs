//! How often and how long a call is asked again.

use std::time::Duration;

use aurumcode_core::provider::{Environment, SetupError, Variable};

/// How often a call is made at most.
pub(crate) const ATTEMPTS: Variable = Variable {
    name: "AURUMCODE_RETRY_ATTEMPTS",
    help: "how often a call is made at most when the endpoint is busy or the line breaks; 1 never asks again (default 4)",
    secret: false,
};

/// The longest single wait.
pub(crate) const MAX_WAIT: Variable = Variable {
    name: "AURUMCODE_RETRY_MAX_WAIT",
    help: "the longest wait before a call is made again, in seconds; when the server asks for more, the call has failed (default 60)",
    secret: false,
};

/// The longest time from the first attempt to the start of the last.
pub(crate) const MAX_TIME: Variable = Variable {
    name: "AURUMCODE_RETRY_MAX_TIME",
    help: "how many seconds after its first attempt a call may still be made again (default 300)",
    secret: false,
};

const MOST_ATTEMPTS: u32 = 100;

/// The ends of asking again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// How often a call is made at most, at least 1.
    pub(crate) attempts: u32,
    /// The longest single wait.
    pub(crate) max_wait: Duration,
    /// The longest time from the first attempt to the start of the last.
    pub(crate) max_time: Duration,
}

impl Settings {
    /// Reads the variables.
    pub(crate) fn read(environment: &Environment) -> Result<Self, SetupError> {
        let attempts = environment.whole_number(ATTEMPTS.name, MOST_ATTEMPTS)?;
        let max_wait = environment.seconds(MAX_WAIT.name)?;
        let max_time = environment.seconds(MAX_TIME.name)?;
        Ok(Self {
            attempts: attempts.unwrap_or(4),
            max_wait: max_wait.unwrap_or(Duration::from_mins(1)),
            max_time: max_time.unwrap_or(Duration::from_mins(5)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Settings, SetupError> {
        Settings::read(&Environment::new([(name, value)]))
    }

    #[test]
    fn what_can_be_set() {
        let usual = Settings {
            attempts: 4,
            max_wait: Duration::from_mins(1),
            max_time: Duration::from_mins(5),
        };
        assert_eq!(Settings::read(&Environment::default()), Ok(usual));
        assert_eq!(
            read(ATTEMPTS.name, " 1 "),
            Ok(Settings {
                attempts: 1,
                ..usual
            })
        );
        assert_eq!(
            read(MAX_WAIT.name, "0.25"),
            Ok(Settings {
                max_wait: Duration::from_millis(250),
                ..usual
            })
        );
        assert_eq!(
            read(MAX_TIME.name, "86400"),
            Ok(Settings {
                max_time: Duration::from_hours(24),
                ..usual
            })
        );
    }

    #[test]
    fn what_cannot() {
        let usage = |text: &str| Err(SetupError::Usage(text.to_owned()));
        assert_eq!(
            read(ATTEMPTS.name, "101"),
            usage("AURUMCODE_RETRY_ATTEMPTS must be a whole number from 1 to 100 (got \"101\")")
        );
        for name in [MAX_WAIT.name, MAX_TIME.name] {
            let text = "must be a number of seconds above 0 and at most 86400 (got \"1m\")";
            assert_eq!(read(name, "1m"), usage(&format!("{name} {text}")));
        }
    }
}

//! How often and how long a call is asked again.

use std::time::Duration;

use aurumcode_core::provider::{Environment, Variable};
use aurumcode_core::text;

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

/// The longest time that can be set, a day.
const MOST_SECONDS: f64 = 86_400.0;

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
    /// Reads the variables. The error is the whole message.
    pub(crate) fn read(environment: &Environment) -> Result<Self, String> {
        Ok(Self {
            attempts: attempts(environment)?,
            max_wait: seconds(environment, &MAX_WAIT, 60)?,
            max_time: seconds(environment, &MAX_TIME, 300)?,
        })
    }
}

fn attempts(environment: &Environment) -> Result<u32, String> {
    let Some(value) = environment.text(ATTEMPTS.name) else {
        return Ok(4);
    };
    match value.trim().parse() {
        Ok(attempts) if (1..=MOST_ATTEMPTS).contains(&attempts) => Ok(attempts),
        _ => Err(format!(
            "{} must be a whole number from 1 to {MOST_ATTEMPTS} (got {})",
            ATTEMPTS.name,
            text::quoted(&value)
        )),
    }
}

fn seconds(
    environment: &Environment,
    variable: &Variable,
    default: u64,
) -> Result<Duration, String> {
    let Some(value) = environment.text(variable.name) else {
        return Ok(Duration::from_secs(default));
    };
    value
        .trim()
        .parse()
        .ok()
        .filter(|seconds| *seconds <= MOST_SECONDS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| {
            format!(
                "{} must be a number of seconds above 0 and at most {MOST_SECONDS} (got {})",
                variable.name,
                text::quoted(&value)
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Settings, String> {
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
        for value in ["0", "-1", "101", "1.5", "many", "99999999999"] {
            assert_eq!(
                read(ATTEMPTS.name, value),
                Err(format!(
                    "AURUMCODE_RETRY_ATTEMPTS must be a whole number from 1 to 100 (got \"{value}\")"
                ))
            );
        }
        for name in [MAX_WAIT.name, MAX_TIME.name] {
            for value in ["0", "-1", "nan", "inf", "1e300", "1e-300", "86401", "1m"] {
                assert_eq!(
                    read(name, value),
                    Err(format!(
                        "{name} must be a number of seconds above 0 and at most 86400 (got \"{value}\")"
                    ))
                );
            }
        }
    }
}

//! The source: one run of the program for one answer.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;

use aurumcode_core::async_trait;
use aurumcode_core::limits::{ANSWER_BYTES, QUOTED_CHARACTERS};
use aurumcode_core::provider::{
    Billing, Completion, ErrorKind, Finish, Identity, Limits, ModelId, ModelResolver, Provider,
    ProviderError, Request, Run,
};
use aurumcode_core::redact::{MARKER, Redactor};
use aurumcode_core::text;
use sha2::{Digest as _, Sha256};

use crate::process::{Failed, Printed, Program, run};
use crate::settings::{COMMAND, PASSED, Settings, TIMEOUT, is_always_passed, names_a_secret};

/// A program that answers.
#[derive(Debug)]
pub(crate) struct Source {
    settings: Settings,
    redactor: Redactor,
    secrets: Secrets,
}

/// What is handed to the program and must not come back. Its debug text says nothing.
struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Source {
    pub(crate) fn new(settings: Settings) -> Self {
        let secrets: Vec<String> = settings
            .passed
            .iter()
            .filter(|(name, _)| names_a_secret(name))
            .map(|(_, value)| value.to_string_lossy().into_owned())
            .collect();
        Self {
            redactor: Redactor::new(secrets.iter().cloned()),
            secrets: Secrets(secrets),
            settings,
        }
    }

    /// Returns the program as people know it: without directories and arguments, which may hold a
    /// secret.
    fn name(&self) -> String {
        let program = &self.settings.program;
        let name = Path::new(program).file_name();
        let name = name.map_or(program.into(), |name| name.to_string_lossy());
        text::one_line(&name).into_owned()
    }

    /// Returns the end of what the program said on its standard error, for a message.
    fn words(&self, error: &[u8]) -> String {
        let words = String::from_utf8_lossy(error);
        let words = self.redactor.text(words.trim());
        let line = text::one_line(&words);
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            return String::new();
        }
        let characters = line.chars().count();
        let cut = characters.saturating_sub(QUOTED_CHARACTERS);
        let end: String = line.chars().skip(cut).collect();
        let mark = if cut > 0 { "…" } else { "" };
        format!("; it says: {mark}{end}")
    }

    fn read(&self, printed: &Printed) -> Result<Completion, ProviderError> {
        let name = self.name();
        let failed = |kind, message: String| {
            let words = self.words(&printed.error);
            Err(ProviderError::new(kind, format!("{message}{words}")).billed(Billing::Unknown))
        };
        if let Some(signal) = printed.status.signal() {
            let message = format!("the program {name} was ended by signal {signal}");
            return failed(ErrorKind::Transport, message);
        }
        if !printed.status.success() {
            let code = printed.status.code().unwrap_or_default();
            let message = format!("the program {name} ended with exit status {code}");
            return failed(ErrorKind::Rejected, message);
        }
        let mut text = String::from_utf8_lossy(&printed.output).into_owned();
        if text.trim().is_empty() {
            let message = format!("the program {name} printed nothing");
            return failed(ErrorKind::BadResponse, message);
        }
        for secret in &self.secrets.0 {
            text = text.replace(secret.as_str(), MARKER);
        }
        Ok(Completion {
            text,
            // A program that failed on the way would have said so.
            finish: Finish::Stop,
            usage: None,
            served_by: None,
            adaptations: Vec::new(),
        })
    }

    fn failure(&self, failed: Failed) -> ProviderError {
        let name = self.name();
        let (kind, message, billing) = match failed {
            Failed::Start(cause) => (
                ErrorKind::Setup,
                format!(
                    "the program {name} cannot be started ({cause}): check {COMMAND}, and PATH where it names no directory"
                ),
                Billing::NotBilled,
            ),
            Failed::Timeout => (
                ErrorKind::Timeout,
                format!(
                    "the program {name} did not end within {} s: set {TIMEOUT} to more seconds for a slow model, and check that it asks nothing",
                    self.settings.timeout.as_secs_f64()
                ),
                Billing::Unknown,
            ),
            Failed::TooMuch => (
                ErrorKind::BadResponse,
                format!("the program {name} printed more than {ANSWER_BYTES} bytes"),
                Billing::Unknown,
            ),
            Failed::System(cause) => (
                ErrorKind::Transport,
                format!("the program {name} could not be talked to ({cause})"),
                Billing::Unknown,
            ),
        };
        ProviderError::new(kind, message).billed(billing)
    }
}

impl ModelResolver for Source {
    /// Without a name the program is all that is known of what answers.
    fn resolve_model(&self) -> ModelId {
        let model = self.settings.model.clone();
        model.unwrap_or_else(|| ModelId::new(self.name()))
    }
}

#[async_trait]
impl Provider for Source {
    fn identity(&self) -> Identity {
        let Settings {
            program,
            arguments,
            model,
            passed,
            // How long somebody is asked says nothing about who answers.
            timeout: _,
            // The window only divides calls.
            limits: _,
        } = &self.settings;
        if model.is_none() {
            return Identity::unstated();
        }
        let mut command = Sha256::new();
        for word in [program].into_iter().chain(arguments) {
            command.update((word.len() as u64).to_be_bytes());
            command.update(word);
        }
        // A digest: the arguments may hold a key.
        let mut parts = vec![("command".to_owned(), hex::encode(command.finalize()))];
        for (name, value) in passed {
            if is_always_passed(name) {
                continue;
            }
            // Another key is the same model.
            let value = if names_a_secret(name) {
                "a secret".to_owned()
            } else {
                hex::encode(Sha256::digest(value.as_encoded_bytes()))
            };
            parts.push((format!("{PASSED} {name}"), value));
        }
        Identity::stated(parts)
    }

    fn label(&self) -> String {
        format!("program {}", self.name())
    }

    fn limits(&self) -> Limits {
        self.settings.limits
    }

    async fn complete(
        &self,
        request: &Request,
        _run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let Settings {
            program,
            arguments,
            passed,
            timeout,
            ..
        } = &self.settings;
        let program = Program {
            name: program,
            arguments,
            environment: passed,
            timeout: *timeout,
        };
        match run(&program, &request.prompt.to_string()).await {
            Ok(printed) => self.read(&printed),
            Err(failed) => Err(self.failure(failed)),
        }
    }
}

#[cfg(test)]
mod tests;

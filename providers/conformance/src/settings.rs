//! The settings of a run, as an author writes them down.

use std::collections::BTreeMap;
use std::ffi::OsString;

use aurumcode_core::provider::{BuildContext, Environment, ModelId};

use crate::registration::Declared;

/// The variables, the flags and the model of a run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub(crate) variables: BTreeMap<String, OsString>,
    pub(crate) flags: BTreeMap<String, String>,
    pub(crate) model: Option<ModelId>,
}

impl Settings {
    /// Begins with none.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Sets a declared flag, named without dashes.
    #[must_use]
    pub fn flag(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.flags.insert(name.into(), value.into());
        self
    }

    /// Names the model as `--modelo` does.
    #[must_use]
    pub fn model(mut self, name: &str) -> Self {
        self.model = Some(ModelId::new(name));
        self
    }

    /// Returns these settings with one of them changed.
    pub(crate) fn with(&self, setting: &Setting) -> Self {
        let settings = self.clone();
        match &setting.0 {
            Kind::Variable(name, value) => settings.variable(*name, value.clone()),
            Kind::Flag(name, value) => settings.flag(*name, value),
            Kind::Model(name) => settings.model(name),
        }
    }

    /// Hands the settings to a registration's function.
    pub(crate) fn build<T>(&self, build: impl FnOnce(&BuildContext<'_>) -> T) -> T {
        let environment = Environment::new(self.variables.clone());
        build(&BuildContext {
            environment: &environment,
            flags: &self.flags,
            model: self.model.as_ref(),
        })
    }
}

/// One setting with another value.
#[derive(Debug, Clone)]
pub struct Setting(pub(crate) Kind);

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Variable(&'static str, OsString),
    Flag(&'static str, String),
    Model(String),
}

impl Setting {
    /// An environment variable.
    pub fn variable(name: &'static str, value: impl Into<OsString>) -> Self {
        Self(Kind::Variable(name, value.into()))
    }

    /// A declared flag, named without dashes.
    pub fn flag(name: &'static str, value: impl Into<String>) -> Self {
        Self(Kind::Flag(name, value.into()))
    }

    /// The model that `--modelo` names.
    pub fn model(name: &str) -> Self {
        Self(Kind::Model(name.to_owned()))
    }

    /// Returns what is set, for people.
    pub(crate) fn shown(&self) -> String {
        match &self.0 {
            Kind::Variable(name, value) => format!("{name}={}", value.display()),
            Kind::Flag(name, value) => format!("--{name} {value}"),
            Kind::Model(name) => format!("--modelo {name}"),
        }
    }

    pub(crate) fn is_variable(&self, wanted: &str) -> bool {
        matches!(&self.0, Kind::Variable(name, _) if *name == wanted)
    }

    pub(crate) fn is_flag(&self, wanted: &str) -> bool {
        matches!(&self.0, Kind::Flag(name, _) if *name == wanted)
    }
}

/// Variables that many providers declare and that never change an answer by themselves: the core
/// puts the output cap into a request and hashes it there, the window only divides calls, and how
/// long and through what somebody is asked says nothing about who answers.
const NEUTRAL: [(&str, &str); 9] = [
    ("AURUMCODE_CONTEXT_TOKENS", "123456"),
    ("AURUMCODE_MAX_OUTPUT_TOKENS", "1234"),
    ("AURUMCODE_CONNECT_TIMEOUT", "7"),
    ("AURUMCODE_HTTP_TIMEOUT", "77"),
    ("HTTP_PROXY", "http://proxy.example:3128"),
    ("HTTPS_PROXY", "http://proxy.example:3128"),
    ("ALL_PROXY", "http://proxy.example:3128"),
    ("NO_PROXY", "example.com"),
    ("SSL_CERT_FILE", "/nonexistent.pem"),
];

/// Returns those of the well-known neutral variables that are among `declared`.
pub(crate) fn neutral(declared: Declared) -> Vec<Setting> {
    let known = NEUTRAL.into_iter();
    known
        .filter(|(name, _)| declared.variable_names().any(|declared| declared == *name))
        .map(|(name, value)| Setting::variable(name, value))
        .collect()
}

//! What a review is to do, checked in the published order; the first failure decides.

mod target;

use std::collections::BTreeMap;

use aurumcode_core::finding::Severity;
use aurumcode_core::limits;
use aurumcode_core::provider::{Environment, ModelId, Registry};
use aurumcode_core::text::quoted;

use crate::arguments::review::ReviewArguments;
use crate::exclude::Excludes;
use crate::world::Verbosity;

pub(crate) use target::{Commit, PullRequestTarget, Target};

/// The words of `--fail-on`.
const LEVELS: [(&str, Severity); 6] = [
    ("high", Severity::Error),
    ("error", Severity::Error),
    ("medium", Severity::Warning),
    ("warning", Severity::Warning),
    ("low", Severity::Info),
    ("info", Severity::Info),
];

/// The cache's part in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CacheMode {
    /// It serves and stores.
    On,
    /// It stores.
    Refresh,
    /// It has none.
    Off,
}

/// What a review is to do.
#[derive(Debug)]
pub(crate) struct Settings {
    /// What is reviewed.
    pub(crate) target: Target,
    /// The least severity that closes the gate.
    pub(crate) gate: Option<Severity>,
    /// The model that the user asks for.
    pub(crate) model: Option<ModelId>,
    /// The flags of plugins, by name.
    pub(crate) plugin_flags: BTreeMap<String, String>,
    /// Whether the security pass runs.
    pub(crate) security: bool,
    /// The files that are not reviewed.
    pub(crate) excludes: Excludes,
    /// The cache's part.
    pub(crate) cache: CacheMode,
    /// How many calls are open at the same time.
    pub(crate) concurrent_calls: usize,
    /// How much is said.
    pub(crate) verbosity: Verbosity,
}

impl Settings {
    /// Checks the flags. The error is a usage error's whole message.
    pub(crate) fn check(
        arguments: ReviewArguments,
        registry: &Registry,
        environment: &Environment,
    ) -> Result<Self, String> {
        let target = Target::check(arguments.base, arguments.pull_request, environment)?;
        let gate = arguments.fail_on.as_deref().map(gate).transpose()?;
        let model = arguments.model.map(model).transpose()?;
        check_plugin_flags(&arguments.plugin_flags, registry)?;
        let excludes = Excludes::parse(arguments.exclude)?;
        let mut cache = cache(arguments.no_cache, arguments.refresh)?;
        let concurrent_calls = concurrent_calls(arguments.concurrent_calls.as_deref())?;
        let verbosity = verbosity(arguments.quiet, arguments.verbose)?;
        if let Target::PullRequest(_) = target {
            cache = CacheMode::Off;
        }
        Ok(Self {
            target,
            gate,
            model,
            plugin_flags: arguments.plugin_flags,
            security: arguments.security,
            excludes,
            cache,
            concurrent_calls,
            verbosity,
        })
    }
}

/// Checks the flags that plugins add, each by its own check.
pub(crate) fn check_plugin_flags(
    values: &BTreeMap<String, String>,
    registry: &Registry,
) -> Result<(), String> {
    for flag in registry.flags() {
        if let Some(value) = values.get(flag.name) {
            (flag.check)(value)?;
        }
    }
    Ok(())
}

fn gate(level: &str) -> Result<Severity, String> {
    LEVELS
        .into_iter()
        .find(|(word, _)| level.eq_ignore_ascii_case(word))
        .map(|(_, severity)| severity)
        .ok_or_else(|| {
            format!(
                "--fail-on: unknown level {} (accepted: high|error, medium|warning, low|info)",
                quoted(level)
            )
        })
}

/// Takes the name of a model.
pub(crate) fn model(name: String) -> Result<ModelId, String> {
    if name.trim().is_empty() {
        return Err("--modelo: model name must not be empty".to_owned());
    }
    Ok(ModelId::new(name))
}

fn cache(no_cache: bool, refresh: bool) -> Result<CacheMode, String> {
    match (no_cache, refresh) {
        (false, false) => Ok(CacheMode::On),
        (false, true) => Ok(CacheMode::Refresh),
        (true, false) => Ok(CacheMode::Off),
        (true, true) => Err(
            "--refresh keeps the new answers and --no-cache keeps nothing; give one of them"
                .to_owned(),
        ),
    }
}

fn concurrent_calls(value: Option<&str>) -> Result<usize, String> {
    let Some(value) = value else {
        return Ok(limits::CONCURRENT_CALLS);
    };
    let most = limits::CONCURRENT_CALLS_AT_MOST;
    value
        .trim()
        .parse()
        .ok()
        .filter(|calls| (1..=most).contains(calls))
        .ok_or_else(|| {
            format!(
                "--concurrent-calls: must be a whole number from 1 to {most} (got {})",
                quoted(value)
            )
        })
}

fn verbosity(quiet: bool, verbose: bool) -> Result<Verbosity, String> {
    match (quiet, verbose) {
        (false, false) => Ok(Verbosity::Normal),
        (true, false) => Ok(Verbosity::Quiet),
        (false, true) => Ok(Verbosity::Verbose),
        (true, true) => Err("--quiet and --verbose say the opposite; give one of them".to_owned()),
    }
}

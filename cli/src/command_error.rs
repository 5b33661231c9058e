//! Everything by which a command can fail, with its words and its exit code side by side.

use std::io;

use aurumcode_core::cache::StoreError;
use aurumcode_core::provider::{ErrorKind, ModelId, ProviderError, Registry, SelectionError};
use aurumcode_core::review::FailureCause;
use aurumcode_core::rules::CatalogError;
use aurumcode_core::text::quoted;

use crate::exit::ExitStatus;
use crate::output::{self, Unpublished};
use crate::plugins::PluginError;
use crate::source::git::GitError;
use crate::source::github::GitHubError;
use crate::source::github::api::Trouble;

/// What is said when no provider is configured.
pub(crate) const NOTHING_CONFIGURED: &str = r#"no LLM provider configured: set AURUMCODE_LLM_FIXTURE=<path> to a JSON file shaped like {"issues":[{"file":"<path>","line":<n>,"severity":"error|warning|info","rule_id":"<id from the embedded rule catalog, e.g. security/hardcoded-secret>","message":"<text>"}]} for offline use -- a finding whose rule_id is missing or unknown is discarded, never shown, so rule_id is not optional -- if you have the AurumCode source checked out, fixtures/review/known-problem-response.json is a worked example -- or set LLM_API_KEY and LLM_BASE_URL for a live provider"#;

/// Why a command did not do what was asked for.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// No command is named. The text is the program's help.
    NoCommand(String),
    /// There is no command of that name.
    UnknownCommand(String),
    /// clap refuses the arguments; the text is all that it says.
    Refused(String),
    /// A flag or a variable has a value that cannot be used.
    Usage(String),
    /// The linked providers cannot be used together.
    Plugins(PluginError),
    /// `-C` names no directory that can be entered.
    Directory(String, io::Error),
    /// The change cannot be read.
    Git(GitError),
    /// The pull request cannot be read, or must not be written on.
    GitHub(GitHubError),
    /// Nobody says to which commit the findings belong.
    NoCommit,
    /// These findings are not on the pull request.
    Unpublished(Vec<Unpublished>),
    /// The status is not on the commit.
    Check(Trouble),
    /// The rules cannot be read.
    Rules(CatalogError),
    /// Nothing is configured that could answer.
    NothingConfigured,
    /// The provider that the user picked by name is not there or not configured.
    NotSelected(SelectionError),
    /// The model that the user asked for is not served.
    ModelUnavailable(ModelId, String),
    /// The provider that is configured cannot be used.
    Provider(ProviderError),
    /// The review failed, or a part of it.
    Review(FailureCause),
    /// The cache directory cannot be looked into.
    Cache(StoreError),
    /// The file that the user named, already quoted, is not one that the change would send.
    NotInChange(String),
    /// The system does not give what a run needs.
    System(&'static str, io::Error),
    /// stdout does not take what is written.
    Output(io::Error),
}

impl CommandError {
    /// Says why nothing can be selected, for a run in which the user asked for `model` or for none.
    pub(crate) fn of_selection(
        error: SelectionError,
        model: Option<&ModelId>,
        registry: &Registry,
    ) -> Self {
        match (error, model) {
            (SelectionError::Setup(error), _) => Self::Usage(error.to_string()),
            (error, Some(model)) => {
                let cause = match error {
                    SelectionError::NothingConfigured => {
                        "no LLM provider is configured to serve it".to_owned()
                    }
                    other => other.to_string(),
                };
                Self::unavailable(model, cause, registry)
            }
            (SelectionError::NothingConfigured, None) => Self::NothingConfigured,
            (SelectionError::Broken { name: _, error }, None) => Self::Provider(error),
            (
                error @ (SelectionError::Unknown { .. } | SelectionError::NotConfigured { .. }),
                None,
            ) => Self::NotSelected(error),
        }
    }

    /// Says why a review failed, for a run in which the user asked for `model` or for none.
    ///
    /// A run that may not spend more says so by itself: the model is there.
    pub(crate) fn of_failure(
        cause: FailureCause,
        model: Option<&ModelId>,
        registry: &Registry,
    ) -> Self {
        match (cause, model) {
            (FailureCause::Call(error), Some(model))
                if error.kind != ErrorKind::BudgetExhausted =>
            {
                Self::unavailable(model, error.to_string(), registry)
            }
            (cause, _) => Self::Review(cause),
        }
    }

    /// Names the model as its endpoint does, and a provider that may have been meant.
    fn unavailable(model: &ModelId, mut cause: String, registry: &Registry) -> Self {
        let near = registry.sources_like(model);
        if let (Some((word, _)), false) = (model.as_str().split_once(':'), near.is_empty()) {
            cause = format!(
                "{cause}; if {} is to name a provider, did you mean {}?",
                quoted(word),
                near.join(" or ")
            );
        }
        Self::ModelUnavailable(registry.model_in(model), cause)
    }

    /// Returns how the process ends.
    pub(crate) fn exit_status(&self) -> ExitStatus {
        match self {
            Self::NoCommand(_) | Self::UnknownCommand(_) | Self::Refused(_) | Self::Usage(_) => {
                ExitStatus::Usage
            }
            Self::Plugins(_)
            | Self::Directory(..)
            | Self::Git(_)
            | Self::GitHub(_)
            | Self::NoCommit
            | Self::Unpublished(_)
            | Self::Check(_)
            | Self::Rules(_)
            | Self::NothingConfigured
            | Self::NotSelected(_)
            | Self::ModelUnavailable(..)
            | Self::Provider(_)
            | Self::Review(_)
            | Self::Cache(_)
            | Self::NotInChange(_)
            | Self::System(..)
            | Self::Output(_) => ExitStatus::Failed,
        }
    }

    /// Returns the lines that say why, without the speaker's name.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = match self {
            Self::NoCommand(_) => return Vec::new(),
            Self::UnknownCommand(word) => format!("unknown command {}", quoted(word)),
            Self::Refused(text) => {
                let first = text.lines().next().unwrap_or_default();
                first.strip_prefix("error: ").unwrap_or(first).to_owned()
            }
            Self::Usage(message) => message.clone(),
            Self::Plugins(error) => error.to_string(),
            Self::Directory(path, cause) => {
                format!("cannot change to the directory {}: {cause}", quoted(path))
            }
            Self::Git(error) => error.to_string(),
            Self::GitHub(error) => error.to_string(),
            Self::NoCommit => "refusing to publish: an inline comment requires a commit SHA and \
                               none is available; set GITHUB_SHA"
                .to_owned(),
            Self::Unpublished(failed) => output::unpublished(failed.len()),
            Self::Check(cause) => format!("publishing check status: {cause}"),
            Self::Rules(error) => format!("review rules unavailable: {error}"),
            Self::NothingConfigured => NOTHING_CONFIGURED.to_owned(),
            Self::NotSelected(error) => error.to_string(),
            Self::ModelUnavailable(model, cause) => {
                let model = model.as_str();
                return vec![
                    format!("model {} is unavailable: {cause}", quoted(model)),
                    format!(
                        "to serve model {}: set AURUMCODE_LLM_FIXTURE=<response-file> for an \
                         offline answer, or LLM_API_KEY and LLM_BASE_URL for a live endpoint (a \
                         local one, such as LLM_BASE_URL=http://localhost:11434/v1, needs no \
                         key), then re-run with --modelo {model}",
                        quoted(model)
                    ),
                ];
            }
            Self::Provider(error) => error.to_string(),
            Self::Review(cause) => cause.to_string(),
            Self::Cache(error) => error.to_string(),
            Self::NotInChange(path) => format!(
                "{path} is not among the files of the change that are sent; give the path from the \
                 top of the tree"
            ),
            Self::System(what, cause) => format!("{what}: {cause}"),
            Self::Output(cause) => format!("cannot write to stdout: {cause}"),
        };
        vec![line]
    }

    /// Returns the help that follows the lines.
    pub(crate) fn help(&self) -> String {
        match self {
            Self::NoCommand(help) => help.clone(),
            Self::Refused(text) => {
                let (_, rest) = text.split_once('\n').unwrap_or_default();
                rest.to_owned()
            }
            Self::Unpublished(failed) => {
                let list: Vec<String> = failed.iter().map(Unpublished::in_the_list).collect();
                list.join("\n")
            }
            _ => String::new(),
        }
    }
}

impl From<PluginError> for CommandError {
    fn from(error: PluginError) -> Self {
        Self::Plugins(error)
    }
}

impl From<GitError> for CommandError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

impl From<GitHubError> for CommandError {
    fn from(error: GitHubError) -> Self {
        Self::GitHub(error)
    }
}

impl From<CatalogError> for CommandError {
    fn from(error: CatalogError) -> Self {
        Self::Rules(error)
    }
}

//! The change of a pull request, read from GitHub.
//!
//! The order is part of what is promised: whether the result may be published is asked before the
//! change is read, and long before a model costs anything.

pub(crate) mod address;
pub(crate) mod api;
mod diff;
mod error;
pub(crate) mod event;
mod files;

use aurumcode_core::change::Change;
use aurumcode_provider_http::excerpt;
use serde::Deserialize;

use address::{PullRequest, RepositoryName};
use api::{Api, Trouble};
pub(crate) use error::GitHubError;

/// What is asked for where the answer is a diff.
const DIFF: &str = "application/vnd.github.v3.diff";

/// The status with which GitHub says that a diff is too large to be shown at once.
const TOO_LARGE: u16 = 406;

#[derive(Debug, Deserialize)]
struct Repository {
    permissions: Option<Permissions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Permissions {
    push: bool,
    maintain: bool,
    admin: bool,
}

/// Makes sure that the token may write to the repository.
pub(crate) async fn check_permission(
    api: &mut Api<'_>,
    repository: &RepositoryName,
) -> Result<(), GitHubError> {
    let segments = ["repos", &repository.owner, &repository.name];
    let mut answer: Result<Repository, Trouble> = api.get_json(&segments, &[]).await;
    // Outside its API a GitHub of one's own answers with pages for people.
    let may_be_elsewhere = answer
        .as_ref()
        .is_err_and(|trouble| trouble.status() == Some(404) || is_page(trouble));
    if may_be_elsewhere && api.try_enterprise_path() {
        match api.get_json(&segments, &[]).await {
            Ok(found) => answer = Ok(found),
            Err(_) => api.forget_enterprise_path(),
        }
    }
    let found = answer.map_err(|cause| GitHubError::PermissionUnknown {
        repository: repository.clone(),
        cause,
    })?;
    let Permissions {
        push,
        maintain,
        admin,
    } = found.permissions.unwrap_or_default();
    if push || maintain || admin {
        return Ok(());
    }
    if !api.has_token() {
        api.say("GITHUB_TOKEN is not set, so GitHub is asked without any right to write");
    }
    Err(GitHubError::NoPermission {
        repository: repository.clone(),
    })
}

fn is_page(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Unreadable(_))
}

/// Reads the change of a pull request.
pub(crate) async fn read(api: &Api<'_>, pull_request: &PullRequest) -> Result<Change, GitHubError> {
    let number = pull_request.number.to_string();
    let RepositoryName { owner, name } = &pull_request.repository;
    let segments = ["repos", owner, name, "pulls", &number];
    match api.get(&segments, &[], DIFF).await {
        Ok(body) => diff::parse(&body).map_err(|cause| {
            let words = excerpt(&String::from_utf8_lossy(&body), api.redactor());
            GitHubError::Diff(Trouble::Unreadable(format!("{cause}: {words}")))
        }),
        Err(trouble) if trouble.status() == Some(TOO_LARGE) => {
            api.say(format!(
                "the diff of pull request #{number} is too large for GitHub to send at once \
                 (HTTP {TOO_LARGE}); reading its files one by one"
            ));
            files::read(api, pull_request)
                .await
                .map_err(GitHubError::Diff)
        }
        Err(trouble) => Err(GitHubError::Diff(trouble)),
    }
}

/// Returns the commit that is now the head of the pull request; `None` when GitHub does not say.
pub(crate) async fn head(api: &Api<'_>, pull_request: &PullRequest) -> Option<String> {
    #[derive(Deserialize)]
    struct Pull {
        head: Head,
    }
    #[derive(Deserialize)]
    struct Head {
        sha: String,
    }
    let number = pull_request.number.to_string();
    let RepositoryName { owner, name } = &pull_request.repository;
    let segments = ["repos", owner, name, "pulls", &number];
    let pull: Pull = api.get_json(&segments, &[]).await.ok()?;
    let sha = pull.head.sha.trim();
    (!sha.is_empty()).then(|| sha.to_owned())
}

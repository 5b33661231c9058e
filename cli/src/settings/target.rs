//! What is reviewed: a change in a repository here, or a pull request on GitHub.

use std::path::Path;
use std::time::Duration;

use aurumcode_core::provider::Environment;
use aurumcode_core::text::quoted;
use aurumcode_provider_http::Url;

use crate::arguments::review::PullRequestArguments;
use crate::source::github::address::{self, PullRequest, RepositoryName};
use crate::source::github::event::Event;
use crate::variables::{
    GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_PAUSE, GITHUB_REPOSITORY, GITHUB_SHA,
};

/// The pause between writes that GitHub's documentation asks for, in seconds.
const PAUSE: f64 = 1.0;

/// The longest pause that can be set, in seconds.
const LONGEST_PAUSE: f64 = 60.0;

/// What is reviewed.
#[derive(Debug)]
pub(crate) enum Target {
    /// The change from a ref to `HEAD`.
    Range {
        /// The ref.
        base: String,
    },
    /// A pull request.
    PullRequest(Box<PullRequestTarget>),
}

/// The commit on which findings are published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Commit {
    /// It is known.
    Known(String),
    /// The job was not started by the pull request, so its variables name another one. GitHub has
    /// to be asked.
    AskGitHub,
    /// Nobody says which.
    Unknown,
}

/// A pull request, and how it is reviewed.
#[derive(Debug)]
pub(crate) struct PullRequestTarget {
    /// Which one.
    pub(crate) pull_request: PullRequest,
    /// The commit on which findings are published.
    pub(crate) commit: Commit,
    /// Whether the commit gets a status.
    pub(crate) check: bool,
    /// What was not given and taken from the event, in words.
    pub(crate) taken: Option<String>,
    /// Where the API is.
    pub(crate) root: Url,
    /// How long to pause between two of many comments.
    pub(crate) pause: Duration,
}

impl Target {
    /// Checks the flags. The error is a usage error's whole message.
    pub(super) fn check(
        base: Option<String>,
        given: PullRequestArguments,
        environment: &Environment,
    ) -> Result<Self, String> {
        let base = base.filter(|base| !base.is_empty());
        let publishes = given.publish || given.inline || given.check;
        let event_path = environment.raw(GITHUB_EVENT_PATH.name);
        let event = (given.number.is_some() || publishes)
            .then(|| event_path.map(|path| Event::read(Path::new(path)).unwrap_or_default()))
            .flatten();
        let number = given.number.clone().or_else(|| {
            let number = event.as_ref().and_then(|event| event.number);
            number
                .filter(|_| base.is_none())
                .map(|number| number.to_string())
        });
        match (number, base) {
            (Some(number), _) => pull_request(&number, given, event, environment)
                .map(|target| Self::PullRequest(Box::new(target))),
            (None, None) => Err("--base is required".to_owned()),
            (None, Some(_)) if publishes => Err(
                "--publicar, --na-linha and --check are about a pull request: give --pr and --repo"
                    .to_owned(),
            ),
            (None, Some(base)) => Ok(Self::Range { base }),
        }
    }
}

fn pull_request(
    number: &str,
    given: PullRequestArguments,
    event: Option<Event>,
    environment: &Environment,
) -> Result<PullRequestTarget, String> {
    let mut taken = Vec::new();
    let repository = given.repository.or_else(|| {
        let event = event.as_ref()?;
        let repository = event.repository.clone();
        let repository = repository.or_else(|| environment.text(GITHUB_REPOSITORY.name))?;
        taken.push(format!("--repo {repository}"));
        Some(repository)
    });
    let repository = repository.ok_or("--repo is required with --pr")?;
    if !given.inline && !given.check {
        return Err("--na-linha is required with --pr".to_owned());
    }
    if !given.publish {
        return Err("--publicar is required with --pr".to_owned());
    }
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = number
        .parse()
        .ok()
        .filter(|number| *number > 0 && is_number);
    let number: u64 = parsed.ok_or("--pr must be a positive pull request number")?;
    let name = RepositoryName::parse(&repository).ok_or_else(|| {
        format!(
            "--repo: expected the form owner/repo, got {}",
            quoted(&repository)
        )
    })?;
    if given.number.is_none() {
        taken.push(format!("--pr {number}"));
    }
    let commit = commit(event, number, &repository, environment, &mut taken);
    let root = environment.text(GITHUB_API_URL.name);
    Ok(PullRequestTarget {
        pull_request: PullRequest {
            repository: name,
            number,
        },
        commit,
        check: given.check,
        taken: (!taken.is_empty()).then(|| {
            format!(
                "taken from the event of GitHub Actions: {}",
                taken.join(", ")
            )
        }),
        root: address::root(GITHUB_API_URL.name, root.as_deref())?,
        pause: pause(environment)?,
    })
}

/// Finds the commit. A job of GitHub Actions has a merge commit in its variables, or the head of
/// the branch that its workflow is on, and never the head of the pull request.
fn commit(
    event: Option<Event>,
    number: u64,
    repository: &str,
    environment: &Environment,
    taken: &mut Vec<String>,
) -> Commit {
    let Some(event) = event else {
        let sha = environment.text(GITHUB_SHA.name);
        let sha = sha.map(|sha| sha.trim().to_owned());
        return sha
            .filter(|sha| !sha.is_empty())
            .map_or(Commit::Unknown, Commit::Known);
    };
    let is_same = event.number == Some(number)
        && event
            .repository
            .is_none_or(|name| name.eq_ignore_ascii_case(repository));
    match event.head.filter(|_| is_same) {
        Some(head) => {
            taken.push(format!("commit {head}"));
            Commit::Known(head)
        }
        None => Commit::AskGitHub,
    }
}

fn pause(environment: &Environment) -> Result<Duration, String> {
    let Some(value) = environment.text(GITHUB_PAUSE.name) else {
        return Ok(Duration::from_secs_f64(PAUSE));
    };
    let seconds = value.trim().parse::<f64>().ok();
    seconds
        .filter(|seconds| (0.0..=LONGEST_PAUSE).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| {
            format!(
                "{} must be a number of seconds from 0 to {LONGEST_PAUSE} (got {})",
                GITHUB_PAUSE.name,
                quoted(&value)
            )
        })
}

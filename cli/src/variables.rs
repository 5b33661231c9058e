//! The environment variables that the program itself reads; those of providers come from their
//! registrations.

use std::collections::BTreeSet;

use aurumcode_core::provider::{PROVIDER, Registry, Variable};

/// Names the cache directory.
pub(crate) const CACHE_DIR: Variable = Variable {
    name: "AURUMCODE_CACHE_DIR",
    help: "the directory that keeps answers for the next run; without it each run has one of its own and removes it",
    secret: false,
};

/// Names the repository, as git's hooks do.
pub(crate) const GIT_DIR: Variable = Variable {
    name: "GIT_DIR",
    help: "the repository, as git's hooks set it",
    secret: false,
};

/// Turns the log on.
pub(crate) const LOG: Variable = Variable {
    name: "AURUMCODE_LOG",
    help: "what is logged on stderr, redacted: a level such as debug, or levels by module such as aurumcode_provider_http=trace",
    secret: false,
};

/// The right to read pull requests and to write on them.
pub(crate) const GITHUB_TOKEN: Variable = Variable {
    name: "GITHUB_TOKEN",
    help: "the token for GitHub, sent to its API only; it is masked wherever it stands",
    secret: true,
};

/// The commit that comments belong to.
pub(crate) const GITHUB_SHA: Variable = Variable {
    name: "GITHUB_SHA",
    help: "the commit at the head of the pull request, on which findings are published; in GitHub Actions the event knows it better",
    secret: false,
};

/// Where GitHub's API is.
pub(crate) const GITHUB_API_URL: Variable = Variable {
    name: "AURUMCODE_GITHUB_API_URL",
    help: "the API of a GitHub of one's own, with or without /api/v3 (https://api.github.com)",
    secret: false,
};

/// The pause between writes.
pub(crate) const GITHUB_PAUSE: Variable = Variable {
    name: "AURUMCODE_GITHUB_PAUSE",
    help: "how long to pause between two of more than ten comments, and before a request to GitHub is sent again, in seconds (1)",
    secret: false,
};

/// What started a job of GitHub Actions.
pub(crate) const GITHUB_EVENT_PATH: Variable = Variable {
    name: "GITHUB_EVENT_PATH",
    help: "the event that started a job of GitHub Actions; it names the pull request, its repository and its head",
    secret: false,
};

/// Where a job of GitHub Actions runs.
pub(crate) const GITHUB_REPOSITORY: Variable = Variable {
    name: "GITHUB_REPOSITORY",
    help: "the repository of a job of GitHub Actions, where the event names none",
    secret: false,
};

/// What the program itself reads.
const OWN: [Variable; 11] = [
    PROVIDER,
    CACHE_DIR,
    LOG,
    GIT_DIR,
    Variable {
        name: "AURUM_SECRET_CANARY",
        help: "a value that must never leave the process; it is masked wherever it stands",
        secret: true,
    },
    GITHUB_TOKEN,
    GITHUB_SHA,
    GITHUB_API_URL,
    GITHUB_PAUSE,
    GITHUB_EVENT_PATH,
    GITHUB_REPOSITORY,
];

/// Returns every variable that this program reads, each once, those of providers first.
pub(crate) fn all(registry: Option<&Registry>) -> Vec<Variable> {
    let mut seen = BTreeSet::new();
    registry
        .into_iter()
        .flat_map(Registry::variables)
        .copied()
        .chain(OWN)
        .filter(|variable| seen.insert(variable.name))
        .collect()
}

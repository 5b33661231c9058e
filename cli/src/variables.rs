//! The environment variables that the program itself reads; those of providers come from their
//! registrations.

use std::collections::BTreeSet;

use aurumcode_core::provider::{Registry, Variable};

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

/// What the program itself reads.
const OWN: [Variable; 5] = [
    CACHE_DIR,
    LOG,
    GIT_DIR,
    Variable {
        name: "AURUM_SECRET_CANARY",
        help: "a value that must never leave the process; it is masked wherever it stands",
        secret: true,
    },
    Variable {
        name: "GITHUB_TOKEN",
        help: "a token for GitHub; it is masked wherever it stands",
        secret: true,
    },
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

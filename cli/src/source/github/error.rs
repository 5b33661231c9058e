//! Every way in which a pull request cannot be read, in the words that the user reads.

use thiserror::Error;

use super::address::RepositoryName;
use super::api::Trouble;

/// Why the change could not be read.
#[derive(Debug, Error)]
pub(crate) enum GitHubError {
    /// The rights of the token cannot be asked for.
    #[error("checking write permission on {repository}: {cause}")]
    PermissionUnknown {
        /// Where.
        repository: RepositoryName,
        /// Why not.
        cause: Trouble,
    },
    /// The token may not write there.
    #[error("refusing to publish to {repository}: token lacks write permission on repository")]
    NoPermission {
        /// Where.
        repository: RepositoryName,
    },
    /// The diff did not come.
    #[error("fetching pull request diff: {0}")]
    Diff(Trouble),
}

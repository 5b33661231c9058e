//! The change between a ref and `HEAD`, read from a git repository.
//!
//! The change is taken between two trees: that of the merge base of the ref and `HEAD`, and that
//! of `HEAD`. Neither the index nor the work tree is looked at, and nothing in a configuration,
//! an attributes file or the environment can change what comes out: the trees are walked here,
//! renames are paired here, and libgit2 is only asked for the line difference of two blobs, with
//! options that are all stated and a path that matches no attribute.

pub(super) mod content;
mod error;
mod file;
mod reading;
mod refs;
mod renames;
mod repository;
mod tree;
mod uncommitted;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::Path;

use aurumcode_core::change::Change;

use error::DiffError;
pub(crate) use error::GitError;

/// Which change of which repository is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GitRequest<'a> {
    /// Where the search for the repository begins: the directory in which the command runs.
    pub(crate) directory: &'a Path,
    /// The value of `GIT_DIR`, which git sets for its hooks. It names the repository itself, and
    /// a relative one starts at `directory`. Git's other variables move the work tree, the index
    /// or the objects that are being pushed; none of them holds what `HEAD` names.
    pub(crate) git_dir: Option<&'a OsStr>,
    /// The ref from which the change starts, as `git rev-parse` takes it.
    pub(crate) base: &'a str,
}

/// What was found between the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitChange {
    /// The committed change, in path order.
    pub(crate) change: Change,
    /// Whether nothing at all was committed between the two while tracked files are edited.
    pub(crate) uncommitted_only: bool,
}

/// Reads the change that `request` names.
pub(crate) fn read(request: &GitRequest<'_>) -> Result<GitChange, GitError> {
    // Git itself does not hash an object again when it reads it from its own store, and hashing
    // is a third of the time of a whole review.
    git2::opts::strict_hash_verification(false);
    let repository = repository::open(request)?;
    let base = refs::base(&repository, request.base)?;
    let head = refs::head(&repository)?;
    let start = refs::merge_base(&repository, &base, &head, request.base)?;
    let change = between(&repository, start.tree_id(), head.tree_id())
        .map_err(|cause| diff_failed(&repository, request.base, &cause))?;
    let nothing = change.files.is_empty() && change.notices.is_empty();
    Ok(GitChange {
        change,
        uncommitted_only: nothing && uncommitted::exist(&repository),
    })
}

fn between(
    repository: &git2::Repository,
    old: git2::Oid,
    new: git2::Oid,
) -> Result<Change, DiffError> {
    let changed = renames::pair(repository, tree::changed(repository, old, new)?)?;
    reading::read_all(repository, changed)
}

fn diff_failed(repository: &git2::Repository, base: &str, cause: &DiffError) -> GitError {
    if cause.is_missing_object() && repository::is_partial(repository) {
        return GitError::ObjectsNotHere {
            base: base.to_owned(),
        };
    }
    GitError::Diff {
        base: base.to_owned(),
        cause: cause.to_string(),
    }
}

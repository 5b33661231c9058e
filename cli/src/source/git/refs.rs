//! From the words of the user to the two commits between which the change lies.

use std::collections::{BTreeMap, BTreeSet};

use git2::{Commit, ErrorClass, ErrorCode, ObjectType, Oid, Repository};

use super::{GitError, repository};

/// Returns the commit that `reference` names.
pub(super) fn base<'r>(
    repository: &'r Repository,
    reference: &str,
) -> Result<Commit<'r>, GitError> {
    if reference.trim().is_empty() {
        return Err(unresolved(reference));
    }
    resolve(repository, reference).map_err(|error| explain(repository, reference, &error))
}

/// Returns the commit that `HEAD` names.
pub(super) fn head(repository: &Repository) -> Result<Commit<'_>, GitError> {
    repository
        .head()
        .and_then(|head| head.peel_to_commit())
        .map_err(|error| match error.code() {
            ErrorCode::UnbornBranch => GitError::UnbornHead,
            _ => explain(repository, "HEAD", &error),
        })
}

/// Returns the commit at which the histories of `base` and `head` meet.
pub(super) fn merge_base<'r>(
    repository: &'r Repository,
    base: &Commit<'r>,
    head: &Commit<'r>,
    reference: &str,
) -> Result<Commit<'r>, GitError> {
    let shallow = repository.is_shallow();
    let failed = |error: &git2::Error| GitError::Diff {
        base: reference.to_owned(),
        cause: error.message().to_owned(),
    };
    let found = if shallow {
        nearest_common_ancestor(base, head).map_err(|error| failed(&error))?
    } else {
        match repository.merge_base(base.id(), head.id()) {
            Ok(id) => Some(id),
            Err(error) if error.class() == ErrorClass::Merge => None,
            Err(error) => return Err(failed(&error)),
        }
    };
    let reference = reference.to_owned();
    match found {
        Some(id) => repository.find_commit(id).map_err(|error| failed(&error)),
        None if shallow => Err(GitError::ShallowMergeBase { reference }),
        None => Err(GitError::NoCommonAncestor { reference }),
    }
}

/// Finds the merge base in a shallow clone, where libgit2's own search asks for the parents that
/// were cut off. Such a clone's history is small, so both sides are walked whole.
fn nearest_common_ancestor(
    left: &Commit<'_>,
    right: &Commit<'_>,
) -> Result<Option<Oid>, git2::Error> {
    let mut common = ancestors(left)?;
    let others = ancestors(right)?;
    common.retain(|id, _| others.contains_key(id));
    // Every ancestor of a common commit is common too, so whatever is a parent of one is not the
    // nearest.
    let passed: BTreeSet<Oid> = common
        .values()
        .flat_map(|(_, parents)| parents)
        .copied()
        .collect();
    Ok(common
        .iter()
        .filter(|(id, _)| !passed.contains(id))
        .map(|(id, (time, _))| (*time, *id))
        .max()
        .map(|(_, id)| id))
}

/// Returns every commit that is reachable from `start`, with its time and its parents.
fn ancestors(start: &Commit<'_>) -> Result<BTreeMap<Oid, (i64, Vec<Oid>)>, git2::Error> {
    let mut found = BTreeMap::new();
    let mut pending = vec![start.clone()];
    while let Some(commit) = pending.pop() {
        if found.contains_key(&commit.id()) {
            continue;
        }
        for place in 0..commit.parent_count() {
            pending.push(commit.parent(place)?);
        }
        let parents = commit.parent_ids().collect();
        found.insert(commit.id(), (commit.time().seconds(), parents));
    }
    Ok(found)
}

fn resolve<'r>(repository: &'r Repository, reference: &str) -> Result<Commit<'r>, git2::Error> {
    let found = match repository.revparse_single(reference) {
        Err(error) if error.code() == ErrorCode::Ambiguous => {
            match only_commit(repository, reference) {
                Some(full) => repository.revparse_single(&full),
                None => Err(error),
            }
        }
        found => found,
    };
    found?.peel_to_commit()
}

/// Writes out an abbreviated id at the start of `reference` when exactly one of the objects that
/// it could mean is a commit or leads to one. Git decides the same way where it wants a commit.
fn only_commit(repository: &Repository, reference: &str) -> Option<String> {
    let digits = reference.find(|character: char| !character.is_ascii_hexdigit());
    let (prefix, rest) = reference.split_at(digits.unwrap_or(reference.len()));
    let prefix = prefix.to_ascii_lowercase();
    let mut candidates = Vec::new();
    let odb = repository.odb().ok()?;
    odb.foreach(|id| {
        let full = id.to_string();
        if full.starts_with(&prefix) {
            candidates.push((*id, full));
        }
        true
    })
    .ok()?;
    candidates.sort();
    candidates.dedup();
    candidates.retain(|(id, _)| {
        let object = repository.find_object(*id, None);
        object.is_ok_and(|object| object.peel(ObjectType::Commit).is_ok())
    });
    match candidates.as_slice() {
        [(_, full)] => Some(format!("{full}{rest}")),
        _ => None,
    }
}

fn explain(repository: &Repository, reference: &str, error: &git2::Error) -> GitError {
    let owned = reference.to_owned();
    if is_denied(error) || repository::is_unreadable(repository) {
        return GitError::RefPermission { reference: owned };
    }
    match error.code() {
        // Whatever libgit2 took the name for: one of hexadecimal digits is an abbreviation to it.
        _ if is_namespace(repository, reference) => GitError::RefIsNamespace { reference: owned },
        ErrorCode::NotFound | ErrorCode::UnbornBranch if repository.is_shallow() => {
            GitError::ShallowRef { reference: owned }
        }
        ErrorCode::NotFound | ErrorCode::UnbornBranch if has_no_commit(repository) => {
            GitError::NoCommits { reference: owned }
        }
        ErrorCode::NotFound | ErrorCode::UnbornBranch => GitError::RefNotFound { reference: owned },
        _ => unresolved(reference),
    }
}

/// Returns whether `HEAD` names a branch without a commit and there is no other ref.
fn has_no_commit(repository: &Repository) -> bool {
    let unborn = |error: git2::Error| error.code() == ErrorCode::UnbornBranch;
    let no_ref = |mut references: git2::References<'_>| references.next().is_none();
    repository.head().is_err_and(unborn) && repository.references().is_ok_and(no_ref)
}

fn unresolved(reference: &str) -> GitError {
    GitError::RefUnresolved {
        reference: reference.to_owned(),
    }
}

/// Returns whether the operating system refused to open a file. libgit2 reports that as "locked",
/// in its class for errors of the operating system.
fn is_denied(error: &git2::Error) -> bool {
    error.code() == ErrorCode::Locked && error.class() == ErrorClass::Os
}

/// Returns whether `reference` is a directory of refs, in any place in which git looks for a
/// short name.
fn is_namespace(repository: &Repository, reference: &str) -> bool {
    let name = reference.trim_end_matches('/');
    let prefixes = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]
        .map(|place| format!("{place}{name}/"));
    let Ok(references) = repository.references() else {
        return false;
    };
    references.flatten().any(|found| {
        prefixes
            .iter()
            .any(|prefix| found.name_bytes().starts_with(prefix.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_may_not_be_opened_is_told_from_a_lock() {
        let cases = [
            (ErrorCode::Locked, ErrorClass::Os, true),
            (ErrorCode::Locked, ErrorClass::Reference, false),
            (ErrorCode::NotFound, ErrorClass::Os, false),
        ];
        for (code, class, denied) in cases {
            assert_eq!(is_denied(&git2::Error::new(code, class, "")), denied);
        }
    }
}

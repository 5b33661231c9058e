//! Every way in which reading a change can fail, in the words that the user reads.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aurumcode_core::limits;
use aurumcode_core::text::{one_line, quoted};
use thiserror::Error;

/// Why the change could not be read.
#[derive(Debug, Error)]
pub(crate) enum GitError {
    /// No repository was found.
    #[error(
        "{} is not a git repository (no .git directory here, and this path is not itself a bare repository)",
        shown(.directory)
    )]
    NotARepository {
        /// Where the search began.
        directory: PathBuf,
    },

    /// The directory to start in is none.
    #[error("{} is not a directory", shown(.directory))]
    NotADirectory {
        /// The path as given.
        directory: PathBuf,
    },

    /// A `.git` file points to a repository that is not there.
    #[error(
        "{} points to {}, which is not a git repository: the main repository was moved or deleted; run `git worktree repair` there, or clone again",
        shown(.file),
        shown(.target)
    )]
    DanglingLink {
        /// The `.git` file.
        file: PathBuf,
        /// What it names.
        target: PathBuf,
    },

    /// The variable names something else.
    #[error("GIT_DIR names {}, which is not a git repository: correct or unset it", shown(.path))]
    GitDirNotARepository {
        /// What the variable names.
        path: PathBuf,
    },

    /// The directory belongs to somebody else.
    #[error(
        "the repository at {} belongs to another user, so git and this program refuse to read it; if you trust it, run: git config --global --add safe.directory {}",
        shown(.path),
        shell_word(.path)
    )]
    OtherOwner {
        /// The path that the setting must name.
        path: PathBuf,
    },

    /// The repository uses a format that libgit2 does not know.
    #[error(
        "the repository at {} cannot be read: it uses {format}, which libgit2, the library that reads repositories here, does not support; review a clone that was made without it",
        shown(.directory)
    )]
    Format {
        /// Where the search began.
        directory: PathBuf,
        /// The format, in words.
        format: String,
    },

    /// The repository is there and cannot be opened.
    #[error("could not open the git repository at {}: {}", shown(.directory), one_line(.cause))]
    Open {
        /// Where the search began.
        directory: PathBuf,
        /// libgit2's own words.
        cause: String,
    },

    /// Nothing has that name.
    #[error(
        "ref {} not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a \"<ref>~N\" parent expression",
        quoted(.reference)
    )]
    RefNotFound {
        /// The ref as given.
        reference: String,
    },

    /// Nothing has that name, because there is no commit at all.
    #[error(
        "ref {} not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a \"<ref>~N\" parent expression -- the repository has no commits yet, so commit first",
        quoted(.reference)
    )]
    NoCommits {
        /// The ref as given.
        reference: String,
    },

    /// The name is only the first part of other names.
    #[error(
        "ref {} is not a branch: a directory of refs by that name exists (a hierarchical branch namespace, e.g. \"<ref>/...\") -- name the exact branch, not a namespace prefix",
        quoted(.reference)
    )]
    RefIsNamespace {
        /// The ref as given.
        reference: String,
    },

    /// The ref's file or directory may not be read.
    #[error(
        "permission denied resolving ref {} in this repository: this process cannot read the ref's storage under .git (or the bare repository root) -- check its file permissions",
        quoted(.reference)
    )]
    RefPermission {
        /// The ref as given.
        reference: String,
    },

    /// The ref is blank, names no commit, or cannot be read for another reason.
    #[error("could not resolve ref {} in this repository", quoted(.reference))]
    RefUnresolved {
        /// The ref as given.
        reference: String,
    },

    /// `HEAD` names a branch without a commit.
    #[error(
        "HEAD has no commit yet, so there is nothing to review: commit first, or check out a branch"
    )]
    UnbornHead,

    /// The ref is not in a clone whose history is cut off.
    #[error(
        "ref {} not found in this repository: this clone is shallow, so a part of the history is missing; fetch it whole (in CI: fetch-depth: 0; by hand: git fetch --unshallow), fetch the ref too if it is a branch, and run again",
        quoted(.reference)
    )]
    ShallowRef {
        /// The ref as given.
        reference: String,
    },

    /// The place where the two histories meet is not in a clone whose history is cut off.
    #[error(
        "no common ancestor of {} and HEAD is in this clone: it is shallow, so the history before the place where they meet is missing; fetch it whole (in CI: fetch-depth: 0; by hand: git fetch --unshallow) and run again",
        quoted(.reference)
    )]
    ShallowMergeBase {
        /// The ref as given.
        reference: String,
    },

    /// The two histories never met.
    #[error(
        "{} and HEAD have no common ancestor, so there is no change from one to the other: name a ref of the history that HEAD stands on",
        quoted(.reference)
    )]
    NoCommonAncestor {
        /// The ref as given.
        reference: String,
    },

    /// A partial clone does not hold the content of a changed file.
    #[error(
        "this is a partial clone, and objects of the change from {} to HEAD are not in it: run `git diff {}...HEAD` once, which fetches them, or clone without --filter, and run again",
        quoted(.base),
        shell_word(Path::new(.base))
    )]
    ObjectsNotHere {
        /// The ref as given.
        base: String,
    },

    /// The change was not read in time.
    #[error(
        "computing diff {}..HEAD: not done after {} s; an object of the repository may be damaged: run `git fsck`, or review a smaller range",
        one_line(.base),
        .limit.as_secs()
    )]
    TooSlow {
        /// The ref as given.
        base: String,
        /// How long it was waited for.
        limit: Duration,
    },

    /// The difference could not be made.
    #[error("computing diff {}..HEAD: {}", one_line(.base), one_line(.cause))]
    Diff {
        /// The ref as given.
        base: String,
        /// What went wrong.
        cause: String,
    },
}

/// Why the difference of two trees could not be made.
#[derive(Debug, Error)]
pub(super) enum DiffError {
    #[error(
        "{}; an object of the repository cannot be read: run `git fsck`, or clone again",
        .0.message()
    )]
    Git(#[from] git2::Error),
    #[error(
        "more than {} files or directories changed; review a smaller range",
        limits::CHANGE_FILES
    )]
    TooManyFiles,
    #[error(
        "the change has more than {} bytes of diff; review a smaller range",
        limits::CHANGE_BYTES
    )]
    TooManyBytes,
    #[error("a changed path is longer than {} bytes", limits::PATH_BYTES)]
    LongPath,
    #[error("no difference was found in {0}, whose content changed")]
    NoDifference(String),
}

impl DiffError {
    /// Returns whether an object was asked for that the repository does not hold.
    pub(super) fn is_missing_object(&self) -> bool {
        matches!(self, Self::Git(error) if error.code() == git2::ErrorCode::NotFound)
    }
}

fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// Returns a path as one word of a shell's command line.
fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain =
        |character: char| character.is_alphanumeric() || "/._-+:@%,~^{}".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    let quoted: Cow<'_, str> = text.replace('\'', r"'\''").into();
    format!("'{}'", one_line(&quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_is_one_word_of_a_shell() {
        let cases = [
            ("/home/me/work", "/home/me/work"),
            ("/srv/my repo", "'/srv/my repo'"),
            ("/srv/it's", r"'/srv/it'\''s'"),
            ("/srv/$(x)", "'/srv/$(x)'"),
        ];
        for (path, word) in cases {
            assert_eq!(shell_word(Path::new(path)), word);
        }
    }
}

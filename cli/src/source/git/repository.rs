//! Finding and opening the repository, and saying why that failed.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use git2::{ErrorClass, ErrorCode, Repository, RepositoryOpenFlags};

use super::{GitError, GitRequest};

const NO_CEILINGS: [&OsStr; 0] = [];

/// The most bytes of a small file inside `.git` that are read.
const LINK_BYTES: u64 = 8192;

/// Opens the repository that `request` names, the way git finds it.
pub(super) fn open(request: &GitRequest<'_>) -> Result<Repository, GitError> {
    if let Some(path) = git_dir(request) {
        return Repository::open(&path).map_err(|error| match error.code() {
            ErrorCode::NotFound => GitError::GitDirNotARepository { path },
            _ => failed(&path, &error),
        });
    }
    let flags = RepositoryOpenFlags::empty();
    Repository::open_ext(request.directory, flags, NO_CEILINGS)
        .map_err(|error| failed(request.directory, &error))
}

/// Opens a repository that is open already once more, for another thread.
pub(super) fn again(git_dir: &Path) -> Result<Repository, git2::Error> {
    Repository::open(git_dir)
}

fn git_dir(request: &GitRequest<'_>) -> Option<PathBuf> {
    let value = request.git_dir.filter(|value| !value.is_empty())?;
    Some(request.directory.join(value))
}

/// Returns whether objects may be missing because the clone was made with `--filter`.
pub(super) fn is_partial(repository: &Repository) -> bool {
    let packs = repository.commondir().join("objects/pack");
    fs::read_dir(packs).is_ok_and(|mut entries| {
        entries.any(|entry| {
            entry.is_ok_and(|entry| {
                Path::new(&entry.file_name()).extension() == Some("promisor".as_ref())
            })
        })
    })
}

/// Returns whether this process lacks the permission to read where refs and objects lie.
pub(super) fn is_unreadable(repository: &Repository) -> bool {
    let denied = |error: std::io::Error| error.kind() == std::io::ErrorKind::PermissionDenied;
    let top = repository.commondir();
    let directories = [
        "refs",
        "refs/heads",
        "refs/remotes",
        "refs/tags",
        "objects",
        "objects/pack",
    ];
    directories
        .iter()
        .any(|name| fs::read_dir(top.join(name)).is_err_and(denied))
        || fs::File::open(top.join("packed-refs")).is_err_and(denied)
}

fn failed(start: &Path, error: &git2::Error) -> GitError {
    let directory = fs::canonicalize(start).unwrap_or_else(|_| start.to_owned());
    if !directory.is_dir() {
        return GitError::NotADirectory { directory };
    }
    match error.code() {
        ErrorCode::Owner => GitError::OtherOwner {
            path: guarded_path(&directory).unwrap_or(directory),
        },
        ErrorCode::NotFound => match dangling_link(&directory) {
            Some((file, target)) => GitError::DanglingLink { file, target },
            None => GitError::NotARepository { directory },
        },
        _ => match unknown_format(error) {
            Some(format) => GitError::Format { directory, format },
            None => GitError::Open {
                directory,
                cause: error.message().to_owned(),
            },
        },
    }
}

/// Returns the path that `safe.directory` must name for the repository around `directory`: the
/// top of its work tree, or the repository itself when it is bare.
fn guarded_path(directory: &Path) -> Option<PathBuf> {
    let git_dir = Repository::discover_path(directory, NO_CEILINGS).ok()?;
    // A component-wise copy loses the slash at the end, with which git would not match.
    let git_dir: PathBuf = git_dir.components().collect();
    if git_dir.file_name() == Some(".git".as_ref()) {
        return git_dir.parent().map(Path::to_owned);
    }
    // A linked worktree's directory holds a file that names the worktree's own `.git` file.
    match first_line(&git_dir.join("gitdir")) {
        Some(link) => git_dir.join(link).parent().map(Path::to_owned),
        None => Some(git_dir),
    }
}

/// Returns the nearest `.git` file above `directory` and what it names, when that is not there.
fn dangling_link(directory: &Path) -> Option<(PathBuf, PathBuf)> {
    let file = directory
        .ancestors()
        .map(|ancestor| ancestor.join(".git"))
        .find(|path| path.is_file())?;
    let line = first_line(&file)?;
    let target = file.parent()?.join(line.strip_prefix("gitdir:")?.trim());
    (!target.join("HEAD").exists()).then_some((file, target))
}

fn first_line(path: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(path)
        .ok()?
        .take(LINK_BYTES)
        .read_to_string(&mut text)
        .ok()?;
    text.lines().next().map(str::to_owned)
}

/// Returns what libgit2 does not know about the repository, in words.
fn unknown_format(error: &git2::Error) -> Option<String> {
    let message = error.message();
    if message.contains("object format") || message.contains("extensions.objectformat") {
        return Some("SHA-256 object names (extensions.objectFormat)".to_owned());
    }
    if message.contains("extensions.refstorage") {
        return Some("the reftable ref storage (extensions.refStorage)".to_owned());
    }
    if let Some((_, name)) = message.split_once("unsupported extension name ") {
        return Some(format!("the repository extension {name}"));
    }
    let version = message.contains("unsupported repository version");
    (version && error.class() == ErrorClass::Repository)
        .then(|| format!("a newer repository format ({message})"))
}

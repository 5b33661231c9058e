//! Whether tracked files are edited and not committed.

use git2::{Repository, StatusOptions, StatusShow};

/// Returns whether the index or the work tree differs from `HEAD` in a tracked file. It only
/// serves a hint, so whatever goes wrong here means no.
pub(super) fn exist(repository: &Repository) -> bool {
    if repository.is_bare() {
        return false;
    }
    let mut options = StatusOptions::new();
    options
        .show(StatusShow::IndexAndWorkdir)
        .include_untracked(false)
        .include_ignored(false)
        .include_unmodified(false)
        .exclude_submodules(true)
        .recurse_untracked_dirs(false)
        .recurse_ignored_dirs(false)
        .renames_head_to_index(false)
        .renames_index_to_workdir(false)
        .update_index(false);
    repository
        .statuses(Some(&mut options))
        .is_ok_and(|statuses| !statuses.is_empty())
}

//! The files of a pull request one by one, for one whose diff is too large to be shown at once.

use aurumcode_core::change::{
    Change, ChangeKind, FileChange, Hunk, LineKind, Notice, RepoPath, SkipReason,
};
use serde::Deserialize;

use super::address::PullRequest;
use super::api::{Api, Trouble};
use super::diff;

/// How many files one page holds.
const PAGE: usize = 100;

/// How many files GitHub lists of one pull request, whatever it has.
const MOST: usize = 3000;

/// What GitHub says about one file.
#[derive(Debug, Deserialize)]
struct Entry {
    filename: String,
    previous_filename: Option<String>,
    status: String,
    #[serde(default)]
    additions: usize,
    #[serde(default)]
    deletions: usize,
    patch: Option<String>,
}

/// What GitHub says about the whole.
#[derive(Debug, Deserialize)]
struct Total {
    changed_files: usize,
}

/// Reads every page.
pub(super) async fn read(api: &Api<'_>, pull_request: &PullRequest) -> Result<Change, Trouble> {
    let number = pull_request.number.to_string();
    let (owner, name) = (
        &pull_request.repository.owner,
        &pull_request.repository.name,
    );
    let pull: [&str; 5] = ["repos", owner, name, "pulls", &number];
    let list: [&str; 6] = ["repos", owner, name, "pulls", &number, "files"];
    let mut entries: Vec<Entry> = Vec::new();
    for page in 1..=MOST / PAGE {
        let query = [("per_page", PAGE.to_string()), ("page", page.to_string())];
        let found: Vec<Entry> = api.get_json(&list, &query).await?;
        let is_last = found.len() < PAGE;
        entries.extend(found);
        if is_last {
            return Ok(change(entries));
        }
    }
    let total: Total = api.get_json(&pull, &[]).await?;
    if total.changed_files > entries.len() {
        return Err(Trouble::Unreadable(format!(
            "it changes {} files and GitHub lists only {} of them, so it cannot be reviewed \
             whole; review it in a clone with --base",
            total.changed_files,
            entries.len()
        )));
    }
    Ok(change(entries))
}

fn change(entries: Vec<Entry>) -> Change {
    let (mut files, mut notices) = (Vec::new(), Vec::new());
    for entry in entries {
        let path = RepoPath::from(entry.filename.as_str());
        match file(&entry, path.clone()) {
            Ok(file) => files.push(file),
            Err(reason) => notices.push(Notice { path, reason }),
        }
    }
    Change::new(files, notices)
}

/// Returns the file, or why it is only named.
fn file(entry: &Entry, path: RepoPath) -> Result<FileChange, SkipReason> {
    // There is none of a binary file, of one that is too large, and of one that only moved.
    let text = entry.patch.as_deref().ok_or(SkipReason::LeftOutByHost)?;
    let hunks = diff::parse_hunks(text.as_bytes()).map_err(|_| SkipReason::LeftOutByHost)?;
    if let Some(reason) = hunks.too_large() {
        return Err(reason);
    }
    let (is_whole, is_submodule) = {
        let changed = |kind| {
            let lines = hunks.as_list().iter().flat_map(Hunk::lines);
            lines.filter(move |line| line.kind == kind)
        };
        let is_whole = !hunks.is_empty()
            && changed(LineKind::Added).count() == entry.additions
            && changed(LineKind::Removed).count() == entry.deletions;
        let mut lines = hunks.as_list().iter().flat_map(Hunk::lines);
        (is_whole, lines.all(|line| names_commit(line.content)))
    };
    if !is_whole {
        return Err(SkipReason::LeftOutByHost);
    }
    if is_submodule {
        return Err(SkipReason::Submodule);
    }
    let kind = match entry.status.as_str() {
        "added" => ChangeKind::Added,
        "removed" => ChangeKind::Deleted,
        "renamed" | "copied" => ChangeKind::Renamed,
        _ => ChangeKind::Modified,
    };
    if diff::is_large_file_pointer(hunks.as_list(), kind == ChangeKind::Deleted) {
        return Err(SkipReason::LargeFilePointer);
    }
    let old_path = entry.previous_filename.as_deref().map(RepoPath::from);
    Ok(FileChange {
        path,
        old_path: old_path.filter(|_| kind == ChangeKind::Renamed),
        kind,
        hunks: hunks.into_list(),
        line_count: None,
    })
}

/// Returns whether a line is what stands for a submodule in a diff.
fn names_commit(line: &[u8]) -> bool {
    line.strip_prefix(b"Subproject commit ")
        .is_some_and(|id| matches!(id.len(), 40 | 64) && id.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcome(entry: serde_json::Value) -> Result<(&'static str, usize), SkipReason> {
        let entry: Entry = serde_json::from_value(entry).unwrap();
        file(&entry, "x".into()).map(|file| (file.kind.word(), file.lines().count()))
    }

    #[test]
    fn a_patch_that_is_not_whole_is_no_review_of_the_file() {
        let entry = |status: &str, additions: usize, patch: Option<&str>| {
            json!({"filename": "x", "status": status, "additions": additions,
                   "deletions": 0, "patch": patch})
        };
        let left_out = Err(SkipReason::LeftOutByHost);
        let patch = "@@ -1 +1,2 @@\n a\n+b\n\\ No newline at end of file";
        assert_eq!(
            outcome(entry("modified", 1, Some(patch))),
            Ok(("modified", 2))
        );
        assert_eq!(
            outcome(entry("changed", 1, Some(patch))),
            Ok(("modified", 2))
        );
        assert_eq!(outcome(entry("modified", 2, Some(patch))), left_out);
        assert_eq!(outcome(entry("modified", 0, None)), left_out);
        assert_eq!(outcome(entry("modified", 0, Some(""))), left_out);
        assert_eq!(
            outcome(entry("added", 2, Some("@@ -0,0 +1,2 @@\n+a"))),
            left_out
        );
        assert_eq!(
            outcome(entry("added", 1, Some("@@ -0,0 +1 @@\n+a"))),
            Ok(("added", 1))
        );
        let commit = format!("@@ -0,0 +1 @@\n+Subproject commit {}", "a".repeat(40));
        assert_eq!(
            outcome(entry("added", 1, Some(&commit))),
            Err(SkipReason::Submodule)
        );
    }
}

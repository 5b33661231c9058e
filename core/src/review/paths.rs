//! Which file of the change a model means by a path.

use std::collections::BTreeMap;

use crate::change::FileChange;
use crate::redact::Redactor;
use crate::text;

/// Finds the file that a path as a model wrote it stands for.
#[derive(Debug)]
pub(super) struct Paths {
    shown: Vec<String>,
    last_lines: Vec<u32>,
    by_shown: BTreeMap<String, usize>,
}

impl Paths {
    /// Takes the files of the change. A model sees printed and redacted paths, so those are what
    /// it is understood by.
    pub(super) fn new(files: &[FileChange], redactor: &Redactor) -> Self {
        let shown: Vec<String> = files
            .iter()
            .map(|file| redactor.text(&file.path.display()).into_owned())
            .collect();
        let mut by_shown = BTreeMap::new();
        for (index, path) in shown.iter().enumerate() {
            by_shown.entry(path.clone()).or_insert(index);
        }
        let last_lines = files.iter().map(last_line).collect();
        Self {
            shown,
            last_lines,
            by_shown,
        }
    }

    /// Returns the line, or 0 when the file cannot have it: the finding is then one of the file as
    /// a whole, and never moved to a line that the model did not name.
    pub(super) fn possible_line(&self, index: usize, line: u32) -> u32 {
        let last = self.last_lines.get(index).copied().unwrap_or(u32::MAX);
        if line <= last { line } else { 0 }
    }

    /// Returns the printed and redacted path of a file.
    pub(super) fn shown(&self, index: usize) -> &str {
        self.shown.get(index).map_or("", String::as_str)
    }

    /// Returns the file's place in the change. The path as it stands comes first, or with its odd characters
    /// written out, then without
    /// what models put before it: backslashes for slashes, `./`, a diff's `a/` and `b/`.
    pub(super) fn find(&self, said: &str) -> Option<usize> {
        let exact = |path: &str| self.by_shown.get(path).copied();
        if let Some(index) = exact(said).or_else(|| exact(&text::path(said.as_bytes()))) {
            return Some(index);
        }
        let slashes = said.trim().replace('\\', "/");
        let mut path = slashes.as_str();
        while let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        }
        if let Some(index) = exact(path) {
            return Some(index);
        }
        let bare = path
            .strip_prefix("a/")
            .or_else(|| path.strip_prefix("b/"))?;
        exact(bare)
    }
}

/// Returns the highest number that a line of the file can have. A removed line carries its old
/// number, which may be past the end of the new file.
fn last_line(file: &FileChange) -> u32 {
    let Some(count) = file.line_count else {
        return u32::MAX;
    };
    let old_end = file.hunks.last().map_or(0, |hunk| {
        let lines = u32::try_from(hunk.old_lines()).unwrap_or(u32::MAX);
        hunk.old_start().saturating_add(lines).saturating_sub(1)
    });
    count.max(old_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{ChangeKind, RepoPath};

    #[test]
    fn models_write_a_path_in_many_ways() {
        let file = |path: &str| FileChange {
            path: RepoPath::from(path),
            old_path: None,
            kind: ChangeKind::Modified,
            hunks: Vec::new(),
            line_count: None,
        };
        let files = [
            file("a/x.rs"),
            file("src/b.rs"),
            file("x.rs"),
            file("odd\n.rs"),
        ];
        let paths = Paths::new(&files, &Redactor::default());
        let cases = [
            ("src/b.rs", Some(1)),
            ("./src/b.rs", Some(1)),
            (".//src/b.rs", Some(1)),
            (".\\src\\b.rs", Some(1)),
            ("b/src/b.rs", Some(1)),
            ("b\\src\\b.rs", Some(1)),
            ("a/x.rs", Some(0)),
            ("b/x.rs", Some(2)),
            ("a/a/x.rs", Some(0)),
            ("b/b/x.rs", None),
            ("ghost.rs", None),
            ("", None),
            ("odd\n.rs", Some(3)),
            ("odd\\n.rs", Some(3)),
        ];
        for (said, index) in cases {
            assert_eq!(paths.find(said), index, "{said}");
        }
    }
}

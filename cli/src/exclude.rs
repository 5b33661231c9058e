//! `--exclude`: files that nobody wants to pay for.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use aurumcode_core::change::{Change, Notice, RepoPath, SkipReason};
use aurumcode_core::text::quoted;
use globset::{GlobBuilder, GlobMatcher};

/// The patterns of a run, in the order in which they were given.
#[derive(Debug, Default)]
pub(crate) struct Excludes(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    written: String,
    itself: GlobMatcher,
    below: GlobMatcher,
}

impl Excludes {
    /// Reads patterns as `.gitignore` has them: one without a slash stands at any depth, one with
    /// a slash counts from the top, and what names a directory names everything below it.
    pub(crate) fn parse(patterns: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let patterns: Result<_, _> = patterns.into_iter().map(Pattern::parse).collect();
        Ok(Self(patterns?))
    }

    /// Replaces each file that a pattern names by a notice.
    pub(crate) fn apply(&self, change: Change) -> Change {
        if self.0.is_empty() {
            return change;
        }
        let mut notices = change.notices;
        let mut files = Vec::with_capacity(change.files.len());
        for file in change.files {
            match self.pattern_for(&file.path) {
                None => files.push(file),
                Some(pattern) => notices.push(Notice {
                    path: file.path,
                    reason: SkipReason::Excluded(pattern.to_owned()),
                }),
            }
        }
        Change::new(files, notices)
    }

    fn pattern_for(&self, path: &RepoPath) -> Option<&str> {
        let path = Path::new(OsStr::from_bytes(path.as_bytes()));
        self.0
            .iter()
            .find(|pattern| pattern.itself.is_match(path) || pattern.below.is_match(path))
            .map(|pattern| pattern.written.as_str())
    }
}

impl Pattern {
    fn parse(written: String) -> Result<Self, String> {
        let bare = written.trim_end_matches('/');
        let bare = bare.strip_prefix("./").unwrap_or(bare);
        if bare.is_empty() {
            return Err("--exclude: pattern must not be empty".to_owned());
        }
        let anchored = match bare.strip_prefix('/') {
            Some(rest) => rest.to_owned(),
            None if bare.contains('/') => bare.to_owned(),
            None => format!("**/{bare}"),
        };
        let matcher = |glob: &str| {
            GlobBuilder::new(glob)
                .literal_separator(true)
                .build()
                .map(|glob| glob.compile_matcher())
                .map_err(|error| {
                    let cause = error.kind();
                    format!("--exclude: {} is no pattern: {cause}", quoted(&written))
                })
        };
        Ok(Self {
            itself: matcher(&anchored)?,
            below: matcher(&format!("{anchored}/**"))?,
            written,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_they_mean_in_gitignore() {
        let names = |pattern: &str, path: &str| {
            Excludes::parse([pattern.to_owned()])
                .unwrap()
                .pattern_for(&RepoPath::from(path))
                .is_some()
        };
        for (pattern, path) in [
            ("Cargo.lock", "Cargo.lock"),
            ("Cargo.lock", "a/b/Cargo.lock"),
            ("*.lock", "a/yarn.lock"),
            ("vendor/", "vendor/a/b.c"),
            ("vendor", "x/vendor/a.c"),
            ("/vendor", "vendor/a.c"),
            ("./docs/*.md", "docs/a.md"),
            ("docs/**/*.md", "docs/a/b/c.md"),
            ("docs/*", "docs/a/b.md"),
            ("{a,b}.c", "b.c"),
        ] {
            assert!(names(pattern, path), "{pattern} names {path}");
        }
        for (pattern, path) in [
            ("/vendor", "x/vendor/a.c"),
            ("docs/*.md", "docs/a/b.md"),
            ("docs/a.md", "x/docs/a.md"),
            ("lock", "a.lock"),
        ] {
            assert!(!names(pattern, path), "{pattern} does not name {path}");
        }
        for wrong in ["", "/", "[", "{a"] {
            assert!(Excludes::parse([wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}

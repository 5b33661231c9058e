//! What GitHub Actions tells a job about the pull request that started it.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

/// The most bytes of an event file that are read; GitHub sends no larger ones.
const EVENT_BYTES: u64 = 32 * 1024 * 1024;

/// An event, as far as it says something about a pull request.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The repository, `owner/name`.
    pub(crate) repository: Option<String>,
    /// The number of the pull request.
    pub(crate) number: Option<u64>,
    /// The commit at its head, which is not the merge commit that the job checks out.
    pub(crate) head: Option<String>,
}

#[derive(Deserialize)]
struct Raw {
    pull_request: Option<RawPullRequest>,
    issue: Option<RawIssue>,
    repository: Option<RawRepository>,
}

#[derive(Deserialize)]
struct RawPullRequest {
    number: Option<u64>,
    head: Option<RawHead>,
}

#[derive(Deserialize)]
struct RawHead {
    sha: Option<String>,
}

#[derive(Deserialize)]
struct RawIssue {
    number: Option<u64>,
    pull_request: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct RawRepository {
    full_name: Option<String>,
}

impl Event {
    /// Reads the event file; `None` when there is none that can be read.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let mut text = Vec::new();
        let file = std::fs::File::open(path).ok()?;
        file.take(EVENT_BYTES).read_to_end(&mut text).ok()?;
        Self::parse(&text)
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let raw: Raw = serde_json::from_slice(text).ok()?;
        let repository = raw.repository.and_then(|repository| repository.full_name);
        let (number, head) = match (raw.pull_request, raw.issue) {
            (Some(pull), _) => (pull.number, pull.head.and_then(|head| head.sha)),
            // A comment on a pull request is an event of the issue with its number.
            (None, Some(issue)) if issue.pull_request.is_some() => (issue.number, None),
            (None, _) => (None, None),
        };
        Some(Self {
            repository,
            number,
            head: head.filter(|sha| !sha.trim().is_empty()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(repository: &str, number: Option<u64>, head: Option<&str>) -> Event {
        Event {
            repository: Some(repository.to_owned()),
            number,
            head: head.map(str::to_owned),
        }
    }

    #[test]
    fn the_head_is_that_of_the_pull_request() {
        let cases: [(&str, _); 5] = [
            (
                r#"{"pull_request":{"number":7,"head":{"sha":"abc"},"merge_commit_sha":"no"},
                    "repository":{"full_name":"o/r"},"after":"no"}"#,
                Some(event("o/r", Some(7), Some("abc"))),
            ),
            (
                r#"{"issue":{"number":8,"pull_request":{}},"repository":{"full_name":"o/r"}}"#,
                Some(event("o/r", Some(8), None)),
            ),
            (
                r#"{"issue":{"number":8},"repository":{"full_name":"o/r"}}"#,
                Some(event("o/r", None, None)),
            ),
            (
                r#"{"after":"abc","repository":{"full_name":"o/r"}}"#,
                Some(event("o/r", None, None)),
            ),
            ("<html>", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Event::parse(text.as_bytes()), expected, "{text}");
        }
    }
}

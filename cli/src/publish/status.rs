//! The check on a commit: one word and a sentence beside it on the pull request.

use aurumcode_core::finding::Severity;
use serde_json::json;

use super::Posting;
use crate::source::github::address::PullRequest;
use crate::source::github::api::{Api, Trouble};

/// The check's name.
pub(crate) const CONTEXT: &str = "aurumcode/review";

/// How often a status is sent; a later one takes the place of an earlier one.
const ATTEMPTS: u32 = 3;

/// What the check says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckState {
    /// Whether a finding is serious.
    pub(crate) is_failure: bool,
    /// The sentence; GitHub takes 140 characters.
    description: String,
}

impl CheckState {
    /// Judges the findings of a whole review.
    pub(crate) fn of(postings: &[Posting], pull_request: &PullRequest) -> Self {
        let errors = postings
            .iter()
            .filter(|posting| posting.severity == Severity::Error)
            .count();
        let number = pull_request.number;
        Self {
            is_failure: errors > 0,
            description: if errors > 0 {
                format!("{errors} achado(s) grave(s) no pull request #{number}")
            } else {
                format!("nenhum achado grave no pull request #{number}")
            },
        }
    }

    fn word(&self) -> &'static str {
        if self.is_failure {
            "failure"
        } else {
            "success"
        }
    }

    /// Returns the line that says what was published.
    pub(crate) fn line(&self, commit: &str) -> String {
        format!(
            "check \"{CONTEXT}\" publicado no commit {commit}: {} ({})",
            self.word(),
            self.description
        )
    }
}

/// Puts the check on a commit.
pub(crate) async fn check(
    api: &Api<'_>,
    pull_request: &PullRequest,
    commit: &str,
    state: &CheckState,
) -> Result<(), Trouble> {
    let repository = &pull_request.repository;
    let segments = [
        "repos",
        &repository.owner,
        &repository.name,
        "statuses",
        commit,
    ];
    let body = json!({
        "state": state.word(),
        "description": state.description,
        "context": CONTEXT,
    });
    let mut attempt = 0;
    loop {
        attempt += 1;
        match api.post(&segments, &body).await {
            Ok(()) => return Ok(()),
            Err(cause) if attempt < ATTEMPTS && cause.is_passing() => {
                api.pause(attempt).await;
            }
            Err(cause) => return Err(cause),
        }
    }
}

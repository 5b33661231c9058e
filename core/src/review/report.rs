//! What a review brings.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::answer::NotUnderstood;
use crate::change::{Change, RepoPath};
use crate::finding::Finding;
use crate::provider::ProviderError;

/// Findings that were dropped because of their rule id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discarded {
    /// How many had none.
    pub without_rule: usize,
    /// How many cited a rule that the catalog does not have.
    pub unknown_rule: usize,
    /// The ids that those cited, redacted and on one line.
    pub unknown_ids: BTreeSet<String>,
}

/// Line comments that did not become findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unconverted {
    /// How many said what an issue says already.
    pub reported: usize,
    /// How many were about no file.
    pub without_path: usize,
    /// How many said nothing.
    pub empty: usize,
}

/// Why a file was not reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FailureCause {
    /// The call brought no answer.
    #[error(transparent)]
    Call(#[from] ProviderError),
    /// The answer is none.
    #[error("could not understand the model's response ({0})")]
    NotUnderstood(NotUnderstood),
    /// The output limit cut the answer, even about this little.
    #[error("could not understand the model's response (truncated): the answer was cut{}", cut_at(*.tokens))]
    Cut {
        /// After how many tokens, where the endpoint says it.
        tokens: Option<u64>,
    },
    /// One place of the file alone is larger than the model's window.
    #[error(
        "one changed place of the file does not fit the model's window; use a model with a larger one, set AURUMCODE_CONTEXT_TOKENS when the window is larger than that, or leave the file out with --exclude"
    )]
    DoesNotFit,
    /// The run ended before the file's turn.
    #[error("the run ended before its turn")]
    NotStarted,
}

fn cut_at(tokens: Option<u64>) -> String {
    tokens.map_or_else(String::new, |tokens| format!(" at {tokens} tokens"))
}

/// A file that was not reviewed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The file.
    pub path: RepoPath,
    /// Why.
    pub cause: FailureCause,
}

/// What a review brings. Everything in it is redacted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// The findings, sorted by file (bytes) and line, each once.
    pub findings: Vec<Finding>,
    /// What was dropped because of its rule id.
    pub discarded: Discarded,
    /// What was a line comment and no finding.
    pub unconverted: Unconverted,
    /// How many files the change has.
    pub files: usize,
    /// How many of them were served from the cache.
    pub reused: usize,
    /// The files that were not reviewed, in path order. When there is one, the review is not
    /// complete.
    pub failures: Vec<Failure>,
    /// The failure of the earliest call that failed. A change without files can fail only here.
    pub first_failure: Option<FailureCause>,
}

impl Review {
    /// Returns whether every file was reviewed.
    pub fn is_complete(&self) -> bool {
        self.failures.is_empty() && self.first_failure.is_none()
    }

    /// Returns how many files were reviewed, from the cache or by a call.
    pub fn reviewed(&self) -> usize {
        self.files.saturating_sub(self.failures.len())
    }

    /// Makes the report of a run that a layer refused before anything was sent.
    pub(super) fn refused(change: &Change, error: ProviderError) -> Self {
        let failures = change.files.iter().map(|file| Failure {
            path: file.path.clone(),
            cause: FailureCause::NotStarted,
        });
        Self {
            files: change.files.len(),
            failures: failures.collect(),
            first_failure: Some(FailureCause::Call(error)),
            ..Self::default()
        }
    }
}

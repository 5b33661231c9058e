//! What one answer said, piece by piece.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::finding::Severity;

/// One thing that an answer said: kept, or dropped with the reason.
///
/// Records are what the cache stores, so that a warning about something dropped is the same cold
/// and warm. They stand in the order of the answer: those of `issues` first, then those of
/// `line_comments`; where an answer holds several reviews, one review after the other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The path as the model wrote it; missing where it wrote none. Which file it means is decided
    /// against the change of the run that shows it.
    pub path: Option<String>,
    /// The line as the model wrote it, or 0 where that is no line number.
    pub line: u32,
    /// What became of it.
    pub kind: RecordKind,
}

impl Record {
    /// Returns the record with every text in it replaced by what `change` makes of it.
    #[must_use]
    pub fn map_text(self, change: impl Fn(String) -> String) -> Self {
        let Self { path, line, kind } = self;
        let kind = match kind {
            RecordKind::Finding {
                severity,
                rule_id,
                message,
                suggestion,
            } => RecordKind::Finding {
                severity,
                // It is one of the catalog's own words, and a secret that happens to be one of
                // them must not make a finding cite no rule.
                rule_id,
                message: change(message),
                suggestion: suggestion.map(&change),
            },
            RecordKind::NoRule { message } => RecordKind::NoRule {
                message: change(message),
            },
            RecordKind::UnknownRule { rule_id, message } => RecordKind::UnknownRule {
                rule_id: change(rule_id),
                message: change(message),
            },
            RecordKind::CommentReported { message } => RecordKind::CommentReported {
                message: change(message),
            },
            RecordKind::CommentWithoutPath { message } => RecordKind::CommentWithoutPath {
                message: change(message),
            },
            RecordKind::CommentEmpty => RecordKind::CommentEmpty,
        };
        Self {
            path: path.map(&change),
            line,
            kind,
        }
    }
}

/// What became of one thing that an answer said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RecordKind {
    /// A finding that cites a rule of the catalog.
    Finding {
        /// The model's severity.
        severity: Severity,
        /// The rule.
        rule_id: String,
        /// The message as the model wrote it.
        message: String,
        /// What the model would write instead, where it says so.
        suggestion: Option<String>,
    },
    /// A finding without a rule id.
    NoRule {
        /// The message, which tells two such findings apart.
        message: String,
    },
    /// A finding that cites a rule that the catalog does not have.
    UnknownRule {
        /// The id that it cites.
        rule_id: String,
        /// The message, which tells two such findings apart.
        message: String,
    },
    /// A line comment that says what an issue says already.
    CommentReported {
        /// The comment.
        message: String,
    },
    /// A line comment about no file.
    CommentWithoutPath {
        /// The comment.
        message: String,
    },
    /// A line comment that says nothing.
    CommentEmpty,
}

/// An answer that is none: it is never counted as "no issues".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotUnderstood {
    /// Nothing but blanks.
    #[error("empty")]
    Empty,
    /// No JSON in it.
    #[error("no_json_found")]
    NoJsonFound,
    /// Something that begins like JSON and is none.
    #[error("invalid_json")]
    InvalidJson,
    /// JSON that is no review.
    #[error("validation_failed")]
    ValidationFailed,
    /// The model refused.
    #[error("refused")]
    Refused,
    /// A filter of the endpoint stopped it.
    #[error("filtered")]
    Filtered,
}

//! What earlier runs published on a pull request.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::marker::Marker;
use crate::source::github::address::PullRequest;
use crate::source::github::api::{Api, Trouble};

/// How many comments one page holds.
const PAGE: usize = 100;

/// How many pages are read.
const PAGES: usize = 100;

/// The two places for comments on a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// On a line of the change.
    Inline,
    /// Below the pull request.
    General,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Inline, Self::General];

    /// Returns what GitHub's API calls the thing that has such comments.
    pub(super) fn holder(self) -> &'static str {
        match self {
            Self::Inline => "pulls",
            // Every pull request is an issue too.
            Self::General => "issues",
        }
    }
}

#[derive(Debug, Deserialize)]
struct Comment {
    body: Option<String>,
    user: Option<User>,
    author_association: Option<String>,
}

#[derive(Debug, Deserialize)]
struct User {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl Comment {
    /// Returns whether somebody wrote it who has no say in the repository. Such a comment could
    /// carry a mark in order to keep a finding from being published.
    fn is_foreign(&self) -> bool {
        const WITH_A_SAY: [&str; 3] = ["OWNER", "MEMBER", "COLLABORATOR"];
        let kind = self.user.as_ref().and_then(|user| user.kind.as_deref());
        let association = self.author_association.as_deref();
        kind == Some("User") && association.is_some_and(|word| !WITH_A_SAY.contains(&word))
    }
}

/// Returns the marks of the comments of one kind.
pub(super) async fn markers(
    api: &Api<'_>,
    pull_request: &PullRequest,
    kind: Kind,
) -> Result<BTreeSet<Marker>, Trouble> {
    let number = pull_request.number.to_string();
    let (owner, name) = (
        &pull_request.repository.owner,
        &pull_request.repository.name,
    );
    let segments = ["repos", owner, name, kind.holder(), &number, "comments"];
    let mut markers = BTreeSet::new();
    for page in 1..=PAGES {
        let query = [("per_page", PAGE.to_string()), ("page", page.to_string())];
        let comments: Vec<Comment> = api.get_json(&segments, &query).await?;
        let count = comments.len();
        let own = comments.into_iter().filter(|comment| !comment.is_foreign());
        markers.extend(own.filter_map(|comment| Marker::of_body(&comment.body?)));
        if count < PAGE {
            return Ok(markers);
        }
    }
    api.say(format!(
        "pull request #{number} has more than {} comments; what stands beyond them may be \
         published again",
        PAGE * PAGES
    ));
    Ok(markers)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stranger_cannot_keep_a_finding_back() {
        let is_foreign = |value| {
            let comment: Comment = serde_json::from_value(value).unwrap();
            comment.is_foreign()
        };
        let by = |kind: &str, association: &str| json!({"body": "x", "user": {"type": kind}, "author_association": association});
        assert!(is_foreign(by("User", "NONE")));
        assert!(is_foreign(by("User", "CONTRIBUTOR")));
        assert!(!is_foreign(by("User", "COLLABORATOR")));
        assert!(!is_foreign(by("Bot", "NONE")));
        assert!(!is_foreign(json!({"body": "x"})));
        assert!(!is_foreign(json!({"body": null, "user": null})));
    }
}

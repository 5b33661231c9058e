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
    login: Option<String>,
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
    let (mut markers, mut foreign) = (BTreeSet::new(), Vec::new());
    for page in 1..=PAGES {
        let query = [("per_page", PAGE.to_string()), ("page", page.to_string())];
        let comments: Vec<Comment> = api.get_json(&segments, &query).await?;
        let count = comments.len();
        for comment in comments {
            let Some(marker) = comment.body.as_deref().and_then(Marker::of_body) else {
                continue;
            };
            if comment.is_foreign() {
                foreign.push((comment.user.and_then(|user| user.login), marker));
            } else {
                markers.insert(marker);
            }
        }
        if count < PAGE {
            markers.extend(believed(api, foreign).await);
            return Ok(markers);
        }
    }
    api.say(format!(
        "pull request #{number} has more than {} comments; what stands beyond them may be \
         published again",
        PAGE * PAGES
    ));
    markers.extend(believed(api, foreign).await);
    Ok(markers)
}

/// Returns which marks of people without a say are believed: those of the token's own user. Where
/// GitHub does not know whose the token is, it is not one that could tell them apart.
async fn believed(api: &Api<'_>, foreign: Vec<(Option<String>, Marker)>) -> Vec<Marker> {
    /// With it GitHub answers to a token of an app, whose comments are those of a bot.
    const FORBIDDEN: u16 = 403;
    if foreign.is_empty() {
        return Vec::new();
    }
    let own: Result<User, Trouble> = api.get_json(&["user"], &[]).await;
    let is_own = |login: &Option<String>| match &own {
        Ok(user) => user.login == *login,
        Err(trouble) => trouble.status() != Some(FORBIDDEN),
    };
    let own = foreign.into_iter().filter(|(login, _)| is_own(login));
    own.map(|(_, marker)| marker).collect()
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

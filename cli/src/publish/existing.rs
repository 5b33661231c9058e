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

    /// Returns what they are called.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Inline => "comments on lines",
            Self::General => "general comments",
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
    /// Returns whether a person without a say in the repository wrote it. Whoever knows what will
    /// be found could write its mark first, and so keep it from being published.
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
    let repository = &pull_request.repository;
    let (owner, name) = (&repository.owner, &repository.name);
    let segments = ["repos", owner, name, kind.holder(), &number, "comments"];
    let (mut markers, mut foreign) = (BTreeSet::new(), Vec::new());
    let mut is_whole = false;
    for page in 1..=PAGES {
        let query = [("per_page", PAGE.to_string()), ("page", page.to_string())];
        let comments: Vec<Comment> = api.get_json(&segments, &query).await?;
        is_whole = comments.len() < PAGE;
        for comment in comments {
            let Some(marker) = comment.body.as_deref().and_then(Marker::of_body) else {
                continue;
            };
            if comment.is_foreign() {
                foreign.push((comment.user, marker));
            } else {
                markers.insert(marker);
            }
        }
        if is_whole {
            break;
        }
    }
    if !is_whole {
        api.say(format!(
            "pull request #{number} has more than {} comments; what stands beyond them may be \
             published again",
            PAGE * PAGES
        ));
    }
    if !foreign.is_empty() {
        let own: Result<User, Trouble> = api.get_json(&["user"], &[]).await;
        let own = foreign
            .into_iter()
            .filter(|(user, _)| is_own(user.as_ref(), &own));
        markers.extend(own.map(|(_, marker)| marker));
    }
    Ok(markers)
}

/// Returns whether a comment of somebody without a say is one of this token all the same. `own` is
/// what GitHub said when it was asked whose the token is.
fn is_own(user: Option<&User>, own: &Result<User, Trouble>) -> bool {
    /// The answer to a token of an app, as the one of a job is; its comments are those of a bot.
    const OF_AN_APP: u16 = 403;
    match own {
        Ok(own) => user.is_some_and(|user| user.login == own.login),
        // A server that cannot say whose the token is cannot tell people apart by it either, and
        // a comment twice on every run is worse than a forged mark.
        Err(trouble) => trouble.status() != Some(OF_AN_APP),
    }
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

    #[test]
    fn a_stranger_is_told_from_the_tokens_user_where_that_is_known() {
        let user = |login: &str| User {
            login: Some(login.to_owned()),
            kind: Some("User".to_owned()),
        };
        let refused = |status| {
            let words = String::new();
            Err(Trouble::Refused { status, words })
        };
        let somebody = user("somebody");
        let is_own = |own| is_own(Some(&somebody), &own);
        assert!(is_own(Ok(user("somebody"))));
        assert!(!is_own(Ok(user("me"))));
        assert!(!is_own(refused(403)));
        assert!(is_own(refused(404)));
        assert!(is_own(Err(Trouble::Unreadable("a web page".to_owned()))));
    }
}

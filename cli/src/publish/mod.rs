//! Findings become comments on a pull request: each where it belongs, once, and none is lost.

mod existing;
mod marker;
mod posting;
mod safe;
mod status;
mod suggestion;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::output::{self, Unpublished};
use crate::source::github::address::PullRequest;
use crate::source::github::api::{Api, Trouble};
use existing::Kind;
use marker::Marker;
pub(crate) use posting::{Posting, gather};
pub(crate) use status::{CheckState, check};

/// The status with which GitHub refuses a comment on a line that is not in its diff.
const UNPROCESSABLE: u16 = 422;

/// How many comments go out before the pauses begin.
const UNPAUSED_WRITES: usize = 10;

/// How often a comment is sent that is known not to be there.
const ATTEMPTS: u32 = 3;

/// What became of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands on its line.
    Inline,
    /// It stands below the pull request.
    General,
    /// An earlier run published it.
    Known,
    /// It is not there.
    Failed(Unpublished),
}

impl Fate {
    /// Returns what stands on stdout behind the finding's line.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Inline => output::INLINE,
            Self::General => output::GENERAL,
            Self::Known => output::KNOWN,
            Self::Failed(_) => "",
        }
    }
}

/// Publishes the comments of one run.
pub(crate) struct Publisher<'a> {
    api: &'a Api<'a>,
    pull_request: &'a PullRequest,
    /// The commit that was reviewed; there is one whenever a finding has an anchor.
    commit: Option<&'a str>,
    /// The marks of what is there, of each place that could be read.
    existing: BTreeMap<Kind, BTreeSet<Marker>>,
    /// The marks of what this run sent and GitHub took.
    accepted: Vec<(Kind, Marker, String)>,
    writes: usize,
}

impl<'a> Publisher<'a> {
    /// Reads what is there already. A place that cannot be read is said, and taken for empty.
    pub(crate) async fn new(
        api: &'a Api<'a>,
        pull_request: &'a PullRequest,
        commit: Option<&'a str>,
    ) -> Self {
        let mut existing = BTreeMap::new();
        for kind in Kind::ALL {
            match existing::markers(api, pull_request, kind).await {
                Ok(markers) => {
                    existing.insert(kind, markers);
                }
                Err(cause) => api.say(format!(
                    "the comments of pull request #{} cannot be read ({cause}); what an earlier \
                     run published may be published again",
                    pull_request.number
                )),
            }
        }
        Self {
            api,
            pull_request,
            commit,
            existing,
            accepted: Vec::new(),
            writes: 0,
        }
    }

    /// Publishes one finding, and says why where it cannot.
    pub(crate) async fn publish(&mut self, posting: &Posting) -> Fate {
        let marker = &posting.marker;
        if self.existing.values().any(|known| known.contains(marker)) {
            return Fate::Known;
        }
        if posting.anchor.is_some() {
            let refusal = match self.send(Kind::Inline, posting).await {
                Ok(()) => return Fate::Inline,
                Err(cause) if cause.status() == Some(UNPROCESSABLE) => cause,
                Err(cause) => return self.failed(posting, true, cause),
            };
            self.api.say(format!(
                "GitHub does not take a comment on the line {} ({refusal}); it becomes a general \
                 comment",
                posting.place
            ));
        }
        match self.send(Kind::General, posting).await {
            Ok(()) => Fate::General,
            Err(cause) => self.failed(posting, false, cause),
        }
    }

    /// Says which comments GitHub took and does not show.
    pub(crate) async fn verify(&self) {
        for kind in Kind::ALL {
            let mut accepted = self
                .accepted
                .iter()
                .filter(|(place, _, _)| *place == kind)
                .peekable();
            if accepted.peek().is_none() || !self.existing.contains_key(&kind) {
                continue;
            }
            let Ok(shown) = existing::markers(self.api, self.pull_request, kind).await else {
                continue;
            };
            for (_, _, place) in accepted.filter(|(_, marker, _)| !shown.contains(marker)) {
                self.api.say(format!(
                    "GitHub took the comment for {place} and does not list it; look whether it is \
                     there"
                ));
            }
        }
    }

    fn failed(&self, posting: &Posting, inline: bool, cause: Trouble) -> Fate {
        let unpublished = Unpublished {
            place: posting.place.clone(),
            inline,
            cause,
        };
        self.api.say(unpublished.when_it_happens());
        Fate::Failed(unpublished)
    }

    /// Sends a comment until it is there, refused, or nobody can say.
    async fn send(&mut self, kind: Kind, posting: &Posting) -> Result<(), Trouble> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            self.pause().await;
            let Err(cause) = self.send_once(kind, posting).await else {
                break;
            };
            let is_certain = !cause.may_have_happened();
            if is_certain && !cause.is_passing() {
                return Err(cause);
            }
            if !is_certain {
                match self.is_there(kind, &posting.marker).await {
                    Some(true) => break,
                    Some(false) => {}
                    None => return Err(cause),
                }
            }
            if attempt >= ATTEMPTS {
                return Err(cause);
            }
            self.api.pause(attempt).await;
        }
        let entry = (kind, posting.marker.clone(), posting.place.clone());
        self.accepted.push(entry);
        Ok(())
    }

    async fn send_once(&self, kind: Kind, posting: &Posting) -> Result<(), Trouble> {
        let number = self.pull_request.number.to_string();
        let repository = &self.pull_request.repository;
        let segments = [
            "repos",
            &repository.owner,
            &repository.name,
            kind.holder(),
            &number,
            "comments",
        ];
        let body = match (kind, &posting.anchor) {
            (Kind::Inline, Some(anchor)) => json!({
                "body": posting.inline_body,
                "commit_id": self.commit,
                "path": anchor.path,
                "line": anchor.line,
            }),
            _ => json!({ "body": posting.general_body }),
        };
        self.api.post(&segments, &body).await
    }

    /// Returns whether a comment with this mark is there; `None` when that cannot be read.
    async fn is_there(&self, kind: Kind, marker: &Marker) -> Option<bool> {
        let shown = existing::markers(self.api, self.pull_request, kind).await;
        shown.ok().map(|shown| shown.contains(marker))
    }

    /// Pauses between two of many comments, as GitHub asks for.
    async fn pause(&mut self) {
        if self.writes >= UNPAUSED_WRITES {
            self.api.pause(1).await;
        }
        self.writes += 1;
    }
}

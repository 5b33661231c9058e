//! `aurumcode review --pr`: the way from a pull request to its comments. Permission comes before
//! money, money before posting, and nothing is posted while the commit is not known.

use aurumcode_core::change::Change;
use aurumcode_provider_http::secrecy::SecretString;
use aurumcode_provider_http::{Client, HttpSettings};
use tokio::runtime::Runtime;

use super::review::{ReviewRun, runtime};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;
use crate::output;
use crate::publish::{self, CheckState, Fate, Posting, Publisher};
use crate::settings::{Commit, PullRequestTarget};
use crate::source::github;
use crate::source::github::api::Api;
use crate::variables::GITHUB_TOKEN;

/// Reviews a pull request and publishes what was found.
pub(super) fn run(
    run: &ReviewRun<'_>,
    target: &PullRequestTarget,
) -> Result<ExitStatus, CommandError> {
    if let Some(taken) = &target.taken {
        run.world.say(taken.clone());
    }
    let runtime = runtime()?;
    let mut api = api(run, target)?;
    let pull_request = &target.pull_request;
    let change = runtime.block_on(async {
        github::check_permission(&mut api, &pull_request.repository).await?;
        github::read(&api, pull_request).await
    })?;
    let change = run.settings.excludes.apply(change);
    let commit = match &target.commit {
        Commit::Known(commit) => Some(commit.clone()),
        Commit::AskGitHub => runtime.block_on(github::head(&api, pull_request)),
        Commit::Unknown => None,
    };
    let postings = postings(run, &change)?;
    let publication = Publication {
        run,
        target,
        runtime,
        api,
        commit,
    };
    publication.publish(&change, &postings)
}

fn api<'a>(run: &'a ReviewRun<'_>, target: &PullRequestTarget) -> Result<Api<'a>, CommandError> {
    let environment = run.session.environment;
    let settings =
        HttpSettings::read(environment).map_err(|error| CommandError::Usage(error.to_string()))?;
    let token = environment.text(GITHUB_TOKEN.name);
    let token = token.map(|token| token.trim().to_owned());
    Ok(Api::new(
        Client::new(settings),
        target.root.clone(),
        token
            .filter(|token| !token.is_empty())
            .map(SecretString::from),
        run.session.console.redactor(),
        &run.world,
        target.pause,
    ))
}

/// Reviews the change, as with `--base`.
fn postings(run: &ReviewRun<'_>, change: &Change) -> Result<Vec<Posting>, CommandError> {
    let stack = run.stack()?;
    let review = stack.as_ref().map(|stack| run.review(change, stack));
    let review = review.transpose()?.unwrap_or_default();
    let security = run.security(change).unwrap_or_default();
    Ok(publish::gather(
        change,
        &review.findings,
        &security,
        &run.catalog,
        run.session.console.redactor(),
    ))
}

/// What is left to do when the review is done.
struct Publication<'a> {
    run: &'a ReviewRun<'a>,
    target: &'a PullRequestTarget,
    runtime: Runtime,
    api: Api<'a>,
    commit: Option<String>,
}

impl Publication<'_> {
    fn publish(self, change: &Change, postings: &[Posting]) -> Result<ExitStatus, CommandError> {
        let needs_commit = self.target.check || postings.iter().any(Posting::is_inline);
        if needs_commit && self.commit.is_none() {
            // What was paid for is not lost.
            for posting in postings {
                self.run.session.console.say(&posting.line);
            }
            return Err(CommandError::NoCommit);
        }
        self.print(change.notices.iter().map(ToString::to_string))?;
        if needs_commit {
            self.compare_head();
        }
        let failed = self.comments(postings)?;
        let check = self.check(postings);
        if !failed.is_empty() {
            if let Err(error) = check {
                self.run.session.console.report(&error);
            }
            return Err(CommandError::Unpublished(failed));
        }
        let check = check?;
        let (status, reason) = self
            .run
            .gate()
            .verdict(postings.iter().map(|posting| posting.severity));
        if let Some(reason) = reason {
            self.run.world.say(reason);
        }
        Ok(if check.is_some_and(|state| state.is_failure) {
            ExitStatus::GateClosed
        } else {
            status
        })
    }

    fn print(&self, lines: impl Iterator<Item = String>) -> Result<(), CommandError> {
        let lines: Vec<String> = lines.collect();
        let console = self.run.session.console;
        console.print(&lines).map_err(CommandError::Output)
    }

    /// Says when the head of the pull request is not what was reviewed.
    fn compare_head(&self) {
        let pull_request = &self.target.pull_request;
        let head = self.runtime.block_on(github::head(&self.api, pull_request));
        let (Some(head), Some(commit)) = (head, &self.commit) else {
            return;
        };
        if !head.starts_with(commit.as_str()) {
            self.run.world.say(format!(
                "the head of pull request #{} is now {head}; what is published belongs to {commit}",
                pull_request.number
            ));
        }
    }

    /// Publishes every finding, and returns what could not be published.
    fn comments(&self, postings: &[Posting]) -> Result<Vec<output::Unpublished>, CommandError> {
        if postings.is_empty() {
            self.print(["No issues found.".to_owned()].into_iter())?;
            return Ok(Vec::new());
        }
        let pull_request = &self.target.pull_request;
        let (mut inline, mut general, mut known) = (0, 0, 0);
        let mut failed = Vec::new();
        let mut publisher = self.runtime.block_on(Publisher::new(
            &self.api,
            pull_request,
            self.commit.as_deref(),
        ));
        for posting in postings {
            let fate = self.runtime.block_on(publisher.publish(posting));
            self.print([format!("{}{}", posting.line, fate.words())].into_iter())?;
            match fate {
                Fate::Inline => inline += 1,
                Fate::General => general += 1,
                Fate::Known => known += 1,
                Fate::Failed(unpublished) => failed.push(unpublished),
            }
        }
        self.runtime.block_on(publisher.verify());
        let number = pull_request.number;
        self.print([output::published(number, inline, general)].into_iter())?;
        if known > 0 {
            self.run.world.say(format!(
                "{known} finding(s) were on pull request #{number} already and are not repeated"
            ));
        }
        Ok(failed)
    }

    /// Puts the status on the commit, where it is asked for.
    fn check(&self, postings: &[Posting]) -> Result<Option<CheckState>, CommandError> {
        let Some(commit) = self.commit.as_ref().filter(|_| self.target.check) else {
            return Ok(None);
        };
        let pull_request = &self.target.pull_request;
        let state = CheckState::of(postings, pull_request);
        self.runtime
            .block_on(publish::check(&self.api, pull_request, commit, &state))
            .map_err(CommandError::Check)?;
        self.print([state.line(commit)].into_iter())?;
        Ok(Some(state))
    }
}

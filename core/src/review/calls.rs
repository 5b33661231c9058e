//! The calls of a run: rounds of batches, asked at the same time, and what comes of each.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;

use super::batch::{self, Batch, Budget};
use super::gathered::{Gathered, Provenance};
use super::report::{Failure, FailureCause, Review};
use super::{Progress, Setup};
use crate::answer::{self, Asked, NotUnderstood};
use crate::change::Change;
use crate::prompt::PromptBuilder;
use crate::provider::{
    CallNumber, Completion, ErrorKind, Finish, ModelResolver as _, Note, Provider as _,
    ProviderError, Request, Run, Usage,
};

/// What every call of a run works with.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    pub(super) change: &'a Change,
    pub(super) setup: &'a Setup<'a>,
    pub(super) run: &'a dyn Run,
    pub(super) prompt: &'a PromptBuilder,
    pub(super) output_cap: Option<u32>,
}

/// What a call came to.
enum Outcome {
    /// Its answer is understood and taken.
    Understood,
    /// It has to be asked again in smaller pieces. The window is the one that the endpoint named.
    Smaller {
        cause: FailureCause,
        window: Option<u64>,
    },
    /// It brought nothing.
    Failed(FailureCause),
}

/// What is shared by the calls that are open at the same time.
struct Shared<'a> {
    gathered: RefCell<Gathered<'a>>,
    /// Set when every further call would fail the same way.
    ended: Cell<bool>,
}

/// What all calls came to.
pub(super) struct Outcomes<'a> {
    gathered: Gathered<'a>,
    /// The cause for each file that was not reviewed.
    failed: BTreeMap<usize, FailureCause>,
    first_failure: Option<FailureCause>,
}

impl<'a> Calls<'a> {
    /// Asks about every file that was not served.
    ///
    /// It goes in rounds: what one round has shown to be too large is cut and asked in the next.
    /// So which files share a call never depends on which call finishes first.
    pub(super) async fn make(self, budget: Budget, gathered: Gathered<'a>) -> Outcomes<'a> {
        let files = self.change.files.iter().enumerate();
        let missing: Vec<_> = files
            .filter(|(index, _)| !gathered.is_hit(*index))
            .collect();
        let mut round = batch::plan(missing, budget);
        if self.change.files.is_empty() {
            // Nothing to show is still something to ask about.
            round.push(Batch::default());
        }
        self.setup.progress(Progress::Planned {
            files: self.change.files.len(),
            hits: gathered.hits(),
        });
        let shared = Shared {
            gathered: RefCell::new(gathered),
            ended: Cell::new(false),
        };
        let mut failed = BTreeMap::new();
        let mut first_failure = None;
        let mut made = 0_u32;
        let mut budget = budget;
        while !round.is_empty() {
            let mut fitting = Vec::new();
            for batch in round {
                cut_to(batch, budget, &mut fitting);
            }
            let of = made.saturating_add(u32::try_from(fitting.len()).unwrap_or(u32::MAX));
            let numbered = fitting
                .into_iter()
                .zip(made.saturating_add(1)..)
                .map(|(batch, number)| self.one(batch, budget, CallNumber { number, of }, &shared));
            let outcomes: Vec<(Batch, Outcome)> = stream::iter(numbered)
                .buffered(self.setup.options.concurrent_calls.max(1))
                .collect()
                .await;
            made = of;
            round = Vec::new();
            for (batch, outcome) in outcomes {
                let (batch, cause) = match outcome {
                    Outcome::Understood => continue,
                    Outcome::Failed(cause) => (batch, cause),
                    Outcome::Smaller { cause, window } => {
                        if let Some(window) = window {
                            let mut limits = self.setup.stack.limits();
                            limits.context_tokens = Some(window);
                            budget = budget.min(Budget::of(limits, self.prompt));
                        }
                        if matches!(cause, FailureCause::Call(_)) {
                            budget = budget.refused(batch.bytes());
                        }
                        match batch.halves() {
                            Ok((first, second)) => {
                                round.extend([first, second]);
                                continue;
                            }
                            Err(batch) => (batch, cause),
                        }
                    }
                };
                for part in &batch.parts {
                    failed.entry(part.file).or_insert_with(|| cause.clone());
                }
                first_failure.get_or_insert(cause);
            }
        }
        Outcomes {
            gathered: shared.gathered.into_inner(),
            failed,
            first_failure,
        }
    }

    /// Makes one call and takes what it said.
    async fn one(
        self,
        batch: Batch,
        budget: Budget,
        call: CallNumber,
        shared: &Shared<'a>,
    ) -> (Batch, Outcome) {
        if shared.ended.get() {
            return (batch, Outcome::Failed(FailureCause::NotStarted));
        }
        if batch.bytes() > budget.most && !batch.parts.is_empty() {
            return (batch, Outcome::Failed(FailureCause::DoesNotFit));
        }
        let sections = batch.sections(&self.change.files);
        let request = Request {
            prompt: self.prompt.build(&sections, self.setup.redactor),
            answer_schema: self.prompt.answer_schema(),
            output_cap: self.output_cap,
            call,
        };
        self.run.note(Note::detail(format!(
            "call {} of {}: {} file(s), {} bytes",
            call.number,
            call.of,
            sections.len(),
            request.prompt.bytes()
        )));
        self.setup.progress(Progress::CallStarted);
        let started = self.run.now();
        let result = self.setup.stack.complete(&request, self.run).await;
        let usage = result.as_ref().ok().and_then(|completion| completion.usage);
        let took = self.run.now().duration_since(started).unwrap_or_default();
        self.run
            .note(Note::detail(ended(call, result.is_ok(), usage, took)));
        self.setup.progress(Progress::CallEnded { usage });
        let outcome = match result {
            Ok(completion) => self.understand(&batch, &completion, shared),
            Err(error) => {
                if error.ends_run() {
                    shared.ended.set(true);
                }
                failure(error)
            }
        };
        (batch, outcome)
    }

    /// Reads an answer and takes it; a file whose last call this was is stored at once, so that a
    /// later failure loses nothing that was paid for.
    fn understand(&self, batch: &Batch, completion: &Completion, shared: &Shared<'a>) -> Outcome {
        let not_understood = |kind| Outcome::Failed(FailureCause::NotUnderstood(kind));
        match &completion.finish {
            Finish::Length => {
                let tokens = completion.usage.map(|usage| usage.output_tokens);
                return Outcome::Smaller {
                    cause: FailureCause::Cut { tokens },
                    window: None,
                };
            }
            Finish::Refused(_) => return not_understood(NotUnderstood::Refused),
            Finish::Filtered => return not_understood(NotUnderstood::Filtered),
            Finish::Stop | Finish::Unstated => {}
        }
        let mut gathered = shared.gathered.borrow_mut();
        let only = match batch.parts.as_slice() {
            [part] => Some(gathered.paths().shown(part.file).to_owned()),
            _ => None,
        };
        let canonical = |said: &str| match gathered.paths().find(said) {
            Some(index) => gathered.paths().shown(index).to_owned(),
            None => said.to_owned(),
        };
        let asked = Asked {
            only: only.as_deref(),
            canonical: &canonical,
        };
        let records = match answer::read(&completion.text, self.setup.catalog, asked) {
            Ok(records) => records,
            Err(kind) => return not_understood(kind),
        };
        let asked: Vec<_> = batch
            .parts
            .iter()
            .map(|part| (part.file, part.hunks.start, part.hunks.len()))
            .collect();
        let provenance = Provenance {
            served_by: completion.served_by.as_ref().map(ToString::to_string),
            adaptations: completion.adaptations.iter().cloned().collect(),
        };
        for index in gathered.answered(&asked, records, &provenance) {
            self.setup.progress(Progress::FileDone);
            self.store(&gathered, index);
        }
        Outcome::Understood
    }

    fn store(&self, gathered: &Gathered<'_>, index: usize) {
        let Some(store) = self.setup.store() else {
            return;
        };
        let model = self.setup.stack.resolve_model();
        let Some(entry) = gathered.entry(index, model.as_str()) else {
            return;
        };
        if let Err(error) = store.put(&entry) {
            self.run.note(Note::detail(format!(
                "could not store {}: {error}",
                entry.path
            )));
        }
    }
}

/// Says how a call ended, for those who ask for an explanation of the run.
fn ended(call: CallNumber, answered: bool, usage: Option<Usage>, took: Duration) -> String {
    let CallNumber { number, of } = call;
    let how = if answered { "answered" } else { "failed" };
    let seconds = took.as_secs_f64();
    let tokens = match usage {
        Some(Usage {
            input_tokens,
            output_tokens,
        }) => format!(", {input_tokens} tokens in, {output_tokens} tokens out"),
        None => String::new(),
    };
    format!("call {number} of {of} {how} after {seconds:.1} s{tokens}")
}

fn failure(error: ProviderError) -> Outcome {
    match error.kind {
        ErrorKind::TooLong { limit_tokens } => Outcome::Smaller {
            cause: FailureCause::Call(error),
            window: limit_tokens,
        },
        ErrorKind::Authentication
        | ErrorKind::Permission
        | ErrorKind::ModelNotFound
        | ErrorKind::RateLimited { .. }
        | ErrorKind::QuotaExhausted
        | ErrorKind::BudgetExhausted
        | ErrorKind::Overloaded { .. }
        | ErrorKind::Rejected
        | ErrorKind::Timeout
        | ErrorKind::Transport
        | ErrorKind::BadResponse
        | ErrorKind::Setup => Outcome::Failed(FailureCause::Call(error)),
    }
}

/// Cuts a batch until each piece fits the budget or cannot be cut.
fn cut_to(batch: Batch, budget: Budget, fitting: &mut Vec<Batch>) {
    if batch.bytes() <= budget.planned {
        fitting.push(batch);
        return;
    }
    match batch.halves() {
        Ok((first, second)) => {
            cut_to(first, budget, fitting);
            cut_to(second, budget, fitting);
        }
        Err(whole) => fitting.push(whole),
    }
}

impl Outcomes<'_> {
    /// Puts everything together.
    pub(super) fn into_review(self, change: &Change, setup: &Setup<'_>) -> Review {
        let Self {
            gathered,
            failed,
            first_failure,
        } = self;
        let files = change.files.len();
        let reused = gathered.hits();
        let failures = change
            .files
            .iter()
            .enumerate()
            .filter(|(index, _)| !gathered.is_done(*index))
            .map(|(index, file)| Failure {
                path: file.path.clone(),
                cause: failed
                    .get(&index)
                    .cloned()
                    .unwrap_or(FailureCause::NotStarted),
            })
            .collect();
        let (records, paths) = gathered.into_records();
        let shown = super::merge::show(records, &paths, setup.redactor, setup.catalog);
        Review {
            findings: shown.findings,
            discarded: shown.discarded,
            unconverted: shown.unconverted,
            files,
            reused,
            failures,
            first_failure,
        }
    }
}

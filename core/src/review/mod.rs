//! The way of one review: hits from the cache, the rest in batches to whatever answers, and all of
//! it merged into findings.

mod batch;
mod calls;
mod gathered;
mod merge;
mod paths;
mod report;
#[cfg(test)]
mod tests;

pub use report::{Discarded, Failure, FailureCause, Review, Unconverted};

use std::fmt;

use crate::cache::{Key, KeyBasis, Lookup, Store};
use crate::change::{Change, FileChange};
use crate::parallel;
use crate::prompt::PromptBuilder;
use crate::provider::{
    ModelResolver as _, Note, Plan, Provider as _, ProviderError, Run, Stack, Usage,
};
use crate::redact::Redactor;
use crate::rules::Catalog;

use batch::Budget;
use gathered::Gathered;

/// How the cache takes part in a run.
#[derive(Debug, Clone, Copy)]
pub enum CacheUse<'a> {
    /// Not at all.
    Off,
    /// Nothing is served, everything is stored.
    Refresh(&'a dyn Store),
    /// What is there is served, the rest is stored.
    On(&'a dyn Store),
}

/// What the user can set about the calls of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many calls are open at the same time, at least 1.
    pub concurrent_calls: usize,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The cache was asked.
    Planned {
        /// How many files the change has.
        files: usize,
        /// How many of them are served from the cache.
        hits: usize,
    },
    /// A call was sent.
    CallStarted,
    /// A call ended, with or without an answer.
    CallEnded {
        /// What the endpoint counted, where it says so.
        usage: Option<Usage>,
    },
    /// All of a file's calls are understood.
    FileDone,
}

/// Somebody who watches a run.
pub trait Watch: fmt::Debug + Sync {
    /// Is told how far the run has come.
    fn progress(&self, progress: Progress);
}

/// What a review works with.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// Whatever answers.
    pub stack: &'a Stack,
    /// The rules that a finding may cite.
    pub catalog: &'a Catalog,
    /// What keeps secrets inside.
    pub redactor: &'a Redactor,
    /// The cache's part in this run.
    pub cache: CacheUse<'a>,
    /// What the user can set.
    pub options: Options,
    /// Whoever watches, if anybody.
    pub watch: Option<&'a dyn Watch>,
}

impl Setup<'_> {
    fn progress(&self, progress: Progress) {
        if let Some(watch) = self.watch {
            watch.progress(progress);
        }
    }

    /// Returns the cache, when entries may be served or stored. An answer of which nobody can say
    /// where it comes from is neither.
    fn store(&self) -> Option<&dyn Store> {
        match self.cache {
            CacheUse::On(store) | CacheUse::Refresh(store) => {
                self.stack.identity().is_stated().then_some(store)
            }
            CacheUse::Off => None,
        }
    }
}

/// Returns what every key of such a run has in common.
pub fn key_basis(stack: &Stack, prompt: &PromptBuilder) -> KeyBasis {
    KeyBasis {
        identity: stack.identity(),
        prompt_fingerprint: prompt.fingerprint(),
        output_cap: stack.limits().output_tokens,
    }
}

/// Reviews a change.
///
/// It always returns what it has: where a call failed, [`Review::failures`] says what is missing,
/// and what was paid for is in the report and in the cache all the same. Notes of the layers go to
/// `run` as they come up; those of [`Stack::settle`] are the caller's to ask for.
///
/// A change of which every file is named in a notice is not sent; one without files and notices
/// is.
pub async fn review(change: &Change, setup: &Setup<'_>, run: &dyn Run) -> Review {
    if change.is_only_named() {
        return Review::default();
    }
    let prompt = PromptBuilder::new(setup.catalog);
    let limits = setup.stack.limits();
    let budget = Budget::of(limits, &prompt);
    if let Err(error) = preflight(change, setup, budget, run) {
        return Review::refused(change, error);
    }

    let basis = key_basis(setup.stack, &prompt);
    let keys = parallel::map(&change.files, |file| basis.key(file));
    let mut gathered = Gathered::new(change, &keys, setup.redactor);
    serve(change, setup, &keys, &mut gathered, run);

    let calls = calls::Calls {
        change,
        setup,
        run,
        prompt: &prompt,
        output_cap: limits.output_tokens,
    };
    let outcome = calls.make(budget, gathered).await;
    outcome.into_review(change, setup)
}

/// Tells the layers what a run without any hit would need.
fn preflight(
    change: &Change,
    setup: &Setup<'_>,
    budget: Budget,
    run: &dyn Run,
) -> Result<(), ProviderError> {
    let file_bytes: Vec<u64> = change.files.iter().map(FileChange::marked_bytes).collect();
    let batches = batch::plan(change.files.iter().enumerate(), budget);
    let calls = u32::try_from(batches.len().max(1)).unwrap_or(u32::MAX);
    let model = setup.stack.resolve_model();
    let plan = Plan {
        model: &model,
        file_bytes: &file_bytes,
        calls,
    };
    for note in setup.stack.preflight(&plan)? {
        run.note(note);
    }
    Ok(())
}

/// Asks the cache for every file.
fn serve(
    change: &Change,
    setup: &Setup<'_>,
    keys: &[Key],
    gathered: &mut Gathered<'_>,
    run: &dyn Run,
) {
    let CacheUse::On(_) = setup.cache else { return };
    let Some(store) = setup.store() else { return };
    run.note(Note::detail(format!("cache: {}", store.describe())));
    let lookups = parallel::map(keys, |key| store.get(key));
    let asked = change.files.iter().zip(keys).zip(lookups);
    for (index, ((file, key), lookup)) in asked.enumerate() {
        let path = file.path.display();
        match lookup {
            Lookup::Hit(entry) => {
                run.note(Note::detail(format!("cache hit: {path} ({key})")));
                gathered.hit(index, *entry);
            }
            Lookup::Absent => run.note(Note::detail(format!("cache miss: {path} ({key})"))),
            Lookup::Unusable(reason) => {
                run.note(Note::detail(format!(
                    "cache entry unusable: {path} ({key}): {reason}"
                )));
            }
        }
    }
}

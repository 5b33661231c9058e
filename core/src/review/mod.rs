//! The way of one review: hits from the cache, the rest in batches to whatever answers, and all of
//! it merged into findings.

mod report;

pub use report::{Discarded, Failure, FailureCause, Review, Unconverted};

use crate::cache::Store;
use crate::change::Change;
use crate::provider::{Run, Stack};
use crate::redact::Redactor;
use crate::rules::Catalog;

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
}

/// Reviews a change.
///
/// It always returns what it has: where a call failed, [`Review::failures`] says what is missing,
/// and what was paid for is in the report and in the cache all the same. Notes of the layers go to
/// `run` as they come up; those of [`Stack::settle`] are the caller's to ask for.
#[expect(
    clippy::unused_async,
    reason = "the signature that every part builds on"
)]
pub async fn review(change: &Change, setup: &Setup<'_>, run: &dyn Run) -> Review {
    let _ = (change, setup, run);
    Review::default()
}

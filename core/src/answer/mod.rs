//! A model's answer, read into records: findings that cite a rule, and what was dropped and why.

mod findings;
mod json;
mod merged;
mod record;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use merged::Merged;
pub use record::{NotUnderstood, Record, RecordKind};
pub use search::read;

use std::fmt;

/// What a call was about, as far as that tells what its answer means.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The printed path of the one file that the call was about, where it was about one: a finding
    /// without a file is about that one, and without it the answer is not understood.
    pub only: Option<&'a str>,
    /// Brings the many ways in which a model writes the path of a file into one.
    pub canonical: &'a dyn Fn(&str) -> String,
}

impl fmt::Debug for Asked<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Asked")
            .field("only", &self.only)
            .finish_non_exhaustive()
    }
}

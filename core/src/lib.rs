//! The engine of `aurumcode`: it decides what a model is asked about a change, reads what it
//! answers, and never asks about the same file twice.
//!
//! The way of one review is that of [`review::review`]: a [`change::Change`] comes in, files whose
//! answer is in the [`cache`] are served from it, the others are put into a [`prompt`], a
//! [`provider::Stack`] answers, the [`answer`] is read into records, and a [`review::Review`] goes
//! out. The crate knows no terminal, git, HTTP, environment or clock; its only input and output is
//! the cache directory that it is handed.

pub mod answer;
pub mod cache;
pub mod change;
pub(crate) mod encode;
#[cfg(test)]
mod fakes;
pub mod finding;
pub mod limits;
mod literals;
pub mod parallel;
pub mod prompt;
pub mod provider;
pub mod redact;
pub mod review;
pub mod rules;
pub mod text;

pub use async_trait::async_trait;
pub use inventory;

//! A model's answer, read into records: findings that cite a rule, and what was dropped and why.

mod findings;
mod json;
mod record;
mod search;
#[cfg(test)]
mod tests;

pub use record::{NotUnderstood, Record, RecordKind};
pub use search::read;

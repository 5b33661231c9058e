//! Where entries are kept.

use std::fmt;

use thiserror::Error;

use super::{Entry, Key};

/// What a store has under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// An entry that is exactly what this version writes for exactly this key.
    Hit(Box<Entry>),
    /// Nothing.
    Absent,
    /// Something that is no such entry; it counts as nothing.
    Unusable(String),
}

/// An entry that could not be kept. A review goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct StoreError(pub String);

/// A place that keeps entries.
pub trait Store: fmt::Debug + Send + Sync {
    /// Returns what is kept under a key. Whatever is wrong with it, the answer is not an error.
    fn get(&self, key: &Key) -> Lookup;

    /// Keeps an entry under its own key, whole or not at all.
    fn put(&self, entry: &Entry) -> Result<(), StoreError>;

    /// Returns what people call the place.
    fn describe(&self) -> String;
}

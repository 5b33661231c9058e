//! What makes a file's answer the same, and where it is kept.

mod directory;
mod entry;
mod format;
mod key;
mod maintenance;
mod store;
#[cfg(test)]
mod tests;

pub use crate::encode::EncodedField;
pub use directory::DirectoryStore;
pub use entry::{CallRecords, Entry};
pub use key::{Key, KeyBasis};
pub use maintenance::{Kept, PruneLimits, Removed, Statistics};
pub use store::{Lookup, Store, StoreError};

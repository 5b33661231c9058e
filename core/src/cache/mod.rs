//! What makes a file's answer the same, and where it is kept.

mod entry;
mod key;
mod store;

pub use entry::{CallRecords, Entry};
pub use key::{Key, KeyBasis};
pub use store::{Lookup, Store, StoreError};

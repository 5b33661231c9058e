//! The rules that a finding may cite, and the security pass that applies some of them by itself.

mod catalog;

pub use catalog::{Catalog, CatalogError, Rule};

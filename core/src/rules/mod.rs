//! The rules that a finding may cite, and the security pass that applies some of them by itself.

mod catalog;
mod pass;
mod pattern;
mod statement;
mod syntax;

#[cfg(test)]
mod tests;

pub use catalog::{Catalog, CatalogError, Rule};
pub use pass::{SecurityFinding, SecurityPass};
pub use pattern::{Examples, Pattern, Place};

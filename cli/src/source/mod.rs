//! Where a change comes from.

pub(crate) mod git;
pub(crate) mod github;
mod hunks;

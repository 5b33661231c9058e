//! Where a change comes from.

pub mod git;

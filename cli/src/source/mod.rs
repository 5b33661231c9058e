//! Where a change comes from.

pub(crate) mod git;

//! The built binary on real repositories.

mod fixtures;

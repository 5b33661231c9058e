//! The built binary on real repositories.

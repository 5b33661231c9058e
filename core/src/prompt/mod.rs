//! What a model reads.

//! The command line of aurumcode.

pub mod source;

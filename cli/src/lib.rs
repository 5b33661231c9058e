//! The command line of aurumcode.

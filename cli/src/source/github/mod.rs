//! The change of a pull request, read from GitHub.

mod diff;

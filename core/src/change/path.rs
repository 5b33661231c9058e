//! A path inside the repository.

use std::borrow::Cow;

use crate::text;

/// A path from the top of the tree, as the bytes that git holds: `/` between parts, no meaning of
/// an encoding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    /// Takes the bytes as git has them.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the bytes as git has them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path for people and for the prompt: one line of text, with whatever is no text
    /// or would steer a terminal made visible. Not redacted.
    pub fn display(&self) -> Cow<'_, str> {
        text::path(&self.0)
    }
}

impl From<&str> for RepoPath {
    fn from(path: &str) -> Self {
        Self(path.as_bytes().to_vec())
    }
}

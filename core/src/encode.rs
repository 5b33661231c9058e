//! The canonical encoding below every digest: tagged fields with lengths.

use sha2::{Digest as _, Sha256};

/// Hashes fields so that no two different lists of fields give the same bytes: each is its tag and
/// its value, both behind their lengths.
#[derive(Debug, Clone)]
pub(crate) struct Encoder {
    hasher: Sha256,
}

impl Encoder {
    /// Starts with a domain, which keeps digests of different purposes apart.
    pub(crate) fn new(domain: &str) -> Self {
        let mut encoder = Self {
            hasher: Sha256::new(),
        };
        encoder.field("domain", domain.as_bytes());
        encoder
    }

    /// Appends a field.
    pub(crate) fn field(&mut self, tag: &str, value: &[u8]) {
        for part in [tag.as_bytes(), value] {
            self.hasher.update((part.len() as u64).to_le_bytes());
            self.hasher.update(part);
        }
    }

    /// Appends a number: how many of something follow, or a number of its own.
    pub(crate) fn count(&mut self, tag: &str, value: u64) {
        self.field(tag, &value.to_le_bytes());
    }

    /// Appends a value that may be missing; missing and empty differ.
    pub(crate) fn optional(&mut self, tag: &str, value: Option<&[u8]>) {
        self.count(tag, u64::from(value.is_some()));
        if let Some(value) = value {
            self.field(tag, value);
        }
    }

    /// Returns the digest.
    pub(crate) fn digest(self) -> [u8; 32] {
        self.hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(fields: &[(&str, &[u8])]) -> [u8; 32] {
        let mut encoder = Encoder::new("test");
        for (tag, value) in fields {
            encoder.field(tag, value);
        }
        encoder.digest()
    }

    #[test]
    fn moving_a_boundary_changes_the_digest() {
        assert_ne!(digest(&[("a", b"bc")]), digest(&[("ab", b"c")]));
        assert_ne!(
            digest(&[("a", b"b"), ("c", b"")]),
            digest(&[("a", b"bc"), ("", b"")])
        );
        assert_ne!(digest(&[]), digest(&[("", b"")]));
    }
}

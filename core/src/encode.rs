//! The canonical encoding below every digest: tagged fields with lengths.

use sha2::{Digest as _, Sha256};

/// One field of an encoding, for people: never its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedField {
    /// What the field is.
    pub tag: String,
    /// How many bytes it has.
    pub length: u64,
    /// The first 12 hexadecimal digits of the SHA-256 of its bytes.
    pub digest: String,
}

/// Hashes fields so that no two different lists of fields give the same bytes: each is its tag and
/// its value, both behind their lengths.
#[derive(Debug, Clone)]
pub(crate) struct Encoder {
    hasher: Sha256,
    record: Option<Vec<EncodedField>>,
}

impl Encoder {
    /// Starts with a domain, which keeps digests of different purposes apart.
    pub(crate) fn new(domain: &str) -> Self {
        let mut encoder = Self {
            hasher: Sha256::new(),
            record: None,
        };
        encoder.field("domain", domain.as_bytes());
        encoder
    }

    /// Keeps a record of the fields that follow.
    pub(crate) fn recording(mut self) -> Self {
        self.record = Some(Vec::new());
        self
    }

    /// Appends a field.
    pub(crate) fn field(&mut self, tag: &str, value: &[u8]) {
        for part in [tag.as_bytes(), value] {
            self.hasher.update((part.len() as u64).to_le_bytes());
            self.hasher.update(part);
        }
        if let Some(record) = &mut self.record {
            let mut digest = hex::encode(Sha256::digest(value));
            digest.truncate(12);
            record.push(EncodedField {
                tag: tag.to_owned(),
                length: value.len() as u64,
                digest,
            });
        }
    }

    /// Appends a field whose value is what `pieces` give one after the other, `bytes` in all. It
    /// has no part in a record.
    pub(crate) fn pieces<'p>(
        &mut self,
        tag: &str,
        bytes: usize,
        pieces: impl Iterator<Item = &'p [u8]>,
    ) {
        self.hasher.update((tag.len() as u64).to_le_bytes());
        self.hasher.update(tag);
        self.hasher.update((bytes as u64).to_le_bytes());
        for piece in pieces {
            self.hasher.update(piece);
        }
    }

    /// Appends a number: how many of something follow, or a number of its own.
    pub(crate) fn count(&mut self, tag: &str, value: u64) {
        self.field(tag, &value.to_le_bytes());
    }

    /// Appends a value that may be missing; missing and empty differ.
    pub(crate) fn optional(&mut self, tag: &str, value: Option<&[u8]>) {
        let mut tagged = vec![u8::from(value.is_some())];
        tagged.extend_from_slice(value.unwrap_or_default());
        self.field(tag, &tagged);
    }

    /// Returns the digest, and the record where one was kept.
    pub(crate) fn finish(self) -> ([u8; 32], Vec<EncodedField>) {
        (
            self.hasher.finalize().into(),
            self.record.unwrap_or_default(),
        )
    }

    /// Returns the digest.
    pub(crate) fn digest(self) -> [u8; 32] {
        self.finish().0
    }
}

/// Returns the 64 lower-case hexadecimal digits of a digest.
pub(crate) fn digits(digest: &[u8; 32]) -> [u8; 64] {
    let mut digits = [0; 64];
    let written = hex::encode_to_slice(digest, &mut digits);
    debug_assert!(written.is_ok(), "each byte has two digits");
    digits
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

    #[test]
    fn a_field_in_pieces_is_the_field() {
        let mut encoder = Encoder::new("test");
        let pieces: [&[u8]; 3] = [b"b", b"", b"cd"];
        encoder.pieces("a", 3, pieces.into_iter());
        assert_eq!(encoder.digest(), digest(&[("a", b"bcd")]));
    }

    #[test]
    fn missing_and_empty_differ() {
        let optional = |value| {
            let mut encoder = Encoder::new("test");
            encoder.optional("a", value);
            encoder.digest()
        };
        assert_ne!(optional(None), optional(Some(b"".as_slice())));
    }
}

//! The key of a file's answer.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::change::{FileChange, Hunk, RepoPath};
use crate::encode::{EncodedField, Encoder, digits};
use crate::provider::Identity;

/// The version of everything that a key covers but cannot see: how an answer is asked for and
/// read. The fingerprint of the prompt covers the words; this is the lever for the rest.
const KEY_VERSION: u64 = 1;

/// Keeps the keys apart from every other digest, and from those of another way of encoding.
const DOMAIN: &str = "aurumcode cache key 1";

/// The digest under which a file's answer is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// Reads the 64 lower-case hexadecimal digits that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut digest = [0; 32];
        hex::decode_to_slice(text, &mut digest).ok()?;
        (digits(&digest) == text.as_bytes()).then_some(Self(digest))
    }

    /// Returns the digits that [`fmt::Display`] writes.
    pub(super) fn digits(&self) -> [u8; 64] {
        digits(&self.0)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a key has 64 hexadecimal digits"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::str::from_utf8(&self.digits()).map_err(|_| fmt::Error)?)
    }
}

/// What every key of a run has in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyBasis {
    /// Whatever answers.
    pub identity: Identity,
    /// The prompt's fixed words, the rules, and every option that shapes the answer.
    pub prompt_fingerprint: [u8; 32],
    /// The output cap that the core puts into requests.
    pub output_cap: Option<u32>,
}

impl KeyBasis {
    /// Returns the key of a file's answer. It covers the raw bytes: two versions that differ only
    /// inside a secret must not meet.
    pub fn key(&self, file: &FileChange) -> Key {
        Key(self.encode(file, Encoder::new(DOMAIN)).digest())
    }

    /// Returns the key with the parts that made it: the answer to why a file was sent again.
    pub fn explain(&self, file: &FileChange) -> (Key, Vec<EncodedField>) {
        let (digest, fields) = self.encode(file, Encoder::new(DOMAIN).recording()).finish();
        (Key(digest), fields)
    }

    fn encode(&self, file: &FileChange, mut encoder: Encoder) -> Encoder {
        encoder.count("key version", KEY_VERSION);
        let Self {
            identity,
            prompt_fingerprint,
            output_cap,
        } = self;
        identity.encode(&mut encoder);
        encoder.field("prompt", prompt_fingerprint);
        let output_cap = output_cap.map(u32::to_le_bytes);
        encoder.optional("output cap", output_cap.as_ref().map(<[u8; 4]>::as_slice));
        encode_file(file, &mut encoder);
        encoder
    }
}

fn encode_file(file: &FileChange, encoder: &mut Encoder) {
    // The number of lines of the whole file is not part of its diff: text that was added far away
    // in the base must not ask for a new answer.
    let FileChange {
        path,
        old_path,
        kind,
        hunks,
        line_count: _,
    } = file;
    encoder.field("path", path.as_bytes());
    encoder.optional("old path", old_path.as_ref().map(RepoPath::as_bytes));
    encoder.field("kind", kind.word().as_bytes());
    encoder.optional(
        "language",
        file.language().map(|language| language.name().as_bytes()),
    );
    encoder.count("hunks", hunks.len() as u64);
    for hunk in hunks {
        encode_hunk(hunk, encoder);
    }
}

fn encode_hunk(hunk: &Hunk, encoder: &mut Encoder) {
    encoder.count("hunk old start", u64::from(hunk.old_start()));
    encoder.count("hunk new start", u64::from(hunk.new_start()));
    encoder.count("hunk lines", hunk.len() as u64);
    // One field for all marks and one for all bytes: a field for each line would double the work,
    // and the lengths in the marks keep the lines apart all the same.
    let mut marks = Vec::with_capacity(hunk.len() * 9);
    for line in hunk.lines() {
        marks.push(line.kind.marker() as u8 | u8::from(line.terminated) << 7);
        marks.extend_from_slice(&(line.content.len() as u64).to_le_bytes());
    }
    encoder.field("hunk marks", &marks);
    encoder.field("hunk text", hunk.text());
}

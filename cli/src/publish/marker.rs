//! The invisible mark of a comment, by which a later run knows what is published already.
//!
//! It is a digest of what a finding says and of the text it says that about. The line's number is
//! not part of it: a finding whose line moved is the same.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

/// What stands around the digest.
const START: &str = "<!-- aurumcode:finding:v1:";
const END: &str = " -->";

/// What a finding is told from others by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity<'a> {
    pub(super) rule_id: &'a str,
    pub(super) path: &'a str,
    /// The text of the line, where the change shows it.
    pub(super) anchored: &'a [u8],
    pub(super) message: &'a str,
}

/// The mark of one comment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marker(String);

/// Makes the marks of one run. Findings that nothing tells apart are counted, so that each of them
/// is published once.
#[derive(Debug, Default)]
pub(super) struct Markers {
    seen: BTreeMap<String, u64>,
}

impl Markers {
    /// Returns the mark of the next finding.
    pub(super) fn next(&mut self, identity: Identity<'_>) -> Marker {
        let Identity {
            rule_id,
            path,
            anchored,
            message,
        } = identity;
        let parts = [
            rule_id.as_bytes(),
            path.as_bytes(),
            anchored,
            message.as_bytes(),
        ];
        let count = self.seen.entry(digest(&parts)).or_default();
        let ordinal = *count;
        *count += 1;
        let [rule_id, path, anchored, message] = parts;
        Marker(digest(&[
            rule_id,
            path,
            anchored,
            message,
            &ordinal.to_le_bytes(),
        ]))
    }
}

impl Marker {
    /// Returns the mark as it ends a comment.
    pub(super) fn written(&self) -> String {
        format!("{START}{}{END}", self.0)
    }

    /// Finds the mark at the end of a comment.
    pub(super) fn of_body(body: &str) -> Option<Self> {
        let last = body.trim_end().lines().next_back()?;
        let digest = last.strip_prefix(START)?.strip_suffix(END)?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then(|| Self(digest.to_owned()))
    }
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(b"aurumcode published finding 1");
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex::encode(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity<'static> = Identity {
        rule_id: "security/xss",
        path: "a.js",
        anchored: b"x",
        message: "m",
    };

    #[test]
    fn equal_findings_are_counted_and_others_differ() {
        let mut markers = Markers::default();
        let first = markers.next(IDENTITY);
        let second = markers.next(IDENTITY);
        let others = [
            Identity {
                rule_id: "x",
                ..IDENTITY
            },
            Identity {
                path: "b.js",
                ..IDENTITY
            },
            Identity {
                anchored: b"y",
                ..IDENTITY
            },
            Identity {
                message: "n",
                ..IDENTITY
            },
        ];
        let mut all: Vec<Marker> = others.map(|other| markers.next(other)).into();
        all.extend([first.clone(), second]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
        assert_eq!(Markers::default().next(IDENTITY), first);
    }

    #[test]
    fn only_the_end_of_a_body_is_a_mark() {
        let marker = Markers::default().next(IDENTITY);
        let written = marker.written();
        let found = |body: String| Marker::of_body(&body);
        assert_eq!(found(format!("text\n\n{written}")), Some(marker.clone()));
        assert_eq!(found(format!("text\r\n\r\n{written}\r\n")), Some(marker));
        assert_eq!(found(format!("{written}\n\nan answer")), None);
        assert_eq!(found(format!("> {written}")), None);
        assert_eq!(found(format!("{START}12{END}")), None);
        assert_eq!(found(String::new()), None);
    }
}

//! The exact values that must not leave the process, plain and in disguise.
//!
//! A value is found as it stands, and in a view of the text from which line breaks, quotes and
//! everything else that can be put between its characters is gone, and in which escapes are
//! decoded. Its base64 (at each of the three places it can have in a longer text) and its
//! hexadecimal form are looked for in the same view.

use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::MARKER;
use super::bytes::at;
use super::disguise::{Forms, Trail};
use super::view::View;
use crate::change::LineKind;

pub(super) type Spans = Vec<(usize, usize)>;

/// From this many letters and digits on, only those count in the view; a shorter value is looked
/// for with its punctuation, because ordinary words could hold its letters by chance.
const LETTERS_ONLY: usize = 12;

/// Below this many bytes, a value is masked only where it stands as a word of its own.
const WORD: usize = 8;

/// The fewest bytes of a value that is looked for in disguise.
const DISGUISED: usize = 6;

/// The values and the automata that find them.
pub(super) struct Exact {
    plain: Option<AhoCorasick>,
    /// The length of the value behind each pattern of `plain`, which tells short ones.
    lengths: Vec<usize>,
    disguised: Vec<Forms>,
}

pub(super) fn automaton(patterns: &[Vec<u8>]) -> Option<AhoCorasick> {
    let kind = (patterns.len() <= 64).then_some(AhoCorasickKind::DFA);
    AhoCorasickBuilder::new()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(kind)
        .build(patterns)
        .ok()
        .filter(|_| !patterns.is_empty())
}

impl Exact {
    /// Builds the automata; nothing where there is no value that can be looked for.
    pub(super) fn new(values: &[String]) -> Option<Self> {
        let values: Vec<&str> = values
            .iter()
            .map(String::as_str)
            .filter(|value| value.len() > 1 && !MARKER.contains(*value))
            .collect();
        if values.is_empty() {
            return None;
        }
        let mut plain = Vec::new();
        let mut lengths = Vec::new();
        let (mut letters, mut visible) = (Vec::new(), Vec::new());
        for value in values {
            for form in spellings(value) {
                plain.push(form);
                lengths.push(value.len());
            }
            if value.len() >= DISGUISED {
                let view = if View::Letters.of(value.as_bytes()).len() >= LETTERS_ONLY {
                    View::Letters
                } else {
                    View::Visible
                };
                let list = if view == View::Letters {
                    &mut letters
                } else {
                    &mut visible
                };
                list.push(view.of(value.as_bytes()));
                for form in encodings(value) {
                    list.push(view.of(form.as_bytes()));
                }
            }
        }
        let disguised = [(View::Letters, letters), (View::Visible, visible)]
            .into_iter()
            .filter_map(|(view, mut list)| {
                list.retain(|form| form.len() >= 4);
                Forms::new(view, &list)
            })
            .collect();
        Some(Self {
            plain: automaton(&plain),
            lengths,
            disguised,
        })
    }

    /// Appends where a value stands in `text`, plain or in disguise.
    pub(super) fn find(&self, text: &[u8], found: &mut Spans) {
        self.find_plain(text, found);
        for forms in &self.disguised {
            if forms.may_stand_in(text, &mut Trail::default()) {
                forms.find(text, found);
            }
        }
    }

    /// Returns whether a value may be hidden in the lines of either side of a hunk.
    pub(super) fn may_hide(&self, lines: &[(LineKind, Cow<'_, str>)]) -> bool {
        self.disguised
            .iter()
            .any(|forms| forms.may_stand_on_a_side(lines))
    }

    /// Appends where a value stands in `text` as it is.
    pub(super) fn find_plain(&self, text: &[u8], found: &mut Spans) {
        if let Some(plain) = &self.plain {
            for hit in plain.find_iter(text) {
                let length = self
                    .lengths
                    .get(hit.pattern().as_usize())
                    .copied()
                    .unwrap_or(WORD);
                if length >= WORD || is_own_word(text, hit.start(), hit.end(), length) {
                    found.push((hit.start(), hit.end()));
                }
            }
        }
    }
}

/// Returns whether no part of a longer word touches the match; for a very short value, also no
/// operator of a program.
fn is_own_word(text: &[u8], start: usize, end: usize, length: usize) -> bool {
    let before = start.checked_sub(1).map_or(b' ', |place| at(text, place));
    let after = text.get(end).copied().unwrap_or(b' ');
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    if length >= 4 {
        return !word(before) && !word(after);
    }
    let opens = before.is_ascii_whitespace() || b"\"'`=:".contains(&before);
    let closes = after.is_ascii_whitespace() || b"\"'`,;".contains(&after);
    let quoted = b"\"'`=:".contains(&before) || after == b'\n' || end == text.len();
    opens && closes && quoted
}

/// Returns a value as it stands and as JSON and URLs spell it.
fn spellings(value: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![value.as_bytes().to_vec()];
    if let Ok(json) = serde_json::to_string(value) {
        forms.push(json.trim_matches('"').as_bytes().to_vec());
        forms.push(json.trim_matches('"').replace('/', "\\/").into_bytes());
    }
    for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
        let mut encoded = Vec::new();
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                encoded.push(byte);
            } else {
                encoded.push(b'%');
                for half in [byte >> 4, byte & 15] {
                    encoded.push(at(digits, usize::from(half)));
                }
            }
        }
        forms.push(encoded);
    }
    forms.sort();
    forms.dedup();
    forms.retain(|form| !form.is_empty());
    forms
}

/// Returns the base64 of a value at the three places it can have, without the characters that
/// its neighbours decide, and its hexadecimal form.
fn encodings(value: &str) -> Vec<String> {
    let bytes = value.as_bytes();
    let mut forms = vec![
        hex::encode(bytes),
        hex::encode_upper(bytes),
        STANDARD.encode(bytes),
    ];
    for offset in 0..3_usize {
        let mut padded = vec![0; offset];
        padded.extend_from_slice(bytes);
        let first = (offset * 8).div_ceil(6);
        let last = padded.len() * 8 / 6;
        for encoded in [
            STANDARD_NO_PAD.encode(&padded),
            URL_SAFE_NO_PAD.encode(&padded),
        ] {
            forms.extend(encoded.get(first..last).map(str::to_owned));
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

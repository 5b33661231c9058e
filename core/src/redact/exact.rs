//! The exact values that must not leave the process, plain and in disguise.
//!
//! A value is found as it stands, and in a view of the text from which line breaks, quotes and
//! everything else that can be put between its characters is gone, and in which escapes are
//! decoded. Its base64 (at each of the three places it can have in a longer text) and its
//! hexadecimal form are looked for in the same view.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::MARKER;
use super::bytes::at;

type Spans = Vec<(usize, usize)>;

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
    views: Vec<(View, AhoCorasick)>,
}

/// What of a text is left in its view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// Letters and digits, all letters small.
    Letters,
    /// Everything but white space and the markers of a diff.
    Visible,
}

fn automaton(patterns: &[Vec<u8>]) -> Option<AhoCorasick> {
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
                let folded = seen(value.as_bytes(), View::Letters);
                let view = if folded.len() >= LETTERS_ONLY {
                    View::Letters
                } else {
                    View::Visible
                };
                let list = if view == View::Letters {
                    &mut letters
                } else {
                    &mut visible
                };
                list.push(seen(value.as_bytes(), view));
                for form in encodings(value) {
                    list.push(seen(form.as_bytes(), view));
                }
            }
        }
        let views = [(View::Letters, letters), (View::Visible, visible)]
            .into_iter()
            .filter_map(|(view, mut list)| {
                list.retain(|form| form.len() >= 4);
                Some((view, automaton(&list)?))
            })
            .collect();
        Some(Self {
            plain: automaton(&plain),
            lengths,
            views,
        })
    }

    /// Appends where a value stands in `text`, plain or in disguise.
    pub(super) fn find(&self, text: &[u8], found: &mut Spans) {
        self.find_plain(text, found);
        for (view, automaton) in &self.views {
            let bytes = seen(text, *view);
            if automaton.is_match(&bytes) {
                locate(text, *view, automaton, found);
            }
        }
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

/// The views of many lines, one after the other, from which those of either side are put together.
pub(super) struct Lines<'e> {
    exact: &'e Exact,
    views: Vec<(Vec<u8>, Vec<usize>)>,
}

impl Exact {
    /// Makes the views of lines.
    pub(super) fn lines<'l>(&self, lines: &(impl Iterator<Item = &'l [u8]> + Clone)) -> Lines<'_> {
        let views = self.views.iter().map(|(view, _)| {
            let (mut bytes, mut ends) = (Vec::new(), Vec::new());
            for line in lines.clone() {
                bytes.extend(seen(line, *view));
                ends.push(bytes.len());
            }
            (bytes, ends)
        });
        Lines {
            exact: self,
            views: views.collect(),
        }
    }
}

impl Lines<'_> {
    /// Returns whether a value is hidden in the lines whose index is wanted.
    pub(super) fn hide(&self, wanted: impl Fn(usize) -> bool) -> bool {
        let mut side = Vec::new();
        self.exact
            .views
            .iter()
            .zip(&self.views)
            .any(|((_, automaton), (bytes, ends))| {
                side.clear();
                let mut start = 0;
                for (index, end) in ends.iter().enumerate() {
                    if wanted(index) {
                        side.extend_from_slice(bytes.get(start..*end).unwrap_or_default());
                    }
                    start = *end;
                }
                automaton.is_match(&side)
            })
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

/// Returns the character at `place` after its escapes, if it has one in a view, and how many bytes
/// it takes.
fn decoded(text: &[u8], place: usize) -> (Option<char>, usize) {
    let byte = at(text, place);
    let digits = |from: usize, count: usize| {
        let digits = text.get(from..from + count)?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    match byte {
        b'%' => match digits(place + 1, 2) {
            Some(code) => (Some(raw(code)), 3),
            None => (Some('%'), 1),
        },
        b'\\' => match at(text, place + 1) {
            b'u' => match digits(place + 2, 4) {
                Some(code) => (char::from_u32(code), 6),
                None => (None, 1),
            },
            b'x' => match digits(place + 2, 2) {
                Some(code) => (Some(raw(code)), 4),
                None => (None, 1),
            },
            b'n' | b'r' | b't' | b'b' | b'f' => (None, 2),
            b'\\' if matches!(at(text, place + 2), b'n' | b'r' | b't') => (None, 3),
            b'"' | b'\'' | b'/' | b'\\' => (Some(char::from(at(text, place + 1))), 2),
            _ => (None, 1),
        },
        b'&' => entity(text, place),
        _ => (Some(raw(u32::from(byte))), 1),
    }
}

/// A byte that stands for itself in a view, whatever the encoding of the text.
fn raw(code: u32) -> char {
    char::from_u32(code).unwrap_or(' ')
}

fn entity(text: &[u8], place: usize) -> (Option<char>, usize) {
    let window = text
        .get(place..text.len().min(place + 10))
        .unwrap_or_default();
    let Some(length) = window.iter().position(|byte| *byte == b';') else {
        return (Some('&'), 1);
    };
    let name = std::str::from_utf8(window.get(1..length).unwrap_or_default()).unwrap_or_default();
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(number) => u32::from_str_radix(number, 16).ok(),
            None => number.parse().ok(),
        },
        None => ["amp&", "lt<", "gt>", "quot\"", "apos'", "nbsp "]
            .iter()
            .find_map(|known| known.strip_prefix(name))
            .filter(|rest| rest.len() == 1)
            .and_then(|rest| rest.chars().next())
            .map(u32::from),
    };
    match code {
        Some(code) => (char::from_u32(code), length + 1),
        None => (Some('&'), 1),
    }
}

/// In a table: the byte is no part of the view.
const DROPS: u8 = 0;

/// In a table: the byte has to be looked at. A larger entry is what the view holds for the byte.
const KEEPS: u8 = 1;

/// What the view of letters and digits holds for each byte.
const LETTERS: [u8; 256] = table(true);

/// What the view of visible characters holds for each byte.
const VISIBLE: [u8; 256] = table(false);

const fn table(letters: bool) -> [u8; 256] {
    let mut table = [KEEPS; 256];
    let mut rest: &mut [u8] = &mut table;
    let mut byte: u8 = 0;
    while let Some((entry, others)) = rest.split_first_mut() {
        if byte.is_ascii_alphanumeric() {
            *entry = if letters {
                byte.to_ascii_lowercase()
            } else {
                byte
            };
        } else if letters && byte < 0x80 && !matches!(byte, b'%' | b'\\' | b'&') {
            *entry = DROPS;
        }
        rest = others;
        byte = byte.wrapping_add(1);
    }
    table
}

/// Returns the view of a text.
fn seen(text: &[u8], view: View) -> Vec<u8> {
    let mut bytes = Vec::new();
    let table = if view == View::Letters {
        &LETTERS
    } else {
        &VISIBLE
    };
    // Most texts hold few bytes that have to be looked at; what lies between is copied by the table
    // alone. Each byte is written and only kept by moving on, which no branch has to foresee.
    let plain = memchr::memchr3(b'%', b'\\', b'&', text).is_none() && text.is_ascii();
    if plain && view == View::Letters {
        bytes.resize(text.len(), 0);
        let mut length = 0;
        for byte in text {
            let kept = at(table, usize::from(*byte));
            if let Some(slot) = bytes.get_mut(length) {
                *slot = kept;
            }
            length += usize::from(kept > KEEPS);
        }
        bytes.truncate(length);
    } else {
        bytes.reserve(text.len());
        walk(text, view, |byte, _, _| bytes.push(byte));
    }
    bytes
}

/// Hands each byte of the view to `take`, with the place and the length of what it stands for.
fn walk(text: &[u8], view: View, mut take: impl FnMut(u8, usize, usize)) {
    let table = if view == View::Letters {
        &LETTERS
    } else {
        &VISIBLE
    };
    let mut place = 0;
    while let Some(byte) = text.get(place) {
        let kept = at(table, usize::from(*byte));
        if kept > KEEPS {
            take(kept, place, 1);
            place += 1;
            continue;
        }
        if kept == DROPS {
            place += 1;
            continue;
        }
        let plain = !matches!(byte, b'%' | b'\\' | b'&');
        let (character, length) = if plain {
            (Some(raw(u32::from(*byte))), 1)
        } else {
            decoded(text, place)
        };
        if let Some(character) = character {
            let code = u32::from(character);
            let kept = match view {
                View::Letters => code >= 0x80 || character.is_ascii_alphanumeric(),
                View::Visible => {
                    !(character.is_ascii_whitespace()
                        || character.is_ascii_control()
                        || matches!(character, '+' | '-'))
                }
            };
            // Unicode escapes name characters; all else names bytes.
            let names_character = !plain && (*byte == b'&' || at(text, place + 1) == b'u');
            if kept && code < 0x100 && !(names_character && code >= 0x80) {
                let byte = u8::try_from(code).unwrap_or_default();
                take(
                    if view == View::Letters {
                        byte.to_ascii_lowercase()
                    } else {
                        byte
                    },
                    place,
                    length,
                );
            } else if kept {
                let mut buffer = [0; 4];
                for byte in character.encode_utf8(&mut buffer).bytes() {
                    take(byte, place, length);
                }
            }
        }
        place += length;
    }
}

/// Appends where the matches in the view stand in the text: one span on each line.
fn locate(text: &[u8], view: View, automaton: &AhoCorasick, found: &mut Spans) {
    let mut bytes = Vec::new();
    let mut places = Vec::new();
    walk(text, view, |byte, place, length| {
        bytes.push(byte);
        places.push((place, place + length));
    });
    for hit in automaton.find_iter(&bytes) {
        let mut span: Option<(usize, usize)> = None;
        for (start, end) in places.get(hit.range()).unwrap_or_default() {
            let same_line = span.filter(|span| {
                let gap = text.get(span.1..*start).unwrap_or_default();
                !gap.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
            });
            if let Some(open) = same_line {
                span = Some((open.0, *end));
            } else {
                found.extend(span);
                span = Some((*start, *end));
            }
        }
        found.extend(span);
    }
}

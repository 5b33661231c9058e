//! What is left of a text when everything is gone that can be put between the characters of a value,
//! and its escapes are decoded.

use super::bytes::at;

/// What of a text is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// Letters and digits, all letters small.
    Letters,
    /// Everything but white space and the markers of a diff.
    Visible,
}

/// In a table: the byte is no part of the view.
pub(super) const DROPS: u8 = 0;

/// In a table: the byte begins an escape. A larger entry is what the view holds for the byte.
const ESCAPES: u8 = 1;

static LETTERS: [u8; 256] = table(View::Letters);

static VISIBLE: [u8; 256] = table(View::Visible);

const fn table(view: View) -> [u8; 256] {
    let mut table = [DROPS; 256];
    let mut rest: &mut [u8] = &mut table;
    let mut byte: u8 = 0;
    while let Some((entry, others)) = rest.split_first_mut() {
        if matches!(byte, b'%' | b'\\' | b'&') {
            *entry = ESCAPES;
        } else if view.keeps(byte as char) {
            *entry = view.fold(byte);
        }
        rest = others;
        byte = byte.wrapping_add(1);
    }
    table
}

impl View {
    /// Returns what the view holds for each byte that stands for itself.
    pub(super) fn table(self) -> &'static [u8; 256] {
        match self {
            Self::Letters => &LETTERS,
            Self::Visible => &VISIBLE,
        }
    }

    const fn keeps(self, character: char) -> bool {
        match self {
            Self::Letters => !character.is_ascii() || character.is_ascii_alphanumeric(),
            Self::Visible => {
                !(character.is_ascii_whitespace()
                    || character.is_ascii_control()
                    || matches!(character, '+' | '-'))
            }
        }
    }

    const fn fold(self, byte: u8) -> u8 {
        match self {
            Self::Letters => byte.to_ascii_lowercase(),
            Self::Visible => byte,
        }
    }

    /// Returns the view of a text.
    pub(super) fn of(self, text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.walk(text, |byte, _, _| bytes.push(byte));
        bytes
    }

    /// Hands each byte of the view to `take`, with the place and the length of what it stands for.
    pub(super) fn walk(self, text: &[u8], mut take: impl FnMut(u8, usize, usize)) {
        let mut place = 0;
        while let Some(byte) = text.get(place) {
            let length = match at(self.table(), usize::from(*byte)) {
                DROPS => 1,
                ESCAPES => {
                    let (bytes, length) = self.escape(text, place);
                    bytes.for_each(|byte| take(byte, place, length));
                    length
                }
                kept => {
                    take(kept, place, 1);
                    1
                }
            };
            place += length;
        }
    }

    /// Returns what the view holds for the escape that begins at `place`, and the length of it.
    pub(super) fn escape(self, text: &[u8], place: usize) -> (impl Iterator<Item = u8>, usize) {
        let (character, length) = decoded(text, place);
        let character = character.filter(|character| self.keeps(*character));
        // Unicode escapes and entities name characters; all else names bytes.
        let names_character = at(text, place) == b'&' || at(text, place + 1) == b'u';
        let mut buffer = [0; 4];
        let used = match character.map(|character| (character, u8::try_from(u32::from(character))))
        {
            Some((_, Ok(byte))) if byte.is_ascii() || !names_character => {
                buffer = [self.fold(byte), 0, 0, 0];
                1
            }
            Some((character, _)) => character.encode_utf8(&mut buffer).len(),
            None => 0,
        };
        (buffer.into_iter().take(used), length)
    }
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

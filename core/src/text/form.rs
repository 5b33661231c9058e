//! The forms in which such text is printed.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::fate::{Fate, fates};

/// Returns `text` on one line.
///
/// Blanks around a tab or a line break are one blank with it, or nothing at either end of the text.
/// Every other character that steers a terminal, hides or reorders text is written out as `\u{…}`,
/// and so is one character of whatever a CI system would run as a command: the first of `::error::`
/// where it begins the text, the second of `##[error]` and `##vso[…]` anywhere. A joiner stays
/// inside an emoji and nowhere else.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut blanks = String::new();
    let mut is_broken = false;
    for (character, fate) in fates(text) {
        match fate {
            Fate::Breaks => is_broken = true,
            Fate::Stays if character.is_whitespace() => blanks.push(character),
            Fate::Stays | Fate::Escaped => {
                if !is_broken {
                    line.push_str(&blanks);
                } else if !line.is_empty() {
                    line.push(' ');
                }
                blanks.clear();
                is_broken = false;
                if fate == Fate::Stays {
                    line.push(character);
                } else {
                    line.extend(character.escape_unicode());
                }
            }
        }
    }
    if !is_broken {
        line.push_str(&blanks);
    }
    same_or_owned(Cow::Borrowed(text), line)
}

/// Returns a path's bytes as one line of text.
///
/// What is no UTF-8 becomes U+FFFD. What [`one_line`] would not leave as it is, is written as an
/// escape, `\n`, `\t`, `\x1b`, `\u202e`, and a backslash is doubled where it would look like the
/// beginning of one: two paths of valid UTF-8 never have one text. Every other character stands as
/// it is.
pub fn path(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if is_plain(&text) && !text.contains('\\') {
        return text;
    }
    let mut path = String::with_capacity(text.len());
    let mut characters = fates(&text).peekable();
    while let Some((character, fate)) = characters.next() {
        if fate != Fate::Stays {
            escape(&mut path, character);
            continue;
        }
        path.push(character);
        let is_ambiguous = |(next, fate): &(char, Fate)| {
            *fate != Fate::Stays || matches!(next, '\\' | 'n' | 'r' | 't' | 'x' | 'u' | 'U')
        };
        if character == '\\' && characters.peek().is_some_and(is_ambiguous) {
            path.push(character);
        }
    }
    drop(characters);
    same_or_owned(text, path)
}

/// Returns `text` between double quotes, with every quote, backslash and unprintable character
/// written as an escape: `\"`, `\\`, `\n`, `\t`, `\x1b`, `\u202e`. Messages quote this way
/// whatever a user or a repository named.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for (character, fate) in fates(text) {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // The quote stands before it, so it begins no line.
            ':' => quoted.push(':'),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\u{b}' => quoted.push_str("\\v"),
            _ if fate == Fate::Stays && is_printable(character) => quoted.push(character),
            _ => escape(&mut quoted, character),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the beginning of `text` on one line: at most `max_chars` characters, of which the last
/// is `…` where something is left out.
pub fn excerpt(text: &str, max_chars: usize) -> String {
    let line = one_line(text);
    let Some((cut, _)) = line.char_indices().nth(max_chars) else {
        return line.into_owned();
    };
    let last = line.get(..cut).and_then(|kept| kept.char_indices().last());
    let Some((end, _)) = last else {
        return String::new();
    };
    // A joiner has nothing to join at the end.
    let kept = line.get(..end).unwrap_or_default();
    let kept = kept.trim_end_matches(|c: char| c.is_whitespace() || c == '\u{200d}');
    format!("{kept}…")
}

/// Returns whether a text is so simple that no form of it differs.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.contains("##")
        && !text.trim_start().starts_with("::")
}

fn same_or_owned(text: Cow<'_, str>, written: String) -> Cow<'_, str> {
    if written == text {
        text
    } else {
        Cow::Owned(written)
    }
}

/// Writes a character as the escape that Go's `%q` has for it.
fn escape(written: &mut String, character: char) {
    let code = u32::from(character);
    let result = match (character, code) {
        ('\n', _) => written.write_str("\\n"),
        ('\r', _) => written.write_str("\\r"),
        ('\t', _) => written.write_str("\\t"),
        (_, 0..0x80) => write!(written, "\\x{code:02x}"),
        (_, 0x80..0x1_0000) => write!(written, "\\u{code:04x}"),
        (_, _) => write!(written, "\\U{code:08x}"),
    };
    debug_assert!(result.is_ok(), "writing into a string cannot fail");
}

/// Returns whether a character has a shape; of all blanks only the common one counts.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // The standard library has the tables of what is printable and shows them here alone. At the
    // beginning of a text it would also escape what combines with the character before.
    ['a', character]
        .iter()
        .collect::<String>()
        .escape_debug()
        .nth(1)
        != Some('\\')
}

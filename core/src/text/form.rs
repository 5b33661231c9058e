//! The forms in which such text is printed.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::chat::{begins_chat_word, has_chat_word};
use super::fate::{Fate, fates, is_printable};

/// Returns `text` on one line.
///
/// Blanks around a tab or a line break are one blank with it, or nothing at either end of the text.
/// Every other character that steers a terminal, hides or reorders text, or piles up with others on
/// one character is written out as `\u{…}`, and so is one character of whatever a CI system would
/// run as a command: the first of `::error::` where it begins the text, the second of `##[error]`
/// and `##vso[…]` anywhere. A joiner stays inside an emoji and nowhere else.
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
    if line == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(line)
    }
}

/// Returns a path's bytes as one line of text, of which no two paths have the same.
///
/// What [`one_line`] would not leave as it is, a byte of no UTF-8, and the beginning of a word that
/// a model's server could take for its own, is written as an escape, `\n`, `\t`, `\x1b`, `\u202e`;
/// a backslash is doubled where it would look like the beginning of one. Every other character
/// stands as it is.
pub fn path(bytes: &[u8]) -> Cow<'_, str> {
    let is_shown = |text: &&str| is_plain(text) && !text.contains('\\') && !has_chat_word(text);
    let whole = str::from_utf8(bytes).ok();
    if let Some(text) = whole.filter(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut path = String::with_capacity(bytes.len());
    let mut behind_backslash = false;
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        let characters = text.char_indices().zip(fates(text));
        for ((at, character), (_, fate)) in characters {
            let stays = fate == Fate::Stays && !begins_chat_word(text, at);
            let is_ambiguous = matches!(character, '\\' | 'n' | 'r' | 't' | 'x' | 'u' | 'U');
            if behind_backslash && (is_ambiguous || !stays) {
                path.push('\\');
            }
            behind_backslash = character == '\\';
            if stays {
                path.push(character);
            } else {
                escape(&mut path, character);
            }
        }
        for byte in chunk.invalid() {
            if std::mem::take(&mut behind_backslash) {
                path.push('\\');
            }
            // Writing into a string cannot fail.
            let _ = write!(path, "\\x{byte:02x}");
        }
    }
    match whole {
        Some(text) if text == path => Cow::Borrowed(text),
        _ => Cow::Owned(path),
    }
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
